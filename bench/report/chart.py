"""The chart of a run: how long the cases take, beside each other, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.report.results import Result
from bench.report.table import PYCAPNP, number

__all__ = ["SHOWN", "draw"]

SHOWN = ("carsales bytes no-reuse none", "catrank bytes no-reuse none", "eval bytes no-reuse none")
_COLORS = {"ccapnp native": "#2563a8", "ccapnp pure": "#7fb0dd", "records native": "#0f766e", "records pure": "#6fc1b6"}
_COLORS |= {"PyPy native": "#7c5cc4", "PyPy pure": "#bba9e3"}
_OTHERS = "#b8b8b8"


def draw(results: Sequence[Result], machine: dict[str, Any], path: Path) -> None:
    """Write the chart; ImportError without matplotlib."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "ccapnp", "svg.fonttype": "none", "font.family": "sans-serif"})
    from matplotlib import pyplot

    shown = [result for result in results if result.name in SHOWN]
    figure, axes = pyplot.subplots(1, len(shown), figsize=(5 * len(shown), 4.2), squeeze=False)
    for result, axis in zip(shown, axes[0]):
        times = sorted(result.times.items(), key=lambda each: -each[1].minimum)
        names = [name for name, _ in times]
        values = [timing.minimum / 1e3 for _, timing in times]
        axis.barh(names, values, color=[_COLORS.get(name, _OTHERS) for name in names])
        for position, (name, value) in enumerate(zip(names, values)):
            ratio = f"  x {number(result.times[name].minimum / result.times[PYCAPNP].minimum)}"
            axis.text(value, position, f" {number(value)} us{ratio if PYCAPNP in result.times else ''}", va="center")
        axis.set_xscale("log")
        axis.set_xlim(min(values) / 2, max(values) * 12)
        axis.set_title(result.name.split()[0])
        axis.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"A request and its answer, as bytes: microseconds, and beside pycapnp ({machine['python']})")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None})
