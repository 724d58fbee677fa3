"""The bits of a pointer, and the sizes of list elements (https://capnproto.org/encoding.html).

Glossary
--------
word
    eight bytes, little-endian; sizes and positions are counted in words unless a name says ``_bytes`` or ``_bits``.
segment
    one contiguous run of words; a message is a list of segments, and pointers are relative within one.
data section, pointer section
    the two halves of a struct: first its plain values, then its pointers.
far pointer
    a pointer into another segment; it leads to a *landing pad* there.  A *double-far* pointer's pad has two
    words: where the object is, and the *tag* that would have been its pointer.
tag word
    the word in front of a list of structs: a struct pointer whose offset field holds the number of elements.
shape
    a struct's section sizes: how many data words (or bits, in an upgraded list) and how many pointers.

A pointer is read here as two halves: ``low``, signed (kind in two bits, offset above), and ``high``, unsigned.
"""

from __future__ import annotations

from enum import IntEnum

__all__ = [
    "CAPABILITY",
    "ELEMENT_BITS",
    "EMPTY_STRUCT",
    "FAR",
    "LIST",
    "MAX_LIST_ELEMENTS",
    "MAX_OBJECT_WORDS",
    "OTHER",
    "STRUCT",
    "ElementSize",
    "capability_pointer",
    "far_pointer",
    "list_pointer",
    "pointer_offset",
    "struct_pointer",
]

# Pointer kinds: the low two bits.
STRUCT, LIST, FAR, OTHER = 0, 1, 2, 3

CAPABILITY = 3
"""The whole low half of a capability pointer; any other value of kind `OTHER` is unknown."""

EMPTY_STRUCT = 0x00000000_FFFFFFFC
"""The pointer to a struct without sections: offset -1, so that it differs from null."""

MAX_OBJECT_WORDS = 2**29 - 1
MAX_LIST_ELEMENTS = 2**29 - 1


class ElementSize(IntEnum):
    """How a list stores its elements: the low three bits of a list pointer's high half."""

    VOID = 0
    BIT = 1
    BYTE = 2
    TWO_BYTES = 3
    FOUR_BYTES = 4
    EIGHT_BYTES = 5
    POINTER = 6
    COMPOSITE = 7


ELEMENT_BITS = (0, 1, 8, 16, 32, 64, 64, 0)
"""Bits between neighbours in a list, by `ElementSize`; a composite list's tag word says it instead."""


def struct_pointer(offset: int, data_words: int, pointers: int) -> int:
    """The word of a struct pointer; ``offset`` in words from the end of the pointer (or a tag's element count)."""
    return (offset << 2) & 0xFFFFFFFF | data_words << 32 | pointers << 48


def list_pointer(offset: int, element_size: int, count: int) -> int:
    """The word of a list pointer; ``count`` is in elements, or in words without the tag for a composite list."""
    return (offset << 2) & 0xFFFFFFFF | LIST | element_size << 32 | count << 35


def far_pointer(pad_word: int, segment: int, *, double: bool = False) -> int:
    """The word of a far pointer to the landing pad at ``pad_word`` of ``segment``."""
    return pad_word << 3 | double << 2 | FAR | segment << 32


def pointer_offset(word: int) -> int:
    """The offset in words that a pointer, a struct's or list's, has: from its own end to its target."""
    return ((word & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000 >> 2


def capability_pointer(index: int) -> int:
    """The word of a pointer to entry ``index`` of the message's capability table."""
    return index << 32 | CAPABILITY
