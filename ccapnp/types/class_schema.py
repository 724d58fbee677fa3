"""The ``schema`` attribute of types, which gives way to a constant of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node

__all__ = ["ClassSchema"]


class ClassSchema:
    """In a metaclass, what the schema says of the class.  (A property would come before the class's own attributes.)"""

    def __get__(self, cls: Any, metaclass: Any = None) -> Node:
        return cls._registry.node(cls._node_id)  # type: ignore[no-any-return]
