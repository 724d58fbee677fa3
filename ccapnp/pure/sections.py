"""The sections of a struct as one `struct.Struct`: of those that are as large as their schema has it, as most are.

To unpack all that a struct has in one go takes a fraction of the time that each number would take for itself.
"""

from __future__ import annotations

from typing import Optional

from ccapnp.wire.layout import StructLayout

__all__ = ["Sections"]

_SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}


class Sections:
    """Parts of the sections, each under the name of a variable, or an expression, that holds it."""

    def __init__(self, layout: StructLayout) -> None:
        self.size_bytes = layout.data_words + layout.pointers << 3
        self._parts: dict[tuple[int, str], str] = {}

    def part(self, start: int, letter: str) -> str:
        """The variable for what is at byte ``start``, a number of this format."""
        return self._parts.setdefault((start, letter), f"x{len(self._parts)}")

    def put(self, start: int, letter: str, expression: str) -> None:
        """Note what is to be at byte ``start``; what is put at one place several times, as bits are, is added."""
        known = self._parts.get((start, letter))
        self._parts[start, letter] = expression if known is None else f"{known} | {expression}"

    def names(self) -> list[str]:
        """The variables or expressions, in the order in which they are packed."""
        return [self._parts[key] for key in sorted(self._parts)]

    def format(self) -> Optional[str]:
        """The format of all of it; ``None`` if parts overlap or do not fit, as those of a wrong schema may."""
        made, position = ["<"], 0
        for start, letter in sorted(self._parts):
            if start < position:
                return None
            made.append(f"{start - position}x{letter}")
            position = start + _SIZES[letter]
        return None if position > self.size_bytes else f"{''.join(made)}{self.size_bytes - position}x"
