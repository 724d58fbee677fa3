"""The tool accepts exactly the statements that the parser accepts, but for a few on which the parser is stricter."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.compiler.parsing import messages
from tests.compiler.snippets import ACCEPTED, FAULTY, PRELUDE, STRICTER


def tool_accepts(tool: str, folder: Path, text: bytes) -> bool:
    path = folder / "test.capnp"
    path.write_bytes(PRELUDE.encode() + text)
    return subprocess.run([tool, "compile", "-o-", path], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("text", ACCEPTED)
@pytest.mark.conformance("LEX-04")
def test_accepted(text: str) -> None:
    assert messages(PRELUDE + text) == []


@pytest.mark.parametrize("text", FAULTY)
def test_faulty(text: str) -> None:
    assert messages(PRELUDE + text) != []


@pytest.mark.parametrize("text", STRICTER)
def test_stricter(text: bytes) -> None:
    assert messages(PRELUDE.encode() + text) != []


def test_the_tool_has_the_same_verdicts(capnp_tool: str, tmp_path: Path) -> None:
    verdicts = {text: tool_accepts(capnp_tool, tmp_path, text.encode()) for text in (*ACCEPTED, *FAULTY)}
    assert [text for text in ACCEPTED if not verdicts[text]] == []
    assert [text for text in FAULTY if verdicts[text]] == []
    assert [text for text in STRICTER if not tool_accepts(capnp_tool, tmp_path, text)] == []
