"""Interfaces: for now their names, ids and schemas, and the capabilities that messages hold of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node
    from ccapnp.types.registry import TypeRegistry

__all__ = ["Interface", "InterfaceType"]


class InterfaceType(type):
    """The type of a schema interface."""

    _node_id: int
    _registry: TypeRegistry

    @property
    def schema(cls) -> Node:
        """What the schema says of this interface."""
        return cls._registry.node(cls._node_id)


class Interface(metaclass=InterfaceType):
    """The base of all schema interfaces' classes."""
