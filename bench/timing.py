"""Timing several contenders in turn, so that what else the machine does strikes all of them alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

__all__ = ["Timing", "time_in_turn"]

_ROUND_SECONDS = 0.02
_SECONDS = 4.0
_FEWEST_ROUNDS = 3


class Timing(NamedTuple):
    """Nanoseconds for one operation."""

    minimum: float
    median: float

    @classmethod
    def of(cls, times: Sequence[float]) -> Timing:
        """The timing of several rounds."""
        return cls(min(times), median(times))


def time_in_turn(seconds: Mapping[str, Callable[[int], float]], rounds: int, operations: int) -> dict[str, Timing]:
    """The timing of each contender, whose function takes how often to run what is timed, and gives the seconds of it.

    One run is so many operations. Where runs take long, there are fewer rounds.
    """
    once = {name: max(run(1), 1e-8) for name, run in seconds.items()}
    loops = {name: max(1, int(_ROUND_SECONDS / each)) for name, each in once.items()}
    round_seconds = sum(loops[name] * each for name, each in once.items())
    rounds = min(rounds, max(_FEWEST_ROUNDS, int(_SECONDS / round_seconds)))
    times: dict[str, list[float]] = {name: [] for name in seconds}
    for _ in range(rounds):
        for name, run in seconds.items():
            times[name].append(run(loops[name]) / loops[name] / operations * 1e9)
    return {name: Timing.of(each) for name, each in times.items()}
