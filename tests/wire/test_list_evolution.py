"""Lists read, and built upon, as lists of other elements than they were written with."""

from __future__ import annotations

from typing import Any

import pytest

from ccapnp import DecodeError, Kind, List, MessageBuilder, MessageReader
from tests.wire.raw import lst, root_of, struct, words

pytestmark = pytest.mark.usefixtures("backend")

STRUCTS = ("Void0", "Byte8", "Short16", "Int32", "Long64", "Two64", "Text1", "Both")

VOIDS = lst(0, 0, 3), ()
BITS = lst(0, 1, 3), (5,)
BYTES = lst(0, 2, 3), (b"\x0c\x22\x38",)
SHORTS = lst(0, 3, 3), (b"\x0c\x01\x22\x02\x38\x03",)
INTS = lst(0, 4, 3), (b"\x0c\x01\0\x10\x22\x02\0\x20\x38\x03\0\x30",)
LONGS = lst(0, 5, 3), (0x100000000000010C, 0x2000000000000222, 0x3000000000000338)
TEXTS = lst(0, 6, 3), (lst(2, 2, 2), 0, lst(1, 2, 2), b"a", b"c")
DATA_STRUCTS = lst(0, 7, 6), (struct(3, 2, 0), 0x010C, 1, 0x0222, 2, 0x0338, 3)
TEXT_STRUCTS = lst(0, 7, 3), (struct(3, 0, 1), lst(2, 2, 2), 0, lst(1, 2, 2), b"a", b"c")
BOTH_STRUCTS = lst(0, 7, 6), (struct(3, 1, 1), 0x010C, lst(4, 2, 2), 0x0222, 0, 0x0338, lst(1, 2, 2), b"a", b"c")


def stored(which: tuple[int, tuple[Any, ...]]) -> Any:
    return root_of(words(which[0], *which[1]))


def numbers(which: tuple[int, tuple[Any, ...]], kind: Kind) -> list[int]:
    return list(stored(which).as_list(List(kind)))


LOW_BYTES, LOW_SHORTS = [0x0C, 0x22, 0x38], [0x010C, 0x0222, 0x0338]


@pytest.mark.conformance("ENC-18")
def test_numbers_read_as_narrower_ones() -> None:
    for which in (BYTES, SHORTS, INTS, LONGS, DATA_STRUCTS, BOTH_STRUCTS):
        assert numbers(which, Kind.UINT8) == numbers(which, Kind.INT8) == LOW_BYTES
    for which in (SHORTS, INTS, LONGS, DATA_STRUCTS, BOTH_STRUCTS):
        assert numbers(which, Kind.UINT16) == LOW_SHORTS
    assert numbers(INTS, Kind.UINT32) == numbers(LONGS, Kind.UINT32)[:0] + [0x1000010C, 0x20000222, 0x30000338]
    assert numbers(LONGS, Kind.UINT32) == numbers(DATA_STRUCTS, Kind.UINT32) == LOW_SHORTS
    assert numbers(DATA_STRUCTS, Kind.UINT64) == numbers(BOTH_STRUCTS, Kind.UINT64) == LOW_SHORTS


@pytest.mark.parametrize(
    ("which", "kinds"),
    [
        (VOIDS, (Kind.BOOL, Kind.UINT8, Kind.UINT64, Kind.TEXT, Kind.FLOAT32)),
        (BITS, (Kind.VOID, Kind.UINT8, Kind.UINT16, Kind.UINT64, Kind.TEXT)),
        (BYTES, (Kind.BOOL, Kind.UINT16, Kind.UINT32, Kind.UINT64, Kind.TEXT)),
        (SHORTS, (Kind.BOOL, Kind.UINT32, Kind.UINT64, Kind.TEXT, Kind.FLOAT32)),
        (INTS, (Kind.BOOL, Kind.UINT64, Kind.TEXT, Kind.FLOAT64)),
        (LONGS, (Kind.BOOL, Kind.TEXT)),
        (TEXTS, (Kind.BOOL, Kind.UINT8, Kind.UINT64)),
        (DATA_STRUCTS, (Kind.BOOL, Kind.TEXT)),
        (TEXT_STRUCTS, (Kind.BOOL, Kind.UINT8, Kind.UINT64)),
        (BOTH_STRUCTS, (Kind.BOOL,)),
    ],
)
@pytest.mark.conformance("ENC-18", "ENC-19", "ENC-31")
def test_elements_that_do_not_fit_are_refused(which: Any, kinds: Any) -> None:
    for kind in kinds:
        with pytest.raises(DecodeError, match="cannot be read as a list of"):
            stored(which).as_list(List(kind))


