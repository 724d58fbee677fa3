"""What a schema file says, as a tree: the result of parsing, before any name has been looked up.

A span is the bytes of the source that something was written with.  All texts are `str`; offsets count bytes of UTF-8.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Optional, Union

__all__ = [
    "AbsoluteName",
    "Annotation",
    "AnnotationDeclaration",
    "Application",
    "Argument",
    "BinaryLiteral",
    "Constant",
    "Declaration",
    "Embed",
    "Enum",
    "Enumerant",
    "Expression",
    "Field",
    "File",
    "FloatLiteral",
    "Group",
    "Import",
    "IntegerLiteral",
    "Interface",
    "LITERAL_NAMES",
    "ListLiteral",
    "Member",
    "Method",
    "Name",
    "Negation",
    "Number",
    "Parameter",
    "ParameterList",
    "RelativeName",
    "Span",
    "Struct",
    "TextLiteral",
    "TupleLiteral",
    "Union_",
    "Unknown",
    "Using",
]


class Span(NamedTuple):
    """The bytes from ``start`` up to, but without, ``end``."""

    start: int
    end: int


class Name(NamedTuple):
    """A name where it is declared or used."""

    text: str
    span: Span


class Number(NamedTuple):
    """The number behind an ``@``: an ordinal or an id."""

    value: int
    span: Span


# ---- expressions: types, values, and names of declarations are written alike


@dataclass(frozen=True)
class Unknown:
    """What could not be parsed, and was reported: whoever meets it says nothing more."""

    span: Span


@dataclass(frozen=True)
class IntegerLiteral:
    """An integer; ``negative`` if it has a minus sign, which ``value``, the magnitude, does not."""

    value: int
    negative: bool
    span: Span


@dataclass(frozen=True)
class FloatLiteral:
    """A number with a point or an exponent, sign included.  ``inf`` and ``nan`` are not literals but names."""

    value: float
    span: Span


@dataclass(frozen=True)
class TextLiteral:
    """A string, or several side by side; or a block of text.

    Escapes can make bytes that are not UTF-8, for Data; surrogates stand for them (error handler ``surrogateescape``).
    """

    value: str
    span: Span


@dataclass(frozen=True)
class BinaryLiteral:
    """``0x"..."``."""

    value: bytes
    span: Span


@dataclass(frozen=True)
class RelativeName:
    """``Foo``: looked up from the inside out.  Also ``true``, ``void``, ``inf``, ``Text``, ``List`` and the like."""

    name: Name
    span: Span


@dataclass(frozen=True)
class AbsoluteName:
    """``.Foo``: looked up in the file."""

    name: Name
    span: Span


@dataclass(frozen=True)
class Import:
    """``import "path"``: the file itself."""

    path: str
    span: Span


@dataclass(frozen=True)
class Embed:
    """``embed "path"``: the file's contents, as Text, Data or a message."""

    path: str
    span: Span


@dataclass(frozen=True)
class ListLiteral:
    """``[a, b]``."""

    items: tuple[Expression, ...]
    span: Span


class Argument(NamedTuple):
    """One element of what stands in parentheses; ``name`` is ``None`` where none is written."""

    name: Optional[Name]
    value: Expression


@dataclass(frozen=True)
class TupleLiteral:
    """``(a = 1, b = 2)``: a struct's value.  Never ``(x)``, one element without a name, which is ``x``."""

    items: tuple[Argument, ...]
    span: Span


@dataclass(frozen=True)
class Application:
    """``Foo(Bar)``: a generic type with its parameters."""

    function: Expression
    arguments: tuple[Argument, ...]
    span: Span


@dataclass(frozen=True)
class Member:
    """``parent.name``."""

    parent: Expression
    name: Name
    span: Span


@dataclass(frozen=True)
class Negation:
    """``-inf``: a minus sign before a name; nothing but ``inf`` can be so."""

    operand: Expression
    span: Span


