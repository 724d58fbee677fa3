"""Deep copies between messages, and the same walk as canonical form.

The walk keeps its own stack of pointers still to copy, so that depth does not matter, and copies in preorder: an
object's first child is laid out, with all below it, before its second.  With ``canonical`` each object is cut down to
what is not zero (encoding.html, "Canonicalization").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.errors import EncodeError
from ccapnp.wire.pointers import (
    ELEMENT_BITS,
    EMPTY_STRUCT,
    ElementSize,
    list_pointer,
    struct_pointer,
)

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape
    from ccapnp.pure.reading import ReadShape

__all__ = ["copy_list_of_structs", "copy_pointer", "copy_sections", "copy_struct"]

_COMPOSITE, _POINTER, _BIT = ElementSize.COMPOSITE, ElementSize.POINTER, ElementSize.BIT
_Pending = list[tuple["BuildShape", int, "ReadShape", int]]


def copy_pointer(
    target: BuildShape, at: int, source: ReadShape, source_at: int, *, canonical: bool = False
) -> None:
    """Make the null pointer at ``at`` lead to a copy of what the source's leads to."""
    _copy_all([(target, at, source, source_at)], canonical)


def copy_struct(target: BuildShape, at: int, shape: ReadShape, word: int, *, canonical: bool = False) -> None:
    """Make the null pointer at ``at`` lead to a copy of one struct."""
    pending: _Pending = []
    _copy_struct(target, at, shape, word, pending, canonical)
    _copy_all(pending, canonical)


def copy_sections(shape: BuildShape, word: int, source: ReadShape, source_word: int) -> None:
    """Copy a struct into one that exists and is all zero; sections are cut to what has room."""
    data_bytes = min(shape.data_words << 3, source.data_bits + 7 >> 3)
    shape.u8[word << 3 : (word << 3) + data_bytes] = source.u8[source_word << 3 : (source_word << 3) + data_bytes]
    pending: _Pending = []
    _push_pointers(
        pending, shape, word + shape.data_words, source, source_word, min(shape.pointers, source.pointers)
    )
    _copy_all(pending, False)


def copy_list_of_structs(
    target: BuildShape,
    at: int,
    shape: ReadShape,
    word: int,
    count: int,
    step: int,
    data_words: int,
    pointers: int,
    *,
    canonical: bool = False,
) -> None:
    """Make the null pointer at ``at`` lead to a copy of a list whose elements get at least these sizes."""
    pending: _Pending = []
    _copy_structs(target, at, shape, word, count, step, data_words, pointers, pending, canonical)
    _copy_all(pending, canonical)


def _copy_all(pending: _Pending, canonical: bool) -> None:
    while pending:
        target, at, source, source_at = pending.pop()
        kind = source.read_kind(source_at)
        if kind == "struct":
            source.read_struct(
                source_at,
                lambda shape, word: _copy_struct(target, at, shape, word, pending, canonical),  # noqa: B023
            )
        elif kind == "list":
            _copy_list(target, at, source, source_at, pending, canonical)
        elif kind == "capability":
            if canonical:
                raise EncodeError("a message with capabilities has no canonical form")
            target.u64[at] = source.u64[source_at]


def _copy_struct(
    target: BuildShape, at: int, shape: ReadShape, word: int, pending: _Pending, canonical: bool
) -> None:
    data_words, pointers = shape.data_bits + 63 >> 6, shape.pointers
    if canonical:
        data_words, pointers = _trimmed(shape, word)
    if not data_words and not pointers:
        target.u64[at] = EMPTY_STRUCT
        return
    segment, ref, start = target.arena.allocate(target.segment, at, data_words + pointers)
    segment.u64[ref] = struct_pointer(start - ref - 1, data_words, pointers)
    segment.u8[start << 3 : start + data_words << 3] = shape.u8[word << 3 : word + data_words << 3]
    _push_pointers(pending, target.child(segment, data_words | pointers << 16), start + data_words, shape, word, pointers)


def _push_pointers(pending: _Pending, target: BuildShape, at: int, source: ReadShape, word: int, count: int) -> None:
    """Have ``count`` pointers of a struct copied, the first one first."""
    first = word + source.data_words
    u64 = source.u64
    for index in range(count - 1, -1, -1):
        if u64[first + index]:
            pending.append((target, at + index, source, first + index))


def _copy_list(
    target: BuildShape, at: int, source: ReadShape, source_at: int, pending: _Pending, canonical: bool
) -> None:
    element = source.read_element_size(source_at)
    if element == _COMPOSITE:
        structs = source.read_structs(source_at)
        assert structs is not None
        _copy_structs(target, at, *structs, 0, 0, pending, canonical)
    elif element == _POINTER:
        pointers = source.read_pointers(source_at)
        assert pointers is not None
        begin, first, count, step = pointers
        segment, ref, start = target.arena.allocate(target.segment, at, count)
        segment.u64[ref] = list_pointer(start - ref - 1, _POINTER, count)
        shape = target.child(segment, 1 << 16)
        for index in range(count - 1, -1, -1):
            if begin.u64[first + index * step]:
                pending.append((shape, start + index, begin, first + index * step))
    else:
        span = source.read_list(source_at, element)
        assert span is not None
        origin, first, count, _ = span
        bits = count * ELEMENT_BITS[element]
        segment, ref, start = target.arena.allocate(target.segment, at, bits + 63 >> 6)
        segment.u64[ref] = list_pointer(start - ref - 1, element, count)
        size = bits + 7 >> 3
        segment.u8[start << 3 : (start << 3) + size] = origin.u8[first << 3 : (first << 3) + size]
        if bits & 7:
            segment.u8[(start << 3) + size - 1] &= (1 << (bits & 7)) - 1


def _copy_structs(
    target: BuildShape,
    at: int,
    shape: ReadShape,
    word: int,
    count: int,
    step: int,
    data_words: int,
    pointers: int,
    pending: _Pending,
    canonical: bool,
) -> None:
    source_data = shape.data_bits + 63 >> 6
    if canonical:
        sizes = [_trimmed(shape, word + index * step) for index in range(count)] if step else []
        data_words = max((data for data, _ in sizes), default=0)
        pointers = max((pointers for _, pointers in sizes), default=0)
    else:
        data_words, pointers = max(data_words, source_data), max(pointers, shape.pointers)
    each = data_words + pointers
    segment, ref, tag = target.arena.allocate(target.segment, at, count * each + 1)
    segment.u64[ref] = list_pointer(tag - ref - 1, _COMPOSITE, count * each)
    segment.u64[tag] = struct_pointer(count, data_words, pointers)
    if not each:
        return
    size = min(data_words, source_data) << 3
    copied = target.child(segment, data_words | pointers << 16)
    used = min(pointers, shape.pointers)
    for index in range(count - 1, -1, -1):
        begin, source_word = tag + 1 + index * each, word + index * step
        segment.u8[begin << 3 : (begin << 3) + size] = shape.u8[source_word << 3 : (source_word << 3) + size]
        if used:
            _push_pointers(pending, copied, begin + data_words, shape, source_word, used)


def _trimmed(shape: ReadShape, word: int) -> tuple[int, int]:
    """(data words, pointers) of a struct without the zeros at either section's end."""
    u64 = shape.u64
    data_words = shape.data_bits + 63 >> 6
    while data_words and not u64[word + data_words - 1]:
        data_words -= 1
    first, pointers = word + shape.data_words, shape.pointers
    while pointers and not u64[first + pointers - 1]:
        pointers -= 1
    return data_words, pointers


