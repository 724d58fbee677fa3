"""Wheels built from the sdist, and clean virtual environments to install them in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Optional

import pytest

# Where the native build is required nothing may be missing, so that no test is skipped unseen.
REQUIRED = os.environ.get("CCAPNP_BUILD") == "require"


def missing(what: str) -> NoReturn:
    """Skip a test for want of something; fail it where all tests must run."""
    if REQUIRED:
        pytest.fail(what)
    pytest.skip(what)


def environ(**changes: str) -> dict[str, str]:
    """The environment without what would change a build or an import, and with ``changes``."""
    theirs = ("CC", "CXX", "PKG_CONFIG", "PYTHON")  # CCAPNP_BUILD and CCAPNP_BACKEND among them
    return {**{name: value for name, value in os.environ.items() if not name.startswith(theirs)}, **changes}


@dataclass
class Build:
    """How the building of a wheel went, and what is in the wheel's folder then."""

    output: str
    wheel: Optional[Path]

    def built(self) -> Path:
        """The wheel, where there must be one."""
        assert self.wheel is not None, self.output
        return self.wheel


def build_wheel(sdist: Path, folder: Path, *options: str, python: str = sys.executable, **changes: str) -> Build:
    """A wheel of an sdist, by pip; ``changes`` are to the environment."""
    command = [python, "-m", "pip", "wheel", "-v", "--no-deps", *options, "--wheel-dir", str(folder), str(sdist)]
    folder.mkdir()
    done = subprocess.run(command, cwd=folder, env=environ(**changes), capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    assert len(wheels) == (done.returncode == 0), done.stdout + done.stderr
    return Build(done.stdout + done.stderr, wheels[0] if wheels else None)


@dataclass
class Environment:
    """A virtual environment."""

    folder: Path

    @property
    def python(self) -> str:
        """The path of its Python."""
        return str(self.folder / "bin" / "python")

    def run(self, *arguments: str, input: bytes = b"", cwd: Optional[Path] = None, **changes: str) -> bytes:
        """What its Python prints."""
        command = [self.python, *arguments]
        done = subprocess.run(
            command, input=input, cwd=cwd or self.folder, env=environ(**changes), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def evaluate(self, expression: str, **changes: str) -> str:
        """What an expression with ccapnp gives, printed."""
        return self.run("-W", "error", "-c", f"import ccapnp; print({expression})", **changes).decode().strip()

    def example(self, folder: Path, **changes: str) -> str:
        """What the address book of ``folder`` prints, after writing and reading it."""
        script = str(folder / "addressbook.py")
        written = self.run("-W", "error", script, "write", **changes)
        return self.run("-W", "error", script, "read", input=written, **changes).decode()


def make_environment(folder: Path, *requirements: str, **changes: str) -> Environment:
    """A new environment of the Python under test, with what is to be installed in it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    environment = Environment(folder)
    pip = [sys.executable, "-m", "pip", "--python", environment.python, "install", "--quiet"]
    subprocess.run([*pip, *requirements], env=environ(**changes), check=True)
    return environment


def path_with(folder: Path, *programs: str) -> str:
    """A PATH on which there are just these programs."""
    folder.mkdir()
    for program in programs:
        path = shutil.which(program)
        if path is None:
            missing(f"there is no {program} here")
        (folder / program).symlink_to(path)
    return str(folder)
