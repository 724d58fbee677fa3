"""numpy, or the error that says how to get it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["BITS", "U1", "U2", "U4", "U8", "np"]

try:
    np: Any = import_module("numpy")
except ImportError as error:
    raise ImportError(
        f"columns are arrays of numpy, which cannot be imported ({error}); pip install 'ccapnp[numpy]' brings it"
    ) from error

U1, U2, U4, U8 = BITS = tuple(np.dtype(f"<u{size}") for size in (1, 2, 4, 8))
"""Unsigned integers of each width, as they lie in a message."""
