"""Which file each type of a request is in, and under which dotted Python name."""

from __future__ import annotations

from functools import lru_cache

from ccapnp.errors import SchemaError, shown
from ccapnp.schema import Node, NodeKind, Request
from ccapnp.schema.scope import Declared, declared_in

__all__ = ["Scopes", "require_identifier", "scopes_of"]


def require_identifier(name: str) -> None:
    """SchemaError for a name that cannot stand in Python code: not every request comes from a compiler."""
    if not name.isidentifier():
        raise SchemaError(f"{shown(name)} is a name in the request, and cannot be one in Python")


class Scopes:
    """The scopes of all nodes of one request."""

    def __init__(self, request: Request) -> None:
        self._nodes = request.nodes
        self._declared: dict[int, list[Declared]] = {}
        self._owners: dict[int, tuple[int, str]] = {}
        for node in sorted(request.nodes.values(), key=lambda node: node.id):
            for parameter in node.parameters:
                require_identifier(parameter)
            declared = self._declared[node.id] = declared_in(node, request.nodes.get)
            for each in declared:
                require_identifier(each.name)
                self._owners.setdefault(each.node.id, (node.id, each.name))

    def declared_in(self, node_id: int) -> list[Declared]:
        """What a node declares."""
        return self._declared[node_id]

    def locate(self, node: Node) -> tuple[int, str]:
        """(file id, dotted Python name) of a type."""
        parts: list[str] = []
        node_id = node.id
        while node_id in self._owners and len(parts) <= len(self._owners):
            node_id, name = self._owners[node_id]
            parts.append(name)
        if node_id not in self._nodes or self._nodes[node_id].kind != NodeKind.FILE:
            raise SchemaError(f"{node.display_name} belongs to no file of the request")
        return node_id, ".".join(reversed(parts))


@lru_cache(maxsize=1)
def scopes_of(request: Request) -> Scopes:
    """The scopes of a request, which are the same for each of its files."""
    return Scopes(request)
