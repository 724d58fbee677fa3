"""Messages that are built in memory of the caller's, which may already hold the beginning of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Optional

from ccapnp.errors import EncodeError
from ccapnp.pure.arena import Arena, BuildSegment
from ccapnp.pure.building import BuildShape
from ccapnp.pure.claims import check_claims
from ccapnp.pure.segment import is_raw, set_up
from ccapnp.wire.framing import writable_view
from ccapnp.wire.limits import UNLIMITED
from ccapnp.wire.shape import new_shape

__all__ = ["Allocator", "begun_in"]

Allocator = Callable[[int], Any]
"""Gives zeros for a segment, in a writable buffer: as many words as it is asked for, or more."""

_CHUNK = bytes(1 << 16)


class GivenArena(Arena):
    """The segments of a message whose memory comes from an allocator."""

    __slots__ = ("allocator",)

    takes_segments = False
    allocator: Allocator

    def new_segment(self, words: int) -> BuildSegment:
        memory = self.allocator(words)
        segment = _given_segment(len(self.segments), memory, 0)
        if segment.capacity < words:
            raise EncodeError(f"the allocator gave {segment.capacity} words where {words} are needed")
        return segment


def begun_in(
    shape_class: type[BuildShape],
    segments: Sequence[Any],
    used_words: Optional[Sequence[int]],
    allocator: Optional[Allocator],
) -> BuildShape:
    """See `ccapnp.codec.Codec.build_in`."""
    arena: Arena
    if allocator is None:
        arena = Arena()
    else:
        arena = GivenArena()
        arena.allocator = allocator
    used = [0] * len(segments) if used_words is None else used_words
    arena.limits = UNLIMITED
    arena.budget = float("inf")
    arena.segments = [_given_segment(index, *given) for index, given in enumerate(zip(segments, used))]
    arena.replacing = []
    arena.beside = None
    first = arena.segments[0]
    if not first.capacity:
        raise EncodeError("the first segment has no room for the root pointer")
    first.size = max(first.size, 1)
    root = new_shape(shape_class, first, arena, 0, 1, UNLIMITED.nesting_limit)
    if used_words is not None:
        check_claims(root)
    return root


def _given_segment(index: int, memory: Any, used_words: int) -> BuildSegment:
    """A segment in a buffer, of which the first words are used."""
    data = writable_view(memory)
    if len(data) & 7:  # else it stays as it is: PyPy does not pack into a slice of every view
        data = data[: len(data) & ~7]
    owner: Any = data.obj
    raw = owner if is_raw(owner) and len(owner) == len(data) else None
    segment = set_up(BuildSegment(), index, data, raw, 0)
    if not 0 <= used_words <= segment.capacity:
        raise EncodeError(f"{used_words} words of segment {index} cannot be used: it has {segment.capacity}")
    segment.size = used_words
    for start in range(used_words << 3, len(data), len(_CHUNK)):
        piece = data[start : start + len(_CHUNK)]
        if piece.tobytes() != _CHUNK[: len(piece)]:
            raise EncodeError(f"the memory of segment {index} that is to be filled is not all zero")
    return segment
