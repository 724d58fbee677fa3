"""JSON's text as plain Python values: those of `json.loads`, but an object is a tuple of (name, value).

So a name that is there twice is seen, and the order of the members.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from numbers import Integral, Number
from typing import Any

from ccapnp.errors import LimitError, ParseError

__all__ = ["parsed", "unparsed"]

_BEFORE_A_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"NI-]|-(?!I))*', re.DOTALL)
"""What comes before the first NaN or Infinity that is not in a string."""


def parsed(source: Any) -> Any:
    """What a text says, given as str or as its bytes in UTF-8; ParseError if it is not JSON."""
    text = source if isinstance(source, str) else _decoded(source)
    # The standard parser takes -0 as an integer, which has no sign.
    parse_int = _integer if "-0" in text else None
    try:
        return json.loads(text, object_pairs_hook=tuple, parse_constant=_refuse, parse_int=parse_int)
    except RecursionError:
        raise LimitError.of_stack() from None
    except json.JSONDecodeError as error:
        raise _error(error.msg, error.lineno, error.colno) from None
    except _NotJson as error:
        before = _BEFORE_A_WORD.match(text)
        assert before is not None
        reason = f'{error} is not JSON; it is written as a string, "{error}"'
        raise _error(reason, *_line_and_column(before.group())) from None
    except ValueError as error:  # an integer of thousands of digits
        raise ParseError(str(error)) from None


class _NotJson(Exception):
    """NaN or Infinity, which the standard parser would take."""


def _refuse(word: str) -> Any:
    raise _NotJson(word)


def _integer(digits: str) -> float:
    return -0.0 if digits == "-0" else int(digits)


def _decoded(source: Any) -> str:
    try:
        return str(source, "utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        raise _error(f"this is not UTF-8: {error.reason}", *_line_and_column(before)) from None


def _line_and_column(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _error(reason: str, line: int, column: int) -> ParseError:
    return ParseError(f"line {line}, column {column}: {reason}", line=line, column=column)


def unparsed(value: Any) -> Any:
    """What the text would have been parsed to that a Python value was made from, by `json.loads` or another parser."""
    if isinstance(value, Mapping):
        return tuple((name, unparsed(each)) for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return list(map(unparsed, value))
    if type(value) in (bool, int, float, complex) or not isinstance(value, Number):
        return value
    number: Any = value
    return int(number) if isinstance(value, Integral) else float(number)
