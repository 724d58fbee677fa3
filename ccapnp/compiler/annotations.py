"""Annotations where they are applied: each checked against what it may be applied to, and evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ccapnp.compiler.composing import FAULT
from ccapnp.compiler.parts import brand_value, value_of
from ccapnp.compiler.resolve import Resolver, with_article
from ccapnp.compiler.scopes import Definition
from ccapnp.compiler.types import Primitive, UnknownTarget, substituted, type_name
from ccapnp.compiler.values import Values
from ccapnp.language import syntax

__all__ = ["TARGETS", "Annotator"]

TARGETS = (
    "file",
    "const",
    "enum",
    "enumerant",
    "struct",
    "field",
    "union",
    "group",
    "interface",
    "method",
    "param",
    "annotation",
)
"""What annotations can be applied to, as their declarations write it."""


class Annotator:
    """Makes the annotations of a declaration; ``use`` is told each declaration of an annotation that is applied."""

    def __init__(self, resolver: Resolver, values: Values) -> None:
        self._resolver = resolver
        self._values = values

    def values(
        self,
        annotations: Iterable[syntax.Annotation],
        target: str,
        scope: Definition,
        use: Callable[[Definition], None],
    ) -> list[dict[str, Any]]:
        """The `Annotation` list of schema.capnp."""
        found = (self._one(each, target, scope, use) for each in annotations)
        return [each for each in found if each]

    def _one(
        self, applied: syntax.Annotation, target: str, scope: Definition, use: Callable[[Definition], None]
    ) -> dict[str, Any]:
        annotation = self._resolver.definition(applied.name, scope, "annotation")
        if annotation is None:
            return {}
        definition = annotation.definition
        declaration = definition.declaration
        assert isinstance(declaration, syntax.AnnotationDeclaration)
        use(definition)
        targets = {each.text for each in declaration.targets}
        if not targets & {target, "*"}:
            allowed = ", ".join(each for each in TARGETS if each in targets) or "nothing"
            scope.report(
                applied.name.span,
                f"${definition.name} cannot be applied to {with_article(target)}; it is for: {allowed}",
            )
        wanted = substituted(self._resolver.type(declaration.type, definition), annotation.brand)
        if applied.value is not None:
            value = self._values.evaluate(applied.value, wanted, scope)
        elif isinstance(wanted, Primitive) and wanted.kind == "void":
            value = None
        elif isinstance(wanted, UnknownTarget):
            value = FAULT
        else:
            scope.report(
                applied.name.span,
                f"${definition.name} needs a value of type {type_name(wanted)}: ${definition.name}(value)",
            )
            value = FAULT
        if value is FAULT:
            return {}
        return {
            "id": definition.id,
            "brand": brand_value(annotation.brand),
            "value": value_of(value, wanted),
        }
