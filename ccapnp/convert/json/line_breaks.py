"""Where the line breaks of JSON are: nowhere, or as the official codec sets them (capnp/compat/json.c++)."""

from __future__ import annotations

__all__ = ["COMPACT", "PRETTY", "Compact", "Pretty"]

_MAX_INLINE_ITEM = 50


class Compact:
    """No white space at all."""

    colon = ":"
    indents = False

    def join(self, items: list[str], level: int, brackets: str, is_value: bool) -> str:
        """The items of an array or object between its brackets.

        ``level`` counts the arrays and objects around it that have more than one item; ``is_value`` is one that stands
        behind the name of a member.
        """
        return f"{brackets[0]}{','.join(items)}{brackets[1]}"


class Pretty(Compact):
    """Small items in one line, others in a line each."""

    colon = ": "
    indents = True

    def join(self, items: list[str], level: int, brackets: str, is_value: bool) -> str:
        if len(items) < 2 or all(map(_is_short, items)):
            return f"{brackets[0]}{', '.join(items)}{brackets[1]}"
        indent = "\n" + "  " * (level + 1)
        return f"{brackets[0]}{indent if is_value else ' '}{f',{indent}'.join(items)} {brackets[1]}"


def _is_short(item: str) -> bool:
    """Whether an item needs no line of its own; lengths are in bytes of UTF-8."""
    size = len(item) if item.isascii() else len(item.encode(errors="surrogatepass"))
    return size <= _MAX_INLINE_ITEM and "\n" not in item


COMPACT = Compact()
PRETTY = Pretty()
