"""Whether a build makes the native extension: what CCAPNP_BUILD asks for, and what is here to build it with.

What is here is tried beforehand, on a small library that is built as the extension will be.  An extension that
setuptools tries to build and gives up leaves a wheel for one platform, with nothing in it that needs the platform.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Optional

from setuptools import Distribution, Extension
from setuptools.errors import BaseError, CCompilerError

MODES = ("auto", "require", "skip")

# Commands that build nothing.
METADATA = {"egg_info", "dist_info", "sdist"}

BUILDER = Path(__file__).resolve().parents[1] / "ccapnp" / "_build.py"

PROBE = """
#include <Python.h>
#include <capnp/message.h>

void probe() { capnp::MallocMessageBuilder message; }
"""

# Older releases of PyPy do not tell setuptools how a C++ extension is linked; newer ones tell it this.
sysconfig.get_config_vars().setdefault("LDCXXSHARED", "c++ -shared")

PYTHON_HEADERS = "pypy3-dev" if sys.implementation.name == "pypy" else "python3-dev"

ADVICE = f"""\
Debian, Ubuntu: apt-get install g++ libcapnp-dev pkg-config {PYTHON_HEADERS}
Fedora: dnf install gcc-c++ capnproto-devel pkgconf {PYTHON_HEADERS}el
macOS: xcode-select --install; brew install capnp pkgconf"""


def extension_wanted() -> bool:
    """Whether to build the extension.

    Where it cannot be built, "auto" says why on stderr, and "require" ends the build.
    """
    mode = os.environ.get("CCAPNP_BUILD", "auto")
    if mode not in MODES:
        sys.exit(f"CCAPNP_BUILD is {mode!r}, but must be one of {', '.join(MODES)}")
    if mode == "skip":
        return False
    missing = what_is_missing()
    if missing is None:
        return True
    if mode == "require":
        sys.exit(framed(f"CCAPNP_BUILD=require, but the native codec cannot be built: {missing}.\n{ADVICE}"))
    if not METADATA.intersection(sys.argv):
        text = f"ccapnp is installed without its native codec, and runs on Python alone: {missing}."
        print(framed(f"{text}\nTo have it, install what is missing, then ccapnp again.\n{ADVICE}"), file=sys.stderr)
    return False


def what_is_missing() -> Optional[str]:
    """The first thing that is needed for the extension and not here."""
    try:
        found = subprocess.run(["pkg-config", "--exists", "capnp >= 0.9"], check=False)
    except OSError:
        return "there is no pkg-config"
    if found.returncode != 0:
        return "pkg-config finds no libcapnp 0.9 or newer"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "there is no Python.h for this Python"
    try:
        load_probe()
    except (BaseError, CCompilerError) as error:
        return f"no C++ compiler builds a library that uses libcapnp ({error})"
    except OSError as error:
        return f"a library that uses libcapnp does not load ({error})"
    try:
        import cffi  # noqa: F401
    except ImportError as error:
        return f"cffi is not installed here ({error})"
    return None


def load_probe() -> None:
    """Build a small library as the extension will be built, by the same compiler with the same flags, and load it."""
    builder = runpy.run_path(str(BUILDER))
    with TemporaryDirectory() as folder:
        source = Path(folder, "probe.cc")
        source.write_text(PROBE)
        probe = Extension("probe", [str(source)], **builder["compiler_options"]())
        command = Distribution({"ext_modules": [probe]}).get_command_obj("build_ext")
        command.build_lib = command.build_temp = folder
        command.ensure_finalized()
        command.run()
        ctypes.CDLL(command.get_ext_fullpath("probe"))


def framed(text: str) -> str:
    """A text in a box."""
    lines = [wrapped for line in text.splitlines() for wrapped in textwrap.wrap(line, 76, break_on_hyphens=False)]
    bar = "+" + "-" * 78 + "+"
    return "\n".join([bar, *(f"| {line:76} |" for line in lines), bar])
