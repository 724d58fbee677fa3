"""Annotations that a schema declares, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.schema.value import Kind

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import AnnotationSchema
    from ccapnp.schema.nodes import Annotation as Applied
    from ccapnp.schema.nodes import Node
    from ccapnp.types.registry import TypeRegistry

__all__ = ["Annotation"]


class Annotation:
    """A declared annotation; `find` gives its value on whatever carries it, as does ``annotations[...]`` of that."""

    def __init__(self, node: Node, registry: TypeRegistry) -> None:
        self._node = node
        self._registry = registry

    @property
    def id(self) -> int:
        return self._node.id

    @property
    def schema(self) -> AnnotationSchema:
        """The schema of the declaration."""
        from ccapnp.reflection.of import schema_of

        return schema_of(self)  # type: ignore[no-any-return]

    def find(self, annotated: Any) -> Any:
        """The value of this annotation on a type, module, field, enumerant or method, or on the schema of anything.

        ``None`` if it is not there; ``True`` for one of type Void.
        """
        from ccapnp.reflection.of import model_of

        for applied in model_of(annotated).annotations:
            if applied.id == self.id:
                return self.value_of(applied, self._registry)
        return None

    def value_of(self, applied: Applied, registry: TypeRegistry) -> Any:
        """The value of one that is applied to something, in the types of ``registry``."""
        if self._node.type is None or self._node.type.kind == Kind.VOID:
            return True
        return registry.value(self._node.type, applied.value, registry.environment(applied.brand))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Annotation) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<annotation {self._node.display_name}>"
