"""Places in messages as the shim takes them: the addresses of segments, a struct, and the limits for what is below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native._lib import ffi
from ccapnp.pure.segment import SegmentTable

if TYPE_CHECKING:
    from ccapnp.pure.arena import BuildSegment
    from ccapnp.pure.reading import ReadShape

__all__ = ["address", "place"]

_UNLIMITED = 2**64 - 1
_from_buffer, _new = ffi.from_buffer, ffi.new
_SEGMENTS, _WORDS = ffi.typeof("ccp_segment[]"), ffi.typeof("uint64_t[]")
_WORD_POINTER = ffi.typeof("uint64_t *")


def place(shape: ReadShape, word: int) -> Optional[tuple[Any, ...]]:
    """The seven arguments for the struct at ``word``; ``None`` for an element of a list of narrow numbers."""
    if shape.data_bits & 63:
        return None
    arena = shape.arena
    segments = arena.segments
    if isinstance(segments, SegmentTable):
        addresses = segments.addresses
        if addresses is None:
            addresses = segments.addresses = _Addresses(segments)
        array, count = addresses.array, addresses.count
    else:
        array, count = _built(segments), len(segments)  # type: ignore[arg-type]
    budget = arena.budget
    return (
        array,
        count,
        shape.segment.index,
        word,
        shape.data_words | shape.pointers << 16,
        shape.depth,
        int(budget) if budget < _UNLIMITED else _UNLIMITED,
    )


class _Addresses:
    """The addresses of all segments of a message that is read, and what keeps them valid."""

    __slots__ = ("_kept", "array", "count")

    def __init__(self, segments: SegmentTable) -> None:
        views = segments.views
        self._kept = list(map(_aligned, views))
        self.count = len(views)
        self.array = _new(_SEGMENTS, self.count)
        for entry, words, view in zip(self.array, self._kept, views):
            entry.words = words
            entry.size = len(view) >> 3


def _aligned(view: memoryview) -> Any:
    """The words of a view; in a copy of them, if they are not aligned."""
    words = _from_buffer(_WORDS, view)
    if int(ffi.cast("uintptr_t", words)) & 7:
        words = _new(_WORDS, len(view) >> 3)
        ffi.memmove(words, view, len(view) & ~7)
    return words


def address(segment: BuildSegment) -> Any:
    """The words of a segment that is being built, which never move."""
    words = segment.address
    if words is None:
        words = segment.address = _from_buffer(_WORDS, segment.raw)
    return words


def _built(segments: list[BuildSegment]) -> Any:
    array = _new(_SEGMENTS, len(segments))
    for entry, segment in zip(array, segments):
        entry.words = address(segment)
        entry.size = segment.size
    return array
