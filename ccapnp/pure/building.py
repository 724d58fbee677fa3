"""Building a message: the arena that hands out zeroed memory, and the segments whose pointers are written.

Memory never moves: a segment is a `bytearray` of fixed capacity, and a new segment is as large as all before it
together, so that even a large message has few.  An object goes into the segment of its pointer if it fits; else it
goes into the newest segment, behind a landing pad to which a far pointer leads (capnp/layout.c++ does the same).
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Callable, Optional, TypeVar

from ccapnp.errors import EncodeError
from ccapnp.pure import upgrade
from ccapnp.pure.copy import copy_list_of_structs, copy_pointer, copy_sections, copy_struct
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.relocate import move_pointer
from ccapnp.pure.segment import Segment
from ccapnp.pure.zero import zero_object, zero_sections
from ccapnp.wire.limits import Limits
from ccapnp.wire.pointers import (
    ELEMENT_BITS,
    EMPTY_STRUCT,
    MAX_LIST_ELEMENTS,
    MAX_OBJECT_WORDS,
    STRUCT,
    ElementSize,
    far_pointer,
    list_pointer,
    struct_pointer,
)
from ccapnp.wire.shape import Shape

__all__ = ["Arena", "BuildSegment"]

_T = TypeVar("_T")
_UNBOUNDED_DEPTH = 2**31 - 1
_COMPOSITE = ElementSize.COMPOSITE


class Arena(Limiter):
    """All segments of a message being built; what is in it is trusted, so that nothing is limited."""

    __slots__ = ("root",)

    segments: list[BuildSegment]

    def __init__(self, first_segment_words: int) -> None:
        super().__init__(Limits(None, _UNBOUNDED_DEPTH))
        self.segments = []
        self.add_segment(max(1, first_segment_words))
        self.root = self.segments[0]
        self.root.size = 1  # the root pointer

    def add_segment(self, words: int) -> BuildSegment:
        """A new, empty segment of at least ``words``."""
        words = max(words, sum(segment.capacity for segment in self.segments))
        segment = BuildSegment(self, len(self.segments), min(words, MAX_OBJECT_WORDS))
        self.segments.append(segment)
        return segment

    def room(self, words: int) -> BuildSegment:
        """The newest segment if ``words`` fit there, else a new one."""
        newest = self.segments[-1]
        return newest if newest.size + words <= newest.capacity else self.add_segment(words)

    def mark(self) -> list[int]:
        """Where allocation stands, for `rollback`."""
        return [segment.size for segment in self.segments]

    def rollback(self, mark: list[int]) -> None:
        """Give back all that was allocated since ``mark``."""
        del self.segments[len(mark) :]
        for segment, size in zip(self.segments, mark):
            segment.u8[size << 3 : segment.size << 3] = bytes(segment.size - size << 3)
            segment.size = size


class BuildSegment(Segment):
    """A segment that is written.  ``at`` is always the word index of a pointer in this segment."""

    __slots__ = ("_memory", "capacity")

    arena: Arena

    def __init__(self, arena: Arena, index: int, capacity: int) -> None:
        self._memory = bytearray(capacity << 3)
        super().__init__(arena, index, memoryview(self._memory))
        self.capacity = capacity
        self.size = 0

    def build_shape(self, sizes: int) -> Shape:
        """The shape of structs in this segment; ``sizes`` is a struct pointer's high half."""
        return self.shape(sizes, _UNBOUNDED_DEPTH)

    def allocate(self, at: int, words: int) -> tuple[BuildSegment, int, int]:
        """Room for an object of ``words`` to which ``at`` shall lead: (segment, its pointer's word, object's word).

        The pointer is not yet written; if the object is in another segment, a far pointer is, and the pointer to write
        is the landing pad.
        """
        start = self.size
        if start + words <= self.capacity:
            self.size = start + words
            return self, at, start
        if words > MAX_OBJECT_WORDS - 1:
            raise EncodeError(f"an object of {words} words is larger than a segment can be")
        segment = self.arena.room(words + 1)
        pad = segment.size
        segment.size = pad + 1 + words
        self.u64[at] = far_pointer(pad, segment.index)
        return segment, pad, pad + 1

    def clear(self, at: int) -> None:
        """Make the pointer null; what it led to becomes zero."""
        word = self.u64[at]
        if word:
            self.u64[at] = 0
            zero_object(self, at, word)

    # ---- new objects

    def init_struct(self, at: int, data_words: int, pointers: int, make: Callable[[Shape, int], _T]) -> _T:
        """``make(shape, word)`` of a new struct, all zero."""
        self.clear(at)
        sizes = data_words | pointers << 16
        if not sizes:
            self.u64[at] = EMPTY_STRUCT
            return make(self.build_shape(0), at)
        segment, ref, start = self.allocate(at, data_words + pointers)
        segment.u64[ref] = struct_pointer(start - ref - 1, data_words, pointers)
        return make(segment.build_shape(sizes), start)

    def init_list(self, at: int, element: int, count: int) -> tuple[BuildSegment, int]:
        """(segment, first word) of a new list of ``count`` elements that are not structs, all zero."""
        if not 0 <= count <= MAX_LIST_ELEMENTS:
            raise EncodeError(f"a list cannot have {count} elements; it may have 0 to {MAX_LIST_ELEMENTS}")
        words = count * ELEMENT_BITS[element] + 63 >> 6
        self.clear(at)
        segment, ref, start = self.allocate(at, words)
        segment.u64[ref] = list_pointer(start - ref - 1, element, count)
        return segment, start

    def init_structs(self, at: int, count: int, data_words: int, pointers: int) -> tuple[Shape, int]:
        """(shape, first element's word) of a new list of ``count`` structs, all zero."""
        words = count * (data_words + pointers)
        if not 0 <= count <= MAX_LIST_ELEMENTS or words > MAX_OBJECT_WORDS - 1:
            raise EncodeError(f"a list cannot have {count} structs of {data_words + pointers} words")
        self.clear(at)
        segment, ref, start = self.allocate(at, words + 1)
        segment.u64[ref] = list_pointer(start - ref - 1, _COMPOSITE, words)
        segment.u64[start] = struct_pointer(count, data_words, pointers)
        return segment.build_shape(data_words | pointers << 16), start + 1

    def set_bytes(self, at: int, value: Any, size: int, count: int) -> None:
        """Write ``value``, a buffer of ``size`` bytes, as a list of ``count`` bytes (one more for a text's NUL)."""
        if count > MAX_LIST_ELEMENTS:
            raise EncodeError(f"{count} bytes are too many for one list; it may have {MAX_LIST_ELEMENTS}")
        if self.u64[at]:
            self.clear(at)
        segment, ref, start = self.allocate(at, count + 7 >> 3)
        segment.u64[ref] = (start - ref - 1 << 2) & 0xFFFFFFFF | count << 35 | 0x2_0000_0001
        start <<= 3
        segment._memory[start : start + size] = value

    def set_capability(self, at: int, index: int) -> None:
        """Write a pointer to entry ``index`` of the capability table."""
        self.clear(at)
        self.u64[at] = index << 32 | 3

    # ---- existing objects, to write into

    def get_struct(
        self,
        at: int,
        data_words: int,
        pointers: int,
        default: Optional[tuple[Segment, int]],
        make: Callable[[Shape, int], _T],
    ) -> _T:
        """``make(shape, word)`` of the struct there, which has at least these sizes then.

        A null pointer becomes a copy of ``default``, a pointer (segment, word) elsewhere, or an empty struct.
        """
        low = self.i32[at + at]
        sizes = self.u32[at + at + 1]
        if low & 3 == STRUCT and sizes & 0xFFFF >= data_words and sizes >> 16 >= pointers and (low or sizes):
            return make(self.build_shape(sizes), at + 1 + (low >> 2))
        if not (low or sizes):
            if default is None:
                return self.init_struct(at, data_words, pointers, make)
            self.copy_pointer(at, *default)
        segment, start, sizes = upgrade.upgrade_struct(self, at, data_words, pointers)
        return make(segment.build_shape(sizes), start)

    def get_structs(
        self, at: int, data_words: int, pointers: int, default: Optional[tuple[Segment, int]]
    ) -> Optional[tuple[Shape, int, int, int]]:
        """As `read_structs`, for elements that shall have at least these sizes."""
        if not self.u64[at]:
            if default is None:
                return None
            self.copy_pointer(at, *default)
        upgrade.upgrade_structs(self, at, data_words, pointers)
        return self.read_structs(at, _UNBOUNDED_DEPTH)

    # ---- whole trees

    def copy_pointer(self, at: int, source: Segment, source_at: int, depth: int = _UNBOUNDED_DEPTH) -> None:
        """Make the pointer lead to a deep copy of what another pointer leads to."""
        with self.replacing(at):
            copy_pointer(self, at, source, source_at, depth)

    def copy_struct(self, at: int, shape: Shape, word: int) -> None:
        """Make the pointer lead to a deep copy of a struct, with all the data it has, known or not."""
        with self.replacing(at):
            copy_struct(self, at, shape, word)

    def copy_structs(
        self, at: int, shape: Shape, word: int, count: int, step: int, data_words: int, pointers: int
    ) -> None:
        """Make the pointer lead to a deep copy of a list of structs, whose elements get at least these sizes."""
        with self.replacing(at):
            copy_list_of_structs(self, at, shape, word, count, step, data_words, pointers)

    def copy_into(self, shape: Shape, word: int, source: Shape, source_word: int) -> None:
        """Overwrite a struct of this message, where it is, with a deep copy of another; what has no room is lost."""
        if source is shape and source_word == word:
            return
        scratch = Arena(source.words + 2)
        copy_struct(scratch.root, 0, source, source_word)  # all that can fail happens here
        zero_sections(shape, word)
        scratch.root.read_struct(0, _UNBOUNDED_DEPTH, lambda copy, at: copy_sections(shape, word, copy, at))

    def move_pointer(self, at: int, source: BuildSegment, source_at: int) -> None:
        """Make the pointer lead to what another pointer of this message leads to, which becomes null."""
        self.clear(at)
        move_pointer(self, at, source, source_at)

    def replacing(self, at: int) -> _Replacing:
        """A context in which the null pointer at ``at`` gets a new value; if that fails, all is as it was."""
        return _Replacing(self, at)


class _Replacing:
    """What was there is zeroed on success, and what was allocated is given back on failure."""

    __slots__ = ("_at", "_mark", "_old", "_segment")

    def __init__(self, segment: BuildSegment, at: int) -> None:
        self._segment = segment
        self._at = at

    def __enter__(self) -> None:
        segment, at = self._segment, self._at
        self._mark = segment.arena.mark()
        self._old = segment.u64[at]
        segment.u64[at] = 0

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        segment, at = self._segment, self._at
        if kind is not None:
            segment.arena.rollback(self._mark)
            segment.u64[at] = self._old
        elif self._old:
            zero_object(segment, at, self._old)
