"""The structs of schema.capnp as they are stored, for what reflection has no name for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ccapnp.schema.record import Record

__all__ = ["raw"]


def raw(record: Record, struct_type: Any) -> Any:
    """A reader of a copy, so that reading it costs the schema's own message nothing of its limits."""
    root = record.shape.codec.new_message()
    root.copy_struct(0, record.shape, record.word)
    return struct_type.from_bytes(root.framed(), None)
