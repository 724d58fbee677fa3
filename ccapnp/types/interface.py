"""Interfaces: for now their names, ids and schemas, and the capabilities that messages hold of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccapnp.types.class_schema import ClassSchema

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import InterfaceSchema
    from ccapnp.types.registry import TypeRegistry

__all__ = ["Interface", "InterfaceType"]


class InterfaceType(type):
    """The type of a schema interface."""

    _node_id: int
    _registry: TypeRegistry

    schema: ClassSchema[InterfaceSchema] = ClassSchema()


class Interface(metaclass=InterfaceType):
    """The base of all schema interfaces' classes."""
