"""``python -m bench``: the time of one operation, beside other libraries in the same run.

``python -m bench startup`` measures what importing costs.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from bench import micro, startup, table
from bench.contenders.contender import Contender


def main() -> None:
    """Measure what the command line names."""
    names = [contender.name for contender in micro.CONTENDERS]
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("row", nargs="?", default="", help="only rows whose name has this in it, or 'startup'")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is measured")
    parser.add_argument("--contender", action="append", choices=names, help="only this one, and others named so")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to this file")
    arguments = parser.parse_args()
    if arguments.row == "startup":
        startup.run(arguments.rounds)
        return
    if shutil.which("capnp") is None:
        parser.error("the official capnp tool is not installed; it writes the messages that are read")
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