@pytest.mark.conformance("ENC-27")
def test_anything_but_bits_reads_as_voids() -> None:
    for which in (VOIDS, BYTES, SHORTS, INTS, LONGS, TEXTS, DATA_STRUCTS, TEXT_STRUCTS, BOTH_STRUCTS):
        assert list(stored(which).as_list(List(Kind.VOID))) == [None] * 3


@pytest.mark.conformance("ENC-18")
def test_numbers_read_as_structs(shapes: Any) -> None:
    expected = {
        "Byte8": [LOW_BYTES] * 4,
        "Short16": [[0, 0, 0], LOW_SHORTS, LOW_SHORTS, LOW_SHORTS],
        "Int32": [[0, 0, 0], [0, 0, 0], [0x1000010C, 0x20000222, 0x30000338], LOW_SHORTS],
        "Long64": [[0, 0, 0]] * 3 + [list(LONGS[1])],
    }
    for name, rows in expected.items():
        for which, row in zip((BYTES, SHORTS, INTS, LONGS), rows):
            items = stored(which).as_list(List(getattr(shapes, name)))
            assert [item.f for item in items] == row, (name, which)
            assert [items[index].f for index in range(-3, 0)] == row
    both = stored(SHORTS).as_list(List(shapes.Both2))
    assert [(item.f, item.t, item.g, item.u) for item in both] == [(0, "", 9, "")] * 3
    assert [(item.f, item.g) for item in stored(LONGS).as_list(List(shapes.Two64))] == [(n, 7) for n in LONGS[1]]


@pytest.mark.conformance("ENC-18")
def test_voids_and_pointers_read_as_structs(shapes: Any) -> None:
    assert [item.f for item in stored(VOIDS).as_list(List(shapes.Two64))] == [0, 0, 0]
    assert [(item.t, item.u) for item in stored(TEXTS).as_list(List(shapes.Text2))] == [("a", ""), ("", ""), ("c", "")]
    assert [(item.f, item.t) for item in stored(TEXTS).as_list(List(shapes.Both))] == [(0, "a"), (0, ""), (0, "c")]


@pytest.mark.conformance("ENC-19")
def test_the_low_bit_of_each_number_as_a_struct_of_one_bit(shapes: Any) -> None:
    for which in (lst(0, 3, 4), (0x7801560134001201,)), (lst(0, 2, 4), (b"\1\0\1\1",)):
        items = stored(which).as_list(List(shapes.Bit1))
        assert [item.f for item in items] == [True, False, True, True]


@pytest.mark.conformance("ENC-21")
def test_bits_do_not_read_as_structs(shapes: Any) -> None:
    for name in STRUCTS:
        with pytest.raises(DecodeError, match="bits"):
            stored(BITS).as_list(List(getattr(shapes, name)))


@pytest.mark.conformance("ENC-20")
def test_structs_read_as_structs_of_another_shape(shapes: Any) -> None:
    assert [item.f for item in stored(DATA_STRUCTS).as_list(List(shapes.Bit1))] == [False, False, False]
    assert [item.t for item in stored(BOTH_STRUCTS).as_list(List(shapes.Text1))] == ["a", "", "c"]
    assert [item.f for item in stored(TEXT_STRUCTS).as_list(List(shapes.Int32))] == [0, 0, 0]
    assert [item.v for item in stored(BOTH_STRUCTS).as_list(List(shapes.Void0))] == [None] * 3


@pytest.mark.conformance("ENC-59")
def test_structs_read_as_a_list_of_their_first_pointers() -> None:
    for which in (TEXT_STRUCTS, BOTH_STRUCTS):
        texts = stored(which).as_list(List(Kind.TEXT))
        assert list(texts) == ["a", "", "c"] and texts[-1] == "c" and texts[0:3:2] == ["a", "c"]


@pytest.mark.conformance("ENC-60")
def test_lists_of_lists_that_are_structs_copy_within_bounds(shapes: Any) -> None:
    segment = words(lst(0, 7, 4), struct(1, 3, 1), 1, 2, 3, 0)
    lists = root_of(segment).as_list(List(List(Kind.UINT8)))
    assert [list(row) for row in lists] == [[]]
    builder = MessageBuilder()
    builder.root.set(root_of(segment))
    assert builder.to_segments() == [segment]


