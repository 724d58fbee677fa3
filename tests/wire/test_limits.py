"""What a reader may cost: words traversed, pointers nested, and elements that take no room."""

from __future__ import annotations

from operator import eq
from typing import Any, Callable

import pytest

from ccapnp import Kind, LimitError, List, MessageReader, canonicalize
from tests.wire.raw import far, frame, lst, root_of, struct, words

VOIDS = List(Kind.VOID)


def costs(expected: int, *segments: bytes, read: Callable[[Any], Any]) -> None:
    """Reading works with a traversal limit of ``expected`` words, root included, and not with one less."""
    read(root_of(*segments, traversal_limit_in_words=expected))
    with pytest.raises(LimitError, match="traversal_limit_in_words") as caught:
        read(root_of(*segments, traversal_limit_in_words=expected - 1))
    assert caught.value.option == "traversal_limit_in_words"


def test_b3_the_root_costs_two_words_each_time(shapes: Any) -> None:
    null = words(0)
    costs(2, null, read=lambda root: root.kind)
    reader = MessageReader.from_segments([null], traversal_limit_in_words=5)
    for _ in range(2):
        reader.get_root(shapes.Node)
    with pytest.raises(LimitError):
        reader.get_root(shapes.Node)
    shapes.Node.from_bytes(frame(null), traversal_limit_in_words=2)
    with pytest.raises(LimitError):
        shapes.Node.from_bytes(frame(null), traversal_limit_in_words=1)


def test_b3_what_each_kind_of_object_costs(shapes: Any) -> None:
    costs(2 + 3, words(struct(0, 1, 2), 0, 0, 0), read=lambda root: root.as_struct(shapes.Node))
    costs(2 + 0, words(struct(-1, 0, 0)), read=lambda root: root.as_struct(shapes.Node))
    costs(2 + 1, words(lst(0, 2, 8), b"1234567\0"), read=lambda root: root.as_text())
    costs(2 + 2, words(lst(0, 2, 9), b"12345678\0"), read=lambda root: root.as_data())
    costs(2 + 1, words(lst(0, 1, 64), 0), read=lambda root: root.as_list(List(Kind.BOOL)))
    costs(2 + 2, words(lst(0, 1, 65), 0, 0), read=lambda root: root.as_list(List(Kind.BOOL)))
    costs(2 + 1, words(lst(0, 3, 4), 0), read=lambda root: root.as_list(List(Kind.UINT16)))
    costs(2 + 3, words(lst(0, 6, 3), 0, 0, 0), read=lambda root: root.as_list(List(Kind.TEXT)))
    costs(
        2 + 4 + 1, words(lst(0, 7, 4), struct(2, 1, 1), 0, 0, 0, 0), read=lambda root: root.as_list(List(shapes.Node))
    )
    # A composite list costs what it declares, even if its elements are fewer.
    costs(
        2 + 4 + 1, words(lst(0, 7, 4), struct(1, 1, 0), 0, 0, 0, 0), read=lambda root: root.as_list(List(shapes.Node))
    )


def test_b3_voids_cost_a_word_each(shapes: Any) -> None:
    costs(12, words(lst(0, 0, 10)), read=lambda root: root.as_list(VOIDS))
    costs(12, words(lst(0, 0, 10)), read=lambda root: root.as_list(List(shapes.Node)))
    holder = words(struct(0, 0, 2), 0, lst(0, 0, 10))
    costs(2 + 2 + 10, holder, read=lambda root: root.as_struct(shapes.Empties).as_builder())
    nothing = words(lst(0, 7, 0), struct(10, 0, 0))
    costs(2 + 1 + 10, nothing, read=lambda root: root.as_list(List(shapes.Node)))
    costs(2 + 1 + 10, nothing, read=lambda root: root.as_list(VOIDS))


def test_b3_measuring_costs_what_is_really_there(shapes: Any) -> None:
    segment = words(struct(0, 1, 0), 5)
    holder = words(struct(0, 0, 2), lst(1, 7, 0), lst(1, 0, 1000), struct(1000, 0, 0))
    for kind, data, cost, size in ((shapes.Node, segment, 3, 1), (shapes.Empties, holder, 5, 3)):
        reader = kind.from_segments([data], traversal_limit_in_words=cost)
        assert reader.total_size.word_count == size
    pair = words(struct(0, 0, 2), struct(1, 1, 0), struct(1, 1, 0), 5, 6)
    assert shapes.Pair.from_segments([pair], traversal_limit_in_words=6).total_size.word_count == 4
    with pytest.raises(LimitError):
        shapes.Pair.from_segments([pair], traversal_limit_in_words=5).total_size


