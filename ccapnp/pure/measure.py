"""How much room a tree takes: what `totalSize` of capnp/layout.h counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.wire.pointers import ELEMENT_BITS, ElementSize

if TYPE_CHECKING:
    from ccapnp.pure.segment import Segment
    from ccapnp.wire.shape import Shape

__all__ = ["total_words"]

_COMPOSITE, _POINTER = ElementSize.COMPOSITE, ElementSize.POINTER


def total_words(shape: Shape, word: int) -> tuple[int, int]:
    """(words, capabilities) of a struct and all below it, without the pointer to it and without landing pads."""
    words, capabilities = shape.words, 0
    pending = _pointers(shape, word)
    while pending:
        segment, at, depth = pending.pop()
        kind = segment.read_kind(at)
        if kind == "capability":
            capabilities += 1
        elif kind == "struct":
            found = segment.read_struct(at, depth, lambda shape, word: (shape, word))
            assert found is not None
            words += found[0].words
            pending += _pointers(*found)
        elif kind == "list":
            words += _list(segment, at, depth, pending)
    return words, capabilities


def _pointers(shape: Shape, word: int) -> list[tuple[Segment, int, int]]:
    first, segment = word + shape.data_words, shape.segment
    u64 = shape.u64
    return [(segment, at, shape.depth) for at in range(first, first + shape.pointers) if u64[at]]  # type: ignore[misc]


def _list(segment: Segment, at: int, depth: int, pending: list[tuple[Segment, int, int]]) -> int:
    element = segment.read_element_size(at)
    if element == _COMPOSITE:
        structs = segment.read_structs(at, depth, charged=False)
        assert structs is not None
        shape, word, count, step = structs
        if shape.pointers:
            for index in range(count):
                pending += _pointers(shape, word + index * step)
        return count * step + 1
    if element == _POINTER:
        pointers = segment.read_pointers(at, depth)
        assert pointers is not None
        begin, first, count, _, below = pointers
        pending += [(begin, place, below) for place in range(first, first + count) if begin.u64[place]]
        return count
    if element == ElementSize.VOID:
        return 0
    span = segment.read_list(at, depth, element)
    assert span is not None
    return span[2] * ELEMENT_BITS[element] + 63 >> 6
