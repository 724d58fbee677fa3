"""Structs as dicts and lists as lists of plain Python values."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from ccapnp.convert.layouts import struct_layout
from ccapnp.errors import DecodeError, EncodeTypeError, LimitError
from ccapnp.types.any_view import AnyView
from ccapnp.types.enums import Enum, schema_name
from ccapnp.types.list_kinds import PointerList
from ccapnp.types.lists import ListReader
from ccapnp.types.struct_view import StructView
from ccapnp.wire.layout import TreeMode

__all__ = ["struct_to_dict", "to_plain", "to_python"]

_USUAL = TreeMode()


def to_plain(
    value: Any, verbose: bool = False, encode_bytes_as_base64: bool = False, omit_defaults: bool = False
) -> Any:
    """A struct as a dict, or a list as a list, with all that is in it."""
    mode = _USUAL
    if verbose or encode_bytes_as_base64 or omit_defaults:
        mode = TreeMode(bool(verbose), bool(encode_bytes_as_base64), False, bool(omit_defaults))
        if mode.verbose and mode.omit_defaults:
            raise ValueError("verbose gives all fields, and omit_defaults not: only one of them can be asked for")
    if isinstance(value, StructView):
        return struct_to_dict(value, mode)
    if not isinstance(value, ListReader):
        raise EncodeTypeError(f"to_dict is for structs and lists of a message, not {type(value).__name__}")
    return to_python(value, mode)


def struct_to_dict(view: Any, mode: TreeMode = _USUAL) -> dict[str, Any]:
    """The struct as a dict, decoded by its codec in one go."""
    shape = view._c
    try:
        return shape.codec.decode_tree(struct_layout(view._type), mode, shape, view._w)  # type: ignore[no-any-return]
    except DecodeError as error:
        error.type = view._type.__qualname__
        raise
    except RecursionError:
        raise LimitError.of_stack() from None


def _is_null(values: ListReader[Any], index: int) -> bool:
    return isinstance(values, PointerList) and values._c.is_null(values._w + index * values._step)


def to_python(value: Any, mode: TreeMode = _USUAL) -> Any:
    """A field's value as a plain Python value: a struct as a dict, a list as a list, an enum member as its name."""
    if isinstance(value, StructView):
        return struct_to_dict(value, mode)
    if isinstance(value, ListReader):
        return [
            None if isinstance(each, AnyView) and _is_null(value, index) else to_python(each, mode)
            for index, each in enumerate(value)
        ]
    if isinstance(value, Enum):
        return schema_name(value) if value in type(value).__members__.values() else int(value)
    if mode.base64 and isinstance(value, bytes):
        return b64encode(value).decode()
    return value
