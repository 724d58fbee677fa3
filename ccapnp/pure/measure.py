"""How much room a tree takes: what `totalSize` of capnp/layout.h counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.wire.pointers import ELEMENT_BITS, ElementSize

if TYPE_CHECKING:
    from ccapnp.pure.reading import ReadShape

__all__ = ["total_words"]

_COMPOSITE, _POINTER = ElementSize.COMPOSITE, ElementSize.POINTER
_Place = tuple["ReadShape", int]


def total_words(shape: ReadShape, word: int) -> tuple[int, int]:
    """(words, capabilities) of a struct and all below it, without the pointer to it and without landing pads."""
    words, capabilities = shape.words, 0
    pending = _pointers(shape, word)
    while pending:
        shape, at = pending.pop()
        kind = shape.read_kind(at)
        if kind == "capability":
            capabilities += 1
        elif kind == "struct":
            found = shape.read_struct(at, _place)
            assert found is not None
            words += found[0].words
            pending += _pointers(*found)
        elif kind == "list":
            words += _list(shape, at, pending)
    return words, capabilities


def _place(shape: ReadShape, word: int) -> _Place:
    return shape, word


def _pointers(shape: ReadShape, word: int) -> list[_Place]:
    first = word + shape.data_words
    u64 = shape.u64
    return [(shape, at) for at in range(first, first + shape.pointers) if u64[at]]


def _list(shape: ReadShape, at: int, pending: list[_Place]) -> int:
    element = shape.read_element_size(at)
    if element == _COMPOSITE:
        structs = shape.read_structs(at, charged=False)
        assert structs is not None
        below, word, count, step = structs
        if below.pointers:
            for index in range(count):
                pending += _pointers(below, word + index * step)
        return count * step + 1
    if element == _POINTER:
        pointers = shape.read_pointers(at)
        assert pointers is not None
        below, first, count, _ = pointers
        pending += [(below, place) for place in range(first, first + count) if below.u64[place]]
        return count
    if element == ElementSize.VOID:
        return 0
    span = shape.read_list(at, element)
    assert span is not None
    return span[2] * ELEMENT_BITS[element] + 63 >> 6
