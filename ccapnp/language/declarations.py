"""Declarations, each up to the ``;`` or ``{`` that ends it or opens its block."""

from __future__ import annotations

from typing import Callable, Optional

from ccapnp.language.cursor import Cursor, Fault
from ccapnp.language.expressions import annotation, annotation_list, expression, items, reference
from ccapnp.language.lexer import NAME
from ccapnp.language.rules import check_alias, check_id, check_ordinal, check_targets, check_type_name, check_value_name
from ccapnp.language.syntax import (
    AnnotationDeclaration,
    Constant,
    Declaration,
    Enum,
    Enumerant,
    Expression,
    Field,
    Group,
    Interface,
    Member,
    Method,
    Name,
    Number,
    Parameter,
    ParameterList,
    Span,
    Struct,
    Union_,
    Using,
)

__all__ = ["Header", "at_file_level", "in_enum", "in_interface", "in_struct"]

# Reads a declaration's beginning.  The span is set when its end is known.
Header = Callable[[Cursor], Declaration]

NO_SPAN = Span(0, 0)


# ---- what a statement is, by the place where it stands


def at_file_level(cursor: Cursor) -> Declaration:
    """A declaration; or a bare `Declaration` that has nothing but the file's id, or an annotation of the file."""
    if cursor.kind == "@":
        return Declaration(None, NO_SPAN, id=_id(cursor))
    if cursor.kind == "$":
        return Declaration(None, NO_SPAN, annotations=(annotation(cursor),))
    found = _keyword_declaration(cursor)
    if found is None:
        raise cursor.unexpected("a declaration (struct, enum, interface, const, annotation or using)")
    return found


def in_struct(cursor: Cursor) -> Declaration:
    """A field, a union, a group, or a declaration."""
    if cursor.is_word("union") and cursor.next_kind in ("{", ";"):
        cursor.advance()
        return Union_(None, NO_SPAN)
    return _keyword_declaration(cursor) or _member(cursor)


def in_enum(cursor: Cursor) -> Declaration:
    """An enumerant."""
    name = _value_name(cursor, "an enumerant")
    ordinal = _ordinal(cursor, name)
    return Enumerant(name, NO_SPAN, ordinal=ordinal, annotations=annotation_list(cursor))


def in_interface(cursor: Cursor) -> Declaration:
    """A method, or a declaration."""
    return _keyword_declaration(cursor) or _method(cursor)


def _keyword_declaration(cursor: Cursor) -> Optional[Declaration]:
    """A declaration that begins with a keyword, if one does: the same words can be names, before ``@`` or ``:``."""
    header = KEYWORDS.get(str(cursor.token.value)) if cursor.kind == NAME else None
    if header is None or cursor.next_kind in ("@", ":"):
        return None
    cursor.advance()
    return header(cursor)


# ---- declarations with a keyword, from behind it


def _struct(cursor: Cursor) -> Declaration:
    name = _type_name(cursor, "the struct's name")
    number = _optional_id(cursor)
    parameters = _generic_parameters(cursor)
    return Struct(name, NO_SPAN, number, parameters, annotation_list(cursor))


def _enum(cursor: Cursor) -> Declaration:
    name = _type_name(cursor, "the enum's name")
    number = _optional_id(cursor)
    return Enum(name, NO_SPAN, number, annotations=annotation_list(cursor))


def _interface(cursor: Cursor) -> Declaration:
    name = _type_name(cursor, "the interface's name")
    number = _optional_id(cursor)
    parameters = _generic_parameters(cursor)
    superclasses: tuple[Expression, ...] = ()
    if cursor.is_word("extends"):
        cursor.advance()
        if cursor.kind != "(":
            raise cursor.unexpected("the interfaces in parentheses behind 'extends'")
        superclasses = tuple(items(cursor, lambda cursor: reference(cursor, "an interface")))
    return Interface(name, NO_SPAN, number, parameters, annotation_list(cursor), superclasses=superclasses)


def _constant(cursor: Cursor) -> Declaration:
    name = _value_name(cursor, "the constant's name")
    number = _optional_id(cursor)
    type = _type(cursor)
    cursor.expect("=", "'=' and the constant's value")
    value = expression(cursor)
    return Constant(name, NO_SPAN, number, annotations=annotation_list(cursor), type=type, value=value)


def _annotation(cursor: Cursor) -> Declaration:
    name = _value_name(cursor, "the annotation's name")
    number = _optional_id(cursor)
    if cursor.kind != "(":
        raise cursor.unexpected("what the annotation can be applied to, in parentheses, or (*) for anything")
    targets = tuple(items(cursor, _target))
    check_targets(cursor, targets)
    type = _type(cursor)
    return AnnotationDeclaration(name, NO_SPAN, number, annotations=annotation_list(cursor), targets=targets, type=type)


def _target(cursor: Cursor) -> Name:
    star = Name("*", cursor.token.span)
    return star if cursor.accept("*") else cursor.name("a kind of declaration, or '*'")


