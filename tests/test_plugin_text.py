"""Comments as docstrings: whatever a comment holds, Python reads it back."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccapnp.plugin.text import comment, docstring

DOCS = st.lists(st.one_of(st.sampled_from("\"'\\\n\r\t\f {}#x"), st.text(max_size=3))).map("".join)


@given(DOCS, st.sampled_from(["", "    "]))
@example('"""', "")
@example('""""', "    ")
@example('a"\n"b"', "    ")
@example("\\", "")
@example('\\"', "")
@example("a\r\nb\r\n", "")
def test_docstrings_read_back(doc: str, indent: str) -> None:
    lines = docstring(doc, indent)
    if not lines:
        assert not doc.strip()
        return
    source = "\n".join(lines) if not indent else "\n".join(["class X:", *lines])
    tree = ast.parse(source.encode())
    found = ast.get_docstring(tree if not indent else tree.body[0], clean=False)  # type: ignore[arg-type]
    wanted = [line.rstrip(" \t") for line in doc.replace("\r\n", "\n").strip("\n").split("\n")]
    if len(wanted) > 1:
        wanted.append("")
        wanted[1:] = [
            indent + line if line or number == len(wanted) - 2 else "" for number, line in enumerate(wanted[1:])
        ]
    assert found == "\n".join(wanted)
    assert not any(line.endswith((" ", "\t")) for line in lines)


@pytest.mark.parametrize("text", ["a\nimport os", "a\rb", "a\x0cb", "a\u2028b", "\x00"])
def test_comments_stay_on_their_line(text: str) -> None:
    assert len(comment(text).splitlines()) == 1
    assert not ast.parse(comment(text)).body
