"""What is wrong with a schema: all of it, with the place in the source."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple, Optional

from ccapnp.errors import SchemaError
from ccapnp.language.syntax import Span

__all__ = ["Diagnostic", "Diagnostics", "Source"]


class Source:
    """The text of one schema file; ``name`` is what messages call it."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        at = self.data.find(b"\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.data.find(b"\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """(line, column) of a byte, both counted from 1; a column counts characters."""
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        return line, len(self.data[start:offset].decode("utf-8", "replace")) + 1

    def line(self, number: int) -> str:
        """A line without its end."""
        start = self._line_starts[number - 1]
        end = self.data.find(b"\n", start)
        return self.data[start : end if end >= 0 else len(self.data)].decode("utf-8", "replace").rstrip("\r")


# Characters of a line that a message shows: a generated schema may be all one line.
MAX_SHOWN = 160


class Diagnostic(NamedTuple):
    """One fault."""

    source: Source
    span: Span
    message: str

    def __str__(self) -> str:
        """``file:line:column: error: message``, the line, and a caret below its place."""
        line, column = self.source.position(self.span.start)
        text = self.source.line(line)
        last_line, last_column = self.source.position(max(self.span.start, self.span.end))
        width = max(1, (last_column if last_line == line else len(text) + 1) - column)
        first = max(0, column - 1 - MAX_SHOWN // 2) if len(text) > MAX_SHOWN else 0
        # What is not a schema at all may hold what a terminal obeys.
        shown = "".join(
            each if each.isprintable() or each == "\t" else "\ufffd" for each in text[first : first + MAX_SHOWN]
        )
        margin = "".join("\t" if each == "\t" else " " for each in text[first : column - 1])
        caret = "^" * max(1, min(width, len(shown) - len(margin)))
        return f"{self.source.name}:{line}:{column}: error: {self.message}\n{shown}\n{margin}{caret}"


class Diagnostics:
    """All faults that were found so far, each once."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._seen: set[tuple[str, Span, str]] = set()

    def report(self, source: Source, span: Span, message: str) -> None:
        """Note a fault, and go on."""
        key = (source.name, span, message)
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(Diagnostic(source, span, message))

    def check(self) -> None:
        """SchemaError with all that was found, if there was anything."""
        error = self.error()
        if error is not None:
            raise error

    def error(self) -> Optional[SchemaError]:
        """The error that has all that was found in its text, and the first one's place in its attributes."""
        if not self.found:
            return None
        ordered = sorted(self.found, key=lambda each: (each.source.name, each.span))
        line, column = ordered[0].source.position(ordered[0].span.start)
        return SchemaError("\n".join(map(str, ordered)), file=ordered[0].source.name, line=line, column=column)
