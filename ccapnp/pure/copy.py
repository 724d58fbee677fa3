"""Deep copies between messages, and the same walk as canonical form.

Objects are copied in preorder: an object's first child is laid out, with all below it, before its second.  With
``canonical`` each object is cut down to what is not zero (encoding.html, "Canonicalization").

The source must not be in the message that is written, where it would grow while it is copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccapnp.errors import EncodeError
from ccapnp.pure.locate import A_CAPABILITY, A_STRUCT, COMPOSITE, POINTERS, Target, locate, pointer_words
from ccapnp.wire.pointers import ELEMENT_BITS, EMPTY_STRUCT, LIST, STRUCT, capability_pointer, struct_pointer

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena, BuildSegment
    from ccapnp.pure.building import BuildShape
    from ccapnp.pure.limiter import Limiter
    from ccapnp.pure.reading import ReadShape
    from ccapnp.pure.segment import Segment

__all__ = ["copy_canonical", "copy_pointer", "copy_sections", "copy_struct", "copy_structs"]


def copy_pointer(target: BuildShape, at: int, source: ReadShape, source_at: int) -> None:
    """Make the null pointer at ``at`` lead to a copy of what the source's leads to."""
    if source.u64[source_at]:
        copy = _Copy(target.arena, source.arena)
        copy.pointer(target.segment, at, source.segment, source_at, source.depth)
        copy.run()


def copy_struct(target: BuildShape, at: int, source: ReadShape, word: int) -> None:
    """Make the null pointer at ``at`` lead to a copy of one struct."""
    copy = _Copy(target.arena, source.arena)
    copy.struct(target.segment, at, _elements(source, word, 1), source.depth)
    copy.run()


def copy_canonical(target: BuildShape, at: int, source: ReadShape, word: int) -> None:
    """The same in canonical form."""
    copy = _Copy(target.arena, source.arena, canonical=True)
    copy.struct(target.segment, at, _elements(source, word, 1), source.depth)
    copy.run()


def copy_structs(target: BuildShape, at: int, source: ReadShape, word: int, count: int) -> None:
    """Make the null pointer at ``at`` lead to a copy of a list of structs."""
    copy = _Copy(target.arena, source.arena)
    copy.structs(target.segment, at, _elements(source, word, count), source.depth)
    copy.run()


def copy_sections(target: BuildShape, word: int, source: ReadShape, source_word: int) -> None:
    """Copy a struct into one that exists and is all zero; sections are cut to what has room."""
    copy = _Copy(target.arena, source.arena)
    copy.elements(
        target.segment, word, target.data_words, target.pointers, _elements(source, source_word, 1), source.depth
    )
    copy.run()


def _elements(shape: ReadShape, word: int, count: int) -> Target:
    return A_STRUCT, shape.segment, word, count, shape.data_bits + 63 >> 6, shape.pointers


def moved_capability(into: Arena, source: Limiter, index: int) -> int:
    """The index in one message's capability table of what has ``index`` in another's, if that has a table."""
    caps = getattr(source, "caps", None)
    if caps is None:
        return index
    table = into.capability_table()
    table.append(caps[index] if index < len(caps) else None)
    return len(table) - 1


