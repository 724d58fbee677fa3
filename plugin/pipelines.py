"""Which structs lead to capabilities, so that a call can be made on what another one has yet to return.

It is a matter of the struct alone, whichever interfaces have methods that return it: these may be in other files.
"""

from __future__ import annotations

from collections.abc import Mapping

from ccapnp.schema import Kind, Node, Type

__all__ = ["leads_to_capability", "pipelined"]


def pipelined(nodes: Mapping[int, Node]) -> frozenset[int]:
    """The ids of the structs in which a capability, or a pointer to anything, is found with no list in between."""
    holders: dict[int, list[int]] = {}
    waiting = []
    for node in nodes.values():
        for field in node.fields:
            holders.setdefault(field.group_id or field.type.type_id, []).append(node.id)
            if leads_to_capability(field.type):
                waiting.append(node.id)
    found: set[int] = set()
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.add(node_id)
            waiting += holders.get(node_id, ())
    return frozenset(found)


def leads_to_capability(type: Type) -> bool:
    """Whether a value of that type can be a capability."""
    return type.kind == Kind.INTERFACE or (type.kind == Kind.ANY_POINTER and type.any_kind in ("any", "capability"))
