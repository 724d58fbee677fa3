"""Timing several contenders in turn, so that what else the machine does strikes all of them alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

__all__ = ["Timing", "time_in_turn"]

_ROUND_SECONDS = 0.02


class Timing(NamedTuple):
    """Nanoseconds for one operation."""

    minimum: float
    median: float


def time_in_turn(seconds: Mapping[str, Callable[[int], float]], rounds: int, operations: int) -> dict[str, Timing]:
    """The timing of each contender, whose function takes how often to run what is timed, and gives the time of one run.

    One run is so many operations.
    """
    loops = {name: max(1, int(_ROUND_SECONDS / max(run(3), 1e-8))) for name, run in seconds.items()}
    times: dict[str, list[float]] = {name: [] for name in seconds}
    for _ in range(rounds):
        for name, run in seconds.items():
            times[name].append(run(loops[name]) / operations * 1e9)
    return {name: Timing(min(each), median(each)) for name, each in times.items()}
