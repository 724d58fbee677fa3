"""What is built: sizes of objects, empty ones, limits of the format, and memory that becomes zero."""

from __future__ import annotations

import mmap
from typing import Any

import pytest

from ccapnp import Capability, EncodeError, Kind, List, MessageBuilder, MessageReader
from tests.conformance.all_types import ALL_TYPES
from tests.wire.raw import frame, lst, segment_sizes, segments_of, struct, words


@pytest.mark.usefixtures("backend")
def test_b1_a_message_that_was_never_written_is_a_null_root() -> None:
    assert MessageBuilder().to_bytes() == bytes.fromhex("0000000001000000") + bytes(8)


@pytest.mark.conformance("LAY-07")
def test_objects_follow_each_other_in_the_order_they_are_made(shapes: Any) -> None:
    node = shapes.Text2.new_message(u="second", t="first")
    assert segments_of(node) == [words(struct(0, 0, 2), lst(2, 2, 6), lst(0, 2, 7), b"second", b"first")]


def test_enc47_an_empty_struct_takes_no_room(shapes: Any, official: Any) -> None:
    root = MessageBuilder().init_root(official.TestAnyPointer)
    root.anyPointerField.init_struct(official.TestEmptyStruct)
    assert root.has("anyPointerField") and root.total_size.word_count == 1
    assert segments_of(root) == [words(struct(0, 0, 1), "fcffffff00000000")]
    root.anyPointerField.set(official.TestEmptyStruct.new_message())
    assert segments_of(root) == [words(struct(0, 0, 1), "fcffffff00000000")]


@pytest.mark.parametrize("kind", [Kind.VOID, Kind.BOOL, Kind.UINT8, Kind.UINT16, Kind.UINT32, Kind.UINT64, Kind.TEXT])
def test_enc48_an_empty_list_takes_no_room(official: Any, kind: Kind) -> None:
    root = MessageBuilder().init_root(official.TestAnyPointer)
    assert len(root.anyPointerField.init_list(List(kind), 0)) == 0
    assert root.has("anyPointerField") and root.total_size.word_count == 1 and segment_sizes(root) == [2]
    assert len(root.as_reader().anyPointerField.as_list(List(kind))) == 0


def test_enc49_an_empty_struct_list_takes_its_tag(official: Any) -> None:
    root = MessageBuilder().init_root(official.TestAnyPointer)
    root.anyPointerField.init_list(List(official.TestAllTypes), 0)
    assert root.has("anyPointerField") and root.total_size.word_count == 2
    assert segments_of(root) == [words(struct(0, 0, 1), lst(0, 7, 0), struct(0, 6, 20))]


def test_enc48_empty_objects_of_the_last_word(shapes: Any) -> None:
    """Where the segment is full, an empty list needs no more room; an empty struct list does."""
    node = MessageBuilder(1 + 9).init_root(shapes.Node)
    node.blob = b""
    node.matrix = []
    assert len(node.to_segments()) == 1 and node.has("blob") and node.has("matrix")
    node.children = []
    assert len(shapes.Node.from_bytes(node.to_bytes()).children) == 0


@pytest.mark.conformance("ENC-15")
def test_fresh_lists_are_empty(all_types: Any) -> None:
    root = MessageBuilder().init_root(all_types.TestAllTypes)
    for field in root._type._node.fields:
        if field.name.endswith("List"):
            assert len(getattr(root, field.name)) == 0 and not root.has(field.name)
            assert len(getattr(root.as_reader(), field.name)) == 0
    assert segment_sizes(root) == [1 + 26]


@pytest.mark.conformance("ENC-16")
def test_a_list_set_from_an_empty_one_is_set(all_types: Any) -> None:
    kind = all_types.TestAllTypes
    unset, other = kind.from_bytes(frame(words(0))), kind.new_message()
    for field in kind._node.fields:
        name = field.name
        if not name.endswith("List") or name == "interfaceList":
            continue
        for empty in (getattr(unset, name), getattr(other, name), [], ()):
            root = kind.new_message()
            assert not root.has(name)
            setattr(root, name, empty)
            assert root.has(name) and len(getattr(root, name)) == 0
            assert root.as_reader().has(name)


@pytest.mark.conformance("ENC-40")
def test_has(shapes: Any) -> None:
    node = shapes.Node.new_message()
    assert not node.has("name") and not node.as_reader().has("name")
    node.name = ""
    assert node.has("name") and node.as_reader().has("name")
    node.name = None
    assert not node.has("name")


@pytest.mark.conformance("ENC-57")
def test_the_size_of_a_struct_is_the_sum_of_its_parts(official: Any, testdata: Any) -> None:
    reader = official.TestAllTypes.from_bytes((testdata / "binary").read_bytes())
    assert reader.total_size.word_count == 350  # MSG-07: the whole segment but for the root pointer
    builder = reader.as_builder()
    assert builder.total_size == reader.total_size and segment_sizes(builder) == [351]
    parts = sum(each.total_size.word_count for each in reader.structList) + 1
    holder = official.TestAllTypes.new_message(structList=reader.structList)
    assert holder.total_size.word_count == 26 + parts


@pytest.mark.conformance("MSG-07")
def test_the_size_of_a_message(official: Any, testdata: Any) -> None:
    for name in ("binary", "segmented"):
        builder = official.TestAllTypes.from_bytes((testdata / name).read_bytes()).as_builder()
        assert sum(segment_sizes(builder)) == builder.total_size.word_count + 1


