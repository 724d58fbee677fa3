"""Printing structs and lists as text, by capnp's own rules (stringify.c++).

A printer walks over pointers, not over the values that a user sees: it must tell null pointers from others, print text
that is not valid UTF-8, and, in `ForgivingPrinter`, go on behind what cannot be read.
"""

from __future__ import annotations

from typing import Any, Callable

from ccapnp.convert.entries import Entry, StructEntries, bool_text, entries_of
from ccapnp.convert.floats import float32_text, float64_text
from ccapnp.convert.line_breaks import SHORT, LineBreaks
from ccapnp.convert.quoting import quote_data, quote_text
from ccapnp.errors import CapnpError, LimitError
from ccapnp.types import list_kinds
from ccapnp.types.enums import schema_name
from ccapnp.types.interface import InterfacePointer
from ccapnp.types.list_types import ListType, StructListType
from ccapnp.types.pointer_types import DATA, TEXT, PointerType
from ccapnp.types.struct_pointer import StructPointer

__all__ = ["ForgivingPrinter", "Printer"]

_SMALLEST_ELEMENT = 3
"""Characters of "0, "."""

_OPAQUE = "<opaque pointer>"
"""What is printed for all that has no type."""

_NUMBER_TEXTS: dict[str, Callable[[Any], str]] = {"Float32": float32_text, "Float64": float64_text}


class Printer:
    """Prints one text of up to about ``room`` characters; what cannot be read, or has no room, is an error."""

    def __init__(self, room: float = float("inf"), line_breaks: LineBreaks = SHORT) -> None:
        self.room = room
        self.line_breaks = line_breaks

    # ---- what is done where a text cannot go on

    def failed(self, error: Exception, part: str, type_name: str) -> str:
        """What is printed for a field or element that cannot be read."""
        raise error.inside(part, type_name) if isinstance(error, CapnpError) else error

    def more(self, count: int, what: str) -> str:
        """What is printed for ``count`` further elements, fields or bytes."""
        raise LimitError(
            "the text of this message is too long; pass a larger traversal_limit_in_words if you trust the message",
            option="traversal_limit_in_words",
        )

    def how_many(self, count: int) -> int:
        """How many elements of a list of ``count`` are printed at most."""
        if count * _SMALLEST_ELEMENT > self.room:
            self.more(count, "elements")
        return count

    def unknown_member(self, tag: int) -> list[str]:
        """What is printed for a union whose active member the schema does not know."""
        return []

    def spend(self, text: str) -> str:
        """``text``, after taking the room for it and for what separates it from the next."""
        self.room -= len(text) + 2
        return text

    # ---- structs and what pointers lead to

    def struct(self, entries: StructEntries, view: Any, level: int, *, bare: bool) -> str:
        """The struct that the reader ``view`` is of.

        ``level`` counts the brackets around its fields; ``bare`` is as for `LineBreaks.join`.
        """
        self.room -= 2
        items: list[str] = []
        active = entries.active(view)
        for index, entry in enumerate(active):
            if self.room <= 0:
                items.append(self.more(len(active) - index, "fields"))
                break
            text = self._field(entry, entries.type_name, view, level + 1)
            if text is not None:
                self.room -= len(entry.name) + 3
                items.append(f"{entry.name} = {text}")
        tag = entries.unknown_tag(view)
        if tag is not None:
            items += self.unknown_member(tag)
        return f"({self.line_breaks.join(items, level, bare=bare, record=True)})"

    def _field(self, entry: Entry, type_name: str, view: Any, level: int) -> Any:
        try:
            return entry.text(self, view, level)
        except (CapnpError, RecursionError) as error:
            return self.failed(error, entry.name, type_name)

    def pointer(self, pointer_type: PointerType, shape: Any, at: int, level: int, *, bare: bool) -> str:
        """What the pointer at word ``at``, reached through ``shape``, leads to; a null one leads to something empty."""
        if pointer_type is TEXT:
            return self.spend(self.quoted_text(shape.read_text_bytes(at) or b""))
        if pointer_type is DATA:
            return self.spend(self.quoted_data(shape.read_data(at) or b""))
        if isinstance(pointer_type, StructPointer):
            value = pointer_type.read(shape, at)
            entries = entries_of(pointer_type.struct_type)
            return self.struct(entries, pointer_type.absent() if value is None else value, level, bare=bare)
        if isinstance(pointer_type, ListType):
            values = pointer_type.read(shape, at)
            return self.sequence(pointer_type.absent() if values is None else values, level, bare=bare)
        if isinstance(pointer_type, InterfacePointer):
            shape.read_capability(at)
            return self.spend("<external capability>")
        return self.spend(_OPAQUE)

    def quoted_text(self, data: Any) -> str:
        """A Text, given as its bytes."""
        return quote_text(data)

    def quoted_data(self, data: Any) -> str:
        """A Data."""
        return quote_data(data)

    # ---- lists

    def sequence(self, values: Any, level: int, *, bare: bool) -> str:
        """The list ``values``."""
        self.room -= 2
        count = len(values)
        shown = self.how_many(count)
        if isinstance(values, list_kinds.StructList) and isinstance(values._type, StructListType):
            items = self._structs(values, shown, level + 1)
        elif isinstance(values, list_kinds.PointerList):
            items = self._pointers(values, shown, level + 1)
        else:
            items = _plain_elements(values, shown)
            self.room -= sum(map(len, items)) + 2 * len(items)
        if len(items) < count:
            items.append(self.more(count - len(items), "elements"))
        return f"[{self.line_breaks.join(items, level, bare=bare, record=False)}]"

    def _structs(self, values: Any, shown: int, level: int) -> list[str]:
        entries = entries_of(values._type.struct_type)
        items: list[str] = []
        for index in range(shown):
            if self.room <= 0:
                break
            try:
                items.append(self.struct(entries, values._item(index), level, bare=True))
            except (CapnpError, RecursionError) as error:
                items.append(self.failed(error, f"[{index}]", values._type.name))
        return items

    def _pointers(self, values: Any, shown: int, level: int) -> list[str]:
        pointer_type = values._type.pointer_type
        items: list[str] = []
        for index in range(shown):
            if self.room <= 0:
                break
            try:
                at = values._w + index * values._step
                items.append(self.pointer(pointer_type, values._c, at, level, bare=True))
            except (CapnpError, RecursionError) as error:
                items.append(self.failed(error, f"[{index}]", values._type.name))
        return items


def _plain_elements(values: Any, shown: int) -> list[str]:
    """The texts of the first ``shown`` elements of a list without pointers."""
    if isinstance(values, list_kinds.NumberList):
        return list(map(_NUMBER_TEXTS.get(values._type.element_name, str), values._view[:shown].tolist()))
    if isinstance(values, list_kinds.VoidList):
        return ["void"] * shown
    if isinstance(values, list_kinds.StructList):
        return [_OPAQUE] * shown
    items = [values._item(index) for index in range(shown)]
    return [bool_text(item) if isinstance(item, bool) else schema_name(item) for item in items]


class ForgivingPrinter(Printer):
    """Marks what cannot be read and goes on; ends with ``...`` where there is no more room."""

    def failed(self, error: Exception, part: str, type_name: str) -> str:
        reason = "nested too deeply to be printed" if isinstance(error, RecursionError) else str(error)
        return self.spend(f"<error: {reason.partition(';')[0]}>")

    def more(self, count: int, what: str) -> str:
        return f"... {count} more" if what == "elements" else "..."

    def how_many(self, count: int) -> int:
        return int(min(count, max(self.room, 0) // _SMALLEST_ELEMENT))
