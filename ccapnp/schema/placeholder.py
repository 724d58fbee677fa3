"""Nodes that stand for others: for one that is not loaded, and for one that must have more room than it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.schema.nodes import Node
from ccapnp.schema.record import Record

if TYPE_CHECKING:
    from ccapnp.codec import Codec
    from ccapnp.schema.nodes import NodeKind

__all__ = ["placeholder", "with_room"]

_EMPTY_STRUCT = bytes.fromhex("fcffffff00000000")


def placeholder(codec: Codec, node_id: int, kind: NodeKind, group_of: int = 0) -> Node:
    """A node that declares nothing; ``group_of`` is the id of the struct that it is a group of, if it is one."""
    record: Any = codec.open_segments([_EMPTY_STRUCT]).read_struct(0, Record)
    node = Node(record)
    node.id, node.kind, node.scope_id, node.is_group = node_id, kind, group_of, bool(group_of)
    node.display_name = f"(not loaded):{node_id:#018x}"
    node.name = node.scoped_name
    return node


def with_room(node: Node, data_words: int, pointer_count: int) -> Node:
    """A struct with sections of at least these sizes."""
    if data_words <= node.data_words and pointer_count <= node.pointer_count:
        return node
    larger = Node(node.record)
    larger.data_words = max(data_words, node.data_words)
    larger.pointer_count = max(pointer_count, node.pointer_count)
    return larger
