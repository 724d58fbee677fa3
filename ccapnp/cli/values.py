"""Cutting a stream of values in the text format, or in JSON, into one text each, without reading all of it at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ccapnp.errors import LimitError

__all__ = ["JSON", "TEXT", "Value", "values_of"]

_CHUNK = 1 << 16

TEXT = re.compile(rb'["#`()\[\]]')
"""What matters in a text: brackets, and what may hold any bracket: strings, comments and lines of text blocks."""
JSON = re.compile(rb'["{}\[\]]')
_IN_STRING = re.compile(rb'[\\"]')
_IN_LINE = re.compile(rb"\n")
_OPENING = frozenset(b"([{")
_QUOTE, _BACKSLASH = b'"\\'


class Value(NamedTuple):
    """One value, and where in the file it begins; both count from 1."""

    text: bytes
    line: int
    column: int


def values_of(file: Any, tokens: re.Pattern[bytes], most_bytes: int) -> Iterator[Value]:
    """Each value in brackets that a file holds.

    What stands behind the last closing bracket is a value, too, unless it is white space or a comment.  LimitError for
    a value of more than ``most_bytes``.
    """
    pending = bytearray()
    line = column = 1
    depth = scanned = 0
    looking_for = tokens
    while True:
        chunk = file.read(_CHUNK)
        pending += chunk
        start = 0
        while True:
            token = looking_for.search(pending, scanned)
            if token is None:
                scanned = max(scanned, len(pending))
                break
            scanned = token.end()
            byte = pending[scanned - 1]
            if looking_for is not tokens:
                if byte == _BACKSLASH:
                    scanned += 1
                else:
                    looking_for = tokens
            elif byte in _OPENING:
                depth += 1
            elif byte in b")]}":
                depth -= 1
                if depth <= 0:
                    value, line, column = _bare(bytes(pending[start:scanned]), line, column)
                    yield Value(value, line, column)
                    line, column = _behind(value, line, column)
                    start, depth = scanned, 0
            else:
                looking_for = _IN_STRING if byte == _QUOTE else _IN_LINE
        del pending[:start]
        scanned -= start
        if len(pending) > most_bytes:
            raise LimitError(f"a message of more than {most_bytes} bytes begins in line {line}")
        if not chunk:
            break
    if _is_something(pending):
        yield Value(*_bare(bytes(pending), line, column))


def _bare(text: bytes, line: int, column: int) -> Value:
    """The text without the white space in front of it, and where it begins then."""
    bare = text.lstrip()
    return Value(bare, *_behind(text[: len(text) - len(bare)], line, column))


def _behind(text: bytes, line: int, column: int) -> tuple[int, int]:
    """Where a text ends that begins at a place."""
    start = text.rfind(b"\n") + 1
    return line + text.count(b"\n"), len(text) - start + (1 if start else column)


def _is_something(rest: bytearray) -> bool:
    return any(line.strip() and not line.strip().startswith(b"#") for line in rest.split(b"\n"))
