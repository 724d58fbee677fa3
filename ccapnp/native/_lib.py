"""The extension: its functions, and the check that it is the one that this Python code was written for."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zlib import crc32

from ccapnp.errors import BackendError

__all__ = ["ffi", "lib", "libcapnp_version", "shim"]


def _load() -> Any:
    try:
        from ccapnp.native import _shim
    except ImportError as error:
        raise BackendError(f"the native extension does not load: {error}; reinstall ccapnp, or use 'pure'") from error
    shim: Any = _shim
    if shim.lib.ccp_interface() != crc32(Path(__file__).with_name("shim.h").read_bytes()):
        raise BackendError("the native extension was built from other sources than these: reinstall ccapnp")
    return shim


shim = _load()
ffi, lib = shim.ffi, shim.lib


def libcapnp_version() -> str:
    """The version of libcapnp that the extension was built with."""
    number = lib.ccp_libcapnp_version()
    return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"
