"""From the bytes of a schema to its tokens.

Nothing is reported here: what is wrong becomes a token of the kind BAD, whose value says what it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Optional, Union

from ccapnp.language.literals import LiteralError, binary, block_line, number, text
from ccapnp.language.syntax import Span

__all__ = ["BAD", "BINARY", "END", "FLOAT", "INTEGER", "NAME", "NOT_TEXT", "TEXT", "Token", "tokenize"]

# The kind of a punctuation mark or an operator is the text itself.
NAME = "name"
INTEGER = "integer"
FLOAT = "float"
TEXT = "text"
BINARY = "binary"
BAD = "bad"
END = "end"

NOT_TEXT = "this file is not UTF-8 text from here on"


class Token(NamedTuple):
    """The value is a name's text, a literal's value, or the doc comment that follows a ``;``, ``{`` or ``}``."""

    kind: str
    start: int
    end: int
    value: Union[str, int, float, bytes, None] = None

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def doc(self) -> Optional[str]:
        """The doc comment behind this token."""
        return self.value if self.kind in (";", "{", "}") and isinstance(self.value, str) else None


# The time is linear in the size of what is read: no alternative can match a text in two ways, and what has a closing
# mark matches without it, too, and is BAD then.
PATTERN = re.compile(
    rb"""
    [ \t\v\f\r\n]*
    (?: (?P<name> [A-Za-z_][A-Za-z0-9_]* )
      | (?P<operator> [!$%&*+\-./:<=>?@^|~]+ )
        # A doc comment begins on the same line or the next one, and ends before the first line that is something else.
      | (?P<terminator> [;{}] )
        (?: [ \t\v\f]* (?: (?: \r\n? | \n ) [ \t\v\f]* )? (?P<doc> \#[^\n]* (?: \n [ \t\v\f]* \#[^\n]* )* ) )?
      | (?P<punctuation> [(),[\]] )
      | (?P<binary> 0x" (?: [0-9a-fA-F \t\v\f\r\n]* " | [^"\n]* "? ) )
      | (?P<number> [0-9] (?: [eE][+-] | [0-9A-Za-z_.] )* )
      | (?P<text> " (?: [^"\\\n]+ | \\[^\n] )* (?P<quote> "? ) )
      | ` (?P<line> [^\r\n]* )
      | (?P<skipped> \#[^\n]* | \xef\xbb\xbf | \Z )
      | (?P<bad> [\x80-\xff]+ | . )
    )
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(data: bytes) -> list[Token]:
    """All tokens, with one of the kind END behind them."""
    tokens: list[Token] = []
    add = tokens.append
    for match in PATTERN.finditer(data):
        group = match.lastgroup
        if group == "name":
            start, end = match.span("name")
            add(Token(NAME, start, end, match["name"].decode()))
        elif group in ("operator", "punctuation"):
            start, end = match.span(group)
            add(Token(match[group].decode(), start, end))
        elif group in ("terminator", "doc"):
            start, end = match.span("terminator")
            add(Token(match["terminator"].decode(), start, end, _doc(match["doc"]) if group == "doc" else None))
        elif group != "skipped":
            token = _literal(match)
            add(token)
            if token.value == NOT_TEXT:
                break
    add(Token(END, len(data), len(data)))
    return tokens


def _doc(raw: bytes) -> str:
    """The lines of a doc comment, each without its mark and one space.  No code depends on it, so any bytes will do."""
    lines = raw.decode("utf-8", "replace").split("\n")
    return "".join(line.lstrip(" \t\v\f")[1:].removeprefix(" ") + "\n" for line in lines)


def _literal(match: re.Match[bytes]) -> Token:
    group = match.lastgroup or ""
    start, end = match.span(group)
    raw = match[group]
    try:
        if group == "number":
            value = number(raw)
            return Token(INTEGER if isinstance(value, int) else FLOAT, start, end, value)
        if group == "text":
            if not match["quote"]:
                raise LiteralError("this string has no closing quote; a string ends on the line where it begins")
            return Token(TEXT, start, end, text(raw[1:-1]))
        if group == "line":
            return Token(TEXT, start - 1, end, block_line(raw))
        if group == "binary":
            return Token(BINARY, start, end, binary(raw[3:].removesuffix(b'"')))
        return Token(BAD, start, end, _complaint(raw))
    except LiteralError as error:
        return Token(BAD, start, end, str(error))


def _complaint(raw: bytes) -> str:
    """What to say about characters that the language has no use for."""
    if raw == b"'":
        return "strings are written in double quotes"
    try:
        shown = raw.decode()
    except UnicodeDecodeError:
        return NOT_TEXT
    if shown == "\0":
        return NOT_TEXT
    if shown.isprintable():
        return f"'{shown[0]}' cannot stand here; names consist of the letters A to Z, in either case, and digits"
    return f"the character U+{ord(shown[0]):04X} cannot stand here"
