"""The cffi builder of the extension `ccapnp.native._shim`; named in setup.py.

Needs a C++ compiler and libcapnp's headers, which pkg-config finds.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import sysconfig
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cffi import FFI

PACKAGE = Path(__file__).resolve().parent
NATIVE = PACKAGE / "native"
WARNINGS = ["-Wall", "-Wextra"]


def pkg_config(option: str) -> list[str]:
    """What pkg-config says of libcapnp; a CalledProcessError or FileNotFoundError where it is not there."""
    done = subprocess.run(["pkg-config", option, "capnp"], check=True, capture_output=True, text=True)
    return shlex.split(done.stdout)


def compiler_options() -> dict[str, list[str]]:
    """How anything that uses libcapnp is compiled and linked."""
    return {
        "extra_compile_args": ["-std=c++17", "-fvisibility=hidden", *WARNINGS, *pkg_config("--cflags")],
        "extra_link_args": pkg_config("--libs"),
    }


def has_objects() -> bool:
    """Whether the extension can read and make Python's objects by itself: not where they are another interpreter's,
    or where threads may change them at the same time."""
    return sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


def declarations() -> str:
    """shim.h as cffi reads it."""
    return (NATIVE / "shim.h").read_text()


def paths(*patterns: str) -> list[str]:
    """The files of the shim, as setuptools wants them: from the folder that holds setup.py."""
    return sorted(str(path.relative_to(PACKAGE.parent)) for pattern in patterns for path in NATIVE.glob(pattern))


def builder() -> FFI:
    """The builder, for setuptools and for building by hand."""
    from cffi import FFI  # here, because setup.py looks at the options before it knows that there is a cffi

    ffi = FFI()
    ffi.cdef(declarations())
    ffi.set_source(
        "ccapnp.native._shim",
        '#include "shim.hpp"',
        source_extension=".cpp",
        sources=paths("*.cc", *(["objects/*.cc"] if has_objects() else [])),
        depends=[*paths("*.h", "*.hpp", "objects/*.hpp"), "ccapnp/_build.py"],
        include_dirs=["ccapnp/native"],
        define_macros=[
            ("CCP_INTERFACE", f"{zlib.crc32(declarations().encode())}u"),
            ("CCP_HAS_OBJECTS", str(int(has_objects()))),
        ],
        **compiler_options(),
    )
    return ffi