def test_can13_numbers_read_as_structs_can_be_copied(shapes: Any) -> None:
    for which, name in ((BYTES, "Byte8"), (SHORTS, "Short16"), (INTS, "Int32"), (LONGS, "Long64")):
        items = stored(which).as_list(List(getattr(shapes, name)))
        builder = MessageBuilder()
        builder.root.set(items)
        copied = MessageReader(builder.to_bytes()).root.as_list(List(getattr(shapes, name)))
        assert [item.f for item in copied] == [item.f for item in items]
        assert list(copied) == list(items) and hash(copied[0]) == hash(items[0])
        single = items[2].as_builder()
        assert single == items[2] and single.total_size.word_count >= 1 == items[2].total_size.word_count
        single.f = 3


@pytest.mark.parametrize(
    ("pointer", "rest", "mention"),
    [
        (lst(0, 7, 2), (lst(0, 2, 1), 0, 0), "not a struct pointer"),
        (lst(0, 7, 2), (struct(2, 1, 1), 0, 0), "claims 2 structs of 2 words in 2 words"),
        (lst(0, 7, 0), (struct(1, 1, 0),), "claims 1 structs"),
        (lst(0, 7, 2), (struct(2**29 - 1, 0xFFFF, 0xFFFF), 0, 0), "claims 536870911 structs"),
        (lst(0, 7, 2), (0xFFFFFFFC | 1 << 32, 0, 0), "claims 1073741823 structs"),
    ],
)
def test_b3_tags_that_cannot_be_are_refused(shapes: Any, pointer: int, rest: Any, mention: str) -> None:
    for element in (shapes.Node, Kind.TEXT, Kind.UINT8, Kind.VOID):
        with pytest.raises(DecodeError, match=mention):
            root_of(words(pointer, *rest)).as_list(List(element))
    with pytest.raises(DecodeError, match=mention):
        MessageBuilder().root.set(root_of(words(pointer, *rest)))


# ---- building upon lists


def builder_of(which: tuple[int, tuple[Any, ...]]) -> Any:
    builder = MessageBuilder()
    builder.root.set(stored(which))
    return builder


MATRIX = {
    # ENC-27: what is stored, and what a builder can get of it
    "void": (VOIDS, "void struct"),
    "bool": (BITS, "bool"),
    "u8": (BYTES, "void u8 struct"),
    "u16": (SHORTS, "void u8 u16 struct"),
    "u32": (INTS, "void u8 u16 u32 struct"),
    "u64": (LONGS, "void u8 u16 u32 u64 struct"),
    "text": (TEXTS, "void text struct"),
    "structs": (BOTH_STRUCTS, "void u8 u16 u32 u64 text struct"),
}


@pytest.mark.parametrize("name", MATRIX)
@pytest.mark.conformance("ENC-27")
def test_what_a_builder_can_get(shapes: Any, name: str) -> None:
    which, possible = MATRIX[name]
    kinds = {
        "void": Kind.VOID,
        "bool": Kind.BOOL,
        "u8": Kind.UINT8,
        "u16": Kind.UINT16,
        "u32": Kind.UINT32,
        "u64": Kind.UINT64,
        "text": Kind.TEXT,
        "struct": shapes.Both,
    }
    for target, kind in kinds.items():
        root = builder_of(which).root
        if target in possible.split():
            assert len(root.as_list(List(kind))) == 3
        else:
            before = [bytes(segment) for segment in builder_of(which).to_segments()]
            with pytest.raises(DecodeError):
                root.as_list(List(kind))
            assert builder_of(which).to_segments() == before


@pytest.mark.conformance("ENC-28")
def test_upgrading_a_list_moves_it_and_zeroes_the_old_one(shapes: Any) -> None:
    builder = builder_of(SHORTS)
    old = builder.root.as_list(List(Kind.UINT16))
    assert list(old) == LOW_SHORTS
    items = builder.root.as_list(List(shapes.Both))
    assert list(old) == [0, 0, 0]
    assert [item.f for item in items] == LOW_SHORTS and [item.t for item in items] == [""] * 3
    items[1].t, items[1].f = "new", 0x12345678
    assert list(builder.root.as_list(List(Kind.UINT16))) == [0x010C, 0x5678, 0x0338]
    assert [item.f for item in builder.root.as_list(List(shapes.Short16))] == [0x010C, 0x5678, 0x0338]
    assert [item.t for item in builder.root.as_list(List(shapes.Text1))] == ["", "new", ""]
    assert list(builder.root.as_list(List(Kind.TEXT))) == ["", "new", ""]


