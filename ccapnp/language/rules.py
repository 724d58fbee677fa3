"""Rules that a declaration can break by itself, whatever the names in it stand for."""

from __future__ import annotations

from ccapnp.language.cursor import Cursor
from ccapnp.language.syntax import (
    AbsoluteName,
    Declaration,
    Expression,
    Field,
    Group,
    Member,
    Name,
    Number,
    RelativeName,
    Span,
    Union_,
)

__all__ = [
    "check_alias",
    "check_id",
    "check_members",
    "check_ordinal",
    "check_targets",
    "check_type_name",
    "check_value_name",
]

MAX_ORDINAL = 0xFFFF
ID_MARK = 1 << 63

MEMBERS = (Field, Union_, Group)

KINDS = ("file", "const", "enum", "enumerant", "struct", "field", "union", "group", "interface", "method", "param")
TARGETS = frozenset((*KINDS, "annotation", "*"))


def check_type_name(cursor: Cursor, name: Name) -> None:
    """``Person``: of a struct, an enum or an interface."""
    if not "A" <= name.text[0] <= "Z":
        cursor.complain(name.span, "a type's name begins with an upper-case letter")
    _check_underscores(cursor, name)


def check_value_name(cursor: Cursor, name: Name) -> None:
    """``firstName``: of anything else, save parameters."""
    if not "a" <= name.text[0] <= "z":
        cursor.complain(name.span, "the name of what is not a type begins with a lower-case letter")
    _check_underscores(cursor, name)


def check_alias(cursor: Cursor, name: Name, target: Expression) -> None:
    """What ``using`` declares is written like what it stands for."""
    stands_for_value = isinstance(target, (RelativeName, AbsoluteName, Member)) and "a" <= target.name.text[0] <= "z"
    (check_value_name if stands_for_value else check_type_name)(cursor, name)


def _check_underscores(cursor: Cursor, name: Name) -> None:
    if "_" in name.text[1:]:
        cursor.complain(name.span, "a name has no underscores: write it in camelCase")


def check_id(cursor: Cursor, number: Number) -> None:
    """An id has its highest bit set, which tells it from an ordinal."""
    if number.value < ID_MARK:
        cursor.complain(number.span, "this is not a valid id: `ccapnp id` makes one")


def check_ordinal(cursor: Cursor, number: Number) -> None:
    """Ordinals have 16 bits."""
    if number.value > MAX_ORDINAL:
        cursor.complain(number.span, f"a number behind '@' is at most {MAX_ORDINAL}")


def check_targets(cursor: Cursor, targets: tuple[Name, ...]) -> None:
    """What an annotation says that it can be applied to."""
    seen = set()
    for target in targets:
        if target.text not in TARGETS:
            cursor.complain(target.span, f"'{target.text}' is not a kind of declaration that takes annotations")
        elif target.text in seen:
            cursor.complain(target.span, f"'{target.text}' is here twice")
        elif target.text == "*" and len(targets) > 1:
            cursor.complain(target.span, "'*' stands for all kinds, so that it stands alone")
        seen.add(target.text)


def check_members(cursor: Cursor, declaration: Declaration, nested: list[Declaration]) -> None:
    """What a declaration's block holds."""
    scope_name = {Union_: "union", Group: "group"}.get(type(declaration))
    members = [each for each in nested if isinstance(each, MEMBERS)]
    unnamed = [each for each in nested if isinstance(each, Union_) and each.name is None]
    if scope_name is not None:
        for each in nested:
            if not isinstance(each, MEMBERS):
                cursor.complain(_place(each), f"this belongs outside of the {scope_name}, which holds members alone")
    if isinstance(declaration, Union_):
        for each in unnamed:
            cursor.complain(_place(each), "a union cannot hold an unnamed union: give this one a name")
        if len(members) < 2:
            cursor.complain(_place(declaration), "a union needs at least two members")
    else:
        for each in unnamed[1:]:
            cursor.complain(_place(each), "there is an unnamed union here already: give this one a name")
    if isinstance(declaration, Group) and not members:
        cursor.complain(_place(declaration), "a group needs at least one member")


def _place(declaration: Declaration) -> Span:
    """A declaration's name, or the keyword of an unnamed union."""
    if declaration.name is not None:
        return declaration.name.span
    return Span(declaration.span.start, declaration.span.start + len("union"))
