"""``python -m tests.fuzz [--seconds N] [--folder FOLDER] [--blind] [TARGET ...]``: fuzz some targets, or all.

Each target runs in a process of its own, which ends at the first input that it fails at, and is started again until the
target has had its share of the time.  FOLDER keeps, per target, the inputs that reach what others do not, those that
failed, and what the processes printed.  ``--replay FILE TARGET`` runs one input here.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.blind import RUNNING
from tests.fuzz.target import MOST_SECONDS_PER_INPUT, TARGETS, get_target

ROOT = Path(__file__).resolve().parents[2]
FINDINGS = ("crash-*", "timeout-*", "oom-*")
MOST_PROCESSES = 50
"""After so many failures of one target, it is time to look at them."""


def main(arguments: Sequence[str]) -> int:
    """Gives the exit status: 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz some targets, or all.")
    parser.add_argument("targets", metavar="TARGET", nargs="*", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=300, help="for all targets together")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzz", help="what is kept for the next time")
    parser.add_argument("--blind", action="store_true", help="change inputs without a look at what they reach")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run one input of one target")
    options = parser.parse_args(arguments)
    targets = options.targets or TARGETS
    if options.replay:
        get_target(targets[0]).run(options.replay.read_bytes())
        return 0
    engine = "blind" if options.blind or find_spec("atheris") is None else "guided"
    found = [
        path for name in targets for path in fuzzed(engine, name, options.folder / name, options.seconds / len(targets))
    ]
    for path in found:
        print(f"{path.parent.name}: see {path}")
    return int(bool(found))


def fuzzed(engine: str, name: str, folder: Path, seconds: float) -> list[Path]:
    """The inputs at which a target failed, now or before."""
    folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + seconds
    for number in range(MOST_PROCESSES):
        left = end - time.monotonic()
        if left < 1:
            break
        command = [sys.executable, "-m", f"tests.fuzz.{engine}", name, str(folder), str(int(left))]
        with open(folder / f"log{number}", "wb") as log:
            # Starting takes a while, and the last input may take long.
            subprocess.run(
                command, stdout=log, stderr=log, cwd=ROOT, check=False, timeout=left + 3 * MOST_SECONDS_PER_INPUT
            )
        print(f"{name}: {inputs_tried(folder / f'log{number}')} inputs", flush=True)
        running = folder / RUNNING
        if running.exists():
            running.rename(folder / f"crash-{hashlib.sha1(running.read_bytes()).hexdigest()}")
    return [path for pattern in FINDINGS for path in folder.glob(pattern)]


def inputs_tried(log: Path) -> str:
    """How many inputs a process says that it ran."""
    numbers = re.findall(rb"number_of_executed_units: (\d+)", log.read_bytes())
    return numbers[-1].decode() if numbers else "unknown"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
