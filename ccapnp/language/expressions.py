"""Types, values and names of declarations, which are all written alike."""

from __future__ import annotations

from typing import Callable, Optional, TypeVar

from ccapnp.language.cursor import MAX_NESTING, Cursor, Fault
from ccapnp.language.lexer import BINARY, FLOAT, INTEGER, NAME, TEXT
from ccapnp.language.syntax import (
    AbsoluteName,
    Annotation,
    Application,
    Argument,
    BinaryLiteral,
    Embed,
    Expression,
    FloatLiteral,
    Import,
    IntegerLiteral,
    ListLiteral,
    Member,
    Name,
    Negation,
    RelativeName,
    Span,
    TextLiteral,
    TupleLiteral,
    Unknown,
)

__all__ = ["annotation", "annotation_list", "expression", "items", "reference"]

Item = TypeVar("Item")

NAMES = (RelativeName, AbsoluteName, Import, Member, Application, Unknown)
CLOSING = {"(": ")", "[": "]"}


def items(cursor: Cursor, item: Callable[[Cursor], Item]) -> list[Item]:
    """What stands in parentheses or brackets, with commas between, perhaps one behind; faulty items are left out."""
    opening = cursor.token
    closing = CLOSING[opening.kind]
    cursor.enter()
    cursor.advance()
    found: list[Item] = []
    try:
        while not cursor.accept(closing):
            try:
                if cursor.kind == "," or cursor.at_new_statement():
                    raise cursor.unexpected("an item")
                found.append(item(cursor))
                if cursor.kind not in (",", closing):
                    raise cursor.unexpected(f"',' or '{closing}'")
            except Fault as fault:
                cursor.skip_item()
                if cursor.kind not in (",", closing):
                    raise cursor.unclosed(opening, fault) from None
                cursor.report(fault)
            cursor.accept(",")
    finally:
        cursor.leave()
    return found


def expression(cursor: Cursor) -> Expression:
    """One expression of any kind."""
    start = cursor.token.start
    found = PRIMARIES.get(cursor.kind, _nothing)(cursor)
    if cursor.kind in (".", "("):
        found = _suffixes(cursor, start, found)
    return found


def reference(cursor: Cursor, purpose: str) -> Expression:
    """An expression that names a declaration."""
    if cursor.kind not in PRIMARIES:
        raise cursor.unexpected(purpose)
    found = expression(cursor)
    if not isinstance(found, NAMES):
        raise Fault(found.span, f"expected {purpose}")
    return found


def annotation_list(cursor: Cursor) -> tuple[Annotation, ...]:
    """``$foo $bar("x")``, or nothing."""
    found = []
    while cursor.kind == "$":
        found.append(annotation(cursor))
    return tuple(found)


def annotation(cursor: Cursor) -> Annotation:
    """``$foo`` or ``$foo(value)``."""
    start = cursor.token.start
    cursor.expect("$", "'$'")
    name = reference(cursor, "an annotation's name")
    value: Optional[Expression] = None
    if isinstance(name, Application):
        # What looks like the last application is the value: only those before it are parameters of generics.
        value = _tuple_or_element(name.arguments, Span(name.function.span.end, name.span.end))
        name = name.function
    return Annotation(name, value, cursor.since(start))


# ---- what an expression begins with


def _nothing(cursor: Cursor) -> Expression:
    raise cursor.unexpected("a type or a value")


def _name(cursor: Cursor) -> Expression:
    name = cursor.name("a name")
    if cursor.kind == TEXT and name.text in ("import", "embed"):
        path = str(cursor.token.value)
        cursor.advance()
        span = cursor.since(name.span.start)
        return Import(path, span) if name.text == "import" else Embed(path, span)
    return RelativeName(name, name.span)


def _absolute_name(cursor: Cursor) -> Expression:
    start = cursor.token.start
    cursor.advance()
    return AbsoluteName(cursor.name("a name behind the point"), cursor.since(start))


def _integer(cursor: Cursor) -> Expression:
    token = cursor.token
    cursor.advance()
    assert isinstance(token.value, int)
    return IntegerLiteral(token.value, False, token.span)


def _float(cursor: Cursor) -> Expression:
    token = cursor.token
    cursor.advance()
    assert isinstance(token.value, float)
    return FloatLiteral(token.value, token.span)


def _negative(cursor: Cursor) -> Expression:
    start = cursor.token.start
    cursor.advance()
    if cursor.kind == INTEGER:
        value = cursor.number("a number").value
        return IntegerLiteral(value, True, cursor.since(start))
    if cursor.kind == FLOAT:
        positive = _float(cursor)
        assert isinstance(positive, FloatLiteral)
        return FloatLiteral(-positive.value, cursor.since(start))
    if cursor.is_word("inf"):
        return Negation(_name(cursor), cursor.since(start))
    raise cursor.unexpected("a number or 'inf' behind the minus sign")


def _text(cursor: Cursor) -> Expression:
    start = cursor.token.start
    pieces = []
    while cursor.kind == TEXT:
        pieces.append(str(cursor.token.value))
        cursor.advance()
    return TextLiteral("".join(pieces), cursor.since(start))


def _binary(cursor: Cursor) -> Expression:
    token = cursor.token
    cursor.advance()
    assert isinstance(token.value, bytes)
    return BinaryLiteral(token.value, token.span)


def _list(cursor: Cursor) -> Expression:
    start = cursor.token.start
    return ListLiteral(tuple(items(cursor, expression)), cursor.since(start))


def _tuple(cursor: Cursor) -> Expression:
    start = cursor.token.start
    elements = tuple(items(cursor, _argument))
    return _tuple_or_element(elements, cursor.since(start))


def _tuple_or_element(elements: tuple[Argument, ...], span: Span) -> Expression:
    """Parentheses around one thing without a name mean nothing."""
    if len(elements) == 1 and elements[0].name is None:
        return elements[0].value
    return TupleLiteral(elements, span)


def _argument(cursor: Cursor) -> Argument:
    name: Optional[Name] = None
    if cursor.kind == NAME and cursor.next_kind == "=":
        name = cursor.name("a name")
        cursor.advance()
    return Argument(name, expression(cursor))


PRIMARIES: dict[str, Callable[[Cursor], Expression]] = {
    NAME: _name,
    ".": _absolute_name,
    INTEGER: _integer,
    FLOAT: _float,
    "-": _negative,
    TEXT: _text,
    BINARY: _binary,
    "[": _list,
    "(": _tuple,
}


# ---- what may follow it


def _suffixes(cursor: Cursor, start: int, found: Expression) -> Expression:
    """``.name`` and ``(arguments)``, any number of them within reason."""
    length = 0
    while cursor.kind in (".", "("):
        if not isinstance(found, NAMES):
            raise Fault(found.span, "only a name can have members or parameters")
        length += 1
        if length > MAX_NESTING:
            raise Fault(cursor.token.span, f"this name is too long: at most {MAX_NESTING} parts are read")
        if cursor.accept("."):
            name = cursor.name("a name behind the point")
            found = Member(found, name, cursor.since(start))
        else:
            arguments = tuple(items(cursor, _argument))
            found = Application(found, arguments, cursor.since(start))
    return found
