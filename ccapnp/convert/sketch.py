"""The short form that `repr` shows of a value: of bounded size, and made in bounded time, whatever the value."""

from __future__ import annotations

from typing import Any

from ccapnp.convert.entries import StructEntries
from ccapnp.convert.printer import ForgivingPrinter
from ccapnp.convert.quoting import quote_data, quote_text, whole_characters

__all__ = ["SketchPrinter"]

_ROOM = 2000
_MAX_ELEMENTS = 16
_MAX_BYTES = 80
_MAX_LEVELS = 8


class SketchPrinter(ForgivingPrinter):
    """Prints the beginning of long lists, texts and data, and no more than a few levels of brackets."""

    def __init__(self) -> None:
        super().__init__(_ROOM)

    def more(self, count: int, what: str) -> str:
        return "..." if what == "fields" else f"... {count} more"

    def how_many(self, count: int) -> int:
        return min(count, _MAX_ELEMENTS)

    def unknown_member(self, tag: int) -> list[str]:
        return [f"<unknown union member {tag}>"]

    def struct(self, entries: StructEntries, view: Any, level: int, *, bare: bool) -> str:
        return "(...)" if level > _MAX_LEVELS else super().struct(entries, view, level, bare=bare)

    def sequence(self, values: Any, level: int, *, bare: bool) -> str:
        return "[...]" if level > _MAX_LEVELS else super().sequence(values, level, bare=bare)

    def quoted_text(self, data: Any) -> str:
        if len(data) <= _MAX_BYTES:
            return quote_text(data)
        cut = whole_characters(data, _MAX_BYTES)
        return f"{quote_text(data[:cut])}... {len(data) - cut} more bytes"

    def quoted_data(self, data: Any) -> str:
        if len(data) <= _MAX_BYTES:
            return quote_data(data)
        return f"{quote_data(data[:_MAX_BYTES])}... {len(data) - _MAX_BYTES} more bytes"
