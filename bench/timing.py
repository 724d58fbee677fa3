"""Timing several contenders in turn, so that what else the machine does strikes all of them alike."""

from __future__ import annotations

import gc
from statistics import median
from timeit import Timer
from typing import Any, NamedTuple

__all__ = ["Timing", "time_in_turn"]

_ROUND_SECONDS = 0.02


class Timing(NamedTuple):
    """Nanoseconds for one operation."""

    minimum: float
    median: float


def time_in_turn(statements: dict[str, tuple[str, dict[str, Any]]], rounds: int, operations: int) -> dict[str, Timing]:
    """The timing of each contender's (statement, namespace), whose one run is ``operations`` operations."""
    timers = {name: Timer(statement, globals=namespace) for name, (statement, namespace) in statements.items()}
    loops = {name: max(1, int(_ROUND_SECONDS / max(timer.timeit(3) / 3, 1e-8))) for name, timer in timers.items()}
    times: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds):
        for name, timer in timers.items():
            gc.collect()
            times[name].append(timer.timeit(loops[name]) / loops[name] / operations * 1e9)
    return {name: Timing(min(each), median(each)) for name, each in times.items()}
