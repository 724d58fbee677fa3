"""What all structs of one shape, at one depth in one segment, share: a struct itself is this and a word index."""

from __future__ import annotations

from typing import Any

from ccapnp.wire.views import LazyView

__all__ = ["Shape"]


def _of_segment(shape: Shape, name: str) -> Any:
    return getattr(shape.segment, name)


class Shape:
    """A segment's views, and how large each struct's sections are.

    The views that pointers, tags and the usual integers are read through are always there; to open a small message must
    not take the time to make those that it never uses, which are the others.

    ``data_bits`` is 64 times ``data_words`` but for elements of a list of numbers that is read as a list of structs.
    ``pointers`` counts pointers; ``words`` is a whole struct, and how far it is from one to the next in a list.
    ``depth`` is how many pointers may be followed below.  ``arena`` keeps the message alive.  A codec derives from this
    the class that follows and writes pointers (`ccapnp.codec.ReadShape`, `ccapnp.codec.BuildShape`).
    """

    __slots__ = (
        "__dict__",
        "arena",
        "children",
        "data_bits",
        "data_words",
        "depth",
        "i32",
        "pointers",
        "segment",
        "size",
        "u8",
        "u16",
        "u32",
        "words",
    )

    i8: Any = LazyView(_of_segment)
    i16: Any = LazyView(_of_segment)
    u64: Any = LazyView(_of_segment)
    i64: Any = LazyView(_of_segment)
    f32: Any = LazyView(_of_segment)
    f64: Any = LazyView(_of_segment)

    def __init__(self, segment: Any, arena: Any, data_bits: int, pointers: int, depth: int) -> None:
        self.u8: Any = segment.u8
        self.u16: Any = segment.u16
        self.u32: Any = segment.u32
        self.i32: Any = segment.i32
        self.segment = segment
        self.size: int = segment.capacity
        self.arena = arena
        self.data_bits = data_bits
        self.data_words = data_bits >> 6
        self.pointers = pointers
        self.words = (data_bits + 63 >> 6) + pointers
        self.depth = depth
        self.children: dict[Any, Any] = {}
