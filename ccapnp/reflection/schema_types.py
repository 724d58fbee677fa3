"""The type of a field, element, constant or annotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ccapnp.errors import a
from ccapnp.schema.value import Kind, Type
from ccapnp.types.generic import GenericType

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import EnumSchema, InterfaceSchema, Schema, StructSchema
    from ccapnp.types.registry import TypeRegistry

__all__ = ["SchemaType"]

_NAMES = {
    Kind.VOID: "Void",
    Kind.BOOL: "Bool",
    Kind.INT8: "Int8",
    Kind.INT16: "Int16",
    Kind.INT32: "Int32",
    Kind.INT64: "Int64",
    Kind.UINT8: "UInt8",
    Kind.UINT16: "UInt16",
    Kind.UINT32: "UInt32",
    Kind.UINT64: "UInt64",
    Kind.FLOAT32: "Float32",
    Kind.FLOAT64: "Float64",
    Kind.TEXT: "Text",
    Kind.DATA: "Data",
}
"""The types that a kind alone tells, as the schema language spells them."""

_ANY_NAMES = {"any": "AnyPointer", "struct": "AnyStruct", "list": "AnyList", "capability": "Capability"}

_UNBOUND = Type.of(Kind.ANY_POINTER)

_PYTHON_TYPES: dict[Kind, type] = {
    Kind.VOID: type(None),
    Kind.BOOL: bool,
    Kind.FLOAT32: float,
    Kind.FLOAT64: float,
    Kind.TEXT: str,
    Kind.DATA: bytes,
}


class SchemaType:
    """A type of the schema language; also what lists have as their schema."""

    __slots__ = ("_registry", "_type")

    def __init__(self, registry: TypeRegistry, type: Type) -> None:
        self._registry = registry
        self._type = type

    @property
    def kind(self) -> Kind:
        return self._type.kind

    @property
    def element_type(self) -> SchemaType:
        """The type of a list's elements; TypeError for what is no list."""
        if self._type.element is None:
            raise TypeError(f"{self} is not a list: it has no elements")
        return SchemaType(self._registry, self._type.element)

    @property
    def schema(self) -> Union[Schema, SchemaType, None]:
        """The schema of a struct, enum or interface, this itself for a list, and else ``None``."""
        from ccapnp.reflection.schemas import schema_for

        if self._type.type_id:
            return schema_for(self._registry, self._type.type_id)  # type: ignore[no-any-return]
        return self if self.kind == Kind.LIST else None

    @property
    def python_type(self) -> Any:
        """What stands for it in Python.

        `int`, `str` and so on, of which its values are; the class of a struct, enum or interface, with what the schema
        binds; for lists what ``ccapnp.List[...]`` gives, and for pointers to anything ``ccapnp.AnyPointer``.
        """
        registry = self._registry
        kind = self.kind
        if kind in (Kind.LIST, Kind.ANY_POINTER):
            return registry.pointer_type(self._type)
        if not self._type.type_id:
            return _PYTHON_TYPES.get(kind, int)
        found = registry.find_class(self._type.type_id)
        return registry.bind(found, registry.environment(self._type.brand)) if isinstance(found, GenericType) else found

    def as_struct(self) -> StructSchema:
        """The schema of a struct; TypeError for another type."""
        return self._named().as_struct()

    def as_enum(self) -> EnumSchema:
        """The schema of an enum; TypeError for another type."""
        return self._named().as_enum()

    def as_interface(self) -> InterfaceSchema:
        """The schema of an interface; TypeError for another type."""
        return self._named().as_interface()

    def _named(self) -> Schema:
        from ccapnp.reflection.schemas import Schema

        schema = self.schema
        if not isinstance(schema, Schema):
            raise TypeError(f"{a(str(self))} is neither a struct nor an enum nor an interface")
        return schema

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SchemaType) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        if self._type.element is not None:
            return self.kind, self.element_type._key()
        registry = self._registry if self._type.type_id else None
        return self.kind, self._type.type_id, registry, self._type.any_kind, self._type.parameter, self._bound()

    def _bound(self) -> frozenset[Any]:
        """What is bound, to be compared; parameters that are inherited are bound to nothing here."""
        brand = self._type.brand
        return frozenset(
            (scope_id, tuple(SchemaType(self._registry, each or _UNBOUND)._key() for each in types))
            for scope_id, types in (brand.scopes.items() if brand else ())
            if types and any(types)
        )

    def __str__(self) -> str:
        """As the schema language has it: "List(Text)"."""
        if self.kind == Kind.LIST:
            return f"List({self.element_type})"
        if self.kind == Kind.ANY_POINTER:
            return _ANY_NAMES[self._type.any_kind]
        return _NAMES[self.kind] if self.kind in _NAMES else self._registry.node(self._type.type_id).scoped_name

    def __repr__(self) -> str:
        return f"<type {self}>"
