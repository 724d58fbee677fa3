"""Deep copies: into other messages, over what exists, and within one message, where source and target may overlap."""

from __future__ import annotations

from typing import Any

import pytest

from ccapnp import List, MessageBuilder, canonicalize
from tests.conformance.all_types import LISTS
from tests.wire.arenas import fixed_segments
from tests.wire.raw import capability, frame, lst, root_of, segment_sizes, segments_of, struct, words


def tree(shapes: Any) -> Any:
    return shapes.Node.new_message(
        value=1,
        name="top",
        blob=b"\0\1",
        matrix=[[1, 2], [], [3]],
        children=[{"value": 2, "next": {"name": "inner"}}, {"text": "member"}],
        number=5,
    )


def test_enc35_setters_copy_deeply(shapes: Any) -> None:
    source = tree(shapes)
    pair = shapes.Pair.new_message(a=source, b=source.as_reader())
    pair.a.any.set(source)
    source.children[0].next.name = "changed"
    for copy in (pair.a, pair.b, pair.a.any.as_struct(shapes.Node)):
        assert copy.children[0].next.name == "inner" and [list(row) for row in copy.matrix] == [[1, 2], [], [3]]
    assert MessageBuilder().set_root(pair.as_reader()) == pair


@pytest.mark.conformance("ENC-36")
def test_a_single_element_as_a_new_root(all_types: Any) -> None:
    bits = all_types.TestLists.new_message(list1=[{"f": True}, {"f": False}, {"f": True}]).list1
    assert [MessageBuilder().set_root(bit).f for bit in bits] == [True, False, True]


@pytest.mark.conformance("ENC-37")
def test_lists_are_copied_deeply(all_types: Any) -> None:
    source = all_types.TestLists.new_message(**LISTS).as_reader()
    copy = all_types.TestLists.new_message()
    for field in source._type._node.fields:
        setattr(copy, field.name, getattr(source, field.name))
        assert getattr(copy, field.name) == getattr(source, field.name), field.name
    assert copy == source and canonicalize(copy) == canonicalize(source)


@pytest.mark.conformance("MSG-05")
def test_a_copy_is_independent(shapes: Any) -> None:
    source = tree(shapes)
    copy = source.copy()
    copy.children[1].text = "other"
    assert source.children[1].text == "member" and copy != source
    assert source.as_reader().copy() == source


def test_b3_null_is_copied_over_what_was_there(shapes: Any) -> None:
    target = shapes.Caps.new_message()
    target.any.set("text")
    target.any.set(shapes.Caps.new_message().as_reader().any)
    assert target.any.kind == "null" and not target.has("any")
    assert b"text" not in b"".join(segments_of(target))


def test_b3_what_a_schema_does_not_know_is_copied(shapes: Any) -> None:
    """Unknown data, pointers and kinds of lists at every place survive a copy of something around them."""
    segment = words(struct(0, 2, 3), 1, 99, lst(2, 2, 4), struct(4, 1, 0), capability(7), b"foo\0", 0, 0, 55)
    compact = words(struct(0, 2, 3), 1, 99, lst(2, 2, 4), struct(2, 1, 0), capability(7), b"foo\0", 55)
    reader = shapes.Void0.from_bytes(frame(segment))
    assert segments_of(reader.as_builder()) == segments_of(reader.as_builder().copy()) == [compact]


def test_b3_only_the_elements_of_a_list_are_copied(shapes: Any) -> None:
    """A list of structs may claim more words than its elements take, and have bits in its padding."""
    builder = MessageBuilder()
    builder.root.set(root_of(words(lst(0, 7, 4), struct(1, 1, 0), 5, 6, 7, 8)))
    assert segments_of(builder) == [words(lst(0, 7, 1), struct(1, 1, 0), 5)]
    builder = MessageBuilder()
    builder.root.set(root_of(words(lst(0, 1, 11), b"\xee\xff\xff\xff")))
    assert segments_of(builder) == [words(lst(0, 1, 11), b"\xee\x07")]
    builder.root.set(root_of(words(lst(0, 2, 3), b"\1\2\3\4")))
    assert segments_of(builder)[0][-8:] == words(b"\1\2\3")


