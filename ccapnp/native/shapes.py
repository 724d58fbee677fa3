"""The shapes of messages on the native codec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.native.tree import encode
from ccapnp.native.whole import A_POINTER, STRUCTS, copy, is_small
from ccapnp.pure import building, reading

if TYPE_CHECKING:
    from ccapnp.wire.layout import StructLayout

__all__ = ["BuildShape", "ReadShape"]


class ReadShape(reading.ReadShape):
    """Structs of one shape in a message that is read."""

    __slots__ = ()


class BuildShape(building.BuildShape):
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
