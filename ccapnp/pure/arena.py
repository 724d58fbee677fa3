"""The memory of a message being built: segments of zeros that never move, and where the next object goes.

A segment is a `bytearray` of fixed capacity, and a new one is as large as all before it together, so that even a large
message has few.  An object goes into the segment of its pointer if it fits; else it goes into the newest segment,
behind a landing pad to which a far pointer leads (capnp/layout.c++ does the same).

The pointer to an orphan, an object to which no pointer of the message leads, stands in an *anchor*: a segment of one
word that is no part of the message.  It is a double-far pointer, unless what it leads to takes no room, and its landing
pad is a segment beside the message, too.  So an orphan is followed, changed and freed like any other object, and the
message has nothing but the object itself.
"""

from __future__ import annotations

from typing import Any, Optional, TypeVar

from ccapnp.errors import DecodeError, EncodeError
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.segment import Segment, set_up
from ccapnp.wire.framing import TABLES
from ccapnp.wire.pointers import FAR, MAX_OBJECT_WORDS, far_pointer

__all__ = ["Anchor", "Arena", "BuildSegment", "ExternalSegment", "new_segment"]

_FIRST_BESIDE = 1 << 31
"""The number of the first segment beside the message, which has fewer of its own."""


_S = TypeVar("_S", bound=Segment)


class BuildSegment(Segment):
    """A segment that is written: ``size`` words of its ``capacity`` are used."""

    __slots__ = ()

    is_anchor = False
    is_external = False
    spent = False


class Anchor(BuildSegment):
    """One word beside the message: the pointer that leads to an orphan.  It is ``spent`` once there is no orphan."""

    __slots__ = ("spent",)

    is_anchor = True


class ExternalSegment(BuildSegment):
    """A segment in memory that is not the message's own, and that nobody writes."""

    __slots__ = ()

    is_external = True


def new_segment(index: int, capacity: int) -> BuildSegment:
    """An empty segment."""
    segment = _zeros(BuildSegment(), index, capacity)
    segment.size = 0
    return segment


def _zeros(segment: _S, index: int, words: int) -> _S:
    """The segment, after it was given memory."""
    memory = bytearray(words << 3)
    return set_up(segment, index, memoryview(memory), memory, 0)


