"""Which nodes a module needs: its file's own, and all that can be reached from them by following types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Optional

from ccapnp.errors import SchemaError
from ccapnp.schema import Annotation, Brand, Node, Request, Type

__all__ = ["reachable"]


def reachable(request: Request, file: Node, own: list[int]) -> dict[int, Node]:
    """The nodes of the ids in ``own`` and all that these use, by ascending id."""
    found: dict[int, Node] = {}
    waiting = list(own)
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            node = request.nodes.get(node_id)
            if node is None:
                raise SchemaError(f"{file.display_name} needs the node {node_id:#018x}, which the request lacks")
            found[node_id] = node
            waiting += _used_by(node)
    return dict(sorted(found.items()))


def _used_by(node: Node) -> Iterator[int]:
    """The ids that a node names, but for what is nested in it."""
    yield from _in_annotations(node.annotations)
    yield from _in_type(node.type)
    if node.is_generic and node.scope_id:
        yield node.scope_id  # for the names of the parameters there
    for field in node.fields:
        if field.is_group:
            yield field.group_id
        yield from _in_type(field.type)
        yield from _in_annotations(field.annotations)
    for enumerant in node.enumerants:
        yield from _in_annotations(enumerant.annotations)
    for superclass_id, brand in node.superclasses:
        yield superclass_id
        yield from _in_brand(brand)
    for method in node.methods:
        yield method.params_id
        yield method.results_id
        yield from _in_brand(method.params_brand)
        yield from _in_brand(method.results_brand)
        yield from _in_annotations(method.annotations)


def _in_annotations(annotations: tuple[Annotation, ...]) -> Iterator[int]:
    for annotation in annotations:
        yield annotation.id
        yield from _in_brand(annotation.brand)


def _in_type(type: Optional[Type]) -> Iterator[int]:
    while type is not None and type.element is not None:
        type = type.element
    if type is not None:
        if type.type_id:
            yield type.type_id
        yield from _in_brand(type.brand)


def _in_brand(brand: Optional[Brand]) -> Iterator[int]:
    for types in brand.scopes.values() if brand else ():
        for bound in types or ():
            yield from _in_type(bound)
