"""What the tests of the parser share."""

from __future__ import annotations

from collections.abc import Iterator

from ccapnp.language.diagnostics import Diagnostics, Source
from ccapnp.language.parser import parse
from ccapnp.language.syntax import Declaration, File

__all__ = ["messages", "parsed", "places", "walk"]


def parse_text(text: str | bytes) -> tuple[File, Diagnostics]:
    diagnostics = Diagnostics()
    source = Source("test.capnp", text if isinstance(text, bytes) else text.encode())
    return parse(source, diagnostics), diagnostics


def parsed(text: str) -> File:
    """The tree of a text without faults."""
    file, diagnostics = parse_text(text)
    assert [str(each) for each in diagnostics.found] == []
    return file


def messages(text: str | bytes) -> list[str]:
    """What is wrong with a text."""
    return [each.message for each in parse_text(text)[1].found]


def places(text: str) -> list[tuple[int, str]]:
    """The line of each fault, and the text that it points at."""
    found = parse_text(text)[1].found
    data = text.encode()
    return [
        (each.source.position(each.span.start)[0], data[each.span.start : each.span.end].decode()) for each in found
    ]


def walk(declaration: Declaration) -> Iterator[Declaration]:
    """A declaration and all those within."""
    yield declaration
    for each in declaration.nested:
        yield from walk(each)
