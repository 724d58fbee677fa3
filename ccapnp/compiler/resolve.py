"""What the names in a schema stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Optional

from ccapnp.compiler.scopes import Alias, Definition, Symbol
from ccapnp.compiler.types import (
    BUILTIN,
    UNKNOWN,
    AnyKind,
    Branded,
    BrandScope,
    ListOf,
    ListType,
    Parameter,
    Primitive,
    Target,
    UnknownTarget,
    is_pointer,
    substituted,
    type_name,
)
from ccapnp.errors import did_you_mean
from ccapnp.language import syntax
from ccapnp.language.syntax import Expression, Span

__all__ = ["Resolver", "described", "with_article"]

_TYPE_KINDS = ("struct", "enum", "interface")
_NO_ELEMENTS = ("anyKind", "struct")
_MOST_MISSED = 10
_NOTHING: Mapping[str, Target] = {}


class Resolver:
    """Looks names up, from the inside out; a fault is reported where the name is written, and gives `UNKNOWN`.

    ``implicit`` are the parameters of the method that an expression stands in.
    """

    def __init__(self) -> None:
        self._aliases: dict[Alias, Optional[Target]] = {}
        self._missed = 0

    def type(self, expression: Expression, scope: Definition, implicit: Mapping[str, Target] = _NOTHING) -> Target:
        """The type that an expression stands for."""
        target = self.target(expression, scope, implicit)
        if isinstance(target, ListType):
            scope.report(expression.span, "List needs one parameter, the type of its elements: List(T)")
            return UNKNOWN
        if isinstance(target, Branded) and target.definition.kind not in _TYPE_KINDS:
            scope.report(expression.span, f"{described(target)} is not a type")
            return UNKNOWN
        return target

    def definition(self, expression: Expression, scope: Definition, kind: str) -> Optional[Branded]:
        """The declaration of that kind that an expression stands for; anything else is reported."""
        target = self.target(expression, scope)
        if isinstance(target, UnknownTarget):
            return None
        if isinstance(target, Branded) and target.definition.kind == kind:
            return target
        scope.report(expression.span, f"{described(target)} is not {with_article(kind)}")
        return None

    def target(self, expression: Expression, scope: Definition, implicit: Mapping[str, Target] = _NOTHING) -> Target:
        """Whatever an expression stands for."""
        if isinstance(expression, syntax.RelativeName):
            return self._relative(expression.name, scope, implicit)
        if isinstance(expression, syntax.AbsoluteName):
            return self._member(Branded(scope.file.root), expression.name, scope)
        if isinstance(expression, syntax.Import):
            file = scope.file.imported(expression.path, expression.span)
            return UNKNOWN if file is None else Branded(file.root)
        if isinstance(expression, syntax.Member):
            return self._member(self.target(expression.parent, scope, implicit), expression.name, scope)
        if isinstance(expression, syntax.Application):
            return self._applied(expression, scope, implicit)
        if not isinstance(expression, syntax.Unknown):
            scope.report(expression.span, "a name is needed here, not a value")
        return UNKNOWN

    def alias(self, alias: Alias) -> Optional[Target]:
        """What an alias stands for within its scope; ``None`` while that is being looked up."""
        if alias not in self._aliases:
            self._aliases[alias] = None
            self._aliases[alias] = self.target(alias.declaration.target, alias.parent)
        return self._aliases[alias]

    # ---- names

    def _relative(self, name: syntax.Name, scope: Definition, implicit: Mapping[str, Target]) -> Target:
        text = name.text
        if text in implicit:
            return implicit[text]
        for each in scope.enclosing():
            symbol = each.members.get(text)
            # An alias whose target is being looked up is none yet: `using Text = Text;` means the outer one.
            found = None if symbol is None else self._symbol(symbol, _inherited(each))
            if found is not None:
                return found
            if text in each.parameters:
                return Parameter(each, each.parameters.index(text))
        if text in BUILTIN:
            return BUILTIN[text]
        known = {*implicit, *BUILTIN}.union(*({*each.members, *each.parameters} for each in scope.enclosing()))
        scope.report(name.span, f"{text!r} is not defined{self._nearest(text, known - {text})}")
        return UNKNOWN

    def _member(self, parent: Target, name: syntax.Name, scope: Definition) -> Target:
        if isinstance(parent, UnknownTarget):
            return UNKNOWN
        if isinstance(parent, Branded):
            symbol = parent.definition.members.get(name.text)
            found = None if symbol is None else self._symbol(symbol, parent.brand)
            if found is not None:
                return found
            known = parent.definition.members
        else:
            known = {}
        scope.report(name.span, f"there is no {name.text!r} in {described(parent)}{self._nearest(name.text, known)}")
        return UNKNOWN

    def _symbol(self, symbol: Symbol, brand: tuple[BrandScope, ...]) -> Optional[Target]:
        """What a declaration is in a scope with that brand; ``None`` of an alias that is being looked up itself."""
        if isinstance(symbol, Definition):
            return Branded(symbol, brand)
        target = self.alias(symbol)
        if target is None:
            return None
        if isinstance(target, Branded) and not target.brand:
            # As the official compiler has it: an alias of what is unbound is bound as the scope of the alias is.
            return Branded(target.definition, brand)
        return substituted(target, brand)

    def _nearest(self, name: str, known: Iterable[str]) -> str:
        """The names that may have been meant; not for all of very many faults, for looking them up takes long."""
        self._missed += 1
        return did_you_mean(name, known) if self._missed <= _MOST_MISSED else ""

    # ---- parameters

    def _applied(self, expression: syntax.Application, scope: Definition, implicit: Mapping[str, Target]) -> Target:
        function = self.target(expression.function, scope, implicit)
        arguments = [self._argument(each, scope, implicit) for each in expression.arguments]
        if isinstance(function, UnknownTarget):
            return UNKNOWN
        if isinstance(function, ListType):
            return self._list_of(arguments, expression, scope)
        if not isinstance(function, Branded) or not function.definition.parameters:
            scope.report(expression.span, f"{described(function)} is not generic: it takes no parameters")
            return UNKNOWN
        definition = function.definition
        if function.is_applied:
            scope.report(expression.span, f"{described(function)} already has its parameters")
            return UNKNOWN
        wanted = definition.parameters
        if len(arguments) != len(wanted):
            problem = "too many" if len(arguments) > len(wanted) else "not enough"
            scope.report(
                expression.span,
                f"{problem} parameters: {definition.name} takes {len(wanted)} ({', '.join(wanted)})",
            )
            return UNKNOWN
        for argument, written in zip(arguments, expression.arguments):
            self._check_binding(argument, written.value.span, scope)
        outer = (each for each in function.brand if each.scope is not definition)
        return Branded(definition, (BrandScope(definition, tuple(arguments)), *outer), is_applied=True)

    def _argument(self, argument: syntax.Argument, scope: Definition, implicit: Mapping[str, Target]) -> Target:
        if argument.name is not None:
            scope.report(argument.name.span, "type parameters are given by position, without a name")
        return self.type(argument.value, scope, implicit)

    def _list_of(self, arguments: list[Target], expression: syntax.Application, scope: Definition) -> Target:
        if len(arguments) != 1:
            scope.report(expression.span, f"List takes one parameter, the type of its elements, not {len(arguments)}")
            return UNKNOWN
        element = arguments[0]
        if isinstance(element, UnknownTarget):
            return UNKNOWN
        if (
            isinstance(element, AnyKind)
            and element.kind in _NO_ELEMENTS
            or not isinstance(element, (AnyKind, Primitive, ListOf, Branded))
        ):
            scope.report(
                expression.span,
                f"List({type_name(element)}) is not supported, for its elements could differ in size; "
                "have a struct for the elements, with a field of that type",
            )
            return UNKNOWN
        return ListOf(element)

    def _check_binding(self, argument: Target, span: Span, scope: Definition) -> None:
        restricted = isinstance(argument, AnyKind) and argument.kind != "anyKind"
        if not isinstance(argument, UnknownTarget) and (restricted or not is_pointer(argument)):
            scope.report(
                span,
                f"a type parameter must be bound to a pointer type (a struct, interface, list, Text, Data or "
                f"AnyPointer), not {type_name(argument)}",
            )


def _inherited(scope: Definition) -> tuple[BrandScope, ...]:
    """The brand of what is found in a scope that encloses the place of the name."""
    return tuple(BrandScope(each, None) for each in scope.enclosing() if each.parameters)


def described(target: Target) -> str:
    """A target as messages name it."""
    if isinstance(target, ListType):
        return repr("List")
    if isinstance(target, Branded) and target.definition.parent is None:
        return f"the file {target.definition.file.name!r}"
    return repr(type_name(target))


def with_article(kind: str) -> str:
    """A kind of declaration within a sentence."""
    return f"{'an' if kind[0] in 'aei' else 'a'} {kind}"
