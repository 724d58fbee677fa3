"""Following pointers within one segment: kinds, bounds, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ccapnp import DecodeError, Kind, List, MessageReader
from tests.wire.raw import capability, far, frame, lst, root_of, struct, words

pytestmark = pytest.mark.usefixtures("backend")

NUMBERS = List(Kind.UINT32)


def refused(segment: bytes, read: Any, *mentions: str) -> DecodeError:
    """The error that reading gives, which says in its text what each of ``mentions`` says."""
    with pytest.raises(DecodeError) as caught:
        read(root_of(segment))
    for mention in mentions:
        assert mention in str(caught.value)
    return caught.value


def test_null_is_the_default_of_every_kind(shapes: Any) -> None:
    root = root_of(words(0))
    assert root.kind == "null"
    assert root.as_text() == "" and root.as_data() == b"" and list(root.as_list(NUMBERS)) == []
    assert root.as_struct(shapes.Node).value == 0
    assert list(root.as_list(List(shapes.Node))) == [] and list(root.as_list(List(Kind.TEXT))) == []


@pytest.mark.conformance("ENC-06")
def test_a_null_root_reads_as_all_defaults(all_types: Any) -> None:
    reader = all_types.TestDefaults.from_bytes(frame(words(0)))
    assert reader.int32Field == -12345678 and reader.textField == "foo" and len(reader.structList) == 3
    assert not reader.has("textField")


def test_b1_a_message_without_a_root_pointer_is_refused(shapes: Any) -> None:
    for data in (frame(b""), frame(b"", words(0))):
        with pytest.raises(DecodeError, match="no root pointer"):
            shapes.Node.from_bytes(data)
    with pytest.raises(DecodeError):
        shapes.Node.from_bytes(b"")


def test_b3_a_null_root_can_be_written_again(shapes: Any) -> None:
    reader = shapes.Node.from_bytes(frame(words(0)))
    assert shapes.Node.from_bytes(reader.to_bytes()) == reader
    assert reader.as_builder().value == 0
    assert shapes.Node.from_bytes(reader.to_bytes_packed() and reader.copy().to_bytes()).name == ""


def test_b3_an_absent_struct_can_be_used_as_any_other(shapes: Any) -> None:
    absent = shapes.Node.from_bytes(frame(words(struct(0, 1, 0), 1))).next
    assert shapes.Node.from_bytes(absent.to_bytes()) == absent
    assert absent.total_size.word_count == 0
    assert absent.any.kind == "null"
    assert list(absent.any.as_list(NUMBERS)) == [] and absent.any.as_struct(shapes.Node).value == 0


@pytest.mark.parametrize("offset", [-1, 1, -2, 2**29 - 1, -(2**29)])
def test_b3_a_struct_without_size_may_lie_anywhere(shapes: Any, offset: int) -> None:
    segment = words(struct(0, 0, 1), struct(offset, 0, 0))
    pair = shapes.Pair.from_bytes(frame(segment))
    assert pair.has("a") and pair.a.value == 0 and pair.a.name == ""
    assert shapes.Pair.from_bytes(pair.to_bytes()).has("a")
    assert shapes.Pair.from_bytes(pair.a.to_bytes()).a.value == 0


@pytest.mark.parametrize("offset", [-1, 1, -3, 2**29 - 1, -(2**29)])
@pytest.mark.parametrize("element", [0, 1, 2, 3, 4, 5, 6])
def test_b3_an_empty_list_may_lie_anywhere(shapes: Any, offset: int, element: int) -> None:
    root = root_of(words(lst(offset, element, 0)))
    kinds = (Kind.VOID, Kind.BOOL, Kind.UINT8, Kind.UINT16, Kind.UINT32, Kind.UINT64, Kind.TEXT)
    read = root.as_list(List(kinds[element]))
    assert len(read) == 0 and list(read) == [] and read[:] == [] and list(reversed(read)) == []
    if element != 1:
        structs = root.as_list(List(shapes.Node))
        assert len(structs) == 0 and list(structs) == []
    if element == 2:
        assert root.as_data() == b""
    copy = MessageReader.from_segments([words(struct(0, 0, 6), 0, 0, 0, 0, lst(offset - 5, element, 0), 0)])
    assert copy.get_root(shapes.Node).as_builder().as_reader().any.kind == "list"


@pytest.mark.parametrize(
    "pointer",
    [struct(1, 1, 0), struct(0, 2, 0), struct(-2, 1, 0), struct(2**29 - 1, 1, 0), struct(-(2**29), 0, 1)]
    + [struct(0, 0xFFFF, 0xFFFF), struct(-3, 2, 0)],
)
def test_b3_a_struct_out_of_bounds_is_refused(shapes: Any, pointer: int) -> None:
    error = refused(words(pointer, 0), lambda root: root.as_struct(shapes.Node), "struct", "out of its segment")
    assert (error.segment, error.offset) == (0, 0)


@pytest.mark.parametrize(
    "pointer",
    [lst(1, 2, 1), lst(0, 2, 9), lst(0, 1, 65), lst(0, 5, 2), lst(0, 6, 2), lst(-2, 3, 1), lst(0, 2, 2**29 - 1)]
    + [lst(0, 7, 1), lst(0, 7, 2**29 - 1), lst(2**29 - 1, 7, 0), lst(-2, 7, 0)],
)
def test_b3_a_list_out_of_bounds_is_refused(shapes: Any, pointer: int) -> None:
    kinds = (0, Kind.BOOL, Kind.DATA, Kind.UINT16, 0, Kind.UINT64, Kind.TEXT, shapes.Node)
    kind = kinds[pointer >> 32 & 7]
    read = (lambda root: root.as_data()) if kind is Kind.DATA else (lambda root: root.as_list(List(kind)))
    refused(words(pointer, 0), read, "out of its segment")


def test_b3_pointers_may_lead_backwards(shapes: Any) -> None:
    # The child lies in front of its parent: root, child, parent (one data word, four pointers).
    segment = words(struct(1, 1, 4), 7, 5, struct(-3, 1, 0), 0, 0, 0)
    assert shapes.Node.from_bytes(frame(segment)).next.value == 7
    text = words(struct(1, 1, 4), b"back\0", 5, 0, 0, lst(-5, 2, 5), 0)
    assert shapes.Node.from_bytes(frame(text)).name == "back"


@pytest.mark.parametrize(
    ("word", "found"),
    [
        (struct(0, 1, 0), "struct"),
        (lst(0, 4, 1), "list"),
        (lst(0, 2, 1), "bytes"),
        (capability(5), "capability"),
        (7, "unknown kind"),
        (capability(1) | 4, "unknown kind"),
    ],
)
def test_b3_the_wrong_kind_is_refused(shapes: Any, word: int, found: str) -> None:
    segment = words(word, 0)
    if found != "struct":
        refused(segment, lambda root: root.as_struct(shapes.Node), "struct", found)
    if found not in ("list", "bytes"):
        refused(segment, lambda root: root.as_list(NUMBERS), "list", found)
        refused(segment, lambda root: root.as_list(List(shapes.Node)), "list", found)
        refused(segment, lambda root: root.as_list(List(Kind.TEXT)), "list", found)
    if found != "bytes":
        refused(segment, lambda root: root.as_text(), "text")
        refused(segment, lambda root: root.as_data(), "data")


def test_b3_kinds_are_told_and_unknown_ones_refused() -> None:
    known = {struct(0, 1, 0): "struct", lst(0, 5, 1): "list", capability(9): "capability", 0: "null"}
    assert {word: root_of(words(word, 0)).kind for word in known} == known
    for word in (7, capability(0) | 0x10, 0xFFFFFFFF, 2**64 - 1):
        refused(words(word, 0), lambda root: root.kind, "unknown kind")


def test_b3_capabilities_are_read_by_their_index(shapes: Any) -> None:
    segment = words(struct(0, 0, 3), capability(3), lst(1, 6, 2), capability(2**32 - 1), capability(0), capability(1))
    caps = shapes.Caps.from_bytes(frame(segment))
    assert caps.cap.index == 3 and [cap.index for cap in caps.list] == [0, 1]
    assert caps.any.kind == "capability"
    copy = caps.as_builder()
    assert copy.cap.index == 3 and [cap.index for cap in copy.list] == [0, 1]
    assert copy.as_reader().any.kind == "capability"
    assert caps.total_size.cap_count == 4
    wrong = words(struct(0, 0, 3), struct(2, 1, 0), 0, 0, 0)
    with pytest.raises(DecodeError, match="capability"):
        shapes.Caps.from_bytes(frame(wrong)).cap


# ---- text and data


@pytest.mark.parametrize(
    ("stored", "text"), [(b"foo\0", "foo"), (b"\0", ""), (b"A\0A\0", "A\0A"), ("héŋ€𝄞".encode() + b"\0", "héŋ€𝄞")]
)
def test_b3_text_ends_in_a_nul_and_may_have_others(stored: bytes, text: str) -> None:
    root = root_of(words(lst(0, 2, len(stored)), stored))
    assert root.as_text() == text
    assert root.as_data() == stored


@pytest.mark.parametrize("stored", [b"foo", b"foo\0o", b"AAA", b"\x01"])
def test_b3_text_without_a_nul_is_refused_but_is_data(stored: bytes) -> None:
    segment = words(lst(0, 2, len(stored)), stored)
    refused(segment, lambda root: root.as_text(), "NUL")
    assert root_of(segment).as_data() == stored


def test_b3_text_of_no_bytes_is_refused() -> None:
    refused(words(lst(0, 2, 0)), lambda root: root.as_text(), "NUL")
    assert root_of(words(lst(0, 2, 0))).as_data() == b""


@pytest.mark.parametrize("stored", [b"\xff\0", b"ab\xc3\0", b"\xed\xa0\x80\0", b"\xc0\xaf\0"])
def test_b3_text_that_is_not_utf8_is_refused_and_its_bytes_can_be_read(shapes: Any, stored: bytes) -> None:
    segment = words(struct(0, 1, 4), 0, 0, 0, lst(1, 2, len(stored)), 0, stored)
    node = shapes.Node.from_bytes(frame(segment))
    with pytest.raises(DecodeError, match=r"name: .*not valid UTF-8"):
        node.name
    assert bytes(node.get_data_as_view("name")) == stored[:-1]
    copy = shapes.Node.from_bytes(node.as_builder().to_bytes())
    assert bytes(copy.get_data_as_view("name")) == stored[:-1]


def test_b3_an_error_names_the_field_and_the_place(shapes: Any) -> None:
    node = shapes.Node.from_bytes(frame(words(struct(0, 1, 4), 0, 0, 0, lst(9, 2, 3), 0)))
    with pytest.raises(DecodeError) as caught:
        node.name
    assert caught.value.field == "name" and caught.value.segment == 0 and caught.value.offset == 4
    assert str(caught.value).startswith("name: ")


def test_blb01_texts_of_a_list(shapes: Any, official: Any) -> None:
    built = official.TestAllTypes.new_message(textList=["plugh", "xyzzy", "", "a\0b"], dataList=[b"oops", b"", b"\0"])
    reader = official.TestAllTypes.from_bytes(built.to_bytes())
    assert list(reader.textList) == ["plugh", "xyzzy", "", "a\0b"]
    assert list(reader.dataList) == [b"oops", b"", b"\0"]
    assert sorted(reader.dataList) == [b"", b"\0", b"oops"]


def test_b3_encodings_of_empty_objects(shapes: Any) -> None:
    built = shapes.Text2.new_message(t="", u=None)
    assert built.to_bytes()[8:] == words(struct(0, 0, 2), "050000000a000000", 0, 0)
    empty = shapes.Empties.new_message(list=[{}, {}, {}], voids=[None] * 4)
    assert empty.to_bytes()[8:] == words(struct(0, 0, 2), lst(1, 7, 0), lst(1, 0, 4), struct(3, 0, 0))
    node = shapes.Node.new_message(blob=b"")
    assert node.has("blob") and node.blob == b""


# ---- far pointers that are wrong, in one segment


def test_b3_far_pointers_to_nowhere_are_refused(shapes: Any) -> None:
    refused(words(far(0, 1)), lambda root: root.as_struct(shapes.Node), "segment 1")
    refused(words(far(1, 0)), lambda root: root.as_struct(shapes.Node), "landing pad")
    refused(words(far(0, 0)), lambda root: root.as_struct(shapes.Node), "far pointer")
    refused(words(far(0, 0)), lambda root: root.kind, "far pointer")
