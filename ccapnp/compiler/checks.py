"""What must hold among the declarations of one scope: each name once, ordinals without gaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Optional

from ccapnp.compiler.scopes import Definition, declared_span
from ccapnp.language import syntax
from ccapnp.language.syntax import Span

__all__ = ["check_members", "check_ordinals"]


def check_members(declarations: Iterable[syntax.Declaration], scope: Definition) -> None:
    """Report names that are declared twice in a scope, or in one of the groups and unions within."""
    _check_names(declarations, scope, {})


def _check_names(declarations: Iterable[syntax.Declaration], scope: Definition, seen: dict[str, Span]) -> None:
    for declaration in declarations:
        is_union = isinstance(declaration, syntax.Union_)
        if declaration.name is None:
            if is_union:
                _check_names(declaration.nested, scope, seen)
            continue
        span = declared_span(declaration)
        name = declaration.name.text
        if name in seen:
            scope.report(span, f"{name!r} is declared twice; it was first in line {line_of(scope, seen[name])}")
        seen.setdefault(name, span)
        if is_union or isinstance(declaration, syntax.Group):
            _check_names(declaration.nested, scope, {})


def check_ordinals(ordinals: Sequence[Optional[syntax.Number]], scope: Definition) -> None:
    """Report what is missing from, or twice in, ordinals in their order."""
    expected = 0
    previous: Optional[syntax.Number] = None
    for number in ordinals:
        if number is None:
            continue
        if previous is not None and number.value == previous.value:
            line = line_of(scope, previous.span)
            scope.report(number.span, f"the ordinal @{number.value} is used twice; it was first in line {line}")
        elif number.value > expected:
            scope.report(number.span, f"the ordinal @{expected} is missing; they must follow each other without a gap")
        expected = number.value + 1
        previous = number


def line_of(scope: Definition, span: Span) -> int:
    """The line of the source where something is."""
    return scope.file.source.position(span.start)[0]