# ---- within one message


@pytest.mark.conformance("ENC-58")
def test_an_element_assigned_to_itself_is_left_alone(shapes: Any) -> None:
    pair = shapes.Pair.new_message(a=tree(shapes))
    children = pair.a.children
    before = segments_of(pair)
    children[0] = children[0]
    children[1] = pair.a.children[1].as_reader()
    pair.as_reader().a.children[0] and children.__setitem__(0, pair.as_reader().a.children[0])
    assert segments_of(pair) == before
    children[1] = children[0]
    assert children[1].next.name == "inner" and children[1] == children[0]
    children[1].next.name = "only here"
    assert children[0].next.name == "inner"


def test_a_field_assigned_to_itself_keeps_its_value(shapes: Any) -> None:
    node = tree(shapes)
    expected = node.copy()
    node.children = node.children
    node.matrix = node.matrix
    node.name = node.name
    node.blob = node.blob
    node.children[0].next = node.children[0].next
    assert node == expected


@pytest.mark.parametrize("size", [1, 4, 1024])
def test_a_struct_can_be_put_into_itself(shapes: Any, size: int) -> None:
    with fixed_segments(size):
        chain = shapes.Chain.new_message(num_first_segment_words=size, value=1)
        chain.next = chain
        assert (chain.next.value, chain.next.has("next")) == (1, False)
        chain.next.value = 2
        chain.next.next = chain
        assert [chain.next.next.value, chain.next.next.next.value] == [1, 2]
        assert not chain.next.next.next.has("next")
    assert shapes.Chain.from_bytes(chain.to_bytes()) == chain


def test_a_list_can_be_put_into_one_of_its_elements(shapes: Any) -> None:
    node = shapes.Node.new_message(children=[{"value": 1}, {"value": 2}])
    node.children[0].children = node.children
    inner = node.children[0].children
    assert [child.value for child in inner] == [1, 2] and not inner[0].has("children")
    node.children[1].any.set(node.children)
    held = node.children[1].any.as_list(List(shapes.Node))
    assert held[0].children[1].value == 2
    node.any.set(node.any)
    node.any.set(node)
    assert node.any.as_struct(shapes.Node).children[0].children[1].value == 2
    assert shapes.Node.from_bytes(node.to_bytes(), nesting_limit=50) == node


def test_a_struct_can_be_replaced_by_what_is_in_it(shapes: Any) -> None:
    chain = shapes.Chain.new_message(value=1, next={"value": 2, "next": {"value": 3, "next": {"value": 4}}})
    chain.next = chain.next.next
    assert (chain.next.value, chain.next.next.value, chain.next.next.has("next")) == (3, 4, False)
    nodes = shapes.Node.new_message(children=[{"children": [{"name": "inner"}, {}]}])
    nodes.children[0] = nodes.children[0].children[0]
    assert nodes.children[0].name == "inner" and len(nodes.children[0].children) == 0


def test_a_text_as_long_as_the_one_before_takes_its_place(shapes: Any) -> None:
    node = shapes.Node.new_message(name="abcdefgh")
    before = segment_sizes(node)
    for text in ("01234567", "\u00e4\u00f6\u00fc\u00df", "abcdefgh"):
        node.name = text
        assert node.name == text and segment_sizes(node) == before
    clean = shapes.Node.new_message(name="abcdefgh")
    assert node.to_bytes() == clean.to_bytes()
    node.name = "abcdefg"  # takes as many words, but is not as long
    assert node.name == "abcdefg" and segment_sizes(node) > before


def test_copying_sheds_what_was_replaced(shapes: Any) -> None:
    node = shapes.Node.new_message()
    for number in range(100):
        node.name = f"{number:0{200 - number}}"
    assert segment_sizes(node)[0] > 1000
    assert segment_sizes(node.copy()) == [1 + 9 + 13] and node.copy() == node
