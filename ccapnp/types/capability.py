"""Capabilities as messages hold them: indexes into a table that is no part of the message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeTypeError
from ccapnp.types.pointer_types import Place, PointerType
from ccapnp.wire.limits import integer_argument

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape

__all__ = ["CAPABILITY", "Capability", "CapabilityType"]


class Capability:
    """A capability as a message holds it: its index in the message's capability table, from 0 to 2**32 - 1."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = integer_argument("index", index)

    def __repr__(self) -> str:
        return f"<capability {self.index}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Capability) and other.index == self.index

    def __hash__(self) -> int:
        return hash((Capability, self.index))


class CapabilityType(PointerType):
    """Capabilities, of whatever interface; null is ``None``."""

    name = "Capability"

    def read(self, shape: ReadShape, at: int) -> Optional[Capability]:
        index = shape.read_capability(at)
        return None if index is None else Capability(index)

    def absent(self) -> None:
        return None

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Optional[Capability]:
        return self.read(shape, at)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if not isinstance(value, Capability):
            raise EncodeTypeError(f"a capability is set from a Capability, not {type(value).__name__}")
        shape.set_capability(at, value.index)

    def accepts(self, other: PointerType) -> bool:
        return isinstance(other, CapabilityType)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        raise EncodeTypeError("a capability is assigned; there is nothing to init")


CAPABILITY = CapabilityType()
