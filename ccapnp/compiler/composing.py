"""Values of structs and lists, composed of the values of their fields and elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from ccapnp.compiler.data import DATA_SIZES, ELEMENTS, bits_of, data_kind, is_struct, packed
from ccapnp.compiler.objects import Embedded, ListObject, Object, StructListObject, StructObject
from ccapnp.compiler.scopes import Definition
from ccapnp.compiler.structs import Group, Member, Structs
from ccapnp.compiler.types import Branded, BrandScope, Primitive, Target, substituted
from ccapnp.errors import did_you_mean
from ccapnp.language import syntax
from ccapnp.wire.pointers import ElementSize

__all__ = ["FAULT", "UNFIT", "Composer", "Evaluator"]

FAULT: Any = object()
"""What an expression that is wrong, and was reported, evaluates to."""

UNFIT: Any = object()
"""What an expression that is not of the type that is needed evaluates to, before that is reported."""

_DISCRIMINANT = 4


class Evaluator(Protocol):
    """What the values of fields and elements come from."""

    def evaluate(self, expression: syntax.Expression, wanted: Target, scope: Definition) -> Any:
        """The value of an expression as that type, or `FAULT`."""
        ...

    def default(self, member: Member, scope: Definition) -> Any:
        """The default value of a field."""
        ...


class _Place(NamedTuple):
    """Where expressions stand, and what the parameters of the struct that they are for are bound to."""

    scope: Definition
    brand: tuple[BrandScope, ...]


class Composer:
    """Makes structs and lists."""

    def __init__(self, structs: Structs, evaluator: Evaluator) -> None:
        self._structs = structs
        self._evaluator = evaluator

    def make_struct(self, expression: syntax.TupleLiteral, wanted: Branded, scope: Definition) -> Any:
        """A struct whose fields are stated; the others are as in a new one."""
        group = self._structs.of(wanted.definition)
        result = _empty(group)
        return result if self._fill(result, group, expression, _Place(scope, wanted.brand)) else FAULT

    def make_from_first_field(self, wanted: Branded, fit: Callable[[Target], Any]) -> Any:
        """A struct of which only the first field is set, where ``fit`` has a value for it."""
        group = self._structs.of(wanted.definition)
        first = group.members[0] if group.members else None
        if first is None or first.group is not None or not isinstance(first.type, Primitive):
            return UNFIT
        value = fit(first.type)
        if value is UNFIT or value is FAULT:
            return value
        result = _empty(group)
        self._write(result, group, first, value)
        return result

    def make_embedded(self, value: Embedded, wanted: Branded) -> StructObject:
        """A struct that is the root of another message."""
        layout = self._structs.of(wanted.definition).layout
        return StructObject.embedded(value, layout.data_words, layout.pointer_count)

    def make_list(self, expression: syntax.ListLiteral, element: Target, scope: Definition) -> Any:
        """A list of that type of elements."""
        values = [self._evaluator.evaluate(each, element, scope) for each in expression.items]
        return FAULT if any(each is FAULT for each in values) else self._list_object(values, element)

    # ---- structs

    def _fill(self, result: StructObject, group: Group, expression: syntax.TupleLiteral, place: _Place) -> bool:
        """Set the fields of a struct or group that are stated; False if something was wrong."""
        done = True
        for name, value in expression.items:
            member = None if name is None else group.by_name.get(name.text)
            if name is None:
                place.scope.report(value.span, "the name of the field is missing: (name = value)")
            elif member is None:
                of = group.definition.name + group.name
                near = did_you_mean(name.text, group.by_name)
                place.scope.report(name.span, f"{of} has no field {name.text!r}{near}")
            done = member is not None and self._set(result, group, member, value, place) and done
        return done

    def _set(
        self, result: StructObject, group: Group, member: Member, expression: syntax.Expression, place: _Place
    ) -> bool:
        if member.group is None:
            wanted = substituted(member.type, place.brand)
            value = self._evaluator.evaluate(expression, wanted, place.scope)
            if value is not FAULT:
                self._write(result, group, member, value)
            return value is not FAULT
        if isinstance(expression, syntax.TupleLiteral):
            _select(result, group, member)
            return self._fill(result, member.group, expression, place)
        if not isinstance(expression, syntax.Unknown):
            place.scope.report(expression.span, f"{member.name!r} is a group: its fields are given as (name = value)")
        return False

    def _write(self, result: StructObject, group: Group, member: Member, value: Any) -> None:
        kind = data_kind(member.type)
        if kind in DATA_SIZES:
            default = self._evaluator.default(member, group.definition)
            result.set_bits(member.offset, DATA_SIZES[kind], bits_of(kind, value) ^ bits_of(kind, default))
        elif kind != "void":
            result.pointers[member.offset] = value
        _select(result, group, member)

    # ---- lists

    def _list_object(self, values: list[Any], element: Target) -> Object:
        kind = data_kind(element)
        if isinstance(element, Branded) and is_struct(element):
            layout = self._structs.of(element.definition).layout
            structs = [each.resized(layout.data_words, layout.pointer_count) for each in values]
            return StructListObject(layout.data_words, layout.pointer_count, structs)
        if kind == "void":
            return ListObject(ElementSize.VOID, len(values))
        if kind not in DATA_SIZES:
            return ListObject(ElementSize.POINTER, len(values), pointers=values)
        return ListObject(ELEMENTS[DATA_SIZES[kind]], len(values), packed(values, kind))


def _empty(group: Group) -> StructObject:
    return StructObject.empty(group.layout.data_words, group.layout.pointer_count)


def _select(result: StructObject, group: Group, member: Member) -> None:
    """Make a member of a union the active one."""
    if member.discriminant is not None:
        result.set_bits(group.discriminant_offset, _DISCRIMINANT, member.discriminant)
