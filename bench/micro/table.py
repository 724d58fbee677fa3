"""The table of the micro benchmark, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Optional

from bench.micro.rows import Row
from bench.timing import Timing

__all__ = ["COLUMNS", "heading", "line", "ratios"]

NATIVE, PURE, PYCAPNP = "ccapnp native", "ccapnp pure", "pycapnp"
COLUMNS = (NATIVE, PURE, PYCAPNP, "capnpy")

_SLOWER = 1.05


def heading(names: Sequence[str]) -> str:
    """The lines above the rows."""
    return (
        "Minimum / median of one operation, and the ratios of both to pycapnp. A target is missed (!) where one of\n"
        "them is above it. The last mark says that both times of native are more than 5 % above those of pure.\n"
        f"{'':44}{''.join(f'{name:>15}' for name in names)}{'native ratios':>19}{'pure ratios':>19}"
    )


def line(row: Row, times: Mapping[str, Timing], names: Sequence[str]) -> str:
    """A row; all its times are in the same unit."""
    in_us = min(each.minimum for each in times.values()) >= 1000
    cells = "".join(f"{_cell(times.get(name), 1e3 if in_us else 1):>15}" for name in names)
    held = f"{_held(ratios(times, NATIVE), row.native):>19}{_held(ratios(times, PURE), row.pure):>19}"
    slower = "slower" if _native_is_slower(times) else ""
    return f"{row.name:41}{'us' if in_us else 'ns':>3}{cells}{held} {slower}".rstrip()


def ratios(times: Mapping[str, Timing], name: str) -> Optional[tuple[float, float]]:
    """The ratios of a contender's minimum and median to pycapnp's."""
    ours, theirs = times.get(name), times.get(PYCAPNP)
    return (ours.minimum / theirs.minimum, ours.median / theirs.median) if ours and theirs else None


def _cell(timing: Optional[Timing], unit: float) -> str:
    return " / ".join(_number(each / unit) for each in timing) if timing else "-"


def _number(value: float) -> str:
    """Four characters where there is room for them."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _held(ratios: Optional[tuple[float, float]], target: Optional[float]) -> str:
    if ratios is None:
        return "-"
    goal = f" <={target:.2f}" if target else ""
    mark = "!" if target and max(ratios) > target else " "
    return f"{_number(ratios[0])} {_number(ratios[1])}{goal:7}{mark}"


def _native_is_slower(times: Mapping[str, Timing]) -> bool:
    if NATIVE not in times or PURE not in times:
        return False
    return all(native > pure * _SLOWER for native, pure in zip(times[NATIVE], times[PURE]))
