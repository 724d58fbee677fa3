"""Near pointers: the common case of following a pointer, as text to be compiled into whatever follows one.

A near pointer leads further on in its own segment.  To follow one takes about as long as to call a function in Python,
so that the fields' getters (`ccapnp.types.accessors`) do it in place, and so do the methods of a shape, which everybody
else calls (`ccapnp.pure.reading`).  How it is done stands here, once.

Each text expects ``c``, the `ccapnp.wire.shape.Shape` that the pointer belongs to, and ``at``, the pointer's word.  It
ends with the statements ``use`` where all is well, in bounds and within the limits, and with ``null`` where the pointer
is null.  In every other case (a far pointer, one backwards, a wrong one, a limit that is reached) nothing is done and
nothing is counted yet: a method that knows all cases comes next.

Offsets are read without their sign: one backwards then is one of more than `MAX_NEAR_WORDS`, which leads out of bounds.
"""

from __future__ import annotations

from textwrap import indent

__all__ = ["MAX_NEAR_WORDS", "NEW_TEXT", "NOTHING", "STRUCT", "STRUCTS", "TEXT", "near"]

MAX_NEAR_WORDS = 2**29 - 1
"""How far a near pointer leads; of a longer segment, this is all that is read through near pointers."""

_FIRST = """\
half = at + at
low = c.u32[half]
high = c.u32[half + 1]
"""

STRUCT = f"""\
{_FIRST}\
if high and not low & 3:
    shape = c.children.get(high) or c.child(c.segment, high)
    start = at + 1 + (low >> 2)
    words = shape.words
    if start + words <= c.size:
        arena = c.arena
        budget = arena.budget - words
        if budget >= 0:
            arena.budget = budget
            {{use}}
elif not (low or high):
    {{null}}
"""
"""Gives ``shape`` and ``start``, the struct's first word."""

TEXT = f"""\
{_FIRST}\
if low & 3 == 1 and high & 7 == 2:
    segment = c.segment
    raw = segment.raw
    start = (at + (low >> 2) << 3) + segment.raw_second
    end = start + (high - 8 >> 3)
    if start <= end < segment.raw_end and not raw[end]:
        arena = c.arena
        budget = arena.budget - (high + 56 >> 6)
        if budget >= 0:
            try:
                text = raw[start:end].decode()
            except UnicodeDecodeError:
                pass
            else:
                arena.budget = budget
                {{use}}
elif not (low or high):
    {{null}}
"""
"""Gives ``text``."""

STRUCTS = f"""\
{_FIRST}\
if low & 3 == 1 and high & 7 == 7:
    tag_at = at + 1 + (low >> 2)
    words = high >> 3
    if tag_at + words < c.size:
        count = c.u32[tag_at + tag_at]
        sizes = c.u32[tag_at + tag_at + 1]
        shape = c.children.get(sizes) or c.child(c.segment, sizes)
        if not count & 3 and 0 < (count >> 2) * shape.words <= words:
            arena = c.arena
            budget = arena.budget - words - 1
            if budget >= 0:
                arena.budget = budget
                {{use}}
elif not (low or high):
    {{null}}
"""
"""Gives ``shape``, ``tag_at``, the tag's word, and ``count``, which is four times their number."""

NOTHING = f"""\
{_FIRST}\
if not (low or high):
    {{null}}
"""
"""Gives nothing: near pointers are followed as all others are."""

NEW_TEXT = f"""\
{_FIRST}\
size = len(value)
sizes = size + 1 << 3 | 2
segment = c.segment
if not (low or high or sizes >> 32):
    start = segment.size
    end = start + (size + 8 >> 3)
    if end <= segment.capacity and not c.arena.replacing:
        segment.size = end
        c.u32[half] = start - at - 1 << 2 | 1
        c.u32[half + 1] = sizes
        start <<= 3
        c.u8[start : start + size] = value
        {{use}}
elif high == sizes and low & 3 == 1 and low < 0x80000000:
    start = at + 1 + (low >> 2) << 3
    c.u8[start : start + size] = value
    c.u8[start + size] = 0
    {{use}}
"""
"""Makes ``value``, bytes, a text: a new one right here, or in the place of one, or of any bytes, as long."""


def near(text: str, spaces: int, use: str, null: str = "pass", *, is_read: bool = False) -> str:
    """One of the texts above, whole, with every line moved to the right by ``spaces``.

    ``is_read`` says that the pointer's halves are in ``low`` and ``high`` already.
    """
    return indent(text[len(_FIRST) if is_read else 0 :].format(use=use, null=null), " " * spaces)
