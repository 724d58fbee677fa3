"""Whether a message that others wrote can go on being built.

A builder trusts its message: it zeroes what a pointer led to, and writes where it found an object.  So each word must
belong to one object or landing pad alone, within the part of its segment that is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccapnp.errors import DecodeError
from ccapnp.pure.follow import follow
from ccapnp.pure.locate import A_CAPABILITY, COMPOSITE, locate, pointer_words
from ccapnp.wire.pointers import ELEMENT_BITS, FAR, STRUCT

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape
    from ccapnp.pure.limiter import Limiter
    from ccapnp.pure.segment import Segment

__all__ = ["check_claims"]


def check_claims(root: BuildShape) -> None:
    """DecodeError if a pointer below the root is wrong, or leads to words that another has led to."""
    arena = root.arena
    claims = [bytearray(segment.size) for segment in arena.segments]
    _claim(claims, root.segment, 0, 1)
    stack: list[tuple[Iterator[int], Segment]] = [(iter((0,)), root.segment)]
    while stack:
        places, segment = stack[-1]
        for at in places:
            word = segment.u64[at]
            if not word:
                continue
            kind, target, first, count, data_words, pointers = locate(arena, segment, at, root.depth, amplified=False)
            if word & 3 == FAR:
                _claim(claims, arena.segment(word >> 32), (word & 0xFFFFFFFF) >> 3, 2 if word & 4 else 1)
            if kind != A_CAPABILITY:
                _claim(claims, *_extent(arena, segment, at))
            if pointers and count:
                below = iter(pointer_words(first, count, data_words + pointers, data_words, pointers))
                stack.append((below, target))
                break
        else:
            stack.pop()


def _extent(arena: Limiter, segment: Segment, at: int) -> tuple[Segment, int, int]:
    """(segment, first word, words) of the object that a pointer leads to."""
    target, start, low, high = follow(arena, segment, at)
    if low & 3 == STRUCT:
        return target, start, (high & 0xFFFF) + (high >> 16)
    element, count = high & 7, high >> 3
    return target, start, count + 1 if element == COMPOSITE else count * ELEMENT_BITS[element] + 63 >> 6


def _claim(claims: list[bytearray], segment: Segment, start: int, words: int) -> None:
    claimed = claims[segment.index]
    if words and claimed.find(1, start, start + words) >= 0:
        raise DecodeError(
            f"two pointers lead to the same words of segment {segment.index}, from word {start} on",
            segment=segment.index,
            offset=start,
        )
    if words:
        claimed[start : start + words] = b"\1" * words
