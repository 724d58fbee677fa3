"""The values of constants, defaults and annotations: expressions, evaluated as a type demands.

A value is ``None`` for Void, a bool, int, float, str or bytes, an enumerant's number, or a struct or list of
`ccapnp.compiler.objects`.
"""

from __future__ import annotations

from typing import Any, Optional, Union

from ccapnp.codec import default_codec
from ccapnp.compiler import syntax
from ccapnp.compiler.data import (
    DATA_SIZES,
    ELEMENTS,
    RANGES,
    WORDS,
    bits_of,
    data_kind,
    is_enum,
    is_struct,
    packed,
    rounded,
    zero,
)
from ccapnp.compiler.objects import (
    Embedded,
    ListObject,
    Object,
    StructListObject,
    StructObject,
    write_object,
)
from ccapnp.compiler.resolve import Resolver, described
from ccapnp.compiler.scopes import Definition, declared_span
from ccapnp.compiler.structs import Group, Member, Structs
from ccapnp.compiler.syntax import Expression, Span
from ccapnp.compiler.types import (
    AnyKind,
    Branded,
    BrandScope,
    ImplicitParameter,
    ListOf,
    Parameter,
    Primitive,
    Target,
    UnknownTarget,
    substituted,
    type_name,
)
from ccapnp.errors import CapnpError, did_you_mean
from ccapnp.wire.limits import UNLIMITED
from ccapnp.wire.pointers import ElementSize

__all__ = ["FAULT", "Values"]


class _Fault:
    """See `FAULT`."""


FAULT = _Fault()
"""What an expression that is wrong, and was reported, evaluates to."""

_NO_WORD = object()
_NAMES = (syntax.RelativeName, syntax.AbsoluteName, syntax.Member, syntax.Application, syntax.Import)
_DISCRIMINANT = 4


