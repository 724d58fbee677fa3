"""The shapes of messages on the native codec."""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native.tree import encode
from ccapnp.native.whole import A_POINTER, STRUCTS, copy, is_small
from ccapnp.pure import building, reading
from ccapnp.pure.arena import Arena, BuildSegment
from ccapnp.pure.segment import Segment
from ccapnp.wire.pointers import CAPABILITY, capability_pointer
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


_WORD = Struct("<Q")


def _word(segment: Any, at: int) -> Optional[int]:
    """A word of a segment whose views may not have been made; ``None`` of one that has them."""
    if segment.__class__ is ReadSegment or segment.__class__ is OwnSegment:
        return _WORD.unpack_from(segment.raw, segment.raw_second - 8 + (at << 3))[0]  # type: ignore[no-any-return]
    return None


class _LazyShape(LazyViews):
    """What all shapes here have."""

    __slots__ = ()

    segment: Any

    def read_capability(self, at: int) -> Optional[int]:
        word = _word(self.segment, at)
        if word is not None and (not word or word & 0xFFFFFFFF == CAPABILITY):
            return word >> 32 if word else None
        return super().read_capability(at)  # type: ignore[misc, no-any-return]


class ReadShape(_LazyShape, reading.ReadShape):
    """Structs of one shape in a message that is read."""

    __slots__ = ()


class BuildShape(_LazyShape, building.BuildShape):
    """Structs of one shape in a message being built."""

    __slots__ = ()

    encodes_from = 5

    def set_capability(self, at: int, index: int) -> None:
        segment = self.segment
        if _word(segment, at) == 0 and 0 <= index < 1 << 32:
            _WORD.pack_into(segment.raw, segment.raw_second - 8 + (at << 3), capability_pointer(index))
        else:
            super().set_capability(at, index)

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
