"""``python -m bench``: nanoseconds per operation, as minimum / median, beside other libraries in the same run.

``python -m bench startup`` measures what importing costs.
"""

from __future__ import annotations

import argparse

from bench import micro, startup

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("row", nargs="?", default="", help="only rows whose name has this in it, or 'startup'")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is measured")
    arguments = parser.parse_args()
    if arguments.row == "startup":
        startup.run(arguments.rounds)
    else:
        micro.run(arguments.rounds, arguments.row)
