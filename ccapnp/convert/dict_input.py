"""What is done to values before a struct is made from them, where that is asked for.

Unknown names are taken out, and base64 becomes bytes.  Whatever does not fit stays as it is, for the struct to refuse.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ccapnp.errors import CapnpError, EncodeError, LimitError, shown
from ccapnp.types.attributes import attributes_of
from ccapnp.types.fields import FieldAccess, GroupAccess, PointerAccess
from ccapnp.types.list_types import PointerListType, StructListType
from ccapnp.types.lists import ListReader
from ccapnp.types.pointer_types import DATA, PointerType
from ccapnp.types.record import Record
from ccapnp.types.struct_pointer import StructPointer
from ccapnp.types.struct_view import StructView

if TYPE_CHECKING:
    from ccapnp.types.struct_type import StructType

__all__ = ["prepared"]


def prepared(value: Any, struct_type: StructType, *, ignore_unknown: bool, from_base64: bool) -> Any:
    """The value, without what no field has a name for, and with bytes where there is base64 for Data."""
    try:
        return _Preparation(ignore_unknown, from_base64).struct(struct_type, value)
    except RecursionError:
        raise LimitError.of_stack() from None


class _Preparation:
    def __init__(self, ignore_unknown: bool, from_base64: bool) -> None:
        self._ignore_unknown = ignore_unknown
        self._from_base64 = from_base64

    def struct(self, struct_type: StructType, value: Any) -> Any:
        if isinstance(value, (StructView, Record)):
            return value
        fields = value if isinstance(value, Mapping) else attributes_of(value, struct_type)
        if fields is None:
            return value
        made = {}
        for name, each in fields.items():
            if struct_type._find(name) is not None:
                made[name] = self._field(struct_type._access(name), each)
            elif not self._ignore_unknown:
                made[name] = each
        return made

    def _field(self, access: FieldAccess, value: Any) -> Any:
        try:
            if isinstance(access, GroupAccess):
                return self.struct(access.group, value)
            return self._pointer(access.pointer_type, value) if isinstance(access, PointerAccess) else value
        except CapnpError as error:
            raise error.inside(access.name, access.owner.__qualname__) from None

    def _pointer(self, pointer_type: PointerType, value: Any) -> Any:
        if isinstance(pointer_type, StructPointer):
            return self.struct(pointer_type.struct_type, value)
        if pointer_type is DATA:
            return _decoded(value) if self._from_base64 and isinstance(value, str) else value
        if isinstance(pointer_type, StructListType):
            return self._elements(pointer_type.struct_type._pointer, value)
        if isinstance(pointer_type, PointerListType):
            return self._elements(pointer_type.pointer_type, value)
        return value

    def _elements(self, pointer_type: PointerType, values: Any) -> Any:
        if isinstance(values, (str, bytes, Mapping, ListReader)) or not isinstance(values, Iterable):
            return values
        made: list[Any] = []
        try:
            for value in values:
                made.append(self._pointer(pointer_type, value))
        except CapnpError as error:
            raise error.inside(f"[{len(made)}]") from None
        return made


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):  # or what is not even ASCII
        raise EncodeError(f"{shown(text)} is not base64") from None
