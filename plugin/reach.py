"""Which nodes a module needs: its file's own, and all that can be reached from them by following types."""

from __future__ import annotations

from ccapnp.errors import SchemaError
from ccapnp.schema import Node, Request
from ccapnp.schema.uses import uses

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
            waiting += (use.id for use in uses(node))
            if node.is_generic and node.scope_id:
                waiting.append(node.scope_id)  # for the names of the parameters there
    return dict(sorted(found.items()))
