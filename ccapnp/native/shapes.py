"""The shapes of messages on the native codec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.native.tree import encode
from ccapnp.native.whole import A_POINTER, STRUCTS, copy, is_small
from ccapnp.pure import building, reading
from ccapnp.pure.arena import Arena, BuildSegment
from ccapnp.pure.segment import Segment
from ccapnp.wire.views import FORMATS, LazyView, caster

if TYPE_CHECKING:
    from ccapnp.wire.layout import StructLayout

__all__ = ["BuildShape", "ReadShape"]


class LazyViews:
    """The usual views are made when they are first needed, too: the extension itself reads and writes without them."""

    __slots__ = ()

    u8 = LazyView()
    u16 = LazyView()
    u32 = LazyView()
    i32 = LazyView()


class _LazySegment(LazyViews):
    """All of a segment is in its ``raw``."""

    __slots__ = ()

    raw: Any
    raw_second: int
    raw_end: int
    u8: Any

    def _view(self, name: str) -> Any:
        if name == "u8":
            return memoryview(self.raw)[self.raw_second - 8 : self.raw_end]
        return caster(self.u8)(FORMATS[name])


class ReadSegment(_LazySegment, Segment):
    """The only segment of a message that is read from bytes."""

    __slots__ = ()


class OwnSegment(_LazySegment, BuildSegment):
    """The first segment of a message that is built."""

    __slots__ = ()


class OwnArena(Arena):
    """The arena of a message that is built."""

    __slots__ = ()


class ReadShape(LazyViews, reading.ReadShape):
    """Structs of one shape in a message that is read."""

    __slots__ = ()


class BuildShape(LazyViews, building.BuildShape):
    """Structs of one shape in a message being built."""

    __slots__ = ()

    encodes_from = 5

    def encode_struct(self, at: int, layout: StructLayout, value: dict[str, Any]) -> bool:
        return encode(layout, value, self, at, is_list=False)

    def encode_structs(self, at: int, layout: StructLayout, values: list[Any]) -> bool:
        return encode(layout, values, self, at, is_list=True)

    def encode_json(self, at: int, layout: StructLayout, value: Any, depth: int) -> bool:
        return encode(layout, value, self, at, is_list=False, json_depth=depth)

    def _copy_pointer(self, at: int, source: Any, source_at: int) -> None:
        if is_small(source) or (source.u64[source_at] and not copy(self, at, source, source_at, A_POINTER)):
            super()._copy_pointer(at, source, source_at)

    def _copy_struct(self, at: int, source: Any, word: int) -> None:
        if is_small(source) or not copy(self, at, source, word):
            super()._copy_struct(at, source, word)

    def _copy_structs(self, at: int, source: Any, word: int, count: int) -> None:
        if is_small(source) or not copy(self, at, source, word, STRUCTS, count):
            super()._copy_structs(at, source, word, count)
