"""What a record has to be, by reading each field through the lazy reader, in the same order."""

from __future__ import annotations

import struct
from typing import Any

import ccapnp
from ccapnp import CapnpError, UnionError
from ccapnp.convert.unset import is_endless
from ccapnp.types.any_struct import ANY_STRUCTS
from ccapnp.types.fields import PointerAccess, read_tag

__all__ = ["exact", "items_of", "modelled"]


def modelled(view: Any) -> Any:
    """The struct as a plain tuple of tuples; the error that a reader raises, with the path to it."""
    try:
        active: Any = ccapnp.which(view)
    except UnionError:
        node = view._type._node
        active = read_tag(view, node.discriminant_offset) if node.discriminant_count else None
    outside = [field for field in view._type._node.fields if field.discriminant is None]
    items = [_field(view, field.name) for field in outside]
    if active is not None:
        items += [active, _field(view, active) if isinstance(active, str) else None]
    return tuple(items)


def _field(view: Any, name: str) -> Any:
    access = view._type._access(name)
    is_nothing = isinstance(access, PointerAccess) and not ccapnp.has(view, name)
    is_nothing = is_nothing and (access.default is None or is_endless(access))
    value = ccapnp.get_field(view, name)  # whose error names the field
    if is_nothing and isinstance(value, (ccapnp.StructView, ccapnp.ListReader)) and not _is_any(value):
        return None if isinstance(value, ccapnp.StructView) else ()
    try:
        return _value(value)
    except CapnpError as error:
        raise error.inside(name) from None


def _value(value: Any) -> Any:
    if isinstance(value, ccapnp.StructView):
        return modelled(value)
    if not isinstance(value, ccapnp.ListReader) or _is_any(value):
        return value
    made: list[Any] = []
    for index in range(len(value)):
        element = value[index]  # whose error names the index
        try:
            made.append(_value(element))
        except CapnpError as error:
            raise error.inside(f"[{index}]") from None
    return tuple(made)


def _is_any(value: Any) -> bool:
    return isinstance(value, ccapnp.ListReader) and value._type is ANY_STRUCTS


def exact(value: Any) -> Any:
    """The same with what ``==`` does not tell apart, or not as it is, in a form that it does: floats by their bits."""
    if isinstance(value, tuple):
        return tuple(map(exact, value))
    if isinstance(value, float):
        return "float", struct.pack("<d", value)
    return repr(value) if isinstance(value, ccapnp.AnyPointerReader) else value


def items_of(value: Any) -> Any:
    """A record as a plain tuple of tuples."""
    return tuple(map(items_of, value)) if isinstance(value, tuple) else value
