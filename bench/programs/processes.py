"""Timing whole processes in turn, each in the same folder."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

__all__ = ["print_times", "time_in_turn"]


def time_in_turn(commands: Mapping[str, Sequence[str]], folder: Path, rounds: int) -> dict[str, list[float]]:
    """Milliseconds that each command took, in each round."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PWD"] = str(folder)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds + 1):  # the first round also writes the bytecode
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
            times[name].append((time.perf_counter() - start) * 1e3)
    return {name: each[1:] for name, each in times.items()}


def print_times(times: Mapping[str, Sequence[float]]) -> None:
    """The shortest and the median time of each, and by how much they exceed those of the first."""
    first = next(iter(times.values()))
    for name, each in times.items():
        more = f"{min(each) - min(first):+8.1f} /{median(each) - median(first):+7.1f}" if each is not first else ""
        print(f"{name:28}{min(each):8.1f} /{median(each):7.1f} ms{more:>20}")
