"""Interfaces: their names, ids, schemas and types, and the capabilities that messages hold of them.

The classes of clients and servers are made by `ccapnp.rpc`, a floor above, which is loaded when the first is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.types.capability import CapabilityType
from ccapnp.types.class_schema import ClassSchema
from ccapnp.types.generic import BoundType, GenericType, do_match, picklable
from ccapnp.types.made_once import Hidable, MadeOnce
from ccapnp.types.rpc_classes import rpc_classes

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import InterfaceSchema
    from ccapnp.schema.nodes import Method
    from ccapnp.types.pointer_types import PointerType
    from ccapnp.types.struct_type import StructType

__all__ = ["Interface", "InterfacePointer", "InterfaceType"]


class InterfaceType(GenericType):
    """The type of a schema interface."""

    _pointer: InterfacePointer

    schema: ClassSchema[InterfaceSchema] = ClassSchema()

    Client: Any = Hidable(lambda cls: cls._client)
    Server: Any = Hidable(lambda cls: cls._server)
    _client: Any = MadeOnce(lambda cls: rpc_classes().client_class(cls), of_base=True)
    _server: Any = MadeOnce(lambda cls: rpc_classes().server_class(cls), of_base=True)

    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), "Client", "Server", "schema"})

    def _begin(cls) -> None:
        cls._pointer = InterfacePointer(cls)

    @property
    def _superclasses(cls) -> tuple[InterfaceType, ...]:
        """The interfaces that it extends, with what it binds of them."""
        registry, environment = cls._registry, cls._environment
        return tuple(
            registry.interface(node_id, registry.environment(brand, environment))
            for node_id, brand in registry.node(cls._node_id).superclasses
        )

    def _params(cls, method: Method) -> StructType:
        """The struct of a method's parameters; the method's own generic parameters are AnyPointers there."""
        registry = cls._registry
        return registry.struct(method.params_id, registry.environment(method.params_brand, cls._environment))

    def _results(cls, method: Method) -> StructType:
        """The struct of a method's results."""
        registry = cls._registry
        return registry.struct(method.results_id, registry.environment(method.results_brand, cls._environment))


class BoundInterfaceType(BoundType, InterfaceType):
    """The type of an interface with parameters bound."""


InterfaceType._bound_class = BoundInterfaceType
picklable(BoundInterfaceType)


class InterfacePointer(CapabilityType):
    """Capabilities of one interface."""

    def __init__(self, interface: InterfaceType) -> None:
        self.interface = interface

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.interface.__qualname__

    @property
    def type_name(self) -> InterfaceType:
        return self.interface

    @property
    def nesting(self) -> int:
        return self.interface._nesting

    def matches(self, other: PointerType) -> bool:
        return super().matches(other) or (
            isinstance(other, InterfacePointer)
            and self.interface._node_id == other.interface._node_id
            and do_match(self.interface._environment, other.interface._environment)
        )

    def _client(self, entry: Any) -> Any:
        return self.interface._client(entry)


class Interface(metaclass=InterfaceType):
    """The base of all schema interfaces' classes; its ``Client`` is that of a capability of no known interface."""
