"""Python literals for what a schema's author wrote: comments, names, numbers, texts."""

from __future__ import annotations

import math
import re

__all__ = ["comment", "docstring", "float_literal", "wrapped_literal"]

_QUOTES = re.compile(r'"""|"$')
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


def docstring(doc: str, indent: str) -> list[str]:
    """The lines of a docstring, in triple quotes; none for an empty ``doc``."""
    if not doc.strip():
        return []
    lines = [line.rstrip(" \t") for line in doc.replace("\r\n", "\n").strip("\n").split("\n")]
    escaped = _QUOTES.sub(lambda match: match[0].replace('"', '\\"'), "\n".join(lines).replace("\\", "\\\\"))
    escaped = _CONTROL.sub(lambda match: ascii(match[0])[1:-1], escaped)
    lines = escaped.split("\n")
    if len(lines) > 1:
        lines.append("")
    lines[0] = f'"""{lines[0]}'
    lines[-1] += '"""'
    return [f"{indent}{line}" if line else "" for line in lines]


def comment(text: str) -> str:
    """A comment of one line, whatever is in ``text``."""
    return "# " + _CONTROL.sub("?", text.replace("\n", "?"))


def float_literal(number: float) -> str:
    """An expression for a float; ``_generated`` has those that have no literal."""
    if math.isnan(number):
        return "_generated.nan"
    if math.isinf(number):
        return "_generated.inf" if number > 0 else "-_generated.inf"
    return repr(number)


def wrapped_literal(text: str, width: int) -> list[str]:
    """Literals of at most ``width`` characters that together are ``text``, which has nothing to escape."""
    return [f'"{text[start : start + width]}"' for start in range(0, len(text), width)]
