"""The cffi builder of the extension `ccapnp.native._shim`; named in setup.py.

Needs a C++ compiler and libcapnp's headers, which pkg-config finds.
"""

from __future__ import annotations

import shlex
import subprocess
import zlib
from pathlib import Path

from cffi import FFI

PACKAGE = Path(__file__).resolve().parent
NATIVE = PACKAGE / "native"
WARNINGS = ["-Wall", "-Wextra"]


def pkg_config(option: str) -> list[str]:
    """What pkg-config says of libcapnp; a CalledProcessError or FileNotFoundError where it is not there."""
    done = subprocess.run(["pkg-config", option, "capnp"], check=True, capture_output=True, text=True)
    return shlex.split(done.stdout)


def declarations() -> str:
    """shim.h as cffi reads it."""
    return (NATIVE / "shim.h").read_text()


def builder() -> FFI:
    """The builder, for setuptools and for building by hand."""
    root = PACKAGE.parent
    ffi = FFI()
    ffi.cdef(declarations())
    ffi.set_source(
        "ccapnp.native._shim",
        '#include "shim.hpp"',
        source_extension=".cpp",
        sources=sorted(str(path.relative_to(root)) for path in NATIVE.glob("*.cc")),
        depends=sorted(str(path.relative_to(root)) for path in NATIVE.glob("*.h*")),
        include_dirs=[str(NATIVE.relative_to(root))],
        define_macros=[("CCP_INTERFACE", f"{zlib.crc32(declarations().encode())}u")],
        extra_compile_args=["-std=c++17", "-fvisibility=hidden", *WARNINGS, *pkg_config("--cflags")],
        extra_link_args=pkg_config("--libs"),
    )
    return ffi
