"""Places in messages as the shim takes them: addresses of segments, a struct, and the limits for what is below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native._lib import ffi
from ccapnp.pure.segment import SegmentTable

if TYPE_CHECKING:
    from ccapnp.pure.arena import BuildSegment
    from ccapnp.pure.reading import ReadShape

__all__ = ["address", "place"]

_UNLIMITED = 2**64 - 1
_cast, _from_buffer, _new = ffi.cast, ffi.from_buffer, ffi.new
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
    """The addresses of all segments of a message that is read; its views keep them valid."""

    __slots__ = ("_copies", "array", "count")

    def __init__(self, segments: SegmentTable) -> None:
        views = segments.views
        self.count = len(views)
        self.array = _new(_SEGMENTS, self.count)
        self._copies = []
        for entry, view in zip(self.array, views):
            entry.size = len(view) >> 3
            entry.words = _address(view)
            if int(_cast("uintptr_t", entry.words)) & 7:
                words = _new(_WORDS, entry.size)
                ffi.memmove(words, view, entry.size << 3)
                self._copies.append(words)
                entry.words = words


def _address(buffer: Any) -> Any:
    """Where a buffer is, as long as it is kept alive.

    What cffi makes of a memoryview must not live on: to collect both as garbage crashes CPython.
    """
    return _cast(_WORD_POINTER, _from_buffer(buffer))


def address(segment: BuildSegment) -> Any:
    """The words of a segment that is being built, which never move."""
    words = segment.address
    if words is None:
        words = segment.address = _address(segment.raw)
    return words


def _built(segments: list[BuildSegment]) -> Any:
    array = _new(_SEGMENTS, len(segments))
    for entry, segment in zip(array, segments):
        entry.words = address(segment)
        entry.size = segment.size
    return array
