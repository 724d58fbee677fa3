"""Naming a list type in Python, where no schema names it: for roots and pointers that may lead to anything."""

from __future__ import annotations

from typing import Any, Union

from ccapnp.schema.value import Kind
from ccapnp.types.enums import Enum
from ccapnp.types.list_types import ListType
from ccapnp.types.registry import LIST_TYPES, POINTER_TYPES, type_registry
from ccapnp.types.struct_type import StructType

__all__ = ["List"]


def List(element: Union[Kind, StructType, type[Enum], ListType]) -> ListType:
    """The type of lists of ``element``: a `Kind` such as ``Kind.UINT8``, a struct type, an enum, or another list type.

    TypeError for anything else.
    """
    if isinstance(element, Kind):
        if element in LIST_TYPES:
            return LIST_TYPES[element]
        if element in POINTER_TYPES:
            return type_registry().pointer_list(POINTER_TYPES[element])
    elif isinstance(element, StructType):
        return element._registry.struct_list(element._node_id)
    elif isinstance(element, ListType):
        return type_registry().pointer_list(element)
    else:
        enum: Any = element  # whatever a caller without a type checker may have given
        if isinstance(enum, type) and issubclass(enum, Enum):
            return enum._registry.enum_list(enum._node_id)
    raise TypeError(f"{element!r} does not name the type of a list's elements")
