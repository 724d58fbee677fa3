"""The parser of the schema language: statements and their blocks, and how it goes on after a fault.

A parser function reads one thing at the `Cursor`, and raises `Fault` where it makes no sense.  Faults are caught where
there is a way to go on: behind an item in parentheses (`expressions.items`), and behind a statement, here.  So each
faulty statement is reported once, and does not hide what is wrong with the next.
"""

from __future__ import annotations

from typing import Optional

from ccapnp.language.cursor import Cursor, Fault
from ccapnp.language.declarations import Header, at_file_level, in_enum, in_interface, in_struct
from ccapnp.language.diagnostics import Diagnostics, Source
from ccapnp.language.lexer import END
from ccapnp.language.rules import check_members
from ccapnp.language.syntax import Annotation, Declaration, Enum, File, Group, Interface, Span, Struct, Union_

__all__ = ["parse"]

# What stands in the block of a declaration; those without one here end with a semicolon.
BLOCKS: dict[type[Declaration], Header] = {
    Struct: in_struct,
    Union_: in_struct,
    Group: in_struct,
    Enum: in_enum,
    Interface: in_interface,
}
# The same by what a faulty statement begins with.
BLOCKS_OF_KEYWORDS = {"struct": in_struct, "enum": in_enum, "interface": in_interface}


def parse(source: Source, diagnostics: Diagnostics) -> File:
    """The tree of a file; what is wrong with the text is in ``diagnostics``, and is left out of the tree."""
    cursor = Cursor(source, diagnostics)
    file = File(None, Span(0, len(source.data)))
    applied: list[Annotation] = []
    while cursor.kind != END:
        if cursor.kind == "}":
            cursor.complain(cursor.token.span, "this '}' closes nothing")
            cursor.advance()
            continue
        found = _statement(cursor, at_file_level)
        if found is None:
            continue
        if type(found) is not Declaration:
            file.nested.append(found)
        elif found.id is None:
            applied += found.annotations
        elif file.id is None:
            file.id, file.doc = found.id, found.doc
        else:
            cursor.complain(found.span, "the file has an id already")
    file.annotations = tuple(applied)
    return file


def _statement(cursor: Cursor, header: Header) -> Optional[Declaration]:
    """One statement with its block; nothing if it is faulty."""
    first, at = cursor.token, cursor.at
    if cursor.accept(";"):
        cursor.complain(first.span, "this ';' ends nothing: there is none behind a block")
        return None
    found: Optional[Declaration] = None
    try:
        found = header(cursor)
        if cursor.kind not in (";", "{"):
            raise cursor.missing_end("a block" if type(found) in BLOCKS else "';'")
    except Fault as fault:
        cursor.report(fault)
        if cursor.at == at and cursor.kind != "{":
            cursor.advance()
        cursor.skip_statement()
    inner = BLOCKS.get(type(found)) if found else BLOCKS_OF_KEYWORDS.get(str(first.value))
    _end(cursor, first.start, found, inner)
    return found


def _end(cursor: Cursor, start: int, found: Optional[Declaration], inner: Optional[Header]) -> None:
    """The semicolon or block of a statement, and the doc comment there."""
    terminator = cursor.token
    nested: list[Declaration] = []
    faults = cursor.faults
    if terminator.kind == "{":
        if found is not None and inner is None:
            cursor.complain(terminator.span, "this statement has no block: it ends with ';'")
        nested = _block(cursor, inner)
    elif cursor.accept(";") and inner is not None and found is not None:
        cursor.complain(terminator.span, "this statement ends with a block, not with ';'")
    if found is not None:
        # What follows the closing brace counts only where nothing follows the opening one.
        found.doc = cursor.last.doc if terminator.doc is None else terminator.doc
        found.nested = nested
        found.span = cursor.since(start)
        if terminator.kind == "{" and cursor.faults == faults:
            check_members(cursor, found, nested)


def _block(cursor: Cursor, header: Optional[Header]) -> list[Declaration]:
    """The statements between braces; they are skipped where nothing can be said of them."""
    opening = cursor.token
    nested: list[Declaration] = []
    if header is None:
        cursor.skip_block()
        return nested
    try:
        cursor.enter()
    except Fault as fault:
        cursor.report(fault)
        cursor.skip_block()
        return nested
    cursor.advance()
    while cursor.kind not in ("}", END):
        found = _statement(cursor, header)
        if found is not None:
            nested.append(found)
    if not cursor.accept("}"):
        cursor.complain(opening.span, "this '{' is not closed by the end of the file")
        cursor.give_up()
    cursor.leave()
    return nested
