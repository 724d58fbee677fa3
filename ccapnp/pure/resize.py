"""Making an orphan that is a list longer or shorter, in place if that is possible (capnp/orphan.h, `truncate`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.errors import EncodeError, shown
from ccapnp.pure.follow import bad_pointer, follow
from ccapnp.pure.relocate import link, move_pointer, take
from ccapnp.pure.upgrade import move_struct
from ccapnp.pure.zero import zero_sections
from ccapnp.wire.pointers import ELEMENT_BITS, LIST, MAX_LIST_ELEMENTS, MAX_OBJECT_WORDS, ElementSize, struct_pointer

if TYPE_CHECKING:
    from ccapnp.pure.arena import BuildSegment
    from ccapnp.pure.building import BuildShape

__all__ = ["resize"]

_COMPOSITE, _POINTER = int(ElementSize.COMPOSITE), int(ElementSize.POINTER)


class _List:
    """Where a list is, and how its elements lie; ``header`` is 1 where a tag word is in front of them."""

    def __init__(self, segment: BuildSegment, start: int, high: int) -> None:
        self.segment = segment
        self.start = start
        self.element, self.count = high & 7, high >> 3
        self.header = 0
        self.data_words, self.pointers = 0, int(self.element == _POINTER)
        if self.element == _COMPOSITE:
            self.header = 1
            sizes = segment.u32[start + start + 1]
            self.data_words, self.pointers = sizes & 0xFFFF, sizes >> 16
            self.count = segment.u32[start + start] >> 2
        self.each = self.data_words + self.pointers

    def words(self, count: int) -> int:
        """How many words ``count`` such elements take."""
        if self.each:
            return self.header + count * self.each
        return self.header + (count * ELEMENT_BITS[self.element] + 63 >> 6)


def resize(shape: BuildShape, at: int, count: int) -> None:
    """Give the list at a pointer that is not null ``count`` elements: new ones are zero, those that go become zero.

    A list at the end of its segment gives back what it does not need, and grows where it is if there is room; any other
    one that grows is moved.
    """
    arena = shape.arena
    found, start, low, high = follow(arena, shape.segment, at)
    if low & 3 != LIST:
        raise bad_pointer("list", low, high, shape.segment, at)
    segment: BuildSegment = found  # type: ignore[assignment]  # all segments of its arena are built
    old = _List(segment, start, high)
    if segment.is_external:
        raise EncodeError("external data cannot be resized")
    words, old_words = old.words(count), old.words(old.count)
    if not 0 <= count <= MAX_LIST_ELEMENTS or words > MAX_OBJECT_WORDS - 1:
        raise EncodeError(
            f"a list cannot have {shown(count)} elements of its size; it may have 0 to {MAX_LIST_ELEMENTS}"
        )
    is_last = old_words and segment.size == start + old_words
    target = segment
    if count < old.count:
        _zero_end(shape, old, count)
        if is_last and not arena.replacing:
            segment.size = start + words
    elif words > old_words:
        if is_last and start + words <= segment.capacity:
            segment.size = start + words
        else:
            target = arena.room(words)
            start = target.size
            target.size += words
            _move(shape, old, target, start)
    arena.keep_memory()
    take(arena, shape.segment, at)
    if old.header:
        target.u64[start] = struct_pointer(count, old.data_words, old.pointers)
    size = words - 1 if old.header else count
    link(arena, shape.segment, at, target, start, size << 35 | old.element << 32 | LIST)


def _zero_end(shape: BuildShape, old: _List, count: int) -> None:
    """Make the elements from ``count`` on zero."""
    segment = old.segment
    if old.each:
        elements = shape.child(segment, old.data_words | old.pointers << 16)
        first = old.start + old.header
        for index in range(count, old.count):
            zero_sections(elements, first + index * old.each)
        return
    bits = count * ELEMENT_BITS[old.element]
    begin = (old.start << 3) + (bits >> 3)
    end = old.start + old.words(old.count) << 3
    if bits & 7:
        segment.u8[begin] &= (1 << (bits & 7)) - 1
        begin += 1
    segment.u8[begin:end] = bytes(end - begin)


def _move(shape: BuildShape, old: _List, target: BuildSegment, start: int) -> None:
    """Move all elements to new room; the old becomes zero."""
    arena, source = shape.arena, old.segment
    if old.element == _POINTER:
        for index in range(old.count):
            move_pointer(arena, target, start + index, source, old.start + index)
    elif old.header:
        for index in range(old.count):
            offset = 1 + index * old.each
            move_struct(
                arena,
                target,
                start + offset,
                old.data_words,
                source,
                old.start + offset,
                old.data_words,
                old.pointers,
            )
        source.u64[old.start] = 0
    else:
        words = old.words(old.count)
        target.u8[start << 3 : start + words << 3] = source.u8[old.start << 3 : old.start + words << 3]
        source.u8[old.start << 3 : old.start + words << 3] = bytes(words << 3)
