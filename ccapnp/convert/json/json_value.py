"""Values of json.capnp's struct ``Value``, which are JSON themselves."""

from __future__ import annotations

from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, Any

from ccapnp.convert.floats import float64_text
from ccapnp.convert.json.forms import FLOAT64_FORM, Form
from ccapnp.convert.json.items import enter
from ccapnp.errors import EncodeTypeError, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccapnp.convert.json.writer import Writer

__all__ = ["JSON_VALUE"]


class _JsonValue(Form):
    is_standard = False

    def text(self, writer: Writer, value: Mapping[str, Any], level: int, is_value: bool) -> str:
        """``value`` is a Value as a dict: its union's active member."""
        for kind, inner in value.items():
            if kind == "boolean":
                return "true" if inner else "false"
            if kind == "number":
                return float64_text(inner)
            if kind == "string":
                return quote(inner or "")
            if kind == "raw":
                return inner or ""
            if kind == "array":
                return self._array(writer, inner or (), level, "[]", is_value)
            if kind == "object":
                inner = inner or ()
                deeper = level + (len(inner) > 1)
                items = [
                    f"{quote(each.get('name', ''))}{writer.breaks.colon}"
                    f"{self.text(writer, each.get('value', {}), deeper, True)}"
                    for each in inner
                ]
                return writer.breaks.join(items, level, "{}", is_value)
            if kind == "call":
                inner = inner or {}
                call = self._array(writer, inner.get("params") or (), level, "()", is_value)
                return f"{inner.get('function', '')}{call}"
        return "null"

    def _array(self, writer: Writer, values: Any, level: int, brackets: str, is_value: bool) -> str:
        items = self.texts(writer, values, level + (len(values) > 1))
        return writer.breaks.join(items, level, brackets, is_value)

    def parse(self, item: Any, room: int) -> dict[str, Any]:
        if item is None:
            return {"null": None}
        if isinstance(item, bool):
            return {"boolean": item}
        if isinstance(item, (int, float)):
            return {"number": FLOAT64_FORM.parse(item, room)}
        if isinstance(item, str):
            return {"string": item}
        if isinstance(item, list):
            room = enter(room)
            return {"array": [self.parse(each, room) for each in item]}
        if isinstance(item, tuple):
            room = enter(room)
            return {"object": [{"name": name, "value": self.parse(each, room)} for name, each in item]}
        raise EncodeTypeError(f"{shown(item)} is not a JSON value")


JSON_VALUE = _JsonValue()
