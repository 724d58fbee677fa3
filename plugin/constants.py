"""Which constants stand in a generated module as plain literals."""

from __future__ import annotations

from typing import Optional

from ccapnp.plugin.text import float_literal
from ccapnp.schema import Kind, Node, Value

__all__ = ["literal"]

_MAX_BYTES = 1000
"""Longer texts and data stay in the embedded node alone."""


def literal(node: Node) -> Optional[str]:
    """The literal of a constant's value; ``None`` for one that must be read from its node.

    These are enum members, whose class may be another one by the end of the module, and what lies behind a pointer.
    """
    if node.type is None or node.value is None or node.type.kind != node.value.kind:
        return None
    kind = node.type.kind
    if kind in (Kind.TEXT, Kind.DATA):
        return _bytes_literal(kind, node.value)
    if kind == Kind.ENUM or kind.is_pointer:
        return None
    number = node.value.number
    return float_literal(number) if isinstance(number, float) else repr(number)


def _bytes_literal(kind: Kind, value: Value) -> Optional[str]:
    shape, at = value.pointer or (None, 0)
    found = shape.read_data(at) if shape else b""
    if found is not None and len(found) > _MAX_BYTES:
        return None
    if kind == Kind.TEXT:
        return repr((shape.read_text(at) if shape else None) or "")
    return repr(bytes(found or b""))
