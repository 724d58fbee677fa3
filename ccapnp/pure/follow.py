"""Where a pointer leads, far pointers included, and the errors for pointers that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.errors import DecodeError
from ccapnp.wire.pointers import CAPABILITY, FAR, LIST, OTHER, STRUCT

if TYPE_CHECKING:
    from ccapnp.pure.limiter import Limiter
    from ccapnp.pure.segment import Segment

__all__ = ["bad_pointer", "bad_tag", "follow", "out_of_bounds"]


def follow(arena: Limiter, segment: Segment, at: int) -> tuple[Segment, int, int, int]:
    """(segment, start word, low half, high half) of the object that the pointer at word ``at`` leads to.

    The halves are those of the pointer itself, or of its tag if it is far.  The start is not checked: whoever knows
    the object's size compares it with the segment's.  Source: encoding.html, "Inter-Segment Pointers".
    """
    low = segment.i32[at + at]
    high = segment.u32[at + at + 1]
    if low & 3 != FAR:
        return segment, at + 1 + (low >> 2), low, high
    pad = arena.segment(high)
    double = low & 4
    pad_at = (low & 0xFFFFFFFF) >> 3
    pad_words = 2 if double else 1
    if pad_at + pad_words > pad.size:
        raise out_of_bounds("landing pad", segment, at)
    arena.charge(pad_words)
    low = pad.i32[pad_at + pad_at]
    high = pad.u32[pad_at + pad_at + 1]
    if not double:
        if low & 3 == FAR:
            raise DecodeError("a far pointer leads to another far pointer", segment=segment.index, offset=at)
        return pad, pad_at + 1 + (low >> 2), low, high
    if low & 3 != FAR:
        raise DecodeError("a double-far pointer's landing pad has no far pointer", segment=segment.index, offset=at)
    target = arena.segment(high)
    start = (low & 0xFFFFFFFF) >> 3
    low = pad.i32[pad_at + pad_at + 2]
    high = pad.u32[pad_at + pad_at + 3]
    return target, start, low, high


def out_of_bounds(what: str, segment: Segment, at: int) -> DecodeError:
    """The error for a pointer to something that is not wholly inside its segment."""
    return DecodeError(
        f"the {what} pointer at word {at} of segment {segment.index} leads out of its segment",
        segment=segment.index,
        offset=at,
    )


def bad_pointer(expected: str, low: int, high: int, segment: Segment, at: int) -> DecodeError:
    """The error for a pointer of another kind than ``expected``."""
    kind = low & 3
    if kind == OTHER and low != CAPABILITY:
        found = "of an unknown kind"
    elif kind == LIST:
        sizes = ("void", "bits", "bytes", "16-bit numbers", "32-bit numbers", "64-bit numbers", "pointers", "structs")
        found = f"to a list of {sizes[high & 7]}"
    elif kind == FAR:
        found = "to a landing pad"
    elif kind == STRUCT:
        found = "to a struct" if low or high else "null"
    else:
        found = "to a capability"
    return DecodeError(
        f"expected a {expected} but the pointer at word {at} of segment {segment.index} is {found}",
        segment=segment.index,
        offset=at,
    )


def bad_tag(low: int, high: int, words: int, segment: Segment, at: int) -> DecodeError:
    """The error for a list of structs whose tag word says what cannot be; ``words`` are the list's without the tag."""
    each = (high & 0xFFFF) + (high >> 16)
    if low & 3 != STRUCT:
        what = "is not a struct pointer"
    else:
        what = f"claims {low >> 2} structs of {each} words in {words} words"
    return DecodeError(
        f"the tag of the list that the pointer at word {at} of segment {segment.index} leads to {what}",
        segment=segment.index,
        offset=at,
    )
