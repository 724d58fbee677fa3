"""``python -m bench [row]``: the micro benchmark's table, nanoseconds per operation as minimum / median."""

from __future__ import annotations

import argparse

from bench.micro import run

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("row", nargs="?", default="", help="only rows whose name has this in it")
    parser.add_argument("--rounds", type=int, default=15, help="how often each row is measured")
    arguments = parser.parse_args()
    run(arguments.rounds, arguments.row)
