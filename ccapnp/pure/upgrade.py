"""Giving structs written under an older schema the room that a newer one needs (encoding.html, "Lists" and "Structs").

What is too small is moved to a new place; the old one becomes zero.  Pointers move with their struct, their targets
stay where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.errors import DecodeError, EncodeError
from ccapnp.pure.follow import bad_pointer, follow
from ccapnp.pure.relocate import move_pointer
from ccapnp.wire.pointers import (
    ELEMENT_BITS,
    LIST,
    STRUCT,
    ElementSize,
    struct_pointer,
)

if TYPE_CHECKING:
    from ccapnp.pure.arena import Arena, BuildSegment

__all__ = ["move_struct", "upgrade_struct", "upgrade_structs"]

_COMPOSITE, _POINTER, _BIT = ElementSize.COMPOSITE, ElementSize.POINTER, ElementSize.BIT


def upgrade_struct(
    arena: Arena, segment: BuildSegment, at: int, data_words: int, pointers: int
) -> tuple[BuildSegment, int, int]:
    """(segment, word, sizes) of the struct at a pointer that is not null, after moving it if it is too small."""
    old, start, low, sizes = _follow(arena, segment, at)
    if low & 3 != STRUCT:
        raise bad_pointer("struct", low, sizes, segment, at)
    old_data, old_pointers = sizes & 0xFFFF, sizes >> 16
    if old_data >= data_words and old_pointers >= pointers:
        return old, start if sizes else at, sizes
    data_words, pointers = max(data_words, old_data), max(pointers, old_pointers)
    word = segment.u64[at]
    new, begin = arena.allocate(segment, at, data_words + pointers, STRUCT, data_words | pointers << 16)
    arena.free_pad(word)
    move_struct(arena, new, begin, data_words, old, start, old_data, old_pointers)
    return new, begin, data_words | pointers << 16


def upgrade_structs(arena: Arena, segment: BuildSegment, at: int, data_words: int, pointers: int) -> None:
    """Move the list at a pointer that is not null if it is not yet one of structs of at least these sizes."""
    old, start, low, high = _follow(arena, segment, at)
    if low & 3 != LIST:
        raise bad_pointer("list of structs", low, high, segment, at)
    if old.is_external:
        raise EncodeError("external data cannot be changed")
    stored, count = high & 7, high >> 3
    old_words = count * ELEMENT_BITS[stored] + 63 >> 6
    old_data = old_pointers = 0
    if stored == _COMPOSITE:
        sizes = old.u32[start + start + 1]
        old_words, count = count + 1, old.u32[start + start] >> 2
        old_data, old_pointers = sizes & 0xFFFF, sizes >> 16
        if old_data >= data_words and old_pointers >= pointers:
            return
    elif stored == _BIT:
        raise DecodeError("a list of bits cannot become a list of structs", segment=segment.index, offset=at)
    elif stored == _POINTER:
        old_pointers = 1
    elif stored:
        old_data = 1
    data_words, pointers = max(data_words, old_data), max(pointers, old_pointers)
    each = data_words + pointers
    word = segment.u64[at]
    new, tag = arena.allocate(segment, at, count * each + 1, LIST, count * each << 3 | _COMPOSITE)
    new.u64[tag] = struct_pointer(count, data_words, pointers)
    arena.free_pad(word)
    first = tag + 1
    if stored == _COMPOSITE:
        old_each = old_data + old_pointers
        for index in range(count):
            begin = start + 1 + index * old_each
            move_struct(arena, new, first + index * each, data_words, old, begin, old_data, old_pointers)
    elif stored == _POINTER:
        for index in range(count):
            move_pointer(arena, new, first + index * each + data_words, old, start + index)
    elif stored:
        bits = ELEMENT_BITS[stored]
        per_word = 64 // bits
        source, target = getattr(old, f"u{bits}"), getattr(new, f"u{bits}")
        for index in range(count):
            target[(first + index * each) * per_word] = source[start * per_word + index]
    old.u8[start << 3 : start + old_words << 3] = bytes(old_words << 3)


def _follow(arena: Arena, segment: BuildSegment, at: int) -> tuple[BuildSegment, int, int, int]:
    return follow(arena, segment, at)  # type: ignore[return-value]  # all segments of its arena are built


def move_struct(
    arena: Arena,
    new: BuildSegment,
    begin: int,
    data_words: int,
    old: BuildSegment,
    start: int,
    old_data: int,
    old_pointers: int,
) -> None:
    """Move one struct's sections to a place with room for ``data_words``; the old place becomes zero."""
    if old_data:
        new.u8[begin << 3 : begin + old_data << 3] = old.u8[start << 3 : start + old_data << 3]
        old.u8[start << 3 : start + old_data << 3] = bytes(old_data << 3)
    for index in range(old_pointers):
        move_pointer(arena, new, begin + data_words + index, old, start + old_data + index)
