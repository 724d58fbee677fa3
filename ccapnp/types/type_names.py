"""Naming types in Python, where no schema names them: for roots, orphans, and what a generic parameter stands for.

A struct type and the class of an interface are names of themselves; `Text`, `Data`, `AnyPointer`, `AnyStruct` and
`AnyList` are names here, and ``List[Person]`` is one of a list.
"""

from __future__ import annotations

from typing import Any, Union

from ccapnp.schema.value import Kind
from ccapnp.types.any import ANY_POINTER
from ccapnp.types.any_list import ANY_LIST
from ccapnp.types.any_struct import ANY_STRUCT
from ccapnp.types.capability import CAPABILITY, Capability
from ccapnp.types.enums import Enum
from ccapnp.types.interface import Interface, InterfaceType
from ccapnp.types.list_types import ListType, list_of
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.registry import LIST_TYPES, POINTER_TYPES
from ccapnp.types.struct_pointer import pointer_to
from ccapnp.types.struct_type import StructType

__all__ = ["AnyList", "AnyPointer", "AnyStruct", "Data", "List", "Text", "TypeName", "pointer_type"]

Text = TEXT
Data = DATA
AnyPointer = ANY_POINTER
AnyStruct = ANY_STRUCT
AnyList = ANY_LIST

TypeName = Union[StructType, InterfaceType, PointerType, Kind, type]
"""What names a type in Python."""


def pointer_type(name: Any) -> PointerType:
    """The type of pointers that ``name`` names; TypeError if it names none."""
    if isinstance(name, StructType):
        return pointer_to(name)
    if isinstance(name, InterfaceType) and name is not Interface:
        return name._pointer
    if isinstance(name, PointerType):
        return name
    if name is Capability or name is Interface:
        return CAPABILITY
    if isinstance(name, Kind) and name in POINTER_TYPES:
        return POINTER_TYPES[name]
    raise TypeError(f"{name!r} does not name a type that pointers lead to")


class _ListOf:
    """``List[element]``, or ``List(element)``: the type of lists of that element type."""

    __slots__ = ()

    def __getitem__(self, element: TypeName) -> ListType:
        if isinstance(element, Kind) and element in LIST_TYPES:
            return LIST_TYPES[element]
        if isinstance(element, type) and issubclass(element, Enum) and element is not Enum:
            return element._registry.enum_list(element._node_id)
        try:
            return list_of(pointer_type(element))
        except TypeError:
            raise TypeError(f"{element!r} does not name the type of a list's elements") from None

    __call__ = __getitem__

    def __repr__(self) -> str:
        return "ccapnp.List"


List = _ListOf()
