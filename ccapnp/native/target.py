"""What the shim builds, put into a message: right behind what the segment of its pointer holds already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from ccapnp.native._lib import ffi, lib
from ccapnp.native.source import address
from ccapnp.pure.arena import BuildSegment
from ccapnp.wire.pointers import EMPTY_STRUCT

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena
    from ccapnp.pure.building import BuildShape

__all__ = ["build"]

_new = ffi.new
_BUILT = ffi.typeof("ccp_built *")


def build(shape: BuildShape, at: int, call: Callable[..., int], *arguments: Any) -> bool:
    """Make the null pointer at ``at`` lead to what the shim's function builds; False, and no change, if it does not."""
    arena, segment = shape.arena, shape.segment
    used = segment.size
    may_grow = used == 1 and len(arena.segments) == 1
    built = _new(_BUILT)
    if call(address(segment), used, segment.capacity, may_grow, *arguments, built):
        return False
    if may_grow:  # the pointer is the root's, and is where it shall be
        segment.size += built.used
        if built.block_count:
            _adopt(arena, built)
        return True
    arena.allocate(segment, at, built.used)
    pointer = built.pointer
    if pointer != EMPTY_STRUCT:  # the same place, seen from here
        pointer = pointer & ~0xFFFFFFFC | (pointer + (used - 1 - at << 2)) & 0xFFFFFFFC
    segment.u64[at] = pointer
    return True


def _adopt(arena: Arena, built: Any) -> None:
    """Copy the segments that were added."""
    try:
        for block in built.blocks[0 : built.block_count]:
            segment = BuildSegment(len(arena.segments), block.capacity)
            segment.size = block.used
            segment.raw[: block.used << 3] = ffi.buffer(block.words, block.used << 3)
            arena.segments.append(segment)
    finally:
        lib.ccp_built_free(built)
