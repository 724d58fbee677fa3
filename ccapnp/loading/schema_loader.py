"""`SchemaLoader`: types made of schema nodes that come one by one, and may be replaced by newer versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ccapnp.codec import get_codec
from ccapnp.errors import EncodeError, LimitError, SchemaError
from ccapnp.reflection.of import model_of
from ccapnp.reflection.schemas import Schema
from ccapnp.schema.compatible import compare
from ccapnp.schema.demands import Demands
from ccapnp.schema.nodes import Node
from ccapnp.schema.record import Record
from ccapnp.schema.request import schema_limits
from ccapnp.schema.validate import validate
from ccapnp.types.message import afresh
from ccapnp.types.registry import TypeRegistry
from ccapnp.types.struct_view import StructView
from ccapnp.wire.limits import integer_argument

if TYPE_CHECKING:
    from ccapnp.schema.compatible import Upgrade
    from ccapnp.types import typed

    Find = Callable[["SchemaLoader", int], object]

__all__ = ["SchemaLoader"]

_NODE = 0xE682AB4CF923A417
"""The id of the struct Node of schema.capnp."""


class SchemaLoader:
    """Makes types of schema nodes from any message, in any order: ``loader.load(node)``, ``loader.get(node_id)``.

    What a node uses need not be loaded, and is an empty struct, enum or interface as long as it is not.  A node may be
    loaded again in another version, of which the newer one is kept.  A type is made of what is known when it is first
    asked for, and stays as it is: after something it uses was loaded, or anything replaced, `get` gives another one.

    The types are the loader's own, apart from all others, and cannot be unpickled.  Nodes may be loaded by one thread
    at a time.
    """

    def __init__(self, find: Optional[Find] = None, *, backend: Optional[str] = None) -> None:
        """``find(loader, node_id)`` is called, once for each id, when a node is needed that is not loaded.

        It may load that node and others, or do nothing.
        """
        self._codec = get_codec(backend)
        self._find = find
        self._asked: set[int] = set()
        self._nodes: dict[int, Node] = {}
        self._contents: dict[int, bytes] = {}
        self._demands = Demands(self._nodes)
        self._types: Optional[_Types] = None

    def __contains__(self, node_id: int) -> bool:
        """Whether a node is loaded, or can be."""
        if node_id not in self._nodes and node_id not in self._asked and self._find is not None:
            self._asked.add(node_id)
            self._find(self, node_id)
        return node_id in self._nodes

    def loaded(self) -> list[Node]:
        """All nodes that have been loaded, in the order of their first loading."""
        return list(self._nodes.values())

    def get(self, node_id: int) -> Any:
        """The class of a struct, enum or interface, the value of a constant, or the `ccapnp.Annotation`.

        SchemaError if no node of that id is loaded.
        """
        node_id = integer_argument("node_id", node_id)
        if node_id not in self:
            raise SchemaError(f"no node with the id {node_id:#018x} has been loaded{self._demands.reason(node_id)}")
        if self._types is None:
            self._types = _Types(self)
        try:
            return self._types.declaration(node_id)
        except RecursionError:
            raise LimitError.of_stack() from None

    def load(self, node: Union[typed.StructView, Schema, Node]) -> Node:
        """Load a ``Node``, a reader or builder of schema.capnp's, or a type's ``schema``; give what its id has now.

        That is another one if the node is an older version of it, or no newer one.  Raises SchemaError, with nothing
        changed, if the node is wrong in itself or contradicts what is loaded: what messages depend on must not differ
        between versions, nor a type be used as what it is not.  Raises DecodeError if it cannot be read.
        """
        content = _content(node)
        new = self._opened(content)
        known = self._nodes.get(new.id)
        if known is not None and self._contents[new.id] == content:
            return known
        validate(new)
        upgrades: list[Upgrade] = []
        if known is not None:
            comparison = compare(known, new)
            upgrades = comparison.upgrades
            if comparison.direction <= 0:
                self._demands.note(self._demands.checked(known, upgrades))
                return known
        demanded = self._demands.check(new, upgrades)
        if self._types is not None and (known or new.id in self._types.seen or self._demands.makes_larger(new)):
            self._types.freeze()
            self._types = None
        self._demands.add(new, demanded)
        self._nodes[new.id] = new
        self._contents[new.id] = content
        return new

    load_dynamic = load
    """As pycapnp calls the loading of nodes from a message."""

    def _opened(self, content: bytes) -> Node:
        shape = self._codec.open_segments([content], schema_limits(len(content)))
        record: Any = shape.read_struct(0, Record)
        return Node(record)


class _Types(TypeRegistry):
    """The types of one state of a loader; ``seen`` are the ids of what they were made of, or could not be."""

    def __init__(self, loader: SchemaLoader) -> None:
        super().__init__(loader._codec)
        self._loader = loader
        self.seen: set[int] = set()
        self._loaded: Optional[frozenset[int]] = None

    def freeze(self) -> None:
        """Stay as it is from now on."""
        self._loaded = frozenset(self._loader._nodes)
        for node_id in self._loaded:
            self.node(node_id)

    def __contains__(self, node_id: int) -> bool:
        if self._loaded is not None:
            return node_id in self._loaded
        is_there = node_id in self._loader
        self.seen.add(node_id)
        return is_there

    def node(self, node_id: int) -> Node:
        found = self._nodes.get(node_id)
        if found is None:
            demands = self._loader._demands
            found = (
                demands.with_room(self._loader._nodes[node_id])
                if node_id in self
                else demands.placeholder(self.codec, node_id)
            )
            self._nodes[node_id] = found
        return found


def _content(node: object) -> bytes:
    """A node as a message of one segment, in the one form that all nodes of that content have."""
    if isinstance(node, Schema):
        node = model_of(node)
    if isinstance(node, Node):
        shape, word = node.record.shape, node.record.word
    elif isinstance(node, StructView) and node._type._node_id == _NODE:
        shape, word = node._c, node._w
    else:
        raise TypeError(f"a Node of schema.capnp is loaded, not {type(node).__name__}")
    try:
        return shape.codec.canonicalize(afresh(shape), word)
    except EncodeError as error:
        raise SchemaError(f"this is no schema: {error}") from None
