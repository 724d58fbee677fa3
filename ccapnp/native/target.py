"""What the shim builds, put into a message: right behind what the segment of its pointer holds already.

What has no room there may go into the newest segment, as `Arena.allocate` has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from ccapnp.native._lib import ffi, lib
from ccapnp.pure.arena import new_segment
from ccapnp.wire.pointers import EMPTY_STRUCT, MAX_OBJECT_WORDS, far_pointer

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena
    from ccapnp.pure.building import BuildShape

__all__ = ["build"]

_new, _memmove = ffi.new, ffi.memmove
_BUILT = ffi.typeof("ccp_built *")


def build(shape: BuildShape, at: int, call: Callable[..., int], *arguments: Any) -> bool:
    """Make the null pointer at ``at`` lead to what the shim's function builds; False, and no change, if it does not."""
    arena, segment = shape.arena, shape.segment
    if segment.is_anchor:
        return False
    room = segment.capacity - segment.size
    may_grow = segment.size == 1 and len(arena.segments) == 1 and arena.takes_segments
    built = _new(_BUILT)
    if call(room, may_grow, *arguments, built):
        return built.first > room and _build_far(shape, at, call, built.first, *arguments)
    try:
        if may_grow:  # the pointer is the root's, and the first word of all
            segment.size = built.used
            _memmove(segment.u8, built.words, built.used << 3)
            if built.block_count:
                _adopt(arena, built)
            return True
        words = built.used - 1
        pointer = built.words[0]
        if pointer == EMPTY_STRUCT:
            segment.u64[at] = pointer
        else:
            target, start = arena.allocate(segment, at, words, pointer & 3, pointer >> 32)
            _memmove(target.u8[start << 3 : start + words << 3], built.words + 1, words << 3)
        return True
    finally:
        lib.ccp_built_free(built)


def _adopt(arena: Arena, built: Any) -> None:
    """Copy the segments that follow the first."""
    for block in built.blocks[0 : built.block_count]:
        added = new_segment(len(arena.segments), block.capacity)
        _memmove(added.raw, block.words, block.used << 3)
        added.size = block.used
        arena.segments.append(added)


def _build_far(shape: BuildShape, at: int, call: Callable[..., int], first: int, *arguments: Any) -> bool:
    """The same in the newest segment, behind a landing pad; the outermost object has ``first`` words."""
    if first + 1 >= MAX_OBJECT_WORDS:
        return False
    newest = shape.arena.room(first + 1)
    pad = newest.size
    built = _new(_BUILT)
    if call(newest.capacity - pad - 1, False, *arguments, built):
        return False
    try:
        words = built.used
        _memmove(newest.u8[pad << 3 : pad + words << 3], built.words, words << 3)
        newest.size = pad + words
        shape.u64[at] = far_pointer(pad, newest.index)
        return True
    finally:
        lib.ccp_built_free(built)
