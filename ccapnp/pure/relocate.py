"""Moving a pointer without moving what it leads to, with landing pads where segments differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.pure.follow import follow
from ccapnp.wire.pointers import (
    ELEMENT_BITS,
    EMPTY_STRUCT,
    FAR,
    LIST,
    OTHER,
    STRUCT,
    ElementSize,
    far_pointer,
    pointer_offset,
)

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena, BuildSegment

__all__ = ["link", "move_object", "move_pointer", "take"]


def move_pointer(arena: Arena, target: BuildSegment, at: int, source: BuildSegment, source_at: int) -> None:
    """Make the null pointer at ``at`` lead to what the one at ``source_at`` leads to, which becomes null."""
    word = source.u64[source_at]
    source.u64[source_at] = 0
    kind = word & 3
    if not word or kind in (FAR, OTHER):
        target.u64[at] = word  # absolute, so it may stand anywhere
    else:
        link(arena, target, at, source, source_at + 1 + pointer_offset(word), word)


def move_object(arena: Arena, target: BuildSegment, at: int, source: BuildSegment, source_at: int) -> None:
    """The same where either is an orphan's pointer: landing pads are not moved, but made anew."""
    word = source.u64[source_at]
    if word & 3 == OTHER:
        target.u64[at] = word
        source.u64[source_at] = 0
    elif word:
        link(arena, target, at, *take(arena, source, source_at))


def take(arena: Arena, segment: BuildSegment, at: int) -> tuple[BuildSegment, int, int]:
    """(segment, first word, tag) of the object that the pointer at ``at`` leads to, which becomes null."""
    word = segment.u64[at]
    target, start, low, high = follow(arena, segment, at)
    arena.free_pad(word)
    segment.u64[at] = 0
    return target, start, high << 32 | low & 3  # type: ignore[return-value]  # all segments of its arena are built


def link(arena: Arena, target: BuildSegment, at: int, segment: BuildSegment, start: int, tag: int) -> None:
    """Make the pointer at ``at`` lead to the object at word ``start`` of ``segment``; ``tag`` is any pointer to it."""
    tag &= ~0xFFFFFFFC
    if tag >> 32 == 0 and tag & 3 == STRUCT:
        target.u64[at] = EMPTY_STRUCT
    elif _takes_no_room(tag):
        target.u64[at] = tag
    elif target is segment:
        target.u64[at] = tag | start - at - 1 << 2 & 0xFFFFFFFC
    elif target.is_anchor:
        arena.link_anchor(target, segment, start, tag)
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


def _takes_no_room(tag: int) -> bool:
    """Whether it is an empty list's, which is nowhere."""
    element, count = tag >> 32 & 7, tag >> 35
    return tag & 3 == LIST and element != ElementSize.COMPOSITE and not count * ELEMENT_BITS[element]
