"""Messages from the text format, as the official tool encodes them (`capnp encode`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.convert.text_values import TextValues
from ccapnp.errors import LimitError, ParseError
from ccapnp.language.cursor import Cursor, Fault
from ccapnp.language.diagnostics import Diagnostics, Source
from ccapnp.language.expressions import expression
from ccapnp.language.lexer import END
from ccapnp.wire.framing import byte_view

if TYPE_CHECKING:
    from ccapnp.language.syntax import Expression
    from ccapnp.types.pointer_types import PointerType
    from ccapnp.types.struct_type import StructType

__all__ = ["from_text", "parse_text"]

NAME = "(capnp text input)"
"""What messages call a text that comes from no file."""


def from_text(text: Any, struct_type: StructType) -> Any:
    """A builder of a new message made from the text of a struct; ParseError with all that is wrong with it."""
    return struct_type.from_dict(parse_text(text, struct_type._pointer))


def parse_text(text: Any, pointer_type: PointerType, name: str = NAME) -> Any:
    """The value that a text has as that type, as a plain Python value; ParseError with all that is wrong."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else byte_view(text).tobytes()
    source = Source(name, data)
    diagnostics = Diagnostics()
    value = None
    try:
        found = _only_expression(Cursor(source, diagnostics))
        if found is not None:
            values = TextValues(lambda span, message: diagnostics.report(source, span, message))
            value = values.pointer(found, pointer_type)
    except RecursionError:
        raise LimitError.of_stack() from None
    error = diagnostics.error()
    if error is not None:
        raise ParseError(str(error), line=error.line, column=error.column) from None
    return value


def _only_expression(cursor: Cursor) -> Expression | None:
    try:
        found = expression(cursor)
        if cursor.kind != END:
            raise cursor.unexpected("nothing behind the value")
        return found
    except Fault as fault:
        cursor.report(fault)
        return None
