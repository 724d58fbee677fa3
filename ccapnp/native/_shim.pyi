"""The extension, as cffi builds it from shim.h."""

from typing import Any

ffi: Any
lib: Any
