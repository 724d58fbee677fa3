"""The Python types of schema types: what a field or element reads as, and what it can be set from."""

from __future__ import annotations

from enum import Enum

from ccapnp.plugin.pyi_names import Names
from ccapnp.schema import Kind, Type

__all__ = ["ANY", "BOOL", "STR", "TypeWriter", "View"]

ANY = "_typing.Any"
STR = "_builtins.str"
BOOL = "_builtins.bool"
_CAPABILITY = "_ccapnp.Capability"
_INT, _FLOAT = "_builtins.int", "_builtins.float"
_FROM_INT, _FROM_FLOAT = "_typing.SupportsIndex", "_typing.SupportsFloat | _typing.SupportsIndex"


class View(Enum):
    """From where a field is read; the value is what follows a struct's name there."""

    EITHER = ""
    READER = ".Reader"
    BUILDER = ".Builder"


# What a value reads as, and what it can be set from.
_NUMBERS = {
    **{kind: (_INT, _FROM_INT) for kind in Kind if Kind.INT8 <= kind <= Kind.UINT64},
    **dict.fromkeys((Kind.FLOAT32, Kind.FLOAT64), (_FLOAT, _FROM_FLOAT)),
}
_PLAIN = {
    **_NUMBERS,
    Kind.VOID: ("None", "None"),
    Kind.BOOL: (BOOL, BOOL),
    Kind.TEXT: (STR, STR),
    Kind.DATA: ("_builtins.bytes", "_typing_extensions.Buffer"),
}

_ANY_NAMES = {"any": "AnyPointer", "struct": "AnyStruct", "list": "AnyList"}


class TypeWriter:
    """Writes the types of one stub."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def struct(self, node_id: int, view: View) -> str:
        """A struct or group as it reads."""
        reference = self._names.reference(node_id)
        return ANY if reference is None else reference + view.value

    def struct_value(self, node_id: int) -> str:
        """What a struct or group can be set from."""
        reference = self._names.reference(node_id)
        return ANY if reference is None else f"{reference} | _ccapnp.Fields"

    def read(self, type: Type, view: View) -> str:
        """What a value of that type reads as."""
        kind = type.kind
        if kind in _PLAIN:
            return _PLAIN[kind][0]
        if kind == Kind.LIST:
            return self._list(type.element or Type(None), view)
        if kind == Kind.ENUM:
            return self._names.reference(type.type_id) or ANY
        if kind == Kind.STRUCT:
            return self.struct(type.type_id, view)
        if _is_capability(type):
            return f"{_CAPABILITY} | None"
        return f"_ccapnp.{_ANY_NAMES[type.any_kind]}{'Builder' if view == View.BUILDER else 'Reader'}"

    def _list(self, element: Type, view: View) -> str:
        name = "Number" if element.kind in _NUMBERS else ""
        if view == View.BUILDER:
            name = f"{name}ListBuilder"
            return f"_ccapnp.{name}[{self.read(element, view)}, {self.set(element, is_element=True)}]"
        name = f"{name}List" if name else "ListReader"
        return f"_ccapnp.{name}[{self.read(element, view)}]"

    def resizable_list(self, element: Type) -> str:
        """The list that grows, for a field that is a list of ``element``."""
        added = self.read(element, View.BUILDER) if element.kind == Kind.STRUCT else "_typing_extensions.Never"
        return f"_ccapnp.ResizableList[{added}, {self.set(element, is_element=True)}]"

    def set(self, type: Type, is_element: bool = False) -> str:
        """What a field or element can be set from; ``None`` clears a pointer, except a struct in a list."""
        clear = "" if is_element and type.kind == Kind.STRUCT else " | None"
        if type.kind == Kind.ENUM:
            return self._names.enum_value(type.type_id) or ANY
        return self._plain_value(type) + (clear if type.kind.is_pointer else "")

    def _plain_value(self, type: Type) -> str:
        kind = type.kind
        if kind in _PLAIN:
            return _PLAIN[kind][1]
        if kind == Kind.LIST:
            return f"_abc.Iterable[{self.set(type.element or Type(None), is_element=True)}]"
        if kind == Kind.STRUCT:
            return self.struct_value(type.type_id)
        return _CAPABILITY if _is_capability(type) else f"_ccapnp.{_ANY_NAMES[type.any_kind]}Value"


def _is_capability(type: Type) -> bool:
    return type.kind == Kind.INTERFACE or type.any_kind == "capability"
