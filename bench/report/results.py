"""What a run has measured, and on which machine, as a file of JSON."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, Optional

from bench.contenders.built import BUILD
from bench.timing import Timing

__all__ = ["Result", "Target", "latest", "load", "ratio", "save"]

_PACKAGES = ("ccapnp", "pycapnp", "capnpy", "protobuf", "msgspec", "numpy")


class Target(NamedTuple):
    """How much of another's time a contender is to take at most."""

    contender: str
    other: str
    ratio: float


class Result(NamedTuple):
    """The times of one thing, by the names of those that do it."""

    name: str
    times: Mapping[str, Timing]
    targets: tuple[Target, ...] = ()


def ratio(times: Mapping[str, Timing], name: str, other: str) -> Optional[float]:
    """How much of another's shortest time a contender takes, if both have been measured."""
    return times[name].minimum / times[other].minimum if name in times and other in times else None


def save(results: Iterable[Result]) -> Path:
    """Write a run to build/bench."""
    now = datetime.now(timezone.utc)
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"{now:run-%Y%m%d-%H%M%S}.json"
    rows = [
        {
            "name": result.name,
            "nanoseconds": {name: timing._asdict() for name, timing in result.times.items()},
            "targets": [target._asdict() for target in result.targets],
        }
        for result in results
    ]
    path.write_text(json.dumps({"date": f"{now:%Y-%m-%d %H:%M} UTC", "machine": _machine(), "results": rows}, indent=1))
    return path


def load(path: Path) -> tuple[dict[str, Any], list[Result]]:
    """All that a file says apart from the results, and these."""
    run = json.loads(path.read_text())
    results = [
        Result(
            row["name"],
            {name: Timing(**timing) for name, timing in row["nanoseconds"].items()},
            tuple(Target(**target) for target in row["targets"]),
        )
        for row in run.pop("results")
    ]
    return run, results


def latest(count: int) -> list[Path]:
    """The files of the last runs, the oldest first."""
    return sorted(BUILD.glob("run-*.json"))[-count:]


def _machine() -> dict[str, Any]:
    return {
        "cpu": _processor(),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "versions": {name: found for name in _PACKAGES if (found := _version(name))},
    }


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.machine()


def _version(package: str) -> Optional[str]:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
