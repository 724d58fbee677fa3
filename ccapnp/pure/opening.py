"""The usual ways for a message to begin: a first segment that is opened, or that is to be filled.

What a message is made of is filled in right here, since to call a function for each part takes as long again, and to
read one number of a small message takes hardly longer than to open it.
"""

from __future__ import annotations

from typing import Any, Optional, TypeVar

from ccapnp.pure.arena import Arena, BuildSegment
from ccapnp.pure.building import BuildShape
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.reading import ReadShape
from ccapnp.pure.segment import Segment, SegmentTable
from ccapnp.wire.limits import UNLIMITED, Limits
from ccapnp.wire.near import MAX_NEAR_WORDS
from ccapnp.wire.views import caster

__all__ = ["begun", "near_root"]

_T = TypeVar("_T")
_UNLIMITED = float("inf")
_DEPTH = UNLIMITED.nesting_limit


def near_root(
    shape_class: type[ReadShape],
    data: memoryview,
    raw: Any,
    raw_start: int,
    limits: Limits,
    view_class: type[_T],
    table: Optional[SegmentTable] = None,
) -> Optional[_T]:
    """A view of the root struct of a message whose first segment is ``raw`` from ``raw_start`` on.

    ``data`` is a view of that segment, and ``table`` has all of them if there are more.  ``None`` unless the root
    pointer is near, sound and within the limits.
    """
    cast = caster(data)
    u32 = cast("I")
    size = len(u32) >> 1
    low, high = (u32[0], u32[1]) if size else (0, 0)
    words = (high & 0xFFFF) + (high >> 16)
    start = 1 + (low >> 2)
    limit = limits.traversal_limit_in_words
    budget = (_UNLIMITED if limit is None else limit) - 2 - words
    if low & 3 or not high or start + words > size or size > MAX_NEAR_WORDS or budget < 0:
        return None
    segment = Segment()
    segment.index = 0
    segment.size = segment.capacity = size
    segment.raw = raw
    segment.raw_second = raw_start + 8
    segment.raw_end = raw_start + (size << 3)
    arena = Limiter()
    arena.limits = limits
    arena.budget = budget
    arena.segments = (segment,) if table is None else table.begun_with(segment)
    shape = shape_class()
    shape.u8 = segment.u8 = data
    shape.u16 = segment.u16 = cast("H")
    shape.u32 = segment.u32 = u32
    shape.i32 = segment.i32 = cast("i")
    shape.segment = segment
    shape.size = size
    shape.arena = arena
    shape.data_words = high & 0xFFFF
    shape.data_bits = (high & 0xFFFF) << 6
    shape.pointers = high >> 16
    shape.words = words
    shape.depth = limits.nesting_limit - 1
    shape.children = {}
    view: Any = view_class()
    view._c = shape
    view._w = start
    return view  # type: ignore[no-any-return]


def begun(shape_class: type[BuildShape], words: int) -> BuildShape:
    """The null root pointer of a new message, in a first segment of ``words`` words."""
    raw = bytearray(words << 3)
    data = memoryview(raw)
    segment = BuildSegment()
    segment.index = 0
    segment.size = 1  # the root pointer
    segment.capacity = words
    segment.raw = raw
    segment.raw_second = 8
    segment.raw_end = words << 3
    arena = Arena()
    arena.limits = UNLIMITED
    arena.budget = _UNLIMITED
    arena.segments = [segment]
    arena.replacing = []
    arena.beside = None
    shape = shape_class()
    cast = caster(data)
    shape.u8 = segment.u8 = data
    shape.u16 = segment.u16 = cast("H")
    shape.u32 = segment.u32 = cast("I")
    shape.i32 = segment.i32 = cast("i")
    shape.segment = segment
    shape.size = words
    shape.arena = arena
    shape.data_words = shape.data_bits = 0
    shape.pointers = shape.words = 1
    shape.depth = _DEPTH
    shape.children = {}
    return shape
