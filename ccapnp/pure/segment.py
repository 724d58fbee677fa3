"""One segment's memory, as numbers of every width."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, TypeVar

from ccapnp.wire.near import MAX_NEAR_WORDS
from ccapnp.wire.views import FORMATS, Views, caster

__all__ = ["Segment", "SegmentTable", "is_raw", "segment_over", "set_up"]

_S = TypeVar("_S", bound="Segment")


class Segment(Views):
    """A segment of a message that is read.  It has no ``__init__``: for Python, that is to make it twice as slowly.

    ``size`` is how many words it has, or has so far where a message is being built; ``capacity`` is how many of all it
    has room for near pointers lead to.  ``raw`` may be the bytes, bytearray or mmap in which the segment starts at byte
    ``raw_start`` (text is read faster from one); its second word, from which offsets count, is at ``raw_second``, and
    its end at ``raw_end``, which is -1 where there is no ``raw``, or more of it than near pointers lead to.
    """

    __slots__ = ("address", "capacity", "index", "raw", "raw_end", "raw_second", "size")

    address: int
    """Where it is in memory, for a codec that needs to know, which notes it."""
    capacity: int
    index: int
    raw: Any
    raw_end: int
    raw_second: int
    size: int
    addresses: Any = None
    """Of the message's first segment: where all are, for a codec that needs to know."""

    def _view(self, name: str) -> Any:
        return caster(self.u8)(FORMATS[name])


def segment_over(index: int, data: memoryview, raw: Any = None, raw_start: int = 0) -> Segment:
    """A segment that is read: ``data``, a view of a whole number of words."""
    return set_up(Segment(), index, data, raw, raw_start)


def set_up(segment: _S, index: int, data: memoryview, raw: Any, raw_start: int) -> _S:
    """The segment, after it was given ``data``."""
    size_bytes = len(data)
    segment.index = index
    segment.size = size = size_bytes >> 3
    segment.capacity = size if size < MAX_NEAR_WORDS else MAX_NEAR_WORDS
    segment.raw = raw
    segment.raw_second = raw_start + 8
    segment.raw_end = -1 if raw is None or size > MAX_NEAR_WORDS else raw_start + size_bytes
    cast = caster(data)
    segment.u8 = data
    segment.u16 = cast("H")
    segment.u32 = cast("I")
    segment.i32 = cast("i")
    return segment


class SegmentTable(Sequence[Segment]):
    """The segments of a message that is read.  Each is made when it is first asked for: a few bytes can claim many."""

    __slots__ = ("_opened", "_raw", "_raw_start", "_starts", "views")

    def __init__(self, views: Sequence[memoryview], raw: Any = None, raw_start: int = 0) -> None:
        """``raw``, as of `Segment`, may hold all of them, one after the other, from ``raw_start`` on."""
        self.views = views
        self._raw = raw
        self._raw_start = raw_start
        self._starts: Sequence[int] = ()
        self._opened: dict[int, Segment] = {}

    def begun_with(self, first: Segment) -> SegmentTable:
        """The table, after its first segment was opened elsewhere."""
        self._opened[0] = first
        return self

    def __len__(self) -> int:
        return len(self.views)

    def __getitem__(self, index: Any) -> Any:
        found = self._opened.get(index)
        if found is None:
            found = self._opened[index] = self._open(index)
        return found

    def _open(self, index: int) -> Segment:
        view = self.views[index]
        if self._raw is not None:
            return segment_over(index, view, self._raw, self._start_of(index) if index else self._raw_start)
        owner: Any = view.obj
        return segment_over(index, view, owner if is_raw(owner) and len(owner) == len(view) else None)

    def _start_of(self, index: int) -> int:
        """Where a segment starts in ``raw``."""
        if not self._starts:
            self._starts = array("Q", accumulate(map(len, self.views), initial=self._raw_start))
        return self._starts[index]


def is_raw(data: Any) -> bool:
    """Whether a slice of ``data`` is bytes (or a bytearray), which can decode themselves as text."""
    kind = type(data)
    return kind is bytes or kind is bytearray or (kind.__module__ == "mmap" and kind.__name__ == "mmap")
