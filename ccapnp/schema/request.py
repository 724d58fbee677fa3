"""A CodeGeneratorRequest: what `capnp compile` hands to a plugin, and what `load_request` takes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ccapnp.errors import SchemaError
from ccapnp.schema.nodes import Node
from ccapnp.schema.record import Record
from ccapnp.schema.validate import validate_all
from ccapnp.wire.framing import byte_view
from ccapnp.wire.limits import Limits

if TYPE_CHECKING:
    from ccapnp.codec import Codec

__all__ = ["Import", "Request", "RequestedFile", "SourceInfo", "schema_limits"]

_READS_PER_WORD = 100
"""How often each word of a request is read, on average, before it must be nested in itself; some 2 are usual."""


def schema_limits(size_bytes: int) -> Limits:
    """The limits for a message of schema nodes."""
    return Limits(_READS_PER_WORD * max(size_bytes >> 3, 64))


class Import(NamedTuple):
    """One import of a file: the imported file's id, and its name as it is written in the source."""

    id: int
    name: str


class RequestedFile(NamedTuple):
    """One file that was named to the compiler, with what it imports."""

    id: int
    name: str
    imports: tuple[Import, ...]


class SourceInfo(NamedTuple):
    """The comments of one node: its own, and its members' in the order of their ordinals."""

    doc: str
    members: tuple[str, ...]


class Request:
    """A compiled schema: its nodes by id, the files that were asked for, and their comments."""

    def __init__(self, codec: Codec, data: Any) -> None:
        """``data`` is a framed message; DecodeError or SchemaError if it is not a request.

        It may be of any size, but is read under limits that a request cannot reach unless it is nested in itself.
        """
        root = codec.open_flat(data, schema_limits(byte_view(data).nbytes))
        root.charge_root()
        record = root.read_struct(0, Record)
        if record is None:
            raise SchemaError("the request is empty")
        self._record = record
        nodes = [Node(each) for each in record.structs(0)]
        self.nodes = {node.id: node for node in nodes}
        self.files = tuple(
            RequestedFile(
                file.u64(0), file.text(0), tuple(Import(entry.u64(0), entry.text(0)) for entry in file.structs(1))
            )
            for file in record.structs(1)
        )
        if not self.nodes:
            raise SchemaError("the request has no nodes; is it the output of `capnp compile -o-`?")
        if len(self.nodes) < len(nodes):
            raise SchemaError("the request has two nodes of the same id")
        validate_all(self.nodes)

    @cached_property
    def source_info(self) -> dict[int, SourceInfo]:
        """The comments by node id; nodes without any are missing."""
        return {
            entry.u64(0): SourceInfo(entry.text(0), tuple(member.text(0) for member in entry.structs(1)))
            for entry in self._record.structs(3)
            if entry.u64(0)  # the compiler lists a nameless one
        }
