"""The nodes that are known, by id: where the same declaration, met twice, becomes one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ccapnp.errors import SchemaError
from ccapnp.schema.nodes import Node

if TYPE_CHECKING:
    from ccapnp.codec import Codec

__all__ = ["Registry"]

_Source = Callable[[], Node]

_SCHEMA_CAPNP = 0xA93FC509624C72D9
"""The id of the file schema.capnp."""


class Registry:
    """Nodes by id.

    The same id with the same content is the same node, whatever path its file was loaded by; the same id with other
    content is a SchemaError that names both files.  Only of schema.capnp may there be several versions, of which the
    first stays: ccapnp uses one, a schema that imports it may bring along another, and they differ by additions alone.

    A node may be given as a function that makes it, which is called when the node is first needed.
    """

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self._nodes: dict[int, Node] = {}
        self._contents: dict[int, object] = {}
        self._sources: dict[int, tuple[object, _Source]] = {}

    def __contains__(self, node_id: int) -> bool:
        return node_id in self._nodes or node_id in self._sources

    def find(self, node_id: int) -> Optional[Node]:
        """The node of that id, or ``None``."""
        return self.node(node_id) if node_id in self else None

    def node(self, node_id: int) -> Node:
        """The node of that id; SchemaError if it is not known."""
        found = self._nodes.get(node_id)
        if found is None:
            source = self._sources.get(node_id)
            if source is None:
                raise SchemaError(f"no schema with the id {node_id:#018x} has been loaded")
            found = self._nodes[node_id] = source[1]()
            if found.id != node_id:
                raise SchemaError(f"the schema {node_id:#018x} was stored with the id {found.id:#018x}")
        return found

    def add(self, nodes: Iterable[Node]) -> None:
        """Make nodes known; SchemaError, with nothing added, if one contradicts a node of the same id."""
        nodes = list(nodes)
        for node in nodes:
            self._check(node)
        for node in nodes:
            self._nodes.setdefault(node.id, node)

    def add_sources(self, sources: dict[int, tuple[object, _Source]]) -> None:
        """Make nodes known that are not yet made: per id, what they are made of and how.

        Two that are made of the same are the same without a look at them.
        """
        for node_id, (content, make) in sources.items():
            known = self._sources.get(node_id)
            if known is not None and known[0] != content or known is None and node_id in self._nodes:
                self._check(make())
        for node_id, source in sources.items():
            self._sources.setdefault(node_id, source)

    def _check(self, node: Node) -> None:
        if node.id not in self:
            return
        known = self.node(node.id)
        if known is node or self._content(known) == content_of(self.codec, node):
            return
        if not self._is_of_schema_capnp(known):
            raise SchemaError(
                f"{node.display_name} and {known.display_name} have the same id {node.id:#018x}, but differ; "
                f"is one an older version of the other? They are from {_origin(known)} and {_origin(node)}; "
                "types of a `ccapnp.SchemaParser` are apart from all others",
                file=node.file_name,
            )

    def _is_of_schema_capnp(self, node: Node) -> bool:
        seen = set()
        while node.scope_id in self and node.id not in seen:  # nodes that are wrong may be in each other
            seen.add(node.id)
            node = self.node(node.scope_id)
        return _SCHEMA_CAPNP in (node.id, node.scope_id)

    def _content(self, node: Node) -> object:
        """What a known node is compared by; kept, for reading it costs."""
        found = self._contents.get(node.id)
        if found is None:
            found = self._contents[node.id] = content_of(self.codec, node)
        return found


def _origin(node: Node) -> str:
    return f"{node.file_name} (in {node.origin})" if node.origin else node.file_name


def _place(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word


def content_of(codec: Codec, node: Node) -> tuple[Union[bytes, str], ...]:
    """What makes two nodes the same: all of it but the path of its file, and where in the file it stands."""
    root = codec.new_message()
    root.copy_struct(0, node.record.shape, node.record.word)
    shape, word = root.get_struct(0, 0, 0, None, _place)
    shape.u32[(word << 1) + 2] = 0  # displayNamePrefixLength
    if shape.data_words > 5:
        shape.u8[word + 5 << 3 : word + shape.data_words << 3] = bytes(shape.data_words - 5 << 3)  # startByte, endByte
    shape.clear(word + shape.data_words)  # displayName
    return node.scoped_name, codec.canonicalize(shape, word)
