"""Values that stand in a schema: constants, defaults, and what annotations say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.schema.value import Kind, Type, Value

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node
    from ccapnp.types.registry import TypeRegistry

__all__ = ["Annotation", "read_value"]


def read_value(registry: TypeRegistry, type: Type, value: Value) -> Any:
    """The value as a reader of a field of that type would give it."""
    if type.kind == Kind.ENUM:
        return registry.enum_members(type.type_id)[value.bits]
    if type.kind.is_pointer:
        return registry.pointer_type(type).read_default(value.pointer)
    return value.number


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
