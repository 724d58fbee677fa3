"""What the parameters of generic types stand for, where a value of such a type is converted.

A field of type ``Box(Text)`` holds a ``Box``, whose own fields of the parameter's type are then Text.  `bind` gives the
type of a field with what is bound for the fields below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ccapnp.schema.value import Kind, Type
from ccapnp.types.any import ANY_POINTER
from ccapnp.types.struct_pointer import StructPointer

if TYPE_CHECKING:
    from ccapnp.schema.value import Brand
    from ccapnp.types.pointer_types import PointerType
    from ccapnp.types.registry import TypeRegistry

__all__ = ["UNBOUND", "Binding", "Bindings", "bind"]


class Binding:
    """A pointer's type, and what is bound for the structs below it."""

    __slots__ = ("bindings", "pointer_type")

    def __init__(self, pointer_type: PointerType, bindings: Bindings) -> None:
        self.pointer_type = pointer_type
        self.bindings = bindings


Bindings = Mapping[tuple[int, int], Binding]
"""Per parameter, given as the id of its scope and its number there, what it is bound to."""

UNBOUND: Bindings = {}


def bind(registry: TypeRegistry, type: Type, bindings: Bindings) -> Binding:
    """The type of a pointer field or element of a struct for which ``bindings`` hold.

    A parameter that is bound to nothing is an AnyPointer.
    """
    if type.kind == Kind.ANY_POINTER:
        parameter = type.parameter
        found = None
        if parameter is not None and parameter.scope_id is not None:
            found = bindings.get((parameter.scope_id, parameter.position))
        return found or Binding(ANY_POINTER, UNBOUND)
    if type.kind == Kind.STRUCT:
        return Binding(registry.struct(type.type_id)._pointer, _inner(registry, type.brand, bindings))
    if type.kind == Kind.LIST and type.element is not None and type.element.kind.is_pointer:
        element = bind(registry, type.element, bindings)
        if isinstance(element.pointer_type, StructPointer):
            return Binding(registry.struct_list(element.pointer_type.struct_type._node_id), element.bindings)
        return Binding(registry.pointer_list(element.pointer_type), element.bindings)
    return Binding(registry.pointer_type(type), UNBOUND)


def _inner(registry: TypeRegistry, brand: Brand | None, bindings: Bindings) -> Bindings:
    """What holds for the fields of a struct that is used with ``brand`` where ``bindings`` hold."""
    if brand is None or not brand.scopes:
        return UNBOUND
    made: dict[tuple[int, int], Binding] = {}
    for scope_id, bound in brand.scopes.items():
        if bound is None:  # the scope is one that the user of the type is in too
            made.update((key, binding) for key, binding in bindings.items() if key[0] == scope_id)
            continue
        for index, type in enumerate(bound):
            if type is not None:
                made[scope_id, index] = bind(registry, type, bindings)
    return made
