"""Naming a list type in Python, where no schema names it: for roots and pointers that may lead to anything."""

from __future__ import annotations

from typing import Any, Union

from ccapnp.schema.value import Kind
from ccapnp.types.any import ANY_POINTER, CAPABILITY
from ccapnp.types.enums import Enum
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, ListType
from ccapnp.types.number_lists import NUMBER_LISTS
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.registry import type_registry
from ccapnp.types.struct_type import StructType

__all__ = ["List"]

_POINTERS: dict[Kind, PointerType] = {
    Kind.TEXT: TEXT,
    Kind.DATA: DATA,
    Kind.ANY_POINTER: ANY_POINTER,
    Kind.INTERFACE: CAPABILITY,
}


def List(element: Union[Kind, StructType, type[Enum], ListType]) -> ListType:
    """The type of lists of ``element``: a `Kind` such as ``Kind.UINT8``, a struct type, an enum, or another list type.

    TypeError for anything else.
    """
    if isinstance(element, Kind):
        if element in NUMBER_LISTS:
            return NUMBER_LISTS[element]
        if element in (Kind.BOOL, Kind.VOID):
            return BOOL_LIST if element == Kind.BOOL else VOID_LIST
        if element in _POINTERS:
            return type_registry().pointer_list(_POINTERS[element])
    elif isinstance(element, StructType):
        return element._registry.struct_list(element._node_id)
    elif isinstance(element, ListType):
        return type_registry().pointer_list(element)
    else:
        enum: Any = element
        if isinstance(enum, type) and issubclass(enum, Enum):
            return enum._registry.enum_list(enum._node_id)  # type: ignore[attr-defined,no-any-return]
    raise TypeError(f"{element!r} does not name the type of a list's elements")
