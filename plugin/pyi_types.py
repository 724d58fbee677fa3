"""The Python types of schema types: what a field or element reads as, and what it can be set from.

A field of a parameter's type reads as whatever the type that is bound to it says its reader or builder is, which takes
a getter whose ``self`` has a type of its own: see `TypeWriter.getter_self`.
"""

from __future__ import annotations

from enum import Enum

from ccapnp.plugin.pyi_names import Names, Parameter
from ccapnp.schema import Brand, Kind, Type

__all__ = ["ANY", "BOOL", "BOUND_VARIABLES", "STR", "TypeWriter", "View"]

ANY = "_typing.Any"
STR = "_builtins.str"
BOOL = "_builtins.bool"
_ANY_POINTER = "_ccapnp.AnyPointer"
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

_ANY_NAMES = {"any": "AnyPointer", "struct": "AnyStruct", "list": "AnyList", "capability": "Capability"}

BOUND_VARIABLES = ("_T_reader", "_T_builder", "_T_value")
"""The type variables for the reader and the builder of what a parameter is bound to, and for what it is set from."""

_BOUND_VIEWS = {
    View.EITHER: ("_ccapnp.HasViews[_T_reader, _T_builder]", "_T_reader | _T_builder"),
    View.READER: (f"_ccapnp.HasViews[_T_reader, {ANY}]", "_T_reader"),
    View.BUILDER: (f"_ccapnp.HasViews[{ANY}, _T_builder]", "_T_builder"),
}
"""What a parameter has to be bound to, and what a field of its type then reads as."""

_BOUND_VALUE = f"_ccapnp.HasViews[{ANY}, {ANY}, _T_value]", "_T_value"
"""The same for what is set."""


