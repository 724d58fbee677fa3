"""Data in base64, as ``to_dict(encode_bytes_as_base64=True)`` has it, on its way back."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ccapnp.errors import CapnpError, EncodeError, shown
from ccapnp.schema.value import Kind

if TYPE_CHECKING:
    from ccapnp.schema.value import Type
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
    if field.is_group:
        return with_data_decoded(struct_type._registry.struct(field.group_id), value)
    return _value(struct_type, field.type, value)


def _value(owner: StructType, type: Type, value: Any) -> Any:
    if type.kind == Kind.DATA and isinstance(value, str):
        try:
            return b64decode(value, validate=True)
        except ValueError as error:
            raise EncodeError(f"{shown(value)} is not base64: {error}") from None
    if type.kind == Kind.LIST and type.element is not None and isinstance(value, (list, tuple)):
        element = type.element
        return [_inside(f"[{index}]", _value, owner, element, each) for index, each in enumerate(value)]
    if type.kind == Kind.STRUCT:
        return with_data_decoded(owner._registry.struct(type.type_id), value)
    return value


def _inside(part: str, decode: Any, *arguments: Any) -> Any:
    try:
        return decode(*arguments)
    except CapnpError as error:
        raise error.inside(part) from None
