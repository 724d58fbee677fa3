"""Annotations that a schema declares, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.schema.value import Kind

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node
    from ccapnp.types.registry import TypeRegistry

__all__ = ["Annotation"]


class Annotation:
    """A declared annotation; `find` gives its value on whatever carries it."""

    def __init__(self, node: Node, registry: TypeRegistry) -> None:
        self._node = node
        self._registry = registry

    @property
    def id(self) -> int:
        return self._node.id

    def find(self, annotated: Any) -> Any:
        """The value of this annotation on a node, field, enumerant or method; ``None`` if it does not carry it.

        An annotation of type Void has the value ``True``.
        """
        for annotation in annotated.annotations:
            if annotation.id == self._node.id:
                if self._node.type is None or self._node.type.kind == Kind.VOID:
                    return True
                return self._registry.value(self._node.type, annotation.value)
        return None

    def __repr__(self) -> str:
        return f"<annotation {self._node.display_name}>"
