"""The memory of a message being built: segments of zeros that never move, and where the next object goes.

A segment is a `bytearray` of fixed capacity, and a new one is as large as all before it together, so that even a large
message has few.  An object goes into the segment of its pointer if it fits; else it goes into the newest segment,
behind a landing pad to which a far pointer leads (capnp/layout.c++ does the same).
"""

from __future__ import annotations

from typing import Any

from ccapnp.errors import EncodeError
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.segment import Segment, set_up
from ccapnp.wire.framing import TABLES
from ccapnp.wire.pointers import MAX_OBJECT_WORDS, far_pointer

__all__ = ["Arena", "BuildSegment", "new_segment"]


class BuildSegment(Segment):
    """A segment that is written: ``size`` words of its ``capacity`` are used."""

    __slots__ = ()


def new_segment(index: int, capacity: int) -> BuildSegment:
    """An empty segment."""
    memory = bytearray(capacity << 3)
    segment = set_up(BuildSegment(), index, memoryview(memory), memory, 0)
    segment.size = 0
    return segment


class Arena(Limiter):
    """All segments of a message being built; what is in it is trusted, so that nothing is limited.

    ``replacing`` are the pointers that are getting a new value just now, the outermost first.  ``takes_segments`` is
    whether segments may come from elsewhere than `new_segment`.
    """

    __slots__ = ("replacing",)

    takes_segments = True

    segments: list[BuildSegment]
    replacing: list[Any]

    def pieces(self) -> list[memoryview]:
        return [segment.u8[: segment.size << 3] for segment in self.segments]

    def framed(self) -> bytes:
        segments = self.segments
        first = segments[0]
        start = first.u8[: first.size << 3]
        if len(segments) == 1:
            return b"".join((TABLES[1].pack(0, first.size), start))
        if len(segments) == 2:
            second = segments[1]
            return b"".join((TABLES[2].pack(1, first.size, second.size), start, second.u8[: second.size << 3]))
        return super().framed()

    def room(self, words: int) -> BuildSegment:
        """The newest segment if ``words`` fit there, else a new one."""
        newest = self.segments[-1]
        if newest.size + words <= newest.capacity:
            return newest
        newest = self.new_segment(words)
        self.segments.append(newest)
        return newest

    def new_segment(self, words: int) -> BuildSegment:
        """The next segment, with room for ``words``: as large as all before it together."""
        capacity = min(max(words, sum(segment.capacity for segment in self.segments)), MAX_OBJECT_WORDS)
        return new_segment(len(self.segments), capacity)

    def allocate(self, segment: BuildSegment, at: int, words: int) -> tuple[BuildSegment, int, int]:
        """Room for an object to which the pointer at word ``at`` shall lead: (segment, its pointer's word, its word).

        The pointer is not yet written; if the object is in another segment, a far pointer is, and the pointer to write
        is the landing pad.
        """
        if self.replacing:
            inner = self.replacing[-1]
            mark = inner.mark
            index = segment.index
            if index < len(mark) and at < mark[index] and (at != inner.at or segment is not inner.shape.segment):
                self._note_write_elsewhere(index, at)
        start = segment.size
        if start + words <= segment.capacity:
            segment.size = start + words
            return segment, at, start
        if words > MAX_OBJECT_WORDS - 1:
            raise EncodeError(f"an object of {words} words is larger than a segment can be")
        target = self.room(words + 1)
        pad = target.size
        target.size = pad + 1 + words
        segment.u64[at] = far_pointer(pad, target.index)
        return target, pad, pad + 1

    def _note_write_elsewhere(self, index: int, at: int) -> None:
        """A pointer outside a value being replaced gets an object: what is allocated now cannot be given back."""
        for each in self.replacing:
            if index < len(each.mark) and at < each.mark[index]:
                each.keeps_memory = True

    def mark(self) -> list[int]:
        """Where allocation stands, for `rollback`."""
        return [segment.size for segment in self.segments]

    def rollback(self, mark: list[int]) -> None:
        """Give back all that was allocated since ``mark``."""
        del self.segments[len(mark) :]
        for segment, size in zip(self.segments, mark):
            segment.u8[size << 3 : segment.size << 3] = bytes(segment.size - size << 3)
            segment.size = size
