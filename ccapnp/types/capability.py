"""Capabilities in messages: indexes into a table that is no part of the message, and what stands in the table.

Of a message that came without a table, or has none yet, a capability is its bare index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import DecodeError, EncodeTypeError
from ccapnp.types.pointer_types import Place, PointerType
from ccapnp.wire.limits import integer_argument

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape

__all__ = ["CAPABILITY", "Capability", "CapabilityType", "Holder"]


class Capability:
    """A capability of a message without a capability table: its index there, from 0 to 2**32 - 1."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = integer_argument("index", index)

    def __repr__(self) -> str:
        return f"<capability {self.index}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Capability) and other.index == self.index

    def __hash__(self) -> int:
        return hash((Capability, self.index))


class Holder:
    """What has a capability, or is one: the clients and servers of `ccapnp.rpc`."""

    __slots__ = ()

    def _entry(self) -> Any:
        """What stands for it in a message's capability table."""
        raise NotImplementedError


class CapabilityType(PointerType):
    """Capabilities, of whatever interface; null is ``None``."""

    name = "Capability"

    def read(self, shape: ReadShape, at: int) -> Any:
        index = shape.read_capability(at)
        if index is None:
            return None
        caps: Optional[list[Any]] = getattr(shape.arena, "caps", None)
        if caps is None:
            return Capability(index)
        if index >= len(caps) or caps[index] is None:
            raise DecodeError(f"the message has a pointer to capability {index}, which did not come with it")
        client = self._client(caps[index])
        return client if caps[index].present is None else caps[index].present(client)

    def _client(self, entry: Any) -> Any:
        from ccapnp.types.interface import Interface

        return Interface._client(entry)

    def absent(self) -> None:
        return None

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        return self.read(shape, at)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if isinstance(value, Capability):
            shape.set_capability(at, value.index)
        elif isinstance(value, Holder):
            entry = value._entry()
            caps = shape.arena.capability_table()
            shape.set_capability(at, len(caps))
            caps.append(entry)
        elif value is None:
            shape.clear(at)
        else:
            raise EncodeTypeError(f"a capability is set from a client or a server, not {type(value).__name__}")

    def accepts(self, other: PointerType) -> bool:
        return isinstance(other, CapabilityType)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        raise EncodeTypeError("a capability is assigned; there is nothing to init")


CAPABILITY = CapabilityType()
