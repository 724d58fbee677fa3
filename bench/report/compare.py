"""What has changed from one run to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Optional

from bench.report.results import Result, ratio
from bench.report.table import PYCAPNP, number

__all__ = ["changes"]

_NOTABLE = 0.05


def changes(old: Sequence[Result], new: Sequence[Result]) -> Iterator[str]:
    """A line for each time that both runs have: old and new, and their ratio.

    Since no machine is as fast today as it was yesterday, the ratio to pycapnp's time is compared as well, where there
    is one; what counts is marked if it has changed by more than 5 %.
    """
    before = {result.name: result.times for result in old}
    yield f"{'':62}{'old':>10}{'new':>10} ns{'new / old':>11}{'likewise, of pycapnp':>23}"
    for result in new:
        earlier = before.get(result.name, {})
        for name, timing in result.times.items():
            if name not in earlier:
                continue
            times = f"{number(earlier[name].minimum):>10}{number(timing.minimum):>10}"
            change = timing.minimum / earlier[name].minimum
            relative = _relative(ratio(result.times, name, PYCAPNP), ratio(earlier, name, PYCAPNP))
            shown = "" if relative is None or name == PYCAPNP else f"{relative:23.2f}"
            mark = _mark(change if relative is None else relative)
            yield f"{result.name:46}{name:16}{times}   {change:11.2f}{shown}{mark}"


def _relative(new: Optional[float], old: Optional[float]) -> Optional[float]:
    return new / old if new is not None and old is not None else None


def _mark(change: float) -> str:
    return "  slower" if change > 1 + _NOTABLE else "  faster" if change < 1 - _NOTABLE else ""
