"""Results as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Optional

from bench.report.results import Result, ratio

__all__ = ["CPP", "NATIVE", "PURE", "PYCAPNP", "block", "number", "summary"]

NATIVE, PURE, PYCAPNP, CPP = "ccapnp native", "ccapnp pure", "pycapnp", "C++"

_UNITS = ((1e6, "ms"), (1e3, "us"), (1, "ns"))


def block(result: Result) -> str:
    """A result: a line for each contender, whose times are all in the same unit."""
    shortest = min(timing.minimum for timing in result.times.values())
    scale, unit = next((each for each in _UNITS if shortest >= each[0]), _UNITS[-1])
    lines = [f"{result.name:46}{'minimum':>9}{'median':>9} {unit}{'/ pycapnp':>11}{'/ C++':>9}"]
    for name, timing in result.times.items():
        times = "".join(f"{number(each / scale):>9}" for each in timing)
        ratios = "".join(f"{_shown(ratio(result.times, name, other)):>{width}}" for other, width in _OTHERS)
        lines.append(f"  {name:44}{times}   {ratios}  {_targets(result, name)}".rstrip())
    return "\n".join(lines)


_OTHERS = ((PYCAPNP, 11), (CPP, 9))


def _targets(result: Result, name: str) -> str:
    return ", ".join(
        f"<= {target.ratio:g} {target.other}{'' if held else ' missed'}"
        for target in result.targets
        if target.contender == name and (held := _held(result, target.other, name, target.ratio)) is not None
    )


def _held(result: Result, other: str, name: str, target: float) -> Optional[bool]:
    found = ratio(result.times, name, other)
    return None if found is None else found <= target


def summary(results: Sequence[Result], names: Sequence[str]) -> str:
    """A line for each result: the ratios of the shortest times to pycapnp's."""
    return _matrix(results, names, lambda result, name: _shown(ratio(result.times, name, PYCAPNP)))


def _matrix(results: Sequence[Result], names: Sequence[str], cell: Callable[[Result, str], str]) -> str:
    width = max(len(result.name) for result in results) + 1
    lines = ["".join([f"{'':{width}}", *(f"{name:>{len(name) + 2}}" for name in names)])]
    for result in results:
        cells = (f"{cell(result, name):>{len(name) + 2}}" for name in names)
        lines.append("".join([f"{result.name:{width}}", *cells]).rstrip())
    return "\n".join(lines)


def _shown(value: Optional[float]) -> str:
    return "-" if value is None else number(value)


def number(value: float) -> str:
    """Three digits that say something, where there is room for them."""
    if value < 1:
        return f"{value:.3f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
