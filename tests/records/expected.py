"""What a record of a struct has to be, read field by field."""

from __future__ import annotations

from typing import Any

import ccapnp
from ccapnp.schema import Kind
from ccapnp.schema.names import attribute_name

__all__ = ["expected"]

_EMPTY: dict[Kind, Any] = {Kind.TEXT: "", Kind.DATA: b"", Kind.LIST: ()}


def expected(view: Any) -> tuple[Any, ...]:
    """The items, as plain tuples."""
    items = []
    node = view._type._node
    for field in node.fields:
        if field.discriminant is None:
            items.append(_value(view, field))
    if node.discriminant_count:
        try:
            active = ccapnp.which(view)
        except ccapnp.UnionError:
            shape = view._c
            return (*items, shape.u16[(view._w << 2) + node.discriminant_offset], None)
        items += [active, _value(view, node.fields_by_name[active])]
    return tuple(items)


def _value(view: Any, field: Any) -> Any:
    kind = field.type.kind
    if kind.is_pointer and not field.is_group and not ccapnp.has(view, field.name) and field.default.pointer is None:
        if kind in _EMPTY:
            return _EMPTY[kind]
        if kind == Kind.STRUCT:
            return None
    return _plain(getattr(view, attribute_name(field.name)))


def _plain(value: Any) -> Any:
    if isinstance(value, ccapnp.StructView):
        return expected(value)
    return tuple(map(_plain, value)) if isinstance(value, ccapnp.ListReader) else value
