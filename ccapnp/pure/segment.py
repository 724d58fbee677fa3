"""One segment's memory, as numbers of every width."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ccapnp.wire.views import FORMATS, caster

__all__ = ["Segment", "SegmentTable", "is_raw"]


class Segment:
    """A segment of a message that is read.

    ``size`` is in words.  ``raw`` may be the bytes, bytearray or mmap in which the segment starts at byte ``raw_start``
    (text is read faster from one); its second word, from which offsets count, is at ``raw_second``, and its end at
    ``raw_end``, which is -1 where there is no ``raw``.
    """

    __slots__ = (*FORMATS, "index", "raw", "raw_end", "raw_second", "size")

    u8: Any
    i8: Any
    u16: Any
    i16: Any
    u32: Any
    i32: Any
    u64: Any
    i64: Any
    f32: Any
    f64: Any

    def __init__(self, index: int, data: memoryview, raw: Any = None, raw_start: int = 0) -> None:
        """A segment over ``data``, a view of a whole number of words."""
        size_bytes = len(data)
        self.index = index
        self.size = size_bytes >> 3
        self.raw = raw
        self.raw_second = raw_start + 8
        self.raw_end = -1 if raw is None else raw_start + size_bytes
        cast = caster(data)
        self.u8 = data
        self.i8 = cast("b")
        self.u16 = cast("H")
        self.i16 = cast("h")
        self.u32 = cast("I")
        self.i32 = cast("i")
        self.u64 = cast("Q")
        self.i64 = cast("q")
        self.f32 = cast("f")
        self.f64 = cast("d")


class SegmentTable(Sequence[Segment]):
    """The segments of a message that is read.  Each is made when it is first asked for: a few bytes can claim many."""

    __slots__ = ("_opened", "_raw", "_raw_start", "_starts", "addresses", "views")

    def __init__(self, views: Sequence[memoryview], raw: Any = None, raw_start: int = 0) -> None:
        """``raw``, as of `Segment`, may hold all of them, one after the other, from ``raw_start`` on."""
        self.views = views
        self.addresses: Any = None
        self._raw = raw
        self._raw_start = raw_start
        self._starts: Sequence[int] = ()
        self._opened: dict[int, Segment] = {}

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
            return Segment(index, view, self._raw, self._start_of(index) if index else self._raw_start)
        owner: Any = view.obj
        return Segment(index, view, owner if is_raw(owner) and len(owner) == len(view) else None)

    def _start_of(self, index: int) -> int:
        """Where a segment starts in ``raw``."""
        if not self._starts:
            self._starts = array("Q", accumulate(map(len, self.views), initial=self._raw_start))
        return self._starts[index]


def is_raw(data: Any) -> bool:
    """Whether a slice of ``data`` is bytes (or a bytearray), which can decode themselves as text."""
    kind = type(data)
    return kind is bytes or kind is bytearray or (kind.__module__ == "mmap" and kind.__name__ == "mmap")
