"""From what a user holds to its schema, and to the type in Python."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Union

from ccapnp.errors import shown
from ccapnp.reflection.members import MemberSchema
from ccapnp.reflection.schema_types import SchemaType
from ccapnp.reflection.schemas import Schema, schema_for
from ccapnp.schema.nodes import Member, Node
from ccapnp.schema.value import Brand, Kind, Type
from ccapnp.types.any import ANY_POINTER
from ccapnp.types.any_struct import ANY_STRUCT, ANY_STRUCTS
from ccapnp.types.constants import Annotation
from ccapnp.types.enums import Enum
from ccapnp.types.generic import Environment
from ccapnp.types.interface import InterfacePointer
from ccapnp.types.list_types import EnumListType, ListType, PointerListType, StructListType
from ccapnp.types.lists import ListReader
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.registry import ANY_TYPES, LIST_TYPES, type_registry
from ccapnp.types.struct_pointer import StructPointer
from ccapnp.types.struct_view import StructView

__all__ = ["model_of", "schema_of", "type_of"]


def type_of(value: Any) -> Any:
    """The type of a struct's reader or builder, of an enum's member, or of a list: what names it in Python.

    TypeError for anything else.
    """
    if isinstance(value, (StructView, ListReader)):
        return value._type
    if isinstance(value, Enum):
        return type(value)
    raise TypeError(f"{shown(value)} is no value of a schema's type")


def schema_of(thing: Any) -> Any:
    """The schema of a type, of a value of one, or of a module.

    A `Schema` for a struct's type, its readers and builders, an enum and its members, an interface, a declared
    annotation, and a module; a `SchemaType` for a list, and for what names another type, as ``ccapnp.List[Person]`` and
    `ccapnp.Text` do.  TypeError for what has none: a number or a text does not know what it was declared as.
    """
    if isinstance(thing, (Schema, SchemaType)):
        return thing
    if isinstance(thing, (StructView, ListReader)):
        thing = thing._type
    elif isinstance(thing, type) and issubclass(thing, StructView):
        thing = getattr(thing, "_type", None)
    elif isinstance(thing, Enum):
        thing = type(thing)
    if isinstance(thing, Annotation):
        return schema_for(thing._registry, thing.id)
    if isinstance(thing, (type, ModuleType)):
        known = vars(thing)
        if "_node_id" in known:
            return schema_for(known["_registry"], known["_node_id"])
    elif isinstance(thing, (PointerType, Kind)):
        return SchemaType(_registry_of(thing), _described(thing))
    raise TypeError(f"{shown(thing)} has no schema")


def model_of(thing: Any) -> Union[Node, Member]:
    """What `ccapnp.schema` has of a member, a schema, or what `schema_of` takes."""
    if isinstance(thing, (Node, Member)):
        return thing
    return thing._model if isinstance(thing, MemberSchema) else schema_of(thing)._model  # type: ignore[no-any-return]


_KINDS = {TEXT: Kind.TEXT, DATA: Kind.DATA}
_ANY_KINDS: dict[Any, str] = {pointer_type: any_kind for any_kind, pointer_type in ANY_TYPES.items()}
_ELEMENTS: dict[ListType, Any] = {list_type: kind for kind, list_type in LIST_TYPES.items()}
_ELEMENTS[ANY_STRUCTS] = ANY_STRUCT


def _element(list_type: ListType) -> Any:
    """What names the elements' type."""
    if isinstance(list_type, EnumListType):
        return list_type.enum
    if isinstance(list_type, StructListType):
        return list_type.struct_type._pointer
    return list_type.pointer_type if isinstance(list_type, PointerListType) else _ELEMENTS[list_type]


def _described(name: Any) -> Type:
    """The type that a name in Python stands for, as a schema has it."""
    if isinstance(name, Kind):
        return Type.of(name)
    if isinstance(name, ListType):
        return Type.of(Kind.LIST, element=_described(_element(name)))
    if isinstance(name, (StructPointer, InterfacePointer)):
        kind = Kind.STRUCT if isinstance(name, StructPointer) else Kind.INTERFACE
        return Type.of(kind, type_id=name.type_name._node_id, brand=_brand(name.type_name._environment))
    if isinstance(name, type) and issubclass(name, Enum):
        return Type.of(Kind.ENUM, type_id=name._node_id)
    return Type.of(_KINDS[name]) if name in _KINDS else Type.of(Kind.ANY_POINTER, any_kind=_ANY_KINDS[name])


def _brand(environment: Environment) -> Brand:
    """What is bound, as a schema has it."""
    brand = Brand(None)
    for scope_id, types in environment.items():
        brand.scopes[scope_id] = tuple(None if each is ANY_POINTER else _described(each) for each in types)
    return brand


def _registry_of(name: Any) -> Any:
    """The registry of the type at the bottom of a list type; the one of the default codec if none is there."""
    while isinstance(name, ListType):
        name = _element(name)
    name = name.type_name if isinstance(name, (StructPointer, InterfacePointer)) else name
    return getattr(name, "_registry", None) or type_registry()
