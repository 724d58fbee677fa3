"""Places in messages as the shim takes them: addresses of segments, a struct, and the limits for what is below it.

The shim works without the interpreter's lock, and libcapnp looks at a pointer more than once.  So what another thread
could change meanwhile is copied first: all but ``bytes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native._lib import ffi

if TYPE_CHECKING:
    from ccapnp.pure.reading import ReadShape

__all__ = ["place"]

_MOST_COPIED_BYTES = 1 << 16
_MOST_WORDS = 2**64 - 1
_MOST_DEPTH = 2**31 - 1
_cast, _from_buffer = ffi.cast, ffi.from_buffer
_new = ffi.new_allocator(should_clear_after_alloc=False)
_SEGMENTS, _SEGMENT_BYTES = ffi.typeof("ccp_segment[]"), ffi.sizeof("ccp_segment")
_WORD_POINTER = ffi.typeof("uint64_t *")


def place(shape: ReadShape, word: int) -> Optional[tuple[Any, ...]]:
    """The seven arguments for the struct at ``word``; ``None`` where the shim is not to read it.

    That is an element of a list of narrow numbers, an orphan's pointer, or a part of a large message that can change.
    """
    if shape.data_bits & 63:
        return None
    arena = shape.arena
    segments = arena.segments
    if shape.segment.index >= len(segments):
        return None
    first = segments[0]
    array, count = first.addresses, len(segments)
    if array is None:
        views = arena.pieces()
        count = len(views)  # another thread that builds may add one meanwhile
        if all(map(_is_fixed, views)):
            array = first.addresses = _addresses(views)
        else:
            array = _copied(shape, word, views)
    if array is None:
        return None
    budget = arena.budget
    return (
        array,
        count,
        shape.segment.index,
        word,
        shape.data_words | shape.pointers << 16,
        min(shape.depth, _MOST_DEPTH),
        int(budget) if budget < _MOST_WORDS else _MOST_WORDS,
    )


def _is_fixed(view: memoryview) -> bool:
    """Whether a segment cannot change, and is aligned as libcapnp wants it."""
    return type(view.obj) is bytes and not int(_cast("uintptr_t", _from_buffer(view))) & 7


def _addresses(views: Sequence[memoryview]) -> Any:
    """The segments where they are; whoever keeps the views keeps them valid.

    What cffi makes of a memoryview must not live on: to collect both as garbage crashes CPython.
    """
    array = _new(_SEGMENTS, len(views))
    for entry, view in zip(array, views):
        entry.words = _cast(_WORD_POINTER, _from_buffer(view))
        entry.size = len(view) >> 3
    return array


def _copied(shape: ReadShape, word: int, views: Sequence[memoryview]) -> Any:
    """The segments, and behind them a copy of their words; ``None`` if that is much for a part of them."""
    size = sum(map(len, views))
    if size > _MOST_COPIED_BYTES and not (shape.is_root(word) or (word == 0 and shape.segment.index == 0)):
        return None
    array = _new(_SEGMENTS, len(views) + size // _SEGMENT_BYTES + 1)
    words = _cast(_WORD_POINTER, array + len(views))
    for entry, view in zip(array, views):
        entry.words = words
        entry.size = len(view) >> 3
        ffi.memmove(words, view, len(view))
        words += entry.size
    return array
