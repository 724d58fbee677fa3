"""Types as a compiled schema states them: names looked up, aliases followed, generics bound.

A *brand* says what the parameters of a type, and of the scopes that it stands in, are bound to.  A scope that is
missing from it is unbound: its parameters are AnyPointer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional, Union

from ccapnp.compiler.scopes import Definition

__all__ = [
    "ANY_POINTER",
    "BUILTIN",
    "LIST",
    "UNKNOWN",
    "AnyKind",
    "BrandScope",
    "Branded",
    "ImplicitParameter",
    "ListOf",
    "ListType",
    "Parameter",
    "Primitive",
    "Target",
    "UnknownTarget",
    "is_pointer",
    "substituted",
    "type_name",
]


@dataclass(frozen=True)
class Primitive:
    """Void, Bool, a number, Text or Data; ``kind`` is what `Type` and `Value` of schema.capnp call it."""

    name: str
    kind: str


@dataclass(frozen=True)
class AnyKind:
    """AnyPointer and its restricted forms."""

    name: str
    kind: str


@dataclass(frozen=True)
class ListType:
    """``List`` without its parameter: no type yet."""


@dataclass(frozen=True)
class UnknownTarget:
    """What a name that was reported stands for."""


@dataclass(frozen=True)
class ListOf:
    """``List(element)``."""

    element: Target


@dataclass(frozen=True)
class Parameter:
    """A parameter of a generic scope."""

    scope: Definition
    index: int


@dataclass(frozen=True)
class ImplicitParameter:
    """A parameter of a method, where the type of all parameters or results is stated with it."""

    index: int


@dataclass(frozen=True)
class BrandScope:
    """What one scope's parameters are bound to; ``None`` is themselves, which is so within the scope."""

    scope: Definition
    bound: Optional[tuple[Target, ...]]


@dataclass(frozen=True)
class Branded:
    """A declaration with its brand, from the inside out.  It is a type if it is a struct, enum or interface.

    ``is_applied`` tells whether its own parameters were stated, rather than taken over from a scope around.
    """

    definition: Definition
    brand: tuple[BrandScope, ...] = ()
    is_applied: bool = field(default=False, compare=False)


Target = Union[
    Primitive, AnyKind, ListType, UnknownTarget, ListOf, Parameter, ImplicitParameter, Branded
]  # what a name can stand for

LIST = ListType()
UNKNOWN = UnknownTarget()
ANY_POINTER = AnyKind("AnyPointer", "anyKind")

_NUMBERS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64")
_PRIMITIVES = ("Void", "Bool", *_NUMBERS, "Text", "Data")
_ANY_KINDS = (
    ANY_POINTER,
    AnyKind("AnyStruct", "struct"),
    AnyKind("AnyList", "list"),
    AnyKind("Capability", "capability"),
)
BUILTIN: dict[str, Target] = {
    "List": LIST,
    **{name: Primitive(name, name.lower()) for name in _PRIMITIVES},
    **{each.name: each for each in _ANY_KINDS},
}
"""The types that need no declaration."""


def is_pointer(target: Target) -> bool:
    """Whether a field of this type is in the pointer section."""
    if isinstance(target, Primitive):
        return target.kind in ("text", "data")
    if isinstance(target, Branded):
        return target.definition.kind != "enum"
    return not isinstance(target, UnknownTarget)


def substituted(target: Target, brand: tuple[BrandScope, ...]) -> Target:
    """What a target, as it is stated within a scope, is from the outside, where the scope has this brand."""
    if isinstance(target, Parameter):
        for each in brand:
            if each.scope is target.scope:
                return target if each.bound is None else each.bound[target.index]
        return ANY_POINTER
    if isinstance(target, ListOf):
        return ListOf(substituted(target.element, brand))
    if isinstance(target, Branded) and target.brand:
        return Branded(target.definition, _substituted_brand(target.brand, brand), target.is_applied)
    return target


def _substituted_brand(inner: tuple[BrandScope, ...], outer: tuple[BrandScope, ...]) -> tuple[BrandScope, ...]:
    result = []
    for scope in inner:
        if scope.bound is None:
            result += [each for each in outer if each.scope is scope.scope]
        else:
            result.append(BrandScope(scope.scope, tuple(substituted(each, outer) for each in scope.bound)))
    return tuple(result)


def type_name(target: Target) -> str:
    """The name of a type for messages."""
    if isinstance(target, (Primitive, AnyKind)):
        return target.name
    if isinstance(target, ListOf):
        return f"List({type_name(target.element)})"
    if isinstance(target, ListType):
        return "List"
    if isinstance(target, Parameter):
        return target.scope.parameters[target.index]
    if isinstance(target, Branded):
        return _branded_name(target)
    return "a type parameter"


def _branded_name(target: Branded) -> str:
    bound = {each.scope: each.bound for each in target.brand if each.bound is not None}
    parts = []
    for scope in target.definition.enclosing():
        if scope.parent is not None:
            arguments = bound.get(scope)
            parts.append(scope.name + (f"({', '.join(map(type_name, arguments))})" if arguments else ""))
    return ".".join(reversed(parts)) or target.definition.file.name
