"""Moving a pointer without moving what it leads to, with landing pads where segments differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.wire.pointers import EMPTY_STRUCT, FAR, OTHER, STRUCT, far_pointer, pointer_offset

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena, BuildSegment

__all__ = ["move_pointer"]


def move_pointer(arena: Arena, target: BuildSegment, at: int, source: BuildSegment, source_at: int) -> None:
    """Make the null pointer at ``at`` lead to what the one at ``source_at`` leads to, which becomes null."""
    word = source.u64[source_at]
    source.u64[source_at] = 0
    kind = word & 3
    if not word or kind in (FAR, OTHER):
        target.u64[at] = word  # absolute, so it may stand anywhere
    else:
        _link(arena, target, at, source, source_at + 1 + pointer_offset(word), word)


def _link(arena: Arena, target: BuildSegment, at: int, segment: BuildSegment, start: int, tag: int) -> None:
    """Make the pointer at ``at`` lead to the object at word ``start`` of ``segment``; ``tag`` is any pointer to it."""
    tag &= ~0xFFFFFFFC
    if tag >> 32 == 0 and tag & 3 == STRUCT:
        target.u64[at] = EMPTY_STRUCT
    elif target is segment:
        target.u64[at] = tag | start - at - 1 << 2 & 0xFFFFFFFC
    elif segment.size < segment.capacity:
        pad = segment.size
        segment.size += 1
        segment.u64[pad] = tag | start - pad - 1 << 2 & 0xFFFFFFFC
        target.u64[at] = far_pointer(pad, segment.index)
    else:
        pads = arena.room(2)
        pad = pads.size
        pads.size += 2
        pads.u64[pad] = far_pointer(start, segment.index)
        pads.u64[pad + 1] = tag
        target.u64[at] = far_pointer(pad, pads.index, double=True)
