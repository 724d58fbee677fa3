"""Making abandoned memory zero, so that it packs away and leaks nothing.

The message is one being built and therefore trusted.  An object becomes zero after all that its pointers lead to has;
the walk keeps its own stack, so that depth does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, compress
from typing import TYPE_CHECKING

from ccapnp.pure.locate import COMPOSITE, POINTERS
from ccapnp.wire.pointers import ELEMENT_BITS, FAR, LIST, OTHER, STRUCT, pointer_offset
from ccapnp.wire.views import items

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena, BuildSegment
    from ccapnp.pure.building import BuildShape
    from ccapnp.pure.segment import Segment

__all__ = ["whole_object", "zero_object", "zero_sections"]

_Object = tuple["BuildSegment", int, int, Iterator[int]]
"""(segment, first word, words, the words of its pointers; null ones may be left out)."""

_FORWARD = 0x80000003
"""A pointer's kind, and the sign of its offset."""


def zero_object(arena: Arena, segment: BuildSegment, at: int, word: int) -> None:
    """Zero the object that ``word``, a pointer that stood at word ``at``, leads to, and all below it."""
    _zero_all(arena, [_target(arena, segment, at, word)])


def zero_sections(shape: BuildShape, word: int) -> None:
    """Zero one struct where it is, and all below it."""
    pointers = range(word + shape.data_words, word + shape.words)
    _zero_all(shape.arena, [(shape.segment, word, shape.words, iter(pointers))])


def _zero_all(arena: Arena, stack: list[_Object]) -> None:
    while stack:
        segment, start, words, pointers = stack[-1]
        u64 = segment.u64
        for at in pointers:
            word = u64[at]
            if word & _FORWARD == LIST and (word >> 32) & 7 < POINTERS:  # to numbers, text or data behind it
                u64[at] = 0
                inner = at + 1 + ((word & 0xFFFFFFFF) >> 2)
                size = (word >> 35) * ELEMENT_BITS[word >> 32 & 7] + 63 >> 6 << 3
                segment.u8[inner << 3 : (inner << 3) + size] = bytes(size)
            elif word:
                u64[at] = 0  # so that the walk ends even where a stale builder made pointers lead in a circle
                stack.append(_target(arena, segment, at, word))
                break
        else:
            stack.pop()
            if not segment.is_external:
                segment.u8[start << 3 : start + words << 3] = bytes(words << 3)


def _target(arena: Arena, segment: BuildSegment, at: int, word: int) -> _Object:
    """What a pointer leads to; its landing pad becomes zero at once."""
    if word & 3 == OTHER:
        return segment, at, 0, iter(())
    if word & 3 != FAR:
        return whole_object(segment, at + 1 + pointer_offset(word), word)
    pad, pad_at = arena.segment(word >> 32), (word & 0xFFFFFFFF) >> 3
    inner = pad.u64[pad_at]
    tag = pad.u64[pad_at + 1] if word & 4 else 0
    arena.free_pad(word)
    if not tag:
        return whole_object(pad, pad_at + 1 + pointer_offset(inner), inner)
    return whole_object(arena.segment(inner >> 32), (inner & 0xFFFFFFFF) >> 3, tag)


def whole_object(segment: BuildSegment, start: int, tag: int) -> _Object:
    """One object, whose pointer (or tag) is ``tag``."""
    high = tag >> 32
    pointers: Iterable[int] = ()
    if tag & 3 == STRUCT:
        data_words, count = high & 0xFFFF, high >> 16
        return segment, start, data_words + count, iter(range(start + data_words, start + data_words + count))
    element, count = high & 7, high >> 3
    words = count * ELEMENT_BITS[element] + 63 >> 6
    if element == COMPOSITE:
        sizes, words = segment.u32[start + start + 1], count + 1
        if sizes >> 16:
            data_words, each = sizes & 0xFFFF, (sizes & 0xFFFF) + (sizes >> 16)
            end = start + 1 + (segment.u32[start + start] >> 2) * each
            columns = range(start + 1 + data_words, start + 1 + each)
            pointers = chain.from_iterable(_set_pointers(segment, first, end, each) for first in columns)
    elif element == POINTERS:
        pointers = range(start, start + count)
    return segment, start, words, iter(pointers)


def _set_pointers(segment: Segment, first: int, end: int, step: int) -> Iterable[int]:
    """Those words among every ``step`` of them that are not zero."""
    return compress(range(first, end, step), items(segment.u64, slice(first, end, step)))
