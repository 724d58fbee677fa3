"""Which other nodes a node names, but for the one around it and those nested in it; and as what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Optional

from ccapnp.schema.nodes import NodeKind
from ccapnp.schema.value import Kind

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Annotation, Member, Node
    from ccapnp.schema.value import Brand, Type

__all__ = ["Use", "uses"]

_KINDS = {Kind.STRUCT: NodeKind.STRUCT, Kind.ENUM: NodeKind.ENUM, Kind.INTERFACE: NodeKind.INTERFACE}


class Use(NamedTuple):
    """The id of a node that is used, the kind that it must be of, and the member that uses it, if one does."""

    id: int
    kind: NodeKind
    member: Optional[Member]


def uses(node: Node) -> Iterator[Use]:
    """All uses within a node, in no order that matters."""
    yield from _in_annotations(node.annotations)
    yield from _in_type(node.type)
    for field in node.fields:
        if field.is_group:
            yield Use(field.group_id, NodeKind.STRUCT, field)
        yield from _in_type(field.type, field)
        yield from _in_annotations(field.annotations, field)
    for enumerant in node.enumerants:
        yield from _in_annotations(enumerant.annotations, enumerant)
    for superclass_id, brand in node.superclasses:
        yield Use(superclass_id, NodeKind.INTERFACE, None)
        yield from _in_brand(brand, None)
    for method in node.methods:
        yield Use(method.params_id, NodeKind.STRUCT, method)
        yield Use(method.results_id, NodeKind.STRUCT, method)
        yield from _in_brand(method.params_brand, method)
        yield from _in_brand(method.results_brand, method)
        yield from _in_annotations(method.annotations, method)


def _in_annotations(annotations: tuple[Annotation, ...], member: Optional[Member] = None) -> Iterator[Use]:
    for annotation in annotations:
        yield Use(annotation.id, NodeKind.ANNOTATION, member)
        yield from _in_brand(annotation.brand, member)


def _in_type(type: Optional[Type], member: Optional[Member] = None) -> Iterator[Use]:
    while type is not None and type.element is not None:
        type = type.element
    if type is not None:
        if type.kind in _KINDS:
            yield Use(type.type_id, _KINDS[type.kind], member)
        yield from _in_brand(type.brand, member)


def _in_brand(brand: Optional[Brand], member: Optional[Member]) -> Iterator[Use]:
    for types in brand.scopes.values() if brand else ():
        for bound in types or ():
            yield from _in_type(bound, member)
