"""Colors and the progress of long inputs: on a terminal, and nowhere else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Sample
from tests.cli.running import COMMAND, ours

_CODES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)


def on_terminal(arguments: list[str], data: Path, **environment: str) -> bytes:
    """What a run writes to standard output and error if both are a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    with open(data, "rb") as file:
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=file,
            stdout=follower,
            stderr=follower,
            env={**os.environ, "TERM": "xterm", **environment},
        )
    os.close(follower)
    found = b""
    try:
        while chunk := os.read(leader, 1 << 16):
            found += chunk
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert process.wait() == 0, found
    return found.replace(b"\r\n", b"\n")


@pytest.fixture
def message(people: Sample, tmp_path: Path) -> Path:
    """The file of one message."""
    (tmp_path / "message").write_bytes(people.messages[0])
    return tmp_path / "message"


@pytest.mark.parametrize("format", ["text", "json"])
def test_colors_are_added_and_nothing_else(people: Sample, message: Path, format: str) -> None:
    pytest.importorskip("rich")
    arguments = ["convert", f"binary:{format}", *people.typed]
    plain = ours(arguments, message.read_bytes()).out
    assert not _CODES.search(plain)
    colored = ours([*arguments, "--color=always"], message.read_bytes()).out
    assert _CODES.search(colored) and _CODES.sub(b"", colored) == plain
    shown = on_terminal(arguments, message)
    assert _CODES.search(shown) and _CODES.sub(b"", shown) == plain
    assert on_terminal([*arguments, "--color=never"], message) == plain
    assert on_terminal(arguments, message, NO_COLOR="1") == plain


def test_long_lines_stay_lines(people: Sample) -> None:
    pytest.importorskip("rich")
    arguments = ["convert", "--short", "binary:json", *people.typed]
    plain = ours(arguments, people.messages[4]).out
    assert _CODES.sub(b"", ours([*arguments, "--color=always"], people.messages[4]).out) == plain


def test_binary_is_never_colored(people: Sample) -> None:
    data = people.messages[0]
    assert ours(["convert", "binary:binary", "--color=always"], data).out == data


def test_without_rich_there_are_no_colors(people: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    from ccapnp.cli import terminal

    monkeypatch.setitem(sys.modules, "rich.console", None)
    terminal._console.cache_clear()
    arguments = ["convert", "binary:text", *people.typed]
    try:
        assert ours([*arguments, "--color=always"], people.messages[0]) == ours(arguments, people.messages[0])
    finally:
        terminal._console.cache_clear()


def test_progress_is_shown_on_a_terminal_alone(people: Sample, message: Path) -> None:
    pytest.importorskip("rich")
    arguments = ["convert", "--color=never", "binary:json", *people.typed]
    plain = ours(arguments, message.read_bytes())
    assert ours([*arguments, "--progress", f"--input={message}"]) == plain
    shown = on_terminal([*arguments, "--progress"], message)
    assert _CODES.search(shown) and plain.out.strip() in _CODES.sub(b"", shown)