Expression = Union[
    Unknown,
    IntegerLiteral,
    FloatLiteral,
    TextLiteral,
    BinaryLiteral,
    RelativeName,
    AbsoluteName,
    Import,
    Embed,
    ListLiteral,
    TupleLiteral,
    Application,
    Member,
    Negation,
]

LITERAL_NAMES: dict[type, str] = {
    IntegerLiteral: "an integer",
    FloatLiteral: "a number with a fraction",
    Negation: "a negative number",
    TextLiteral: "a text",
    BinaryLiteral: "binary data",
    ListLiteral: "a list",
    TupleLiteral: "a struct",
}
"""What messages call the expressions that are values by themselves."""


# ---- declarations


@dataclass(frozen=True)
class Annotation:
    """``$name(value)``; ``value`` is ``None`` for ``$name`` alone.

    Of ``$foo("x")`` the value is the text itself; of ``$foo(a = 1)``, or with several elements, a `TupleLiteral`.
    """

    name: Expression
    value: Optional[Expression]
    span: Span


@dataclass
class Declaration:
    """What all declarations have.

    ``span`` is the whole declaration, block included; ``name`` is ``None`` for a file and an unnamed union; ``id`` is
    what ``@0x...`` says; ``parameters`` are those of a generic; ``doc`` is the doc comment, a newline behind each line,
    or ``None``; ``nested`` holds the declarations within the block, members too, in the order of the source.
    """

    name: Optional[Name]
    span: Span
    id: Optional[Number] = None
    parameters: tuple[Name, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    doc: Optional[str] = None
    nested: list[Declaration] = field(default_factory=list)


@dataclass
class File(Declaration):
    """A whole file.  Its annotations are those that stand alone (``$foo;``), its id is ``@0x...;``."""


@dataclass
class Using(Declaration):
    """``using Foo = target;``; or ``using Bar.Foo;``, whose name is the last of the target's, which is a `Member`."""

    target: Expression = Unknown(Span(0, 0))


@dataclass
class Constant(Declaration):
    """``const name :type = value;``."""

    type: Expression = Unknown(Span(0, 0))
    value: Expression = Unknown(Span(0, 0))


@dataclass
class Enum(Declaration):
    """``enum Name { ... }``; ``nested`` are its `Enumerant` declarations."""


@dataclass
class Enumerant(Declaration):
    """``name @ordinal;``."""

    ordinal: Optional[Number] = None


@dataclass
class Struct(Declaration):
    """``struct Name { ... }``; ``nested`` are fields, unions, groups and nested types, as they are written."""


@dataclass
class Field(Declaration):
    """``name @ordinal :type = default;``."""

    ordinal: Optional[Number] = None
    type: Expression = Unknown(Span(0, 0))
    default: Optional[Expression] = None


@dataclass
class Union_(Declaration):
    """``union { ... }``, or ``name @ordinal :union { ... }``, where the ordinal may be missing."""

    ordinal: Optional[Number] = None


@dataclass
class Group(Declaration):
    """``name :group { ... }``."""


@dataclass
class Interface(Declaration):
    """``interface Name extends(A, B) { ... }``."""

    superclasses: tuple[Expression, ...] = ()


@dataclass
class Parameter(Declaration):
    """One parameter or result of a method."""

    type: Expression = Unknown(Span(0, 0))
    default: Optional[Expression] = None


@dataclass
class ParameterList:
    """A method's parameters or results: a list, or one struct type for all of them, or ``stream``."""

    span: Span
    named: Optional[list[Parameter]] = None
    type: Optional[Expression] = None
    is_stream: bool = False


@dataclass
class Method(Declaration):
    """``name @ordinal [T] (params) -> (results);``; ``parameters`` are its implicit ones; no ``->`` is no results."""

    ordinal: Optional[Number] = None
    params: ParameterList = field(default_factory=lambda: ParameterList(Span(0, 0), []))
    results: Optional[ParameterList] = None


@dataclass
class AnnotationDeclaration(Declaration):
    """``annotation name(targets) :type;``; ``targets`` are as they are written, ``*`` for all."""

    targets: tuple[Name, ...] = ()
    type: Expression = Unknown(Span(0, 0))
