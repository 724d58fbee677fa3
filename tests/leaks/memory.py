"""How much memory this process holds, as several who give it out count it."""

from __future__ import annotations

import ctypes
import gc
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["ALLOWED", "Memory", "now"]


class Memory(NamedTuple):
    """``malloc_bytes`` is what C and C++ code asked for and did not give back; 0 of what cannot be told here."""

    resident_bytes: int
    tracked_objects: int
    python_blocks: int
    malloc_bytes: int

    def grown_since(self, before: Memory) -> Memory:
        return Memory(*(now - then for now, then in zip(self, before)))


ALLOWED = Memory(resident_bytes=2 << 20, tracked_objects=40, python_blocks=400, malloc_bytes=100_000)
"""What may come and go by chance, however often something is done: pages, free lists, buffers of the interpreter."""


def now() -> Memory:
    """After a collection of garbage."""
    gc.collect()
    blocks = sys.getallocatedblocks() if hasattr(sys, "getallocatedblocks") else 0
    objects = len(gc.get_objects()) if sys.implementation.name == "cpython" else 0
    return Memory(_resident_bytes(), objects, blocks, _malloc_bytes())


def _resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:  # not Linux
        return 0
    return pages * 4096


class _MallInfo2(ctypes.Structure):
    """glibc's ``struct mallinfo2``, from ``malloc.h``."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks")),
        *((name, ctypes.c_size_t) for name in ("uordblks", "fordblks", "keepcost")),
    ]


def _malloc_bytes() -> int:
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):  # an older glibc, or another C library
        return 0
    mallinfo.restype = _MallInfo2
    info = mallinfo()
    return int(info.uordblks + info.hblkhd)
