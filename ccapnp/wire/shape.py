"""What all structs of one shape, at one depth in one segment, share: a struct itself is this and a word index."""

from __future__ import annotations

from typing import Any, TypeVar

from ccapnp.wire.views import Views

__all__ = ["Shape", "StructAt", "StructsAt", "new_shape"]

_Shape = TypeVar("_Shape", bound="Shape")


class Shape(Views):
    """A segment's views, and how large each struct's sections are.

    ``data_bits`` is 64 times ``data_words`` but for elements of a list of numbers that is read as a list of structs.
    ``pointers`` counts pointers; ``words`` is a whole struct, and how far it is from one to the next in a list.
    ``depth`` is how many pointers may be followed below.  ``arena`` keeps the message alive.  A codec derives from this
    the class that follows and writes pointers (`ccapnp.codec.ReadShape`, `ccapnp.codec.BuildShape`).
    """

    __slots__ = (
        "arena",
        "children",
        "data_bits",
        "data_words",
        "depth",
        "pointers",
        "segment",
        "size",
        "words",
    )

    segment: Any
    size: int
    arena: Any
    data_bits: int
    data_words: int
    pointers: int
    words: int
    depth: int
    children: dict[Any, Any]

    def _view(self, name: str) -> Any:
        return getattr(self.segment, name)


def new_shape(shape_class: type[_Shape], segment: Any, arena: Any, data_bits: int, pointers: int, depth: int) -> _Shape:
    """A shape of that class.  It has no ``__init__``: for Python, that is to make it twice as slowly."""
    shape = shape_class()
    shape.u8 = segment.u8
    shape.u16 = segment.u16
    shape.u32 = segment.u32
    shape.i32 = segment.i32
    shape.segment = segment
    shape.size = segment.capacity
    shape.arena = arena
    shape.data_bits = data_bits
    shape.data_words = data_bits >> 6
    shape.pointers = pointers
    shape.words = (data_bits + 63 >> 6) + pointers
    shape.depth = depth
    shape.children = {}
    return shape


class StructAt:
    """A struct in a message: its shape, and the index of its first word."""

    __slots__ = ("_c", "_w")

    _c: Any
    _w: int


class StructsAt:
    """Structs one after the other: their shape and number, the index of the first one's word, and what they are."""

    __slots__ = ("_c", "_count", "_type", "_w")

    _c: Any
    _w: int
    _count: int
    _type: Any
