"""How much room a tree takes: what `totalSize` of capnp/layout.h counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccapnp.pure.locate import A_CAPABILITY, COMPOSITE, POINTERS, locate, pointer_words
from ccapnp.wire.pointers import ELEMENT_BITS

if TYPE_CHECKING:
    from ccapnp.pure.reading import ReadShape
    from ccapnp.pure.segment import Segment

__all__ = ["total_words"]


def total_words(shape: ReadShape, word: int) -> tuple[int, int]:
    """(words, capabilities) of a struct and all below it, without the pointer to it and without landing pads."""
    arena = shape.arena
    words, capabilities = (shape.data_bits + 63 >> 6) + shape.pointers, 0
    first = word + shape.data_words
    stack: list[tuple[Iterator[int], Segment, int]] = [
        (iter(range(first, first + shape.pointers)), shape.segment, shape.depth)
    ]
    while stack:
        places, segment, depth = stack[-1]
        u64 = segment.u64
        for at in places:
            if not u64[at]:
                continue
            kind, target, first, count, data_words, pointers = locate(arena, segment, at, depth, amplified=False)
            if kind == A_CAPABILITY:
                capabilities += 1
                continue
            step = data_words + pointers
            words += count * step + (kind == COMPOSITE) if kind >= POINTERS else count * ELEMENT_BITS[kind] + 63 >> 6
            if pointers and count:
                below = iter(pointer_words(first, count, step, data_words, pointers))
                stack.append((below, target, depth - 1))
                break
        else:
            stack.pop()
    return words, capabilities
