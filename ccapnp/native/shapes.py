"""The shapes of messages on the native codec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.native.tree import encode
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

    encodes_trees = True

    def encode_struct(self, at: int, layout: StructLayout, value: dict[str, Any]) -> bool:
        return encode(layout, value, self, at, is_list=False)

    def encode_structs(self, at: int, layout: StructLayout, values: list[Any]) -> bool:
        return encode(layout, values, self, at, is_list=True)
