"""How much memory something takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import tracemalloc
except ImportError:  # PyPy has none
    tracemalloc = None  # type: ignore[assignment]

__all__ = ["peak_bytes"]


def peak_bytes(action: Callable[[], Any]) -> int:
    """Run ``action``, and give the most bytes that were taken meanwhile; 0 where the interpreter cannot tell."""
    if tracemalloc is None:
        action()
        return 0
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        action()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