@pytest.mark.conformance("ENC-39")
def test_a_new_root_leaves_nothing_of_the_old_one(all_types: Any) -> None:
    builder = MessageBuilder()
    root = builder.set_root(all_types.TestAllTypes.new_message(**ALL_TYPES))
    old, nested, element = root.as_reader(), root.structField.as_reader(), root.structList[1].as_reader()
    used = segment_sizes(builder)
    assert old.int32Field and nested.textField and element.textField
    builder.init_root(all_types.TestAllTypes)
    assert (old.int32Field, old.textField, nested.textField, element.textField) == (0, "", "", "")
    assert not any(builder.to_segments()[0][8 : used[0] << 3])


@pytest.mark.parametrize("replace", ["none", "init", "assign", "copy"])
def test_orp15_what_is_replaced_becomes_zero_and_nothing_else_does(shapes: Any, replace: str) -> None:
    secret = {
        "value": 1,
        "name": "secret",
        "blob": b"secret",
        "matrix": [[0x5353] * 5, []],
        "children": [{"name": "secret", "next": {"name": "secret"}}, {"any": "secret"}],
    }
    pair = shapes.Pair.new_message(b={"name": "kept"})
    kept = segment_sizes(pair)[0]
    pair.a = secret
    pair.a.any.set("secret")
    end = segment_sizes(pair)[0]
    if replace == "none":
        pair.a = None
    elif replace == "init":
        pair.init("a").value = 7
    else:
        pair.a = {"value": 7} if replace == "assign" else shapes.Node.new_message(value=7)
    after = b"".join(segments_of(pair))
    assert b"secret" not in after and b"SS" not in after
    assert pair.b.name == "kept" and pair.a.value == (0 if replace == "none" else 7)
    assert not any(after[kept << 3 : end << 3])


# ---- what the format cannot hold


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        (Kind.VOID, 2**29),
        (Kind.BOOL, 2**29),
        (Kind.UINT8, 2**29),
        (Kind.UINT64, 2**29),
        (Kind.UINT64, 2**29 - 1),  # fits the format, but no segment that has a landing pad too
        (Kind.TEXT, 2**29),
        (Kind.TEXT, 2**29 - 1),
        (Kind.UINT16, -1),
        (Kind.UINT16, 2**64),
        ("struct", 2**29),
        ("struct", 2**26),
        ("struct", -1),
        ("empty", 2**29),
    ],
)
def test_b3_lists_that_are_too_long_are_refused_before_memory_is_taken(shapes: Any, kind: Any, count: int) -> None:
    element = {"struct": shapes.Node, "empty": shapes.Void0}.get(kind, kind)
    root = MessageBuilder().init_root(shapes.Node)
    root.any.set("as it was")
    before = segments_of(root)
    with pytest.raises(EncodeError, match="list|object"):
        root.any.init_list(List(element), count)
    assert segments_of(root) == before and root.as_reader().any.as_text() == "as it was"


def test_b3_the_longest_lists_that_take_no_memory(shapes: Any) -> None:
    root = MessageBuilder().init_root(shapes.Empties)
    root.init("voids", 2**29 - 1)
    root.init("list", 2**29 - 1)
    assert len(root.voids) == len(root.list) == 2**29 - 1 and segment_sizes(root) == [4]
    reader = shapes.Empties.from_bytes(root.to_bytes(), traversal_limit_in_words=None)
    assert len(reader.voids) == len(reader.list) == 2**29 - 1 and reader.list[-1].v is None


def test_b3_text_and_data_that_are_too_long_are_refused(shapes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from ccapnp.pure import building

    monkeypatch.setattr(building, "MAX_LIST_ELEMENTS", 20)
    node = MessageBuilder(first_segment=mmap.mmap(-1, 4096)).init_root(shapes.Node)  # memory that only Python writes to
    node.name, node.blob = "x" * 19, bytes(20)
    before = segments_of(node)
    for name, value in (("name", "x" * 20), ("blob", bytes(21))):
        with pytest.raises(EncodeError, match=f"{name}: 21 bytes"):
            setattr(node, name, value)
    assert segments_of(node) == before


@pytest.mark.parametrize("index", [-1, 2**32])
def test_b3_an_index_that_no_capability_pointer_can_hold(shapes: Any, index: int) -> None:
    caps = shapes.Caps.new_message(cap=Capability(3))
    with pytest.raises(EncodeError, match="cap: "):
        caps.cap = Capability(index)
    assert caps.cap.index == 3


@pytest.mark.conformance("MSG-08")
@pytest.mark.parametrize("first_words", [-5, 0, 1, 2])
def test_any_size_of_the_first_segment(shapes: Any, first_words: int) -> None:
    node = shapes.Node.new_message(num_first_segment_words=first_words, name="x", children=[{"name": "y"}])
    assert shapes.Node.from_bytes(node.to_bytes()).children[0].name == "y"


@pytest.mark.conformance("MSG-08")
def test_segments_grow_as_the_message_does(shapes: Any) -> None:
    node = shapes.Node.new_message(num_first_segment_words=16)
    children = node.init("children", 4)
    capacities = []
    for child in children:
        for _ in range(40):
            child.blob = bytes(160)
    capacities = segment_sizes(node)
    assert len(capacities) < 12
    assert all(later > sum(capacities[:index]) * 0.5 for index, later in enumerate(capacities[2:-1], 2))


@pytest.mark.conformance("LAY-01")
def test_a_builder_can_be_read_as_it_is_built(shapes: Any) -> None:
    node = shapes.Node.new_message()
    reader = node.as_reader()
    node.name = "later"
    node.init("next").value = 5
    assert reader.name == "later" and reader.next.value == 5
    assert MessageReader(node.to_bytes()).get_root(shapes.Node) == reader