class Values:
    """Evaluates expressions; each constant and each default once."""

    def __init__(self, resolver: Resolver, structs: Structs) -> None:
        self._resolver = resolver
        self._structs = structs
        self._constants: dict[Definition, Optional[tuple[Target, Any]]] = {}
        self._defaults: dict[Member, Any] = {}

    # ---- what has values

    def constant(self, definition: Definition) -> tuple[Target, Any]:
        """The type and value of a constant."""
        if definition in self._constants:
            found = self._constants[definition]
            if found is None:
                definition.report(
                    declared_span(definition.declaration), f"the constant {definition.name!r} depends on itself"
                )
                return self._type_of_constant(definition), FAULT
            return found
        self._constants[definition] = None
        declaration = definition.declaration
        assert isinstance(declaration, syntax.Constant)
        wanted = self._type_of_constant(definition)
        result = self._constants[definition] = wanted, self.evaluate(declaration.value, wanted, definition)
        return result

    def _type_of_constant(self, definition: Definition) -> Target:
        declaration = definition.declaration
        assert isinstance(declaration, syntax.Constant)
        return self._resolver.type(declaration.type, definition)

    def default(self, member: Member, scope: Definition) -> Any:
        """The default value of a field, for which the type's own stands if it states none or a wrong one."""
        if member not in self._defaults:
            declaration = member.declaration
            assert isinstance(declaration, (syntax.Field, syntax.Parameter))
            value = zero(member.type)
            if declaration.default is not None and not self._is_null(declaration, member, scope):
                stated = self.evaluate(declaration.default, member.type, scope)
                value = value if stated is FAULT else stated
            self._defaults[member] = value
        return self._defaults[member]

    @staticmethod
    def _is_null(declaration: syntax.Field | syntax.Parameter, member: Member, scope: Definition) -> bool:
        """Whether a parameter may be left out, which only pointers can say so."""
        default = declaration.default
        if not (
            isinstance(declaration, syntax.Parameter)
            and isinstance(default, syntax.RelativeName)
            and default.name.text == "null"
        ):
            return False
        if data_kind(member.type) in ("void", *DATA_SIZES):
            scope.report(default.span, f"only a pointer can be null by default, which {type_name(member.type)} is not")
        return True

    # ---- expressions

    def evaluate(self, expression: Expression, wanted: Target, scope: Definition) -> Any:
        """The value of an expression as that type; `FAULT` if it has none, which is reported."""
        if isinstance(wanted, UnknownTarget) or isinstance(expression, syntax.Unknown):
            return FAULT
        if isinstance(wanted, (Parameter, ImplicitParameter)):
            scope.report(
                expression.span,
                "there can be no value here, for its type is a parameter that has not been bound to a type yet",
            )
            return FAULT
        if isinstance(expression, syntax.RelativeName):
            word = self._word(expression.name.text, wanted)
            if word is not _NO_WORD:
                return word
        if isinstance(expression, _NAMES):
            return self._named(expression, wanted, scope)
        if isinstance(expression, syntax.Embed):
            return self._embedded(expression, wanted, scope)
        value = self._literal(expression, wanted, scope)
        return self._mismatch(expression.span, wanted, scope) if value is _NO_WORD else value

    def _literal(self, expression: Expression, wanted: Target, scope: Definition) -> Any:
        kind = wanted.kind if isinstance(wanted, Primitive) else ""
        if isinstance(expression, syntax.IntegerLiteral):
            number = -expression.value if expression.negative else expression.value
            return self._number(number, kind, expression.span, scope)
        if isinstance(expression, syntax.FloatLiteral):
            return self._number(expression.value, kind, expression.span, scope)
        if isinstance(expression, syntax.Negation):
            value = self.evaluate(expression.operand, wanted, scope) if kind in ("float32", "float64") else _NO_WORD
            return -value if isinstance(value, float) else value
        if isinstance(expression, syntax.TextLiteral) and kind == "text":
            return expression.value
        if isinstance(expression, syntax.TextLiteral) and kind == "data":
            return expression.value.encode("utf-8", "surrogateescape")
        if isinstance(expression, syntax.BinaryLiteral) and kind == "data":
            return expression.value
        if isinstance(expression, syntax.ListLiteral) and isinstance(wanted, ListOf):
            return self._list(expression, wanted.element, scope)
        if isinstance(expression, syntax.TupleLiteral) and is_struct(wanted):
            return self._struct(expression, wanted, scope)
        return _NO_WORD

    def _word(self, text: str, wanted: Target) -> Any:
        """``true``, ``void``, ``inf`` and the like, and the names of enumerants."""
        if isinstance(wanted, Primitive):
            return WORDS.get((wanted.kind, text), _NO_WORD)
        if isinstance(wanted, Branded) and is_enum(wanted):
            for each in wanted.definition.declaration.nested:
                if isinstance(each, syntax.Enumerant) and each.name and each.name.text == text and each.ordinal:
                    return each.ordinal.value
        return _NO_WORD

    def _number(self, value: Union[int, float], kind: str, span: Span, scope: Definition) -> Any:
        if kind in ("float32", "float64"):
            return rounded(float(value), kind)
        if isinstance(value, float) or kind not in RANGES:
            return _NO_WORD
        least, most = RANGES[kind]
        if not least <= value <= most:
            scope.report(span, f"{value} is out of range: it must be from {least} to {most}")
            return FAULT
        return value

    # ---- constants and files

    def _named(self, expression: Expression, wanted: Target, scope: Definition) -> Any:
        if isinstance(expression, syntax.RelativeName) and isinstance(wanted, Branded) and is_enum(wanted):
            known = [each.name.text for each in wanted.definition.declaration.nested if each.name]
            if not any(expression.name.text in each.members for each in scope.enclosing()):
                name = expression.name.text
                scope.report(
                    expression.span, f"{type_name(wanted)} has no enumerant {name!r}{did_you_mean(name, known)}"
                )
                return FAULT
        target = self._resolver.target(expression, scope)
        if isinstance(target, UnknownTarget):
            return FAULT
        if not isinstance(target, Branded) or target.definition.kind != "const":
            scope.report(expression.span, f"{described(target)} is not a constant")
            return FAULT
        if isinstance(expression, syntax.RelativeName):
            name = expression.name.text
            scope.report(
                expression.span, f"a constant's name must be qualified, lest it be mistaken for a value: .{name}"
            )
            return FAULT
        of_type, value = self.constant(target.definition)
        if value is FAULT:
            return FAULT
        fitting = self._fitting(value, substituted(of_type, target.brand), wanted, expression.span, scope)
        return self._mismatch(expression.span, wanted, scope) if fitting is _NO_WORD else fitting

    def _fitting(self, value: Any, of_type: Target, wanted: Target, span: Span, scope: Definition) -> Any:
        if isinstance(wanted, Primitive) and isinstance(value, (int, float)) and not isinstance(value, bool):
            return _NO_WORD if is_enum(of_type) else self._number(value, wanted.kind, span, scope)
        if isinstance(wanted, AnyKind):
            shape = "struct" if is_struct(of_type) else "list" if isinstance(of_type, ListOf) else ""
            if shape and wanted.kind in (shape, "anyKind"):
                return value
        return value if of_type == wanted else _NO_WORD

    def _embedded(self, expression: syntax.Embed, wanted: Target, scope: Definition) -> Any:
        kind = wanted.kind if isinstance(wanted, Primitive) else ""
        if kind not in ("text", "data") and not is_struct(wanted):
            scope.report(
                expression.span, f"a file can be embedded as Text, Data or a struct, but not as {type_name(wanted)}"
            )
            return FAULT
        data = scope.file.embedded(expression.path, expression.span)
        if data is None:
            return FAULT
        if kind == "text":
            return data.decode("utf-8", "surrogateescape")
        if kind == "data":
            return bytes(data)
        return self._embedded_message(data, expression, scope)

    @staticmethod
    def _embedded_message(data: bytes, expression: syntax.Embed, scope: Definition) -> Any:
        codec = default_codec()
        try:
            value = Embedded(codec.open_flat(data, UNLIMITED), 0)
            write_object(value, codec.new_message(), 0)
        except CapnpError as error:
            scope.report(expression.span, f"the file {expression.path!r} is not a valid message: {error}")
            return FAULT
        return value

    # ---- structs and lists

    def _struct(self, expression: syntax.TupleLiteral, wanted: Target, scope: Definition) -> Any:
        assert isinstance(wanted, Branded)
        struct = self._structs.of(wanted.definition)
        result = StructObject.empty(struct.layout.data_words, struct.layout.pointer_count)
        return result if self._fill(result, struct, expression, wanted.brand, scope) else FAULT

    def _fill(
        self,
        result: StructObject,
        group: Group,
        expression: syntax.TupleLiteral,
        brand: tuple[BrandScope, ...],
        scope: Definition,
    ) -> bool:
        """Set the fields of a struct or group that are stated; False if something was wrong."""
        done = True
        for name, value in expression.items:
            member = None if name is None else group.by_name.get(name.text)
            if name is None:
                scope.report(value.span, "the name of the field is missing: (name = value)")
            elif member is None:
                of = group.definition.name + group.name
                scope.report(name.span, f"{of} has no field {name.text!r}{did_you_mean(name.text, group.by_name)}")
            if member is None or not self._set(result, member, value, brand, group.definition, scope):
                done = False
            elif member.discriminant is not None:
                result.set_bits(group.discriminant_offset, _DISCRIMINANT, member.discriminant)
        return done

    def _set(
        self,
        result: StructObject,
        member: Member,
        expression: Expression,
        brand: tuple[BrandScope, ...],
        owner: Definition,
        scope: Definition,
    ) -> bool:
        if member.group is not None:
            if isinstance(expression, syntax.TupleLiteral):
                return self._fill(result, member.group, expression, brand, scope)
            if not isinstance(expression, syntax.Unknown):
                scope.report(expression.span, f"{member.name!r} is a group: its fields are given as (name = value)")
            return False
        wanted = substituted(member.type, brand)
        value = self.evaluate(expression, wanted, scope)
        if value is FAULT:
            return False
        kind = data_kind(wanted)
        if kind in DATA_SIZES:
            bits = bits_of(kind, value) ^ bits_of(kind, self.default(member, owner))
            result.set_bits(member.offset, DATA_SIZES[kind], bits)
        elif kind != "void":
            result.pointers[member.offset] = value
        return True

    def _list(self, expression: syntax.ListLiteral, element: Target, scope: Definition) -> Any:
        values = [self.evaluate(each, element, scope) for each in expression.items]
        return FAULT if any(each is FAULT for each in values) else self._list_object(values, element)

    def _list_object(self, values: list[Any], element: Target) -> Object:
        kind = data_kind(element)
        if isinstance(element, Branded) and is_struct(element):
            layout = self._structs.of(element.definition).layout
            # A struct that was embedded may have another size than the others; it is made a list's element by copying.
            structs = [self._as_struct(each, layout.data_words, layout.pointer_count) for each in values]
            return StructListObject(layout.data_words, layout.pointer_count, structs)
        if kind == "void":
            return ListObject(ElementSize.VOID, len(values))
        if kind not in DATA_SIZES:
            return ListObject(ElementSize.POINTER, len(values), pointers=values)
        return ListObject(ELEMENTS[DATA_SIZES[kind]], len(values), packed(values, kind))

    @staticmethod
    def _as_struct(value: Any, data_words: int, pointer_count: int) -> StructObject:
        if isinstance(value, StructObject):
            return value
        return StructObject.embedded(value, data_words, pointer_count)

    @staticmethod
    def _mismatch(span: Span, wanted: Target, scope: Definition) -> Any:
        scope.report(span, f"a value of type {type_name(wanted)} is needed here")
        return FAULT
