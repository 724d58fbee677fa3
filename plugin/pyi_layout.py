"""Breaks the long lines of a stub at their brackets, one item to a line."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["INDENT", "items", "wrapped"]

INDENT = "    "
_WIDTH = 120
_OPENING, _CLOSING = "([", ")]"


def wrapped(line: str, indent: str) -> list[str]:
    """The lines for one line of code, which has no brackets in its texts and no comment."""
    pair = _widest_pair(line) if len(indent) + len(line) > _WIDTH else None
    if pair is None:
        return [indent + line]
    start, end = pair
    lines = [indent + line[: start + 1]]
    for item in items(line[start + 1 : end], ","):
        lines += wrapped(f"{item},", indent + INDENT)
    return [*lines, indent + line[end:]]


def _widest_pair(line: str) -> tuple[int, int] | None:
    """The places of the outermost brackets with the most between them."""
    found: list[tuple[int, int]] = []
    depth = start = 0
    for at, char in enumerate(line):
        if char in _OPENING:
            if not depth:
                start = at
            depth += 1
        elif char in _CLOSING:
            depth -= 1
            if not depth and at > start + 1:
                found.append((start, at))
    return max(found, key=lambda pair: pair[1] - pair[0], default=None)


def items(text: str, separator: str) -> Iterator[str]:
    """What a character separates where it stands outside of all brackets."""
    depth = start = 0
    for at, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        elif char == separator and not depth:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()
