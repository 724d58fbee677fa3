"""Making abandoned memory zero, so that it packs away and leaks nothing.

The message is one being built and therefore trusted; the walk keeps its own stack, so that depth does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ccapnp.wire.pointers import ELEMENT_BITS, FAR, LIST, STRUCT, ElementSize

if TYPE_CHECKING:
    from ccapnp.pure.limiter import Limiter
    from ccapnp.pure.reading import ReadShape
    from ccapnp.pure.segment import Segment

__all__ = ["zero_object", "zero_sections"]


def zero_object(arena: Limiter, segment: Segment, at: int, word: int) -> None:
    """Zero the object that ``word``, a pointer that stood at word ``at``, leads to, and all below it."""
    pending = [(segment, at, word)]
    while pending:
        segment, at, word = pending.pop()
        kind = word & 3
        if kind == FAR:
            pad, pad_at = arena.segment(word >> 32), (word & 0xFFFFFFFF) >> 3
            inner = pad.u64[pad_at]
            pad.u64[pad_at] = 0
            if word & 4:
                tag = pad.u64[pad_at + 1]
                pad.u64[pad_at + 1] = 0
                target = arena.segment(inner >> 32)
                pending += _zero_target(target, (inner & 0xFFFFFFFF) >> 3, tag)
            else:
                pending.append((pad, pad_at, inner))
        elif kind == STRUCT or kind == LIST:
            offset = ((word & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000 >> 2
            pending += _zero_target(segment, at + 1 + offset, word)


def zero_sections(shape: ReadShape, word: int) -> None:
    """Zero one struct where it is, and all below it."""
    first = word + shape.data_words
    below = [(at, shape.u64[at]) for at in range(first, first + shape.pointers)]
    shape.u8[word << 3 : word + shape.words << 3] = bytes(shape.words << 3)
    for at, pointer in below:
        if pointer:
            zero_object(shape.arena, shape.segment, at, pointer)


def _zero_target(segment: Segment, start: int, tag: int) -> list[tuple[Segment, int, int]]:
    """Zero one object, whose pointer (or tag) is ``tag``; give the pointers that it had."""
    high = tag >> 32
    if tag & 3 == STRUCT:
        data, pointers = high & 0xFFFF, high >> 16
        return _zero_words(segment, start, data + pointers, range(start + data, start + data + pointers))
    element, count = high & 7, high >> 3
    if element == ElementSize.COMPOSITE:
        sizes = segment.u32[start + start + 1]
        elements = segment.u32[start + start] >> 2
        data, each = sizes & 0xFFFF, (sizes & 0xFFFF) + (sizes >> 16)
        places: Iterable[int] = ()
        if sizes >> 16:
            first = start + 1
            places = [
                at
                for begin in range(first, first + elements * each, each)
                for at in range(begin + data, begin + each)
            ]
        return _zero_words(segment, start, count + 1, places)
    words = count * ELEMENT_BITS[element] + 63 >> 6
    return _zero_words(segment, start, words, range(start, start + words) if element == ElementSize.POINTER else ())


def _zero_words(segment: Segment, start: int, words: int, pointers: Iterable[int]) -> list[tuple[Segment, int, int]]:
    if not words:
        return []
    u64 = segment.u64
    found = [(segment, at, u64[at]) for at in pointers if u64[at]]
    segment.u8[start << 3 : start + words << 3] = bytes(words << 3)
    return found
