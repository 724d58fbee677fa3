"""What a node declares, and the Python names of it: the same for classes and for generated code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, NamedTuple, Optional

from ccapnp.schema.names import attribute_name, group_name, type_name
from ccapnp.schema.nodes import NodeKind

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node

__all__ = ["TYPE_KINDS", "Declared", "declared_in"]

TYPE_KINDS = (NodeKind.STRUCT, NodeKind.ENUM, NodeKind.INTERFACE)
"""The kinds of nodes that are classes in Python."""


class Declared(NamedTuple):
    """One thing that is declared in a node: its name in Python, its name in the schema, and its node."""

    name: str
    schema_name: str
    node: Node


def declared_in(node: Node, find: Callable[[int], Optional[Node]]) -> list[Declared]:
    """The declarations nested in ``node``, its groups, and the structs that its methods make of their parameters.

    ``find`` gives a node by its id.  What it does not know is left out, and its name stays free for no one else: an
    import has only those nodes that are used.
    """
    found = []
    taken = set()
    for nested in node.nested:
        inner = find(nested.id)
        is_type = inner is None or inner.kind in TYPE_KINDS
        name = type_name(nested.name) if is_type else attribute_name(nested.name)
        taken.add(name)
        if inner is not None:
            found.append(Declared(name, nested.name, inner))
    for schema_name, inner in _implied(node, find):
        name = group_name(schema_name.replace("$", ""), taken)
        taken.add(name)
        found.append(Declared(name, schema_name, inner))
    return found


def _implied(node: Node, find: Callable[[int], Optional[Node]]) -> list[tuple[str, Node]]:
    """(name, node) of the structs that a node brings along without declaring them."""
    found = []
    for field in node.fields:
        inner = find(field.group_id) if field.is_group else None
        if inner is not None:
            found.append((field.name, inner))
    for method in node.methods:
        for suffix, node_id in (("Params", method.params_id), ("Results", method.results_id)):
            inner = find(node_id)
            if inner is not None and inner.kind == NodeKind.STRUCT and not inner.scope_id:
                found.append((f"{method.name}${suffix}", inner))
    return found