@pytest.mark.conformance("ENC-28")
def test_upgrading_texts_keeps_them(shapes: Any) -> None:
    builder = builder_of(TEXTS)
    old = builder.root.as_list(List(Kind.TEXT))
    items = builder.root.as_list(List(shapes.Both2))
    assert list(old) == ["", "", ""]
    assert [(item.f, item.t, item.g, item.u) for item in items] == [(0, "a", 9, ""), (0, "", 9, ""), (0, "c", 9, "")]


@pytest.mark.conformance("ENC-29")
def test_upgraded_numbers_are_extended_with_zeros(shapes: Any) -> None:
    builder = builder_of(SHORTS)
    assert [item.f for item in builder.root.as_list(List(shapes.Int32))] == LOW_SHORTS
    for kind, expected in ((Kind.UINT8, LOW_BYTES), (Kind.UINT16, LOW_SHORTS), (Kind.UINT32, LOW_SHORTS)):
        assert list(builder.root.as_list(List(kind))) == expected
    assert list(builder.root.as_list(List(Kind.UINT64))) == LOW_SHORTS
    for kind in (Kind.BOOL, Kind.TEXT):
        with pytest.raises(DecodeError):
            builder.root.as_list(List(kind))


@pytest.mark.parametrize("name", ["Byte8", "Short16", "Int32", "Long64", "Two64", "Both2"])
@pytest.mark.parametrize("which", [BYTES, SHORTS, INTS, LONGS])
@pytest.mark.conformance("ENC-29")
def test_every_width_to_every_struct(shapes: Any, which: Any, name: str) -> None:
    builder = builder_of(which)
    width = {BYTES: 8, SHORTS: 16, INTS: 32, LONGS: 64}[which]
    field = {"Byte8": 8, "Short16": 16, "Int32": 32, "Both2": 32}.get(name, 64)
    values = {BYTES: LOW_BYTES, SHORTS: LOW_SHORTS}.get(which) or numbers(which, Kind[f"UINT{width}"])
    items = builder.root.as_list(List(getattr(shapes, name)))
    assert [item.f for item in items] == [value & (1 << field) - 1 for value in values]


@pytest.mark.conformance("ENC-30")
def test_voids_become_structs(shapes: Any) -> None:
    items = builder_of(VOIDS).root.as_list(List(shapes.Int32))
    assert [item.f for item in items] == [0, 0, 0]
    items[2].f = 5
    assert [item.f for item in items] == [0, 0, 5]
    items = builder_of(VOIDS).root.as_list(List(shapes.Text1))
    items[0].t = "x"
    assert [item.t for item in items] == ["x", "", ""]


@pytest.mark.conformance("ENC-28")
def test_struct_lists_grow_in_both_sections(shapes: Any) -> None:
    builder = builder_of(BOTH_STRUCTS)
    old = builder.root.as_list(List(shapes.Both))
    items = builder.root.as_list(List(shapes.Both2))
    assert [item.f for item in old] == [0, 0, 0]
    assert [(item.f, item.t, item.g, item.u) for item in items] == [
        (0x010C, "a", 9, ""),
        (0x0222, "", 9, ""),
        (0x0338, "c", 9, ""),
    ]
    items[0].u, items[0].g = "more", 1
    assert [item.t for item in builder.root.as_list(List(shapes.Both))] == ["a", "", "c"]
    size = len(builder.to_bytes())
    assert builder.root.as_list(List(shapes.Both2))[0].u == "more" and len(builder.to_bytes()) == size


@pytest.mark.conformance("ENC-28")
def test_an_empty_list_can_be_upgraded(shapes: Any) -> None:
    for pointer in (lst(0, 0, 0), lst(0, 3, 0), lst(0, 6, 0)):
        builder = builder_of((pointer, ()))
        assert list(builder.root.as_list(List(shapes.Both))) == []
    assert list(builder_of((lst(0, 7, 0), (struct(0, 0, 0),))).root.as_list(List(shapes.Both))) == []
