"""What a pointer leads to, whatever it is: one look for the walks over whole trees (copy, equality, total size).

Structs, lists of structs and lists of pointers are all seen as elements of some data words and some pointers, one after
the other.  A walk keeps a stack of iterators over the pointers that are still to be visited, so that neither a deep nor
a wide message makes it large.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from ccapnp.pure.follow import bad_pointer, bad_tag, follow, out_of_bounds
from ccapnp.wire.pointers import CAPABILITY, ELEMENT_BITS, LIST, STRUCT, ElementSize

if TYPE_CHECKING:
    from ccapnp.pure.limiter import Limiter
    from ccapnp.pure.segment import Segment

__all__ = ["A_CAPABILITY", "A_STRUCT", "COMPOSITE", "POINTERS", "Target", "locate", "pointer_words"]

POINTERS, COMPOSITE = int(ElementSize.POINTER), int(ElementSize.COMPOSITE)
A_STRUCT, A_CAPABILITY = 8, 9
"""Kinds of targets; a list's kind is its `ElementSize`.  From `POINTERS` on, a target may have pointers."""

Target = tuple[int, "Segment", int, int, int, int]
"""(kind, segment, first element's word, elements, data words of each, pointers of each); the sizes of numbers are 0.

For a capability the count is its index.
"""


def locate(arena: Limiter, segment: Segment, at: int, depth: int, *, amplified: bool = True) -> Target:
    """What the pointer at word ``at``, which is not null, leads to: in bounds, and charged.

    Unless ``amplified`` is false, elements without a size count as a word each, as they do when a list is read.
    """
    target, start, low, high = follow(arena, segment, at)
    kind = low & 3
    if kind > LIST:
        if low != CAPABILITY:
            raise bad_pointer("pointer", low, high, segment, at)
        return A_CAPABILITY, target, at, high, 0, 0
    if depth <= 0:
        raise arena.nested_too_deep()
    if kind == STRUCT:
        data_words, pointers = high & 0xFFFF, high >> 16
        _charge(arena, target, start, data_words + pointers, "struct", segment, at)
        return A_STRUCT, target, start, 1, data_words, pointers
    element, count = high & 7, high >> 3
    if element == COMPOSITE:
        _charge(arena, target, start, count + 1, "list", segment, at)
        words = count
        low, high = target.u32[start + start], target.u32[start + start + 1]
        count, data_words, pointers = low >> 2, high & 0xFFFF, high >> 16
        if low & 3 != STRUCT or count * (data_words + pointers) > words:
            raise bad_tag(low, high, words, segment, at)
        if amplified and not high:
            arena.charge(count)
        return element, target, start + 1, count, data_words, pointers
    words = count * ELEMENT_BITS[element] + 63 >> 6
    _charge(arena, target, start, words, "list", segment, at)
    if amplified and not element:
        arena.charge(count)
    return element, target, start if words else 0, count, 0, element == POINTERS


def _charge(arena: Limiter, target: Segment, start: int, words: int, what: str, segment: Segment, at: int) -> None:
    """Check that ``words`` from ``start`` on are inside their segment, and count them as traversed."""
    if words:
        if not 0 <= start <= target.size - words:
            raise out_of_bounds(what, segment, at)
        arena.charge(words)


def pointer_words(first: int, count: int, step: int, offset: int, pointers: int) -> Iterable[int]:
    """The word indexes of the pointers of ``count`` elements: ``pointers`` of each, from its word ``offset`` on."""
    begin = first + offset
    if count == 1 or step == pointers:
        return range(begin, begin + count * pointers)
    begins = range(begin, begin + count * step, step)
    return begins if pointers == 1 else chain.from_iterable(range(word, word + pointers) for word in begins)
