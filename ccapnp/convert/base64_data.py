"""Data in base64, as ``to_dict(encode_bytes_as_base64=True)`` has it, on its way back."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ccapnp.errors import CapnpError, EncodeError, shown
from ccapnp.types.list_types import PointerListType, StructListType
from ccapnp.types.pointer_types import DATA
from ccapnp.types.struct_pointer import StructPointer

if TYPE_CHECKING:
    from ccapnp.types.pointer_types import PointerType
    from ccapnp.types.struct_type import StructType

__all__ = ["with_data_decoded"]


def with_data_decoded(struct_type: StructType, values: Any) -> Any:
    """The values for a struct, with bytes for each `str` where the schema has Data; what does not fit stays as it is.

    Raises EncodeError, which names the field, for a `str` that is not base64.
    """
    if not isinstance(values, Mapping):
        return values
    return {name: _inside(name, _field, struct_type, name, value) for name, value in values.items()}


def _field(struct_type: StructType, name: Any, value: Any) -> Any:
    field = struct_type._node.fields_by_name.get(name)
    if field is None:
        return value
    registry, environment = struct_type._registry, struct_type._environment
    if field.is_group:
        return with_data_decoded(registry.struct(field.group_id, environment), value)
    return _value(registry.pointer_type(field.type, environment), value) if field.type.kind.is_pointer else value


def _value(pointer_type: PointerType, value: Any) -> Any:
    if pointer_type is DATA and isinstance(value, str):
        try:
            return b64decode(value, validate=True)
        except ValueError as error:
            raise EncodeError(f"{shown(value)} is not base64: {error}") from None
    if isinstance(pointer_type, StructPointer):
        return with_data_decoded(pointer_type.struct_type, value)
    element: PointerType
    if isinstance(pointer_type, StructListType):
        element = pointer_type.struct_type._pointer
    elif isinstance(pointer_type, PointerListType):
        element = pointer_type.pointer_type
    else:
        return value
    if isinstance(value, (list, tuple)):
        return [_inside(f"[{index}]", _value, element, each) for index, each in enumerate(value)]
    return value


def _inside(part: str, decode: Any, *arguments: Any) -> Any:
    try:
        return decode(*arguments)
    except CapnpError as error:
        raise error.inside(part) from None
