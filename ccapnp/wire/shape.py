"""What all structs of one shape, at one depth in one segment, share: a struct itself is this and a word index."""

from __future__ import annotations

from typing import Any

from ccapnp.wire.views import FORMATS

__all__ = ["Shape"]


class Shape:
    """A segment's views, and how large each struct's sections are.

    ``data_bits`` is 64 times ``data_words`` but for elements of a list of numbers that is read as a list of structs.
    ``pointers`` counts pointers, ``words`` is a whole struct.  ``depth`` is how many pointers may be followed below.
    ``arena`` keeps the message alive.  A codec derives from this the class that follows and writes pointers
    (`ccapnp.codec.ReadShape`, `ccapnp.codec.BuildShape`).
    """

    __slots__ = (
        *FORMATS,
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

    u8: Any
    i8: Any
    u16: Any
    i16: Any
    u32: Any
    i32: Any
    u64: Any
    i64: Any
    f32: Any
    f64: Any

    def __init__(self, segment: Any, arena: Any, data_bits: int, pointers: int, depth: int) -> None:
        self.u8 = segment.u8
        self.i8 = segment.i8
        self.u16 = segment.u16
        self.i16 = segment.i16
        self.u32 = segment.u32
        self.i32 = segment.i32
        self.u64 = segment.u64
        self.i64 = segment.i64
        self.f32 = segment.f32
        self.f64 = segment.f64
        self.segment = segment
        self.size = len(segment.u8) >> 3
        self.arena = arena
        self.data_bits = data_bits
        self.data_words = data_bits >> 6
        self.pointers = pointers
        self.words = (data_bits >> 6) + pointers
        self.depth = depth
        self.children: dict[Any, Any] = {}
