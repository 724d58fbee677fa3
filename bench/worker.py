"""The process of a contender, so that none runs in an interpreter that has adapted itself to the types of another.

``python -m bench.worker cases CONTENDER CASE MODE REUSE COMPRESSION``. The first line it prints is ``ready``,
``missing`` and why, or ``cannot`` if the library does not do such a thing. Each line it is given is a command of words
between tabs, answered by one line; the programs in bench/cpp do likewise.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

__all__: list[str] = []


def main() -> None:
    """Serve the commands on standard input."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints is no answer
    _, contender, *arguments = sys.argv[1:]
    try:
        answer = _serve_cases(contender, arguments)
    except ImportError as error:
        print("missing", " ".join(str(error).split()), sep="\t", file=answers)
        return
    except NotImplementedError:
        print("cannot", file=answers)
        return
    print("ready", file=answers)
    for line in sys.stdin:
        print(*answer(*line.rstrip("\n").split("\t")), sep="\t", file=answers)


def _serve_cases(contender: str, arguments: list[str]) -> Callable[..., tuple[Any, ...]]:
    from bench.cases.modes import Configuration, Run
    from bench.contenders import CONTENDERS

    run = Run(CONTENDERS[contender].library(), Configuration(*arguments))

    def answer(command: str, count: str) -> tuple[Any, ...]:
        if command == "draw":
            run.draw(int(count))
            return ("drawn",)
        return run.time(int(count))

    return answer


if __name__ == "__main__":
    main()
