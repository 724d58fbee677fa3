"""Structs as dicts and lists as lists of plain Python values."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from ccapnp.convert.layouts import struct_layout
from ccapnp.errors import DecodeError, LimitError
from ccapnp.types.enums import Enum, schema_name
from ccapnp.types.lists import ListReader
from ccapnp.types.struct_view import StructView

__all__ = ["list_to_python", "struct_to_dict", "to_python"]


def struct_to_dict(
    view: Any, verbose: bool = False, encode_bytes_as_base64: bool = False, active: bool = False
) -> dict[str, Any]:
    """The struct as a dict, decoded by its codec in one go; ``active`` is as for `ccapnp.codec.Codec.decode_tree`."""
    shape = view._c
    try:
        return shape.codec.decode_tree(  # type: ignore[no-any-return]
            struct_layout(view._type), verbose, encode_bytes_as_base64, shape, view._w, active
        )
    except DecodeError as error:
        error.type = view._type.__qualname__
        raise
    except RecursionError:
        raise LimitError.of_stack() from None


def list_to_python(values: Any, verbose: bool = False, encode_bytes_as_base64: bool = False) -> list[Any]:
    """The list's elements as plain Python values."""
    return [to_python(value, verbose, encode_bytes_as_base64) for value in values]


def to_python(value: Any, verbose: bool = False, encode_bytes_as_base64: bool = False) -> Any:
    """A field's value as a plain Python value: a struct as a dict, a list as a list, an enum member as its name."""
    if isinstance(value, StructView):
        return struct_to_dict(value, verbose, encode_bytes_as_base64)
    if isinstance(value, ListReader):
        return list_to_python(value, verbose, encode_bytes_as_base64)
    if isinstance(value, Enum):
        return schema_name(value) if value in type(value).__members__.values() else int(value)
    if encode_bytes_as_base64 and isinstance(value, bytes):
        return b64encode(value).decode()
    return value
