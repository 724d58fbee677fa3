"""Where a text's line breaks are: in one line, or as the official pretty printer sets it."""

from __future__ import annotations

from typing import Protocol

__all__ = ["PRETTY", "SHORT", "LineBreaks"]

_MAX_INLINE_ITEM = 24
_MAX_INLINE_RECORD = 64


class LineBreaks(Protocol):
    """Joins the items of a list, or the fields of a struct, between its brackets."""

    def join(self, items: list[str], level: int, *, bare: bool, record: bool) -> str:
        """``level`` counts the brackets around the items, these included.

        ``bare`` is a struct or list that stands for itself, not behind the name of a field.  ``record`` is a struct.
        """
        ...


class Short:
    """Everything in one line."""

    def join(self, items: list[str], level: int, *, bare: bool, record: bool) -> str:
        return ", ".join(items)


class Pretty:
    """Small items in one line, others in a line each (capnp's stringify.c++, ``prettyPrint``).

    Lengths are in bytes of UTF-8, so that a text with other characters breaks earlier.
    """

    def join(self, items: list[str], level: int, *, bare: bool, record: bool) -> str:
        if _fits_inline(items, record):
            return ", ".join(items)
        indent = "\n" + "  " * level
        return f"{' ' if bare else indent}{f',{indent}'.join(items)} "


def _fits_inline(items: list[str], record: bool) -> bool:
    total = 0
    for item in items:
        size = len(item) if item.isascii() else len(item.encode())
        total += size
        if size > _MAX_INLINE_ITEM or "\n" in item or (record and total > _MAX_INLINE_RECORD):
            return False
    return True


SHORT = Short()
PRETTY = Pretty()