class Arena(Limiter):
    """All segments of a message being built; what is in it is trusted, so that nothing is limited.

    ``replacing`` are the pointers that are getting a new value just now, the outermost first.  ``beside`` are landing
    pads of anchors; of most messages it is ``None``.  ``takes_segments`` is whether segments may come from elsewhere
    than `new_segment`.
    """

    __slots__ = ("beside", "replacing")

    takes_segments = True

    segments: list[BuildSegment]
    replacing: list[Any]
    beside: Optional[_Beside]

    def segment(self, index: int) -> BuildSegment:
        if index < len(self.segments):
            return self.segments[index]
        if index < _FIRST_BESIDE:
            return super().segment(index)  # type: ignore[return-value]  # for its error
        found = None if self.beside is None else self.beside.pads.get(index)
        if found is None:
            raise DecodeError("this builder belongs to an orphan that is no more")
        return found

    def capability_table(self) -> list[Any]:
        """The message's capability table, which is made when it is first needed."""
        try:
            return self.caps
        except AttributeError:
            self.caps = []
            return self.caps

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
        """The newest segment of the message's own if ``words`` fit there, else a new one."""
        own = [segment for segment in self.segments if not segment.is_external]
        newest = own[-1]
        if newest.size + words <= newest.capacity:
            return newest
        newest = self.new_segment(words)
        self.segments.append(newest)
        return newest

    def new_segment(self, words: int) -> BuildSegment:
        """The next segment, with room for ``words``: as large as all of the message's own before it together."""
        own = sum(segment.capacity for segment in self.segments if not segment.is_external)
        return new_segment(len(self.segments), min(max(words, own), MAX_OBJECT_WORDS))

    def allocate(self, segment: BuildSegment, at: int, words: int, kind: int, high: int) -> tuple[BuildSegment, int]:
        """(segment, first word) of a new object to which the pointer at word ``at`` leads from now on.

        ``kind`` is the pointer's lowest two bits, ``high`` its upper half.
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
            u32 = segment.u32  # in a new message, there is no other view yet
            u32[at + at] = start - at - 1 << 2 & 0xFFFFFFFF | kind
            u32[at + at + 1] = high
            return segment, start
        if words > MAX_OBJECT_WORDS - 1:
            raise EncodeError(f"an object of {words} words is larger than a segment can be")
        if segment.is_anchor:
            return self._allocate_orphan(segment, words, high << 32 | kind)
        target = self.room(words + 1)
        pad = target.size
        target.size = pad + 1 + words
        segment.u64[at] = far_pointer(pad, target.index)
        target.u64[pad] = high << 32 | kind
        return target, pad + 1

    def _note_write_elsewhere(self, index: int, at: int) -> None:
        """A pointer outside a value being replaced gets an object: what is allocated now cannot be given back."""
        for each in self.replacing:
            if index < len(each.mark) and at < each.mark[index]:
                each.keeps_memory = True

    def keep_memory(self) -> None:
        """What was allocated so far cannot be given back, whatever is being replaced: an orphan may be in it."""
        for each in self.replacing:
            each.keeps_memory = True

    # ---- beside the message

    def anchor(self) -> Anchor:
        """The null pointer to a new orphan."""
        anchor = _zeros(Anchor(), _FIRST_BESIDE, 1)
        anchor.spent = False
        return anchor

    def _allocate_orphan(self, anchor: Any, words: int, tag: int) -> tuple[BuildSegment, int]:
        """As `allocate`, for an orphan's pointer."""
        if anchor.spent:
            raise EncodeError("this builder belongs to an orphan that is no more")
        for each in self.replacing:
            if each.shape.segment is not anchor:
                each.keeps_memory = True
        target = self.room(words)
        start = target.size
        target.size = start + words
        self.link_anchor(anchor, target, start, tag)
        return target, start

    def link_anchor(self, anchor: BuildSegment, target: BuildSegment, start: int, tag: int) -> None:
        """Make an orphan's pointer lead to the object at word ``start``; ``tag`` is a pointer to it without offset."""
        if self.beside is None:
            self.beside = _Beside()
        beside = self.beside
        pad = _zeros(BuildSegment(), beside.next, 2)
        pad.u64[0] = far_pointer(start, target.index)
        pad.u64[1] = tag
        beside.pads[beside.next] = pad
        beside.next += 1
        anchor.u64[0] = far_pointer(0, pad.index, double=True)

    def free_pad(self, word: int) -> None:
        """Zero the landing pad that a pointer, ``word``, leads to if it is far, but not what that leads to."""
        if word & 3 == FAR:
            pad, pad_at = self.segment(word >> 32), (word & 0xFFFFFFFF) >> 3
            words = 2 if word & 4 else 1
            pad.u8[pad_at << 3 : pad_at + words << 3] = bytes(words << 3)
            if self.beside is not None:
                self.beside.pads.pop(pad.index, None)

    def add_external(self, data: memoryview) -> ExternalSegment:
        """A new segment of the message over bytes, a whole number of words, that stay where they are."""
        self.keep_memory()
        segment = set_up(ExternalSegment(), len(self.segments), data, None, 0)
        self.segments.append(segment)
        return segment

    # ---- giving memory back

    def mark(self) -> list[int]:
        """Where allocation stands, for `rollback`."""
        return [segment.size for segment in self.segments]

    def rollback(self, mark: list[int]) -> None:
        """Give back all that was allocated since ``mark``."""
        del self.segments[len(mark) :]
        for segment, size in zip(self.segments, mark):
            segment.u8[size << 3 : segment.size << 3] = bytes(segment.size - size << 3)
            segment.size = size


class _Beside:
    """The landing pads beside a message, by the number that each has in place of a segment's; and the next number."""

    __slots__ = ("next", "pads")

    def __init__(self) -> None:
        self.next = _FIRST_BESIDE
        self.pads: dict[int, BuildSegment] = {}
