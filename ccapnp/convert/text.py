"""Structs and lists as text: as the official tool prints them, and as `str` and `repr` do.

Each reads the message anew, under a limit that starts afresh: printing a message never brings its reader nearer to the
traversal limit.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Callable

from ccapnp.convert.entries import bool_text, entries_of
from ccapnp.convert.floats import float64_text
from ccapnp.convert.line_breaks import PRETTY, SHORT
from ccapnp.convert.printer import ForgivingPrinter, Printer
from ccapnp.convert.quoting import quote_data, quote_text
from ccapnp.convert.sketch import SketchPrinter
from ccapnp.errors import LimitError, shown
from ccapnp.types import lists
from ccapnp.types.enums import Enum, schema_name
from ccapnp.types.struct_view import StructBuilder, StructView
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS, Limits

__all__ = ["list_repr", "struct_repr", "to_display", "to_text", "value_text"]

MIN_ROOM = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS << 3
"""How many characters a text of any message may have."""

_TOP_ERRORS = (ValueError, RecursionError)
"""What may be raised before the first field: the memory has been released, or there is hardly a stack left."""


def to_text(value: Any, pretty: bool = False) -> str:
    """A struct's or list's reader or builder as `capnp decode --short` prints it; if ``pretty``, without ``--short``.

    Null pointers are left out, AnyPointers and capabilities have no readable form.  A byte of a Text that is not valid
    UTF-8 is an octal escape.  Raises DecodeError for a message that cannot be read, and LimitError if its text would
    have more characters than bytes may be traversed (but at least 64 Mi).
    """
    if not isinstance(value, (StructView, lists.ListReader)):
        raise TypeError(f"what has a text is a reader or builder of a struct or list, not {shown(value)}")
    try:
        return _print(partial(Printer, line_breaks=PRETTY if pretty else SHORT), value)
    except RecursionError:
        raise LimitError.of_stack() from None


def value_text(value: Any, pretty: bool = False) -> str:
    """The text of any value that a field or constant can have."""
    if isinstance(value, (StructView, lists.ListReader)):
        return to_text(value, pretty)
    if isinstance(value, str):
        return quote_text(value.encode())
    if isinstance(value, bytes):
        return quote_data(value)
    if isinstance(value, Enum):
        return schema_name(value)
    if isinstance(value, bool):
        return bool_text(value)
    if value is None:
        return "void"
    return float64_text(value) if isinstance(value, float) else str(value)


def to_display(value: Any) -> str:
    """As `to_text`, but what cannot be read is marked in the text, which ends in ``...`` if it is too long."""
    try:
        return _print(ForgivingPrinter, value)
    except _TOP_ERRORS as error:
        return f"<error: {error}>"


def struct_repr(view: Any) -> str:
    """What `repr` shows of a struct; never an error, and never much, whatever the message."""
    role = "builder" if isinstance(view, StructBuilder) else "reader"
    node, cls = view._type._node, view._type
    name = f"{node.file_name}:{cls.__qualname__}" if cls._environment else node.display_name
    return f"<{name} {role} {_sketch(view)}>"


def list_repr(values: Any) -> str:
    """What `repr` shows of a list."""
    role = "builder" if isinstance(values, lists.ListBuilder) else "reader"
    return f"<{values._type.name} {role} {_sketch(values)}>"


def _sketch(value: Any) -> str:
    try:
        return _print_with(SketchPrinter(), _read_anew(value, None))
    except _TOP_ERRORS as error:
        return f"<error: {error}>"


def _print(make_printer: Callable[[float], Printer], value: Any) -> str:
    words = value._c.limits.traversal_limit_in_words if hasattr(value, "_c") else None
    room = float("inf") if words is None else max(words << 3, MIN_ROOM)
    return _print_with(make_printer(room), _read_anew(value, words))


def _print_with(printer: Printer, value: Any) -> str:
    if isinstance(value, StructView):
        return printer.struct(entries_of(value._type), value, 1, bare=True)
    return printer.sequence(value, 1, bare=True)


def _read_anew(value: Any, words: int | None) -> Any:
    """A reader of the same struct or list, under a traversal limit of its own."""
    shape = getattr(value, "_c", None)
    if shape is None:
        return value  # a list of plain values, which leads nowhere
    anew = shape.reopen(Limits(words, shape.depth))
    if isinstance(value, StructView):
        return value._type.Reader._at(anew, value._w)
    return value._over(anew)