class TypeWriter:
    """Writes the types of one stub, at its top level or in one class, which may have parameters."""

    def __init__(self, names: Names, node_id: int = 0, view: View = View.EITHER) -> None:
        """With a view, the types are for that class within the type's, or for another one of the same depth."""
        self._names = names
        self._node_id = node_id
        self._view = view
        self.variables = names.variables(node_id, view.value) if node_id else {}
        """The type variables of the class."""

    def within(self, node_id: int, view: View = View.EITHER) -> TypeWriter:
        """The one for the class of a type, or for one of its views."""
        return TypeWriter(self._names, node_id, view)

    @property
    def unbound(self) -> TypeWriter:
        """The one for a class without the parameters of the class here: they are anything."""
        made = TypeWriter(self._names)
        made.variables = dict.fromkeys(self.variables, ANY)
        return made

    # ---- generic types

    @property
    def own_arguments(self) -> str:
        """The brackets behind the class's own name, within it."""
        return f"[{', '.join(self.variables.values())}]" if self.variables else ""

    @property
    def generic_base(self) -> str:
        """The base that a class has for its parameters, behind its other ones."""
        return f", _typing.Generic{self.own_arguments}" if self.variables else ""

    def getter_self(self, type: Type) -> str:
        """The type of ``self``, with a colon, where a field of that type is read; nothing if it may be anything."""
        return self._self(type, _BOUND_VIEWS[self._view][0])

    def setter(self, type: Type) -> tuple[str, str]:
        """The type of ``self`` as above where a field of that type is set, and what it is set from."""
        found = self._self(type, _BOUND_VALUE[0])
        return found, _BOUND_VALUE[1] if found else self.set(type)

    def _self(self, type: Type, needed: str) -> str:
        """The type of ``self`` where the parameter that ``type`` is has to be bound to what is ``needed``."""
        bound = _parameter(type)
        if bound not in self.variables:
            return ""
        arguments = [needed if each == bound else ANY for each in self.variables]
        return f": {self._names.reference(self._node_id)}{self._view.value}[{', '.join(arguments)}]"

    def _arguments(self, node_id: int, brand: Brand | None) -> str:
        """The brackets behind a type that is used with ``brand``."""
        arguments = [self._argument(parameter, brand) for parameter in self._names.parameters(node_id)]
        return f"[{', '.join(arguments)}]" if arguments else ""

    def _argument(self, parameter: Parameter, brand: Brand | None) -> str:
        scope_id, number = parameter
        types = brand.scopes.get(scope_id, ()) if brand else ()
        if types is None:  # the scope is one that the class here is in, too
            return self.variables.get(parameter, _ANY_POINTER)
        bound = types[number] if number < len(types) else None
        return _ANY_POINTER if bound is None else self._name(bound)

    def _name(self, type: Type) -> str:
        """The name of a type, as a parameter is bound to it."""
        kind, parameter = type.kind, _parameter(type)
        if kind == Kind.LIST:
            element = type.element or Type(None)
            # A list of lists has no name: mypy would take the innermost elements for Never.
            return f"_ccapnp.List[{ANY if element.kind == Kind.LIST else self._name(element)}]"
        if kind in (Kind.STRUCT, Kind.INTERFACE):
            return self.struct(type.type_id, View.EITHER, type.brand)
        if kind in (Kind.TEXT, Kind.DATA):
            return f"_ccapnp.{kind.name.capitalize()}"
        if parameter in self.variables:
            return self.variables[parameter]
        if kind == Kind.ANY_POINTER and not _is_capability(type):
            return f"_ccapnp.{_ANY_NAMES[type.any_kind]}"
        value = ANY if kind == Kind.ENUM else self.set(type)  # pyright would take names in a list for any str
        return f"_ccapnp.HasViews[{self.read(type, View.READER)}, {self.read(type, View.BUILDER)}, {value}]"

    # ---- records

    def record(self, type: Type) -> str:
        """What a record has for a value of that type; anything where a parameter says what it is."""
        kind = type.kind
        if _parameter(type) is not None:
            return ANY
        if _is_capability(type):
            return "_ccapnp.Capability | None"
        if kind == Kind.LIST:
            return f"_builtins.tuple[{self.record(type.element or Type(None))}, ...]"
        return self.record_of(type.type_id) if kind == Kind.STRUCT else self.read(type, View.READER)

    def record_of(self, node_id: int) -> str:
        """The class of a struct's records, or a group's; those of generic types are of no other class to a checker."""
        return self._names.made(node_id, "Record") or ANY

    # ---- classes that are made for each type

    def made(self, node_id: int, name: str, brand: Brand | None) -> str | None:
        """The class ``name`` within that of a type; ``None`` if there is none to refer to."""
        found = self._names.made(node_id, name)
        return found and found + self._arguments(node_id, brand)

    def made_here(self, node_id: int, name: str) -> str | None:
        """The same within the class itself or a group of it."""
        found = self._names.made(node_id, name)
        return found and found + self.own_arguments

    def server(self, node_id: int) -> str | None:
        """The class of an interface's servers, which are for whatever its parameters are bound to."""
        return self._names.made(node_id, "Server")

    # ---- methods

    def value(self, type: Type) -> str:
        """What a method takes or gives for a field of that type; anything where it has parameters not known here."""
        return self.set(type) if self._is_known(type) else ANY

    def _is_known(self, type: Type) -> bool:
        if type.parameter is not None:
            return _parameter(type) in self.variables
        if type.element is not None:
            return self._is_known(type.element)
        for scope_id, bound in type.brand.scopes.items() if type.brand else ():
            if bound is None and not self.variables.keys() >= self._names.parameters(scope_id).keys():
                return False
            if not all(each is None or self._is_known(each) for each in bound or ()):
                return False
        return True

    # ---- values

    def own(self, view: View) -> str:
        """The class itself, or a view of it."""
        return self.group(self._node_id, view)

    def struct(self, node_id: int, view: View, brand: Brand | None) -> str:
        """A struct as it reads, or an interface."""
        reference = self._names.reference(node_id)
        return ANY if reference is None else reference + view.value + self._arguments(node_id, brand)

    def group(self, node_id: int, view: View) -> str:
        """A group of the struct as it reads."""
        return f"{self._names.reference(node_id)}{view.value}{self.own_arguments}"

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
            return self.struct(type.type_id, view, type.brand)
        if _parameter(type) in self.variables:
            return _BOUND_VIEWS[view][1]
        if kind == Kind.INTERFACE:
            return f"{self.made(type.type_id, 'Client', type.brand) or ANY} | None"
        if _is_capability(type):
            return "_rpc.Client | None"
        return f"_ccapnp.{_ANY_NAMES[type.any_kind]}{'Builder' if view == View.BUILDER else 'Reader'}"

    def _list(self, element: Type, view: View) -> str:
        name = "Number" if element.kind in _NUMBERS else ""
        read = ANY if _parameter(element) in self.variables else self.read(element, view)
        if view == View.BUILDER:
            return f"_ccapnp.{name}ListBuilder[{read}, {self.set(element, is_element=True)}]"
        name = f"{name}List" if name else "ListReader"
        return f"_ccapnp.{name}[{read}]"

    def resizable_list(self, element: Type) -> str:
        """The list that grows, for a field that is a list of ``element``."""
        added = self.read(element, View.BUILDER) if element.kind == Kind.STRUCT else "_typing_extensions.Never"
        return f"_ccapnp.ResizableList[{added}, {self.set(element, is_element=True)}]"

    def set(self, type: Type, is_element: bool = False) -> str:
        """What a field or element can be set from; ``None`` clears a pointer, except a struct in a list."""
        clear = "" if is_element and type.kind == Kind.STRUCT else " | None"
        if type.kind == Kind.ENUM:
            return self._names.enum_value(type.type_id) or ANY
        if _parameter(type) in self.variables:
            return ANY
        return self._plain_value(type) + (clear if type.kind.is_pointer else "")

    def _plain_value(self, type: Type) -> str:
        kind = type.kind
        if kind in _PLAIN:
            return _PLAIN[kind][1]
        if kind == Kind.LIST:
            return f"_abc.Iterable[{self.set(type.element or Type(None), is_element=True)}]"
        if kind == Kind.STRUCT:
            return f"{self.struct(type.type_id, View.EITHER, type.brand)} | _ccapnp.Fields"
        if kind == Kind.INTERFACE:
            client = self.made(type.type_id, "Client", type.brand)
            return f"{client or ANY} | {self.server(type.type_id) or ANY} | _ccapnp.Capability"
        return f"_ccapnp.{_ANY_NAMES[type.any_kind]}Value"


def _parameter(type: Type) -> Parameter | None:
    """The parameter of a scope that a type is."""
    found = type.parameter
    return None if found is None or found.scope_id is None else (found.scope_id, found.position)


def _is_capability(type: Type) -> bool:
    return type.kind == Kind.INTERFACE or type.any_kind == "capability"