def test_b3_a_builder_is_read_without_limits(shapes: Any) -> None:
    builder = shapes.Node.new_message(blob=bytes(1 << 20))
    for _ in range(100):  # more words in all than a reader could follow
        assert len(builder.blob) == 1 << 20
    node = builder
    for _ in range(100):
        node = node.init("next")
    node.value = 7
    for _ in range(100):
        builder = builder.next
    assert builder.value == 7


def test_b3_elements_and_plain_values_cost_nothing(shapes: Any) -> None:
    segment = words(lst(0, 7, 2), struct(2, 1, 0), 5, 6)
    items = root_of(segment, traversal_limit_in_words=5).as_list(List(shapes.Node))
    for _ in range(100):
        assert [item.value for item in items] == [5, 6]
        assert items[1].value == 6


def test_b3_each_getter_is_charged_again_and_a_refusal_is_not(shapes: Any) -> None:
    segment = words(struct(0, 0, 2), struct(1, 1, 0), struct(1, 2, 0), 5, 6, 7)
    pair = shapes.Pair.from_bytes(frame(segment), traversal_limit_in_words=2 + 2 + 3)
    assert pair.a.value == 5 and pair.a.value == 5
    with pytest.raises(LimitError, match="b: "):  # two words, where one is left
        pair.b
    assert pair.a.value == 5  # what is left can still be used, as in the C++ library
    for _ in range(3):
        with pytest.raises(LimitError):
            pair.a
    with pytest.raises(LimitError):
        pair.b


@pytest.mark.parametrize("limit", [None, 0])
def test_b3_no_limit(shapes: Any, limit: Any) -> None:
    segment = words(struct(0, 0, 1), lst(0, 0, 2**29 - 1))
    caps = shapes.Empties.from_bytes(frame(segment), traversal_limit_in_words=limit)
    assert caps.to_bytes() and MessageReader(frame(words(lst(0, 0, 2**29 - 1))), limit).root.as_list(VOIDS)[-1] is None


