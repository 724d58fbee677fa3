"""Large, deep and wide messages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import eq
from typing import Any

import pytest

from ccapnp import CapnpError, DecodeError, List, MessageReader, canonicalize
from tests.wire.arenas import fixed_segments
from tests.wire.memory_use import peak_bytes
from tests.wire.raw import capability, frame, lst, segment_sizes, struct, words

DEPTH = 50_000


def chain(shapes: Any, depth: int, first_segment_words: int = 1024) -> Any:
    root = node = shapes.Chain.new_message(num_first_segment_words=first_segment_words)
    for number in range(depth):
        node.value = number & 0xFF
        node = node.init("next")
    return root


@pytest.mark.conformance("MSG-08")
def test_a_large_message_has_few_segments(shapes: Any) -> None:
    node = shapes.Node.new_message()
    for child in node.init("children", 1024):
        child.blob = bytes(1 << 16)
    sizes = segment_sizes(node)
    assert sum(sizes) > 1 << 23 and len(sizes) < 20
    reader = shapes.Node.from_bytes(node.to_bytes(), traversal_limit_in_words=None)
    assert all(len(child.blob) == 1 << 16 for child in reader.children)


@pytest.mark.conformance("MSG-08")
def test_a_message_of_many_small_objects_has_few_segments(shapes: Any) -> None:
    node = shapes.Node.new_message(num_first_segment_words=8)
    for child in node.init("children", 20_000):
        child.name = "some text"
    assert len(segment_sizes(node)) < 10
    assert len(segment_sizes(node.copy())) == 1


def test_deep_messages_need_no_deep_stack(shapes: Any) -> None:
    assert sys.getrecursionlimit() < DEPTH
    root = chain(shapes, DEPTH, 1)
    data = root.to_bytes()
    assert root.total_size.word_count == 2 * (DEPTH + 1)
    copy = root.copy()
    assert copy == root and root == copy
    reader = shapes.Chain.from_bytes(data, traversal_limit_in_words=None, nesting_limit=2**31 - 1)
    assert reader == root and reader.total_size == root.total_size and hash(reader) == hash(copy.as_reader())
    assert canonicalize(root) == canonicalize(reader) and len(reader.as_builder().to_bytes()) >= len(data) // 2
    assert root.to_bytes_packed() and shapes.Chain.from_bytes_packed(
        root.to_bytes_packed(), traversal_limit_in_words=None
    )
    node = copy
    while node.has("next"):
        node = node.next
    node.value = 1
    assert copy != root
    root.next = None
    assert not any(b"".join(root.to_segments())[32:]) and not root.has("next")
    holder = shapes.Chain.new_message(next=copy)
    assert holder.next == copy
    holder.next = reader
    assert holder.next == reader


def test_a_deep_message_in_many_segments(shapes: Any) -> None:
    depth = 5_000
    with fixed_segments(0):
        root = chain(shapes, depth, 0)
    assert len(segment_sizes(root)) == depth + 2
    reader = shapes.Chain.from_bytes(root.to_bytes(), nesting_limit=2**31 - 1)
    node, entered = reader, 0
    while node.has("next"):
        node, entered = node.next, entered + 1
    assert entered == depth and reader == root and len(segment_sizes(reader.as_builder())) == 1
    del node, reader, root  # a chain of as many shapes goes with them


def test_a_deep_message_is_refused_by_the_usual_limit(shapes: Any) -> None:
    data = chain(shapes, 100).to_bytes()
    with pytest.raises(DecodeError, match="nesting_limit"):
        shapes.Chain.from_bytes(data).as_builder()


# ---- little that claims much


def refused(attempt: Callable[[], Any]) -> int:
    """The most memory, in bytes, that an attempt takes that ends in a DecodeError."""

    def fail() -> None:
        with pytest.raises(DecodeError):
            attempt()

    return peak_bytes(fail)


def table(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in numbers)


CLAIMS = {
    "a segment of 32 GiB": table(0, 2**32 - 1) + bytes(8),
    "a segment of 4 GiB": table(0, 2**29) + bytes(8),
    "4 Gi segments": table(2**32 - 1, 1) + bytes(8),
    "2 Gi segments": table(2**31, 1) + bytes(8),
    "512 segments of 32 GiB": table(511, *[2**32 - 1] * 512, 0) + bytes(8),
    "many voids": frame(words(lst(0, 0, 2**29 - 1))),
    "many structs without size": frame(words(lst(0, 7, 0), struct(2**29 - 1, 0, 0))),
    "many bytes": frame(words(lst(0, 2, 2**29 - 1), 0)),
    "many pointers": frame(words(lst(0, 6, 2**29 - 1), 0)),
    "a large list of structs": frame(words(lst(0, 7, 2**29 - 1), struct(1, 1, 0), 0)),
    "a large tag": frame(words(lst(0, 7, 1), struct(2**29 - 1, 0xFFFF, 0xFFFF), 0)),
    "the largest struct": frame(words(struct(0, 0xFFFF, 0xFFFF), 0)),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_claims_much_takes_little(shapes: Any, name: str) -> None:
    data = CLAIMS[name]
    node = shapes.Node.new_message()

    def read() -> Any:
        root = MessageReader(data).root
        if data[8] & 3 == 0:
            return root.as_struct(shapes.Node)
        if data[12] & 7 == 2:
            return root.as_data()
        return root.as_list(List(shapes.Node))

    assert refused(read) < 50_000
    if name.startswith(("many", "a large", "the largest")):
        inside = frame(
            words(struct(0, 2, 7), *[0] * 6, *[int.from_bytes(data[8:16], "little") + (2 << 2)], 0, 0) + data[16:]
        )
        assert refused(lambda: shapes.Node.from_bytes(inside).as_builder()) < 200_000
        assert refused(lambda: node.any.set(shapes.Node.from_bytes(inside).any)) < 200_000
        assert node.to_bytes() == shapes.Node.new_message().to_bytes()


def test_many_empty_segments_take_little(shapes: Any) -> None:
    count = 1 << 17
    data = table(count - 1, 2, *[0] * (count - 1), 0) + words(struct(0, 1, 0), 5)

    def read() -> None:
        assert shapes.Node.from_bytes(data).value == 5

    assert peak_bytes(read) < 10 * len(data)


def test_many_pointers_to_one_large_object_are_stopped_by_the_limit(shapes: Any) -> None:
    """Each pointer counts, so that a copy is never larger than the limit."""
    count, size = 1000, 1000
    pointers = [lst(count - 1 - n, 5, size) for n in range(count)]
    segment = words(struct(0, 0, 3), 0, 0, lst(0, 6, count), *pointers, bytes(8 * size))
    source = shapes.Caps.from_bytes(frame(segment), traversal_limit_in_words=100_000)
    assert refused(source.as_builder) < 4 << 20
    with pytest.raises(DecodeError):
        source.total_size


def test_a_wide_message_takes_no_stack_of_its_pointers(shapes: Any) -> None:
    """The walks keep one iterator for each object on their way, not one entry for each pointer."""
    count = 50_000
    pointers = [capability(0)] * count
    segment = words(struct(0, 0, 3), 0, 0, lst(0, 6, count)) + b"".join(each.to_bytes(8, "little") for each in pointers)
    source = shapes.Caps.from_bytes(frame(segment))
    other = shapes.Caps.from_bytes(frame(segment))

    def walk() -> None:
        assert source.total_size.cap_count == count and source.has("any")
        for attempt in (lambda: hash(source), lambda: eq(source, other)):
            with pytest.raises(CapnpError, match="capabilities"):
                attempt()

    assert peak_bytes(walk) < 3 * len(segment)
