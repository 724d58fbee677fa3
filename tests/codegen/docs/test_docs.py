"""Comments of the schema are the docstrings of the classes."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest


def test_the_file(module: Any) -> None:
    assert inspect.getdoc(module) == (
        'A file with """quotes""" and \\backslashes\\.\n\nAnother paragraph, é ♫:\n\n    indented = "code"'
    )


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("Plain", "One line."),
        ("Quoted", 'Ends with "quotes"'),
        ("Backslash", "Ends with a backslash \\"),
        ("Triple", '"""'),
        ("Percent", r"100% {braces} $dollars \N{BULLET} \x41 \u0041 #hash"),
        ("Color", "Of things."),
        ("Service", "Serves."),
        ("Outer", "Outside."),
        ("Outer.Group", "Grouped.\n\nIn lines."),
        ("Outer.Inner", "Inside."),
        ("Control", "bell \a, and form feed \f, line separator \u2028, end"),
    ],
)
def test_declarations(module: Any, name: str, doc: str) -> None:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part)
    assert inspect.getdoc(found) == doc


def test_schemas_have_the_comments_of_declarations_alone(module: Any) -> None:
    """A loaded module has those of fields, too; a generated one would have to be larger for them."""
    assert module.Plain.schema.doc == "One line." and module.Service.schema.doc == "Serves."
    assert module.Color.schema.doc == "Of things." and module.Nothing.schema.doc is None
    assert module.Color.schema.enumerants["red"].doc is None


def test_no_comment_is_no_docstring(module: Any) -> None:
    assert module.Nothing.__doc__ is None


def test_members_are_explained_in_the_source(generated: Path) -> None:
    text = (generated / "docs_capnp.py").read_text(encoding="utf-8")
    assert '        red = 0\n    """Like a rose."""\n' in text.replace("    red", "        red")
    assert 'number = 1\n"""A number."""\n' in text


def test_the_stub_has_them_too(generated: Path) -> None:
    text = (generated / "docs_capnp.pyi").read_text(encoding="utf-8")
    for doc in ("One line.", "Like a rose.", "A field.", "A number."):
        assert doc in text
