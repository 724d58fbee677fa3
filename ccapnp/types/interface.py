"""Interfaces: for now their names, ids, schemas and types, and the capabilities that messages hold of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.types.capability import CapabilityType
from ccapnp.types.class_schema import ClassSchema
from ccapnp.types.generic import BoundType, GenericType, do_match, picklable

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


class Interface(metaclass=InterfaceType):
    """The base of all schema interfaces' classes."""
