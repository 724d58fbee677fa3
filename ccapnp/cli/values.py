"""Cutting a stream of values in the text format, or in JSON, into one text each, without reading all of it at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ccapnp.errors import LimitError

__all__ = ["JSON", "TEXT", "values_of"]

_CHUNK = 1 << 16

TEXT = re.compile(rb'"(?:[^"\\]|\\.)*"|#[^\n]*\n|`[^\n]*\n|[()\[\]]', re.DOTALL)
"""What matters in a text: strings, comments and lines of text blocks, which may hold any brackets, and the brackets."""
JSON = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_STARTS = re.compile(rb'["#`]')
_OPENING = frozenset(b"([{")


def values_of(file: Any, tokens: re.Pattern[bytes], most_bytes: int) -> Iterator[tuple[bytes, int]]:
    """(value, the number of the line where it starts) of each value in brackets that a file holds.

    What stands behind the last closing bracket is a value, too, unless it is white space or a comment.  LimitError for
    a value of more than ``most_bytes``.
    """
    pending, line = b"", 1
    depth = scanned = 0
    while True:
        chunk = file.read(_CHUNK)
        pending += chunk if chunk else b"\n"
        start = 0
        for token in _tokens(tokens, pending, scanned):
            scanned = token.end()
            byte = pending[token.start()]
            if byte in _OPENING:
                depth += 1
            elif byte in b")]}":
                depth -= 1
                if depth <= 0:
                    yield pending[start:scanned], line
                    line += pending.count(b"\n", start, scanned)
                    start, depth = scanned, 0
        pending, scanned = pending[start:], scanned - start
        if len(pending) > most_bytes:
            raise LimitError(f"a message of more than {most_bytes} bytes begins in line {line}")
        if not chunk:
            break
    if _is_something(pending):
        yield pending, line


def _tokens(tokens: re.Pattern[bytes], data: bytes, start: int) -> Iterator[re.Match[bytes]]:
    """The tokens from ``start`` on, up to a string or comment whose end has not been read yet."""
    for token in tokens.finditer(data, start):
        if _STARTS.search(data, start, token.start()):
            return
        yield token
        start = token.end()


def _is_something(rest: bytes) -> bool:
    return any(line.strip() and not line.strip().startswith(b"#") for line in rest.split(b"\n"))