def test_b3_limits_that_make_no_sense_are_refused(shapes: Any) -> None:
    data = frame(words(0))
    for wrong in ({"traversal_limit_in_words": -1}, {"nesting_limit": 0}, {"nesting_limit": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            shapes.Node.from_bytes(data, **wrong)


# ---- nesting

LOOP = words(struct(-1, 0, 1))  # the root pointer leads to a struct which is the root pointer


def enter(node: Any) -> int:
    """How many structs can be entered, one below the other."""
    count = 1
    while True:
        try:
            node = node.next
        except LimitError as error:
            assert error.option == "nesting_limit" and "nesting_limit" in str(error)
            return count
        count += 1


def test_b3_a_struct_in_itself_is_entered_exactly_64_times(shapes: Any) -> None:
    assert enter(shapes.Chain.from_bytes(frame(LOOP))) == 64
    assert enter(shapes.Chain.from_bytes(frame(LOOP), nesting_limit=1)) == 1
    assert enter(shapes.Chain.from_bytes(frame(LOOP), nesting_limit=100)) == 100
    far_loop = words(far(0, 1)), words(struct(0, 0, 1), far(0, 1))
    assert enter(shapes.Chain.from_segments(far_loop)) == 64


def test_b3_a_loop_ends_every_walk(shapes: Any) -> None:
    chain = shapes.Chain.from_bytes(frame(LOOP))
    other = shapes.Chain.from_bytes(frame(LOOP))
    for walk in (chain.as_builder, lambda: chain.total_size, lambda: canonicalize(chain), lambda: hash(chain)):
        with pytest.raises(LimitError, match="nesting_limit"):
            walk()
    with pytest.raises(LimitError, match="nesting_limit"):
        eq(chain, other)


def test_b3_the_walks_enter_as_deep_as_the_getters(shapes: Any) -> None:
    node = shapes.Chain.new_message()
    for _ in range(63):
        node = shapes.Chain.new_message(next=node)
    data = node.to_bytes()
    deep = shapes.Chain.from_bytes(data)
    assert deep.total_size.word_count == 64 * 2
    assert deep.as_builder() == deep and len(canonicalize(deep)) == 64 * 8
    shallow = shapes.Chain.from_bytes(data, nesting_limit=63)
    for walk in (shallow.as_builder, lambda: shallow.total_size, lambda: canonicalize(shallow)):
        with pytest.raises(LimitError, match="nesting_limit"):
            walk()


def test_b3_a_list_costs_one_level_and_so_does_each_struct_in_it(shapes: Any) -> None:
    node = shapes.Node.new_message(children=[{"children": [{"next": {"value": 7}}]}])
    assert shapes.Node.from_bytes(node.to_bytes(), nesting_limit=4).children[0].children[0].next.value == 7
    inner = shapes.Node.from_bytes(node.to_bytes(), nesting_limit=3).children[0].children[0]
    with pytest.raises(LimitError):
        inner.next
    with pytest.raises(LimitError):
        shapes.Node.from_bytes(node.to_bytes(), nesting_limit=1).children
    rows = shapes.Node.new_message(matrix=[[1, 2]])
    assert list(shapes.Node.from_bytes(rows.to_bytes(), nesting_limit=3).matrix[0]) == [1, 2]
    with pytest.raises(LimitError):
        shapes.Node.from_bytes(rows.to_bytes(), nesting_limit=2).matrix[0]


def test_b3_null_pointers_and_texts_need_no_level(shapes: Any) -> None:
    built = shapes.Node.new_message(name="x", blob=b"y", value=3)
    node = shapes.Node.from_bytes(built.to_bytes(), nesting_limit=1)
    assert (node.name, node.blob, node.value) == ("x", b"y", 3)
    assert node.next.value == 0 and list(node.children) == [] and list(node.matrix) == []
    assert list(node.any.as_list(VOIDS)) == [] and node.any.as_struct(shapes.Node).name == ""
    plain = shapes.Node.from_bytes(shapes.Node.new_message(value=3).to_bytes(), nesting_limit=1)
    assert plain.as_builder() == plain and plain.total_size.word_count > 0 and canonicalize(plain)
    with pytest.raises(LimitError):  # but to copy one, it has to be followed as any list is
        node.as_builder()


def test_b3_deep_lists_end_too(shapes: Any) -> None:
    nested = List(List(List(List(Kind.TEXT))))
    loop = words(lst(-1, 6, 1))  # a list of pointers that is its own only element
    assert MessageReader.from_segments([loop], nesting_limit=4).root.as_list(nested)[0][0][0] is not None
    with pytest.raises(LimitError, match="nesting_limit"):
        MessageReader.from_segments([loop], nesting_limit=3).root.as_list(nested)[0][0][0]
    node = shapes.Node.from_bytes(frame(words(struct(0, 1, 4), 0, 0, 0, 0, 0) + loop), nesting_limit=64)
    assert node.value == 0


# ---- amplification


@pytest.mark.conformance("ENC-41")
def test_a_list_of_many_voids(shapes: Any) -> None:
    built = shapes.Empties.new_message()
    built.init("voids", 2**28)
    assert built.total_size.word_count == 2
    reader = shapes.Empties.from_bytes(built.to_bytes())
    assert len(built.to_bytes()) < 16 * 8
    assert reader.total_size.word_count == 2
    for walk in (lambda: reader.voids, reader.as_builder, lambda: canonicalize(reader)):
        with pytest.raises(LimitError):
            walk()
    other = root_of(words(lst(0, 0, 2**28)))
    with pytest.raises(LimitError):
        other.as_list(List(shapes.Node))


@pytest.mark.conformance("ENC-42")
def test_many_lists_of_many_empty_structs(shapes: Any) -> None:
    lists = [(lst(500 - n - 1 + n, 7, 0), struct(2**28, 0, 0)) for n in range(500)]
    segment = words(lst(0, 6, 500), *(pointer for pointer, _ in lists), *(tag for _, tag in lists))
    reader = root_of(segment)
    outer = reader.as_list(List(List(shapes.Void0)))
    for index in (0, 10):
        with pytest.raises(LimitError):
            outer[index]
    holder = shapes.Caps.from_bytes(frame(words(struct(0, 0, 3), 0, 0, lst(0, 6, 500)) + segment[8:]))
    assert holder.total_size.word_count == 3 + 500 + 500
    with pytest.raises(LimitError):
        holder.as_builder()


@pytest.mark.conformance("ENC-42")
def test_a_list_of_many_empty_structs_is_small_when_it_is_set(shapes: Any) -> None:
    """Elements without a size do not grow to the size that the schema has: a few bytes would make gigabytes."""
    count = 2**22
    reader = root_of(words(lst(0, 7, 0), struct(count, 0, 0))).as_list(List(shapes.Node))
    built = shapes.Node.new_message(children=reader)
    assert built.total_size.word_count < 16 and len(built.as_reader().children) == count


def test_a_copy_of_a_message_larger_than_half_the_limit(shapes: Any) -> None:
    data = shapes.Node.new_message(blob=bytes(6 << 20)).to_bytes()
    limit = len(data) // 8 + 10
    assert shapes.Node.from_bytes(data, traversal_limit_in_words=limit).as_builder().blob == bytes(6 << 20)
    inner = shapes.Pair.new_message(a={"blob": bytes(6 << 20)}).to_bytes()
    copy = shapes.Pair.from_bytes(inner, traversal_limit_in_words=limit + 10).a.as_builder()
    assert len(copy.blob) == 6 << 20
