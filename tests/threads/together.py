"""The same done by several threads at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

__all__ = ["THREADS", "together"]

THREADS = 8


def together(action: Callable[[int], Any], threads: int = THREADS) -> list[Any]:
    """What ``action`` gives for the number of each thread; they all begin at once, and take turns often."""
    start = threading.Barrier(threads)

    def act(number: int) -> Any:
        start.wait()
        return action(number)

    with _often_switched(), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(act, range(threads)))


@contextmanager
def _often_switched() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
