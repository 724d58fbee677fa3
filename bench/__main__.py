"""``python -m bench``: the time of one operation, beside other libraries in the same run.

``python -m bench startup`` measures what importing costs, and ``python -m bench compile`` what compiling does.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench import compiling, micro, startup, table
from bench.contenders.contender import Contender

_OF_PROCESSES = {"startup": startup, "compile": compiling}


def main() -> None:
    """Measure what the command line names."""
    names = [contender.name for contender in micro.CONTENDERS]
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("row", nargs="?", default="", help="only rows whose name has this in it")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is measured")
    parser.add_argument("--contender", action="append", choices=names, help="only this one, and others named so")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to this file")
    arguments = parser.parse_args()
    if arguments.row in _OF_PROCESSES:
        _OF_PROCESSES[arguments.row].run(arguments.rounds)
        return
    contenders = [each for each in micro.CONTENDERS if each.name in (arguments.contender or names)]
    rows = [row for row in micro.ROWS if arguments.row in row.name]
    print_table(contenders, rows, arguments.rounds, arguments.json)


def print_table(contenders: list[Contender], rows: list[micro.Row], rounds: int, json_file: Path | None = None) -> None:
    """Print each row as soon as it is measured."""
    names = [contender.name for contender in contenders]
    results = []
    print(table.heading(names))
    for row, times in micro.measure(contenders, rows, rounds):
        results.append((row, times))
        print(table.line(row, times, names), flush=True)
    if json_file is not None:
        json_file.write_text(json.dumps(table.as_json(results), indent=1))


if __name__ == "__main__":
    main()
