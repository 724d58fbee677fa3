"""Types, brands and values, as dicts of the structs of these names in schema.capnp."""

from __future__ import annotations

from typing import Any, Optional

from ccapnp.codec import default_codec
from ccapnp.compiler.composing import FAULT
from ccapnp.compiler.objects import Object, write_object
from ccapnp.compiler.types import (
    AnyKind,
    Branded,
    BrandScope,
    ImplicitParameter,
    ListOf,
    Parameter,
    Primitive,
    Target,
)
from ccapnp.types.any import AnyPointerReader

__all__ = ["brand_value", "type_value", "value_of", "with_brand"]

_FEW_WORDS = 64


def type_value(target: Target) -> dict[str, Any]:
    """A `Type` of schema.capnp."""
    if isinstance(target, Primitive):
        return {target.kind: None}
    if isinstance(target, AnyKind):
        return {"anyPointer": {"unconstrained": {target.kind: None}}}
    if isinstance(target, ListOf):
        return {"list": {"elementType": type_value(target.element)}}
    if isinstance(target, Parameter):
        return {"anyPointer": {"parameter": {"scopeId": target.scope.id, "parameterIndex": target.index}}}
    if isinstance(target, ImplicitParameter):
        return {"anyPointer": {"implicitMethodParameter": {"parameterIndex": target.index}}}
    if isinstance(target, Branded):
        return {target.definition.kind: {"typeId": target.definition.id, **with_brand("brand", target.brand)}}
    return {"void": None}  # of a fault that was reported


def with_brand(name: str, brand: tuple[BrandScope, ...]) -> dict[str, Any]:
    """The entry of a `Brand` in the struct that has it; none if nothing is bound."""
    return {name: brand_value(brand)} if brand else {}


def brand_value(brand: tuple[BrandScope, ...]) -> dict[str, Any]:
    """A `Brand` of schema.capnp."""
    return {"scopes": [_scope_value(each) for each in brand]} if brand else {}


def _scope_value(scope: BrandScope) -> dict[str, Any]:
    if scope.bound is None:
        return {"scopeId": scope.scope.id, "inherit": None}
    return {"scopeId": scope.scope.id, "bind": [{"type": type_value(each)} for each in scope.bound]}


def value_of(value: Any, of_type: Target) -> dict[str, Any]:
    """A `Value` of schema.capnp; one that was wrong is null or zero."""
    if isinstance(of_type, Primitive):
        return {of_type.kind: _ZEROS.get(of_type.kind, 0) if value is FAULT else value}
    if isinstance(of_type, Branded) and of_type.definition.kind == "enum":
        return {"enum": 0 if value is FAULT else value}
    if isinstance(of_type, ListOf):
        kind = "list"
    elif isinstance(of_type, Branded):
        kind = of_type.definition.kind
    else:
        kind = "anyPointer"
    return {kind: None if value is FAULT or kind == "interface" else _pointer(value)}


_ZEROS: dict[str, Any] = {"void": None, "bool": False, "text": None, "data": None}


def _pointer(value: Object) -> Optional[AnyPointerReader]:
    if value is None:
        return None
    root = default_codec().new_message(_FEW_WORDS)
    write_object(value, root, 0)
    return AnyPointerReader(root, 0)
