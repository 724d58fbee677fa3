"""Forms that a user gives to a type, or to one field."""

from __future__ import annotations

from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, Any, Callable

from ccapnp.convert.floats import float64_text
from ccapnp.convert.json.forms import Form
from ccapnp.convert.json.items import pass_over
from ccapnp.errors import EncodeTypeError, shown

if TYPE_CHECKING:
    from ccapnp.convert.json.writer import Writer

__all__ = ["HandlerForm"]


class HandlerForm(Form):
    """Values that two functions turn into what `json.dumps` takes, and back."""

    is_standard = False

    def __init__(self, encode: Callable[[Any], Any], decode: Callable[[Any], Any]) -> None:
        self._encode = encode
        self._decode = decode

    def text(self, writer: Writer, value: Any, level: int, is_value: bool) -> str:
        return _text(writer, self._encode(value), level, is_value)

    def parse(self, item: Any, room: int) -> Any:
        pass_over(item, room)
        return self._decode(_plain(item))


def _text(writer: Writer, item: Any, level: int, is_value: bool) -> str:
    if item is None or isinstance(item, bool):
        return {None: "null", True: "true", False: "false"}[item]
    if isinstance(item, str):
        return quote(item)
    if isinstance(item, (int, float)):
        return float64_text(item) if isinstance(item, float) else str(int(item))
    if isinstance(item, (list, tuple, dict)):
        inner = level + (len(item) > 1)
        if isinstance(item, dict):
            items = [
                f"{quote(str(name))}{writer.breaks.colon}{_text(writer, each, inner, True)}"
                for name, each in item.items()
            ]
            return writer.breaks.join(items, level, "{}", is_value)
        return writer.breaks.join([_text(writer, each, inner, False) for each in item], level, "[]", is_value)
    raise EncodeTypeError(f"a handler gave {shown(item)}, which is not JSON")


def _plain(item: Any) -> Any:
    """A parsed value with dicts for its objects."""
    if isinstance(item, tuple):
        return {name: _plain(each) for name, each in item}
    return [_plain(each) for each in item] if isinstance(item, list) else item