def _using(cursor: Cursor) -> Declaration:
    if cursor.kind == NAME and cursor.next_kind == "=":
        name = cursor.name("a name")
        cursor.advance()
        target = reference(cursor, "what the name stands for")
        check_alias(cursor, name, target)
        return Using(name, NO_SPAN, target=target)
    target = reference(cursor, "a name")
    if not isinstance(target, Member):
        raise Fault(target.span, "a 'using' without '=' takes a name from another scope, such as 'Other.Name'")
    return Using(target.name, NO_SPAN, target=target)


KEYWORDS: dict[str, Header] = {
    "struct": _struct,
    "enum": _enum,
    "interface": _interface,
    "const": _constant,
    "annotation": _annotation,
    "using": _using,
}


# ---- members


def _member(cursor: Cursor) -> Declaration:
    """A field, a group, or a named union."""
    name = _value_name(cursor, "a field, a union, a group or a declaration")
    if name.text == "union" and cursor.kind == NAME:
        raise Fault(name.span, "a named union is written 'name :union {'")
    if cursor.accept(":"):
        if cursor.is_word("union") or cursor.is_word("group"):
            kind = Union_ if cursor.is_word("union") else Group
            cursor.advance()
            return kind(name, NO_SPAN, annotations=annotation_list(cursor))
        raise Fault(name.span, f"a field needs a number: '{name.text} @0 :Type', or the next that is free")
    ordinal = _ordinal(cursor, name)
    keeps_ordinal = cursor.accept("!")
    if cursor.is_word("union"):
        raise cursor.unexpected("':' before 'union'")
    cursor.expect(":", "':' and the field's type")
    if cursor.is_word("union"):
        cursor.advance()
        if not keeps_ordinal:
            cursor.complain(
                ordinal.span,
                "a union needs no number: remove it; or, if messages of the time when it did exist, "
                f"write '@{ordinal.value}!' to keep the layout",
            )
        return Union_(name, NO_SPAN, ordinal=ordinal, annotations=annotation_list(cursor))
    if keeps_ordinal:
        raise cursor.unexpected("'union' behind a number with '!'")
    type = reference(cursor, "a type")
    default = expression(cursor) if cursor.accept("=") else None
    return Field(name, NO_SPAN, ordinal=ordinal, type=type, default=default, annotations=annotation_list(cursor))


def _method(cursor: Cursor) -> Declaration:
    name = _value_name(cursor, "a method or a declaration")
    ordinal = _ordinal(cursor, name)
    implicit = tuple(items(cursor, _generic_parameter)) if cursor.kind == "[" else ()
    params = _parameter_list(cursor)
    if params.is_stream:
        cursor.complain(params.span, "'stream' can only stand behind '->', not before it")
    results = _parameter_list(cursor) if cursor.accept("->") else None
    return Method(
        name, NO_SPAN, None, implicit, annotation_list(cursor), ordinal=ordinal, params=params, results=results
    )


def _parameter_list(cursor: Cursor) -> ParameterList:
    start = cursor.token.start
    if cursor.kind == "(":
        named = items(cursor, _parameter)
        return ParameterList(cursor.since(start), named)
    if cursor.is_word("stream"):
        cursor.advance()
        return ParameterList(cursor.since(start), is_stream=True)
    type = reference(cursor, "parameters in parentheses, or a struct")
    return ParameterList(type.span, type=type)


def _parameter(cursor: Cursor) -> Parameter:
    start = cursor.token.start
    name = cursor.name("a parameter's name")
    type = _type(cursor)
    default = expression(cursor) if cursor.accept("=") else None
    applied = annotation_list(cursor)
    return Parameter(name, cursor.since(start), type=type, default=default, annotations=applied)


# ---- parts of declarations


def _type_name(cursor: Cursor, purpose: str) -> Name:
    name = cursor.name(purpose)
    check_type_name(cursor, name)
    return name


def _value_name(cursor: Cursor, purpose: str) -> Name:
    name = cursor.name(purpose)
    check_value_name(cursor, name)
    return name


def _generic_parameter(cursor: Cursor) -> Name:
    return cursor.name("a type parameter's name")


def _generic_parameters(cursor: Cursor) -> tuple[Name, ...]:
    return tuple(items(cursor, _generic_parameter)) if cursor.kind == "(" else ()


def _type(cursor: Cursor) -> Expression:
    cursor.expect(":", "':' and a type")
    return reference(cursor, "a type")


def _optional_id(cursor: Cursor) -> Optional[Number]:
    return _id(cursor) if cursor.kind == "@" else None


def _id(cursor: Cursor) -> Number:
    cursor.expect("@", "'@'")
    number = cursor.number("an id behind the '@'")
    check_id(cursor, number)
    return number


def _ordinal(cursor: Cursor, name: Name) -> Number:
    if not cursor.accept("@"):
        raise cursor.unexpected(f"'@' and a number behind '{name.text}'")
    number = cursor.number("a number behind the '@'")
    check_ordinal(cursor, number)
    return number
