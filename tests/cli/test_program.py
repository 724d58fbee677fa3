"""The program as a whole: its help, its errors, how it ends, and what it imports."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ccapnp._version import __version__
from ccapnp.cli.main import main
from tests.cli.running import COMMAND, hear_interrupts, ours

COMMANDS = ["compile", "completion", "convert", "decode", "encode", "eval", "id"]


def test_id() -> None:
    found = set()
    for _ in range(20):
        match = re.fullmatch(r"@(0x[89a-f][0-9a-f]{15});\n", ours(["id"]).out.decode())
        assert match is not None
        found.add(match[1])
    assert len(found) == 20


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(command: str) -> None:
    status, out, error = ours([command, "--help"])
    assert (status, error) == (0, "")
    assert out.startswith(f"usage: ccapnp {command} ".encode())
    assert command.encode() in ours(["--help"]).out


def test_help_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["--help"], *([command, "--help"] for command in COMMANDS)):
        assert max(map(len, ours(arguments).out.decode().splitlines())) <= 99


def test_an_option_means_the_same_everywhere() -> None:
    """Its help has the same words wherever it is, but for -o, -p and --flat, which are about what is written."""
    helps: dict[str, set[str]] = {}
    for command in ("convert", "decode", "encode", "eval"):
        text = " ".join(ours([command, "--help"]).out.decode().partition("show this help")[2].split())
        for each in re.split(r" (?=-I|--[a-z]+(?:-[a-z]+)* )", text):
            helps.setdefault(each.partition(" ")[0], set()).add(each)
    for option in ("--input", "--output", "--short", "--segment-size", "--color", "--no-standard-import", "--progress"):
        assert len(helps[option]) == 1, helps[option]


def test_version() -> None:
    assert ours(["--version"]) == (0, f"ccapnp {__version__}\n".encode(), "")


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["id", "x"], ["completion"], ["completion", "nonsense"]])
def test_wrong_usage(arguments: list[str]) -> None:
    status, out, error = ours(arguments)
    assert (status, out) == (2, b"") and "usage: ccapnp" in error


def test_as_a_module() -> None:
    done = subprocess.run([*COMMAND, "id"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("@0x")


def test_a_broken_pipe_is_no_fault_of_ours(tmp_path: Path) -> None:
    """The status is what a shell gives for a program that has ended by it."""
    (tmp_path / "x.capnp").write_text("@0xd000000000000021; struct T { n @0 :Int32; }")
    for arguments in (["id"], ["convert", "text:json", str(tmp_path / "x.capnp"), "T"]):
        reading, writing = os.pipe()
        os.close(reading)
        command = [*COMMAND, *arguments]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE) as process:
            os.close(writing)
            error = process.communicate(b"(n = 1)" * 10_000)[1]
        assert (process.returncode, error) == (141, b"")


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does")
def test_an_interrupt_ends_it_quietly() -> None:
    with subprocess.Popen(
        [*COMMAND, "convert", "binary:packed"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts,  # noqa: PLW1509  # no threads run here
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(bytes([0, 0, 0, 0, 1, 0, 0, 0]) + bytes(8))
        process.stdin.flush()
        assert process.stdout.read(1)  # it runs, and waits for more
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == b""


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("too deep"), OSError("disk")])
def test_whatever_fails_there_is_no_traceback(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def failing(arguments: object) -> int:
        raise error

    monkeypatch.setattr("ccapnp.cli.id.run", failing)
    status, out, said = ours(["id"])
    assert (status, out) == (1, b"") and said == f"ccapnp id: error: {str(error) or 'MemoryError'}\n"


def imported(*arguments: str) -> set[str]:
    """The modules that a run imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], *arguments], input=b"", capture_output=True, check=False
    )
    lines = (line for line in done.stderr.decode().splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip() for line in lines}


def test_no_more_is_imported_than_is_needed() -> None:
    assert not {"ccapnp.compiler.compile", "ccapnp.cli.convert", "rich", "json"} & imported("--version")
    plain = imported("convert", "binary:packed")
    assert not {"ccapnp.compiler.compile", "ccapnp.convert.json.codec", "ccapnp.convert.text", "rich"} & plain


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(shell: str) -> None:
    pytest.importorskip("shtab")
    script = ours(["completion", shell]).out.decode()
    assert all(word in script for word in (*COMMANDS, "segment-size" if shell != "tcsh" else "convert"))
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_completion_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert "pip install 'ccapnp[cli]'" in ours(["completion", "bash"]).error


def test_main_takes_arguments() -> None:
    assert main(["id"]) == 0
