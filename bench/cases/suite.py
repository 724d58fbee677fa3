"""The cases, as all contenders run them in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import product

from bench.cases import CASES
from bench.cases.modes import COMPRESSIONS, MODES, REUSES, Configuration
from bench.contenders import Contender
from bench.process import Process, start
from bench.report.results import Result, Target
from bench.report.table import NATIVE, PURE, PYCAPNP
from bench.timing import Timing, time_in_turn

__all__ = ["configurations", "measure", "run"]

# In each mode but the one through pipes, where both wait for each other most of the time.
TARGETS = (
    Target(NATIVE, PYCAPNP, 0.30),
    Target(PURE, PYCAPNP, 0.45),
    Target("records native", PYCAPNP, 0.12),
    Target("records native", "protobuf", 1.0),
    Target("PyPy native", PYCAPNP, 0.10),
    Target("PyPy pure", PYCAPNP, 0.10),
)


def configurations(*wanted: str) -> list[Configuration]:
    """All of them that begin with such words; objects are not packed."""
    every = (Configuration(*words) for words in product(CASES, MODES, REUSES, COMPRESSIONS))
    return [each for each in every if each[: len(wanted)] == wanted and (each[1], each[3]) != ("object", "packed")]


def measure(contenders: Sequence[Contender], chosen: Iterable[Configuration], rounds: int) -> Iterator[Result]:
    """The times of one request, in each configuration. Raises ValueError if the contenders' answers differ."""
    for configuration in chosen:
        count = CASES[configuration.case].COUNT
        with ExitStack() as stack:
            timers = {}
            for contender, process in _start(contenders, configuration, stack):
                process.ask("draw", count)
                timers[contender.name] = _Timer(process)
                timers[contender.name].warm_up(contender.warm_up_seconds)
            times = time_in_turn({name: timer.seconds for name, timer in timers.items()}, rounds, count)
        _require_same({name: timer.answer for name, timer in timers.items()}, configuration)
        targets = TARGETS if configuration.mode != "pipe" else ()
        yield Result(" ".join(configuration), times, targets)


def run(contenders: Sequence[Contender], configuration: Configuration, iterations: int) -> Result:
    """The times of so many different requests."""
    count = CASES[configuration.case].COUNT
    with ExitStack() as stack:
        processes = {each.name: process for each, process in _start(contenders, configuration, stack)}
        times: dict[str, list[float]] = {name: [] for name in processes}
        left = iterations
        while left > 0:
            drawn = min(count, left)
            left -= drawn
            answers = {}
            for name, process in processes.items():
                process.ask("draw", drawn)
                seconds, answers[name] = process.ask("time", 1)
                times[name].append(float(seconds) / drawn * 1e9)
            _require_same(answers, configuration)
    return Result(" ".join(configuration), {name: Timing.of(each) for name, each in times.items()})


def _start(
    contenders: Iterable[Contender], configuration: Configuration, stack: ExitStack
) -> Iterator[tuple[Contender, Process]]:
    for contender in contenders:
        process = start(contender, ["cases", *configuration])
        if process is not None:
            yield contender, stack.enter_context(process)


class _Timer:
    """Remembers the answer, too."""

    answer = ""

    def __init__(self, process: Process) -> None:
        self._process = process

    def seconds(self, loops: int) -> float:
        seconds, self.answer = self._process.ask("time", loops)
        return float(seconds)

    def warm_up(self, seconds: float) -> None:
        while seconds > 0:
            seconds -= self.seconds(1)


def _require_same(answers: Mapping[str, str], configuration: Configuration) -> None:
    if len(set(answers.values())) > 1:
        raise ValueError(f"{' '.join(configuration)}: the answers differ: {answers}")