class _Copy:
    """One walk: the stack holds, for each object that has pointers, those that are still to be copied."""

    __slots__ = ("_canonical", "_from", "_into", "_stack")

    def __init__(self, into: Arena, source: Limiter, canonical: bool = False) -> None:
        self._into = into
        self._from = source
        self._canonical = canonical
        self._stack: list[tuple[Iterator[tuple[int, int]], BuildSegment, Segment, int]] = []

    def run(self) -> None:
        """Copy all that is below what was copied."""
        stack = self._stack
        while stack:
            places, segment, source, depth = stack[-1]
            u64 = source.u64
            for at, source_at in places:
                if u64[source_at]:
                    self.pointer(segment, at, source, source_at, depth)
                    if stack[-1][0] is not places:
                        break
            else:
                stack.pop()

    def pointer(self, segment: BuildSegment, at: int, source: Segment, source_at: int, depth: int) -> None:
        """Copy what one pointer leads to, without what is below it."""
        found = locate(self._from, source, source_at, depth)
        kind = found[0]
        if kind == A_STRUCT:
            self.struct(segment, at, found, depth - 1)
        elif kind == COMPOSITE:
            self.structs(segment, at, found, depth - 1)
        elif kind == A_CAPABILITY:
            if self._canonical:
                raise EncodeError("a message with capabilities has no canonical form")
            segment.u64[at] = capability_pointer(moved_capability(self._into, self._from, found[3]))
        else:
            self._numbers_or_pointers(segment, at, found, depth - 1)

    def struct(self, segment: BuildSegment, at: int, source: Target, depth: int) -> None:
        """Copy one struct."""
        data_words, pointers = self._sizes(source)
        if not data_words and not pointers:
            segment.u64[at] = EMPTY_STRUCT
            return
        target, start = self._into.allocate(segment, at, data_words + pointers, STRUCT, data_words | pointers << 16)
        self.elements(target, start, data_words, pointers, source, depth)

    def structs(self, segment: BuildSegment, at: int, source: Target, depth: int) -> None:
        """Copy a list of structs."""
        count = source[3]
        data_words, pointers = self._sizes(source)
        words = count * (data_words + pointers)
        target, tag = self._into.allocate(segment, at, words + 1, LIST, words << 3 | COMPOSITE)
        target.u64[tag] = struct_pointer(count, data_words, pointers)
        self.elements(target, tag + 1, data_words, pointers, source, depth)

    def elements(
        self, segment: BuildSegment, start: int, data_words: int, pointers: int, source: Target, depth: int
    ) -> None:
        """Copy the data sections of structs to where their room is, and have their pointers copied."""
        _, origin, first, count, source_data, source_pointers = source
        step, source_step = data_words + pointers, source_data + source_pointers
        size = min(data_words, source_data) << 3
        if count == 1 or (data_words == source_data and not pointers and not source_pointers):
            size *= count
            segment.u8[start << 3 : (start << 3) + size] = origin.u8[first << 3 : (first << 3) + size]
        elif size:
            target, from_ = segment.u8, origin.u8
            starts = range(start << 3, start + count * step << 3, step << 3)
            for to, begin in zip(starts, range(first << 3, origin.size << 3, source_step << 3)):
                target[to : to + size] = from_[begin : begin + size]
        used = min(pointers, source_pointers)
        if used:
            places = zip(
                pointer_words(start, count, step, data_words, used),
                pointer_words(first, count, source_step, source_data, used),
            )
            self._stack.append((places, segment, origin, depth))

    def _numbers_or_pointers(self, segment: BuildSegment, at: int, source: Target, depth: int) -> None:
        element, origin, first, count, _, _ = source
        bits = count * ELEMENT_BITS[element]
        target, start = self._into.allocate(segment, at, bits + 63 >> 6, LIST, count << 3 | element)
        if element == POINTERS:
            if count:
                places = zip(range(start, start + count), range(first, first + count))
                self._stack.append((places, target, origin, depth))
            return
        size = bits + 7 >> 3
        target.u8[start << 3 : (start << 3) + size] = origin.u8[first << 3 : (first << 3) + size]
        if bits & 7:
            target.u8[(start << 3) + size - 1] &= (1 << (bits & 7)) - 1

    def _sizes(self, source: Target) -> tuple[int, int]:
        """(data words, pointers) that the elements need."""
        _, origin, first, count, data_words, pointers = source
        step = data_words + pointers
        if not self._canonical or not step:
            return data_words, pointers
        trimmed = [_trimmed(origin, word, data_words, pointers) for word in range(first, first + count * step, step)]
        return max((data for data, _ in trimmed), default=0), max((each for _, each in trimmed), default=0)


def _trimmed(segment: Segment, word: int, data_words: int, pointers: int) -> tuple[int, int]:
    """(data words, pointers) of a struct without the zeros at either section's end."""
    u64 = segment.u64
    end = word + data_words + pointers
    while pointers and not u64[end - 1]:
        pointers -= 1
        end -= 1
    end = word + data_words
    while data_words and not u64[end - 1]:
        data_words -= 1
        end -= 1
    return data_words, pointers
