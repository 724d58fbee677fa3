"""The values of constants, defaults and annotations: expressions, evaluated as a type demands.

A value is ``None`` for Void, a bool, int, float, str or bytes, an enumerant's number, or a struct or list of
`ccapnp.compiler.objects`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Union

from ccapnp.codec import default_codec
from ccapnp.compiler.composing import FAULT, UNFIT, Composer
from ccapnp.compiler.data import (
    DATA_SIZES,
    RANGES,
    WORDS,
    data_kind,
    is_enum,
    is_struct,
    rounded,
    zero,
)
from ccapnp.compiler.objects import Embedded, write_object
from ccapnp.compiler.resolve import Resolver, described
from ccapnp.compiler.scopes import Definition, declared_span
from ccapnp.compiler.structs import Member, Structs
from ccapnp.compiler.types import (
    AnyKind,
    Branded,
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
from ccapnp.language import syntax
from ccapnp.language.syntax import Expression, Span
from ccapnp.wire.limits import UNLIMITED

__all__ = ["Values"]

_NAMES = (syntax.RelativeName, syntax.AbsoluteName, syntax.Member, syntax.Application, syntax.Import)
_VALUE_WORDS = frozenset({"null", *(word for _, word in WORDS)})


class Values:
    """Evaluates expressions; each constant and each default once."""

    def __init__(self, resolver: Resolver, structs: Structs) -> None:
        self._resolver = resolver
        self._composer = Composer(structs, self)
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
            if word is not UNFIT:
                return word
            if not any(expression.name.text in each.members for each in scope.enclosing()):
                return self._undeclared(expression, wanted, scope)
        if isinstance(expression, _NAMES):
            return self._named(expression, wanted, scope)
        if isinstance(expression, syntax.Embed):
            return self._embedded(expression, wanted, scope)
        if isinstance(expression, syntax.ListLiteral) and isinstance(wanted, ListOf):
            return self._composer.make_list(expression, wanted.element, scope)
        if isinstance(expression, syntax.TupleLiteral) and isinstance(wanted, Branded) and is_struct(wanted):
            return self._composer.make_struct(expression, wanted, scope)
        return self._fitted(
            lambda wanted: self._literal(expression, wanted, scope),
            wanted,
            expression,
            syntax.LITERAL_NAMES[type(expression)],
            scope,
        )

    def _fitted(
        self,
        fit: Callable[[Target], Any],
        wanted: Target,
        expression: Expression,
        what: str,
        scope: Definition,
    ) -> Any:
        """What ``fit`` makes of an expression as that type or, of a struct, as that of its first field."""
        value = fit(wanted)
        if value is UNFIT and isinstance(wanted, Branded) and is_struct(wanted):
            value = self._composer.make_from_first_field(wanted, fit)
        if value is UNFIT:
            scope.report(expression.span, f"{what} does not fit here: a value of type {type_name(wanted)} is needed")
            return FAULT
        return value

    def _literal(self, expression: Expression, wanted: Target, scope: Definition) -> Any:
        kind = wanted.kind if isinstance(wanted, Primitive) else ""
        if isinstance(expression, syntax.IntegerLiteral):
            number = -expression.value if expression.negative else expression.value
            return self._number(number, kind, expression.span, scope)
        if isinstance(expression, syntax.FloatLiteral):
            return self._number(expression.value, kind, expression.span, scope)
        if isinstance(expression, syntax.Negation):
            value = self.evaluate(expression.operand, wanted, scope) if kind in ("float32", "float64") else UNFIT
            return -value if isinstance(value, float) else value
        if isinstance(expression, syntax.TextLiteral) and kind == "text":
            return self._checked_text(expression.value, expression.span, scope)
        if isinstance(expression, syntax.TextLiteral) and kind == "data":
            return expression.value.encode("utf-8", "surrogateescape")
        if isinstance(expression, syntax.BinaryLiteral) and kind == "data":
            return expression.value
        return UNFIT

    def _word(self, text: str, wanted: Target) -> Any:
        """``true``, ``void``, ``inf`` and the like, and the names of enumerants."""
        if isinstance(wanted, Primitive):
            return WORDS.get((wanted.kind, text), UNFIT)
        if isinstance(wanted, Branded) and is_enum(wanted):
            for each in wanted.definition.declaration.nested:
                if isinstance(each, syntax.Enumerant) and each.name and each.name.text == text and each.ordinal:
                    return each.ordinal.value
        return UNFIT

    def _undeclared(self, expression: syntax.RelativeName, wanted: Target, scope: Definition) -> Any:
        """What is left for a name that no declaration has."""
        name = expression.name.text
        if isinstance(wanted, Branded) and is_enum(wanted):
            known = [each.name.text for each in wanted.definition.declaration.nested if each.name]
            scope.report(expression.span, f"{type_name(wanted)} has no enumerant {name!r}{did_you_mean(name, known)}")
            return FAULT
        if name in _VALUE_WORDS:
            return self._fitted(lambda wanted: self._word(name, wanted), wanted, expression, repr(name), scope)
        return self._named(expression, wanted, scope)

    def _number(self, value: Union[int, float], kind: str, span: Span, scope: Definition) -> Any:
        if kind in ("float32", "float64"):
            return rounded(float(value), kind)
        if isinstance(value, float) or kind not in RANGES:
            return UNFIT
        least, most = RANGES[kind]
        if not least <= value <= most:
            scope.report(span, f"{value} is out of range: it must be from {least} to {most}")
            return FAULT
        return value

    @staticmethod
    def _checked_text(text: str, span: Span, scope: Definition) -> Any:
        """The text itself, if it is one; bytes that are none stand in it as lone surrogates."""
        try:
            text.encode()
        except UnicodeEncodeError:
            scope.report(span, "a value of type Text must be valid UTF-8; Data may hold any bytes")
            return FAULT
        return text

    # ---- constants and files

    def _named(self, expression: Expression, wanted: Target, scope: Definition) -> Any:
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
        of_type = substituted(of_type, target.brand)
        what = f"the constant {target.definition.name!r} of type {type_name(of_type)}"
        return self._fitted(
            lambda wanted: self._constant_as(value, of_type, wanted, expression.span, scope),
            wanted,
            expression,
            what,
            scope,
        )

    def _constant_as(self, value: Any, of_type: Target, wanted: Target, span: Span, scope: Definition) -> Any:
        if isinstance(wanted, Primitive) and isinstance(value, (int, float)) and not isinstance(value, bool):
            return UNFIT if is_enum(of_type) else self._number(value, wanted.kind, span, scope)
        if isinstance(wanted, AnyKind):
            shape = "struct" if is_struct(of_type) else "list" if isinstance(of_type, ListOf) else ""
            if shape and wanted.kind in (shape, "anyKind"):
                return value
        return value if of_type == wanted else UNFIT

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
            return self._checked_text(data.decode("utf-8", "surrogateescape"), expression.span, scope)
        if kind == "data":
            return bytes(data)
        assert isinstance(wanted, Branded)
        root = self._root(data, expression, scope)
        return FAULT if root is FAULT else self._composer.make_embedded(root, wanted)

    @staticmethod
    def _root(data: bytes, expression: syntax.Embed, scope: Definition) -> Any:
        codec = default_codec()
        try:
            value = Embedded(codec.open_flat(data, UNLIMITED), 0)
            write_object(value, codec.new_message(), 0)
        except CapnpError as error:
            scope.report(expression.span, f"the file {expression.path!r} is not a valid message: {error}")
            return FAULT
        return value
