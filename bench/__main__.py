"""The benchmarks of ccapnp, beside other libraries in the same run.

python -m bench                                        all of them; the results go to build/bench, too
python -m bench cases                                  CarSales, CatRank and Eval, in every configuration
python -m bench carsales bytes                         one case, in some of them
python -m bench carsales object no-reuse none 2000     in one of them, so many different requests
python -m bench micro set                              single operations, those with this word in their name
python -m bench rpc                                    calls, beside pycapnp's and with a server in C++
python -m bench startup | compile | memory             what importing, compiling and holding messages cost
python -m bench compare [OLD.json [NEW.json]]          what has changed; by itself, since the run before the last
python -m bench chart [RUN.json [FILE.svg]]            the chart of a run, by itself of the last
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.cases import CASES, suite
from bench.cases.modes import Configuration
from bench.contenders import CONTENDERS
from bench.micro import rows, run, table
from bench.programs import compiling, memory, startup
from bench.report import chart, compare, results
from bench.report.table import block, summary
from bench.rpc import run as calls

_PROGRAMS = {"startup": startup, "compile": compiling, "memory": memory}
CHART = Path("docs/bench.svg")


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", help="as above")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is measured")
    parser.add_argument("--contender", action="append", help="only this one, and others named so")
    parser.add_argument("--no-save", action="store_true", help="write no file to build/bench")
    arguments = parser.parse_args()
    what, *rest = arguments.what or ["everything"]
    if what in _PROGRAMS:
        _PROGRAMS[what].run(arguments.rounds)
    elif what == "compare":
        _compare(list(map(Path, rest)))
    elif what == "chart":
        _chart(list(map(Path, rest)))
    else:
        made = _measure(parser, what, rest, arguments.rounds, arguments.contender)
        if not arguments.no_save:
            print(f"written to {results.save(made)}")
    if what == "everything":
        for name, program in _PROGRAMS.items():
            print(f"\n{name}")
            program.run(5)
        _chart([])


def _measure(
    parser: argparse.ArgumentParser, what: str, rest: Sequence[str], rounds: int, names: Sequence[str] | None
) -> list[results.Result]:
    if what in CASES and len(rest) == 4:
        contenders = [each for each in CONTENDERS.values() if not names or each.name in names]
        result = suite.run(contenders, Configuration(what, *rest[:3]), int(rest[3]))
        print(block(result))
        return [result]
    made: list[results.Result] = []
    if what in ("everything", "cases", *CASES):
        made += _cases(names, () if what in ("everything", "cases") else (what, *rest), rounds)
    if what in ("everything", "micro"):
        made += _micro(names, " ".join(rest), rounds)
    if what in ("everything", "rpc"):
        made += _rpc(rounds)
    if not made:
        parser.error(f"there is nothing called {' '.join([what, *rest])}")
    return made


def _cases(names: Sequence[str] | None, wanted: Sequence[str], rounds: int) -> list[results.Result]:
    contenders = [each for each in CONTENDERS.values() if not names or each.name in names]
    made = []
    for result in suite.measure(contenders, suite.configurations(*wanted), rounds):
        made.append(result)
        print(block(result), end="\n\n", flush=True)
    if len(made) > 1:
        print("The ratios of the shortest times to those of pycapnp")
        print(summary(made, [each.name for each in contenders]), end="\n\n")
    return made


def _micro(names: Sequence[str] | None, word: str, rounds: int) -> list[results.Result]:
    contenders = [each for each in run.CONTENDERS if not names or each.name in names]
    columns = [name for name in table.COLUMNS if not names or name in names]
    made, others = [], []
    print(table.heading(columns))
    for row, times in run.measure(contenders, [row for row in rows.ROWS if word in row.name], rounds):
        made.append(results.Result(row.name, times, rows.targets(row)))
        if any(name in times for name in columns):
            print(table.line(row, times, columns), flush=True)
        if any(name not in columns for name in times):
            others.append(made[-1])
    for result in others:
        print(block(result), flush=True)
    return made


def _rpc(rounds: int) -> list[results.Result]:
    made = []
    for result in calls.measure(rounds):
        made.append(result)
        print(block(result), end="\n\n", flush=True)
    return made


def _compare(files: Sequence[Path]) -> None:
    chosen = [*files, *results.latest(1)][:2] if files else results.latest(2)
    if len(chosen) < 2:
        sys.exit("there are no two runs to compare: python -m bench makes one")
    old, new = (results.load(path)[1] for path in chosen)
    _print(compare.changes(old, new))


def _chart(files: Sequence[Path]) -> None:
    runs = files[:1] or results.latest(1)
    if not runs:
        sys.exit("there is no run: python -m bench makes one")
    run_data, made = results.load(runs[0])
    path = files[1] if len(files) > 1 else CHART
    try:
        chart.draw(made, run_data["machine"], path)
    except ImportError as error:
        sys.exit(f"no chart is drawn: {error}")
    print(f"drawn: {path}")


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()
