"""PyPy, which has cffi built in: the extension is built there, and the pure wheel works."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.install.environments import Environment, build_wheel, environ, missing
from tests.test_example import PRINTED


@pytest.fixture(scope="module")
def pypy(work: Path) -> Environment:
    """A new environment of PyPy, with the pip that comes with it."""
    program = shutil.which("pypy3")
    if program is None:
        missing("there is no pypy3 here")
    folder = work / "pypy-venv"
    made = subprocess.run([program, "-m", "venv", str(folder)], env=environ(), check=False)
    if made.returncode != 0:
        missing("this pypy3 makes no virtual environments")
    return Environment(folder)


def install(pypy: Environment, wheel: Path) -> None:
    pypy.run("-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall", str(wheel))


def test_native(pypy: Environment, sdist: Path, tmp_path: Path, examples: Path, index: None, toolchain: None) -> None:
    wheel = build_wheel(sdist, tmp_path / "wheel", python=pypy.python, CCAPNP_BUILD="require").built()
    assert "-pp3" in wheel.name
    install(pypy, wheel)
    assert pypy.evaluate("ccapnp.backend_info().name") == "native"
    assert pypy.example(examples) == PRINTED.decode()


def test_pure(pypy: Environment, pure_wheel: Path, examples: Path) -> None:
    install(pypy, pure_wheel)
    assert pypy.evaluate("ccapnp.backend_info().name") == "pure"
    assert pypy.example(examples) == PRINTED.decode()
