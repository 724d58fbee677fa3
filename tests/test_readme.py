"""The README's promises: every Python snippet runs, in order, in a folder with the module it imports."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import ccapnp

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_schema_is_the_example_s() -> None:
    assert snippets("capnp") == [(ROOT / "examples" / "addressbook.capnp").read_text()]


@pytest.mark.parametrize("files", [["addressbook.capnp"], ["addressbook.capnp", "addressbook_capnp.py"]])
def test_every_python_snippet_runs(tmp_path: Path, files: list[str]) -> None:
    """Also where the module that the import hook makes has been generated."""
    for name in files:
        shutil.copy(ROOT / "examples" / name, tmp_path)
    assert len(snippets("python")) >= 11
    has_numpy = find_spec("numpy") is not None
    tour = [snippet for snippet in snippets("python") if has_numpy or "import numpy" not in snippet]
    (tmp_path / "tour.py").write_text("\n".join(tour))
    command = [sys.executable, "-W", "error", "tour.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


SESSIONS = [snippet for snippet in snippets("console") if "$ ccapnp convert" in snippet]
COMMANDS = [
    line[2:]
    for snippet in snippets("console")
    for line in snippet.splitlines()
    if line.startswith("$ ") and snippet not in SESSIONS
]


@pytest.mark.parametrize("command", COMMANDS[1:])
def test_every_command_runs(tmp_path: Path, command: str) -> None:
    """But for ``pip install``, which is the tests of installation's."""
    assert COMMANDS[0] == "pip install ccapnp"
    shutil.copy(ROOT / "examples" / "addressbook.capnp", tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for program in ("capnpc-ccapnp", command.split(maxsplit=1)[0]):
        if shutil.which(program, path=path) is None:
            pytest.skip(f"{program} is not installed here")
    environment = {**os.environ, "PATH": path, "PWD": str(tmp_path)}
    subprocess.run(command.split(), cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "addressbook_capnp.py").exists() and (tmp_path / "addressbook_capnp.pyi").exists()


@pytest.mark.parametrize("session", SESSIONS)
def test_every_session_is_as_it_is_shown(tmp_path: Path, session: str) -> None:
    shutil.copy(ROOT / "examples" / "addressbook.capnp", tmp_path)
    program = tmp_path / "ccapnp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ccapnp "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    for part in re.findall(r"^\$ .*\n(?:(?!\$ ).*\n)*", session, re.MULTILINE):
        command, _, expected = part.partition("\n")
        done = subprocess.run(
            ["sh", "-c", command[2:]], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        assert (done.stdout, done.stderr) == (expected, "")


def test_there_is_a_session() -> None:
    assert SESSIONS


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`ccapnp\.(\w+)", README)) - {"errors"}))
def test_every_function_that_is_named_exists(name: str) -> None:
    assert hasattr(ccapnp, name)
