"""``python -m tests.fuzz.blind TARGET FOLDER SECONDS``: fuzz one target without a look at what inputs reach.

For the extension with checks of memory, beside which libFuzzer cannot work, and for Pythons that atheris is not for.
It changes the inputs that `tests.fuzz.guided` has kept in FOLDER, and the seeds.  An input is saved before it is run,
so that one which ends the process is still there.
"""

from __future__ import annotations

import faulthandler
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.target import MOST_MEGABYTES, MOST_SECONDS_PER_INPUT, get_target
from tests.parity.messages import damaged_bytes

RUNNING = "running"
"""The file with the input that is being run."""


def main(name: str, folder: Path, seconds: float) -> None:
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which takes terabytes of addresses
        import resource  # which not every system has

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEGABYTES << 20, MOST_MEGABYTES << 20))
    target = get_target(name)
    folder.mkdir(parents=True, exist_ok=True)
    kept = sorted((folder / "corpus").glob("*"))
    inputs = [*target.seeds(), *(path.read_bytes() for path in kept)]
    rng = random.Random(time.time_ns())
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        data = inputs[count] if count < len(inputs) else changed(rng, inputs, target.TOKENS)[: target.MOST_BYTES]
        (folder / RUNNING).write_bytes(data)
        faulthandler.dump_traceback_later(MOST_SECONDS_PER_INPUT, exit=True)
        target.run(data)
        count += 1
    faulthandler.cancel_dump_traceback_later()
    (folder / RUNNING).unlink(missing_ok=True)
    print(f"stat::number_of_executed_units: {count}")


def changed(rng: random.Random, inputs: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    """One of the inputs with some bytes changed, and maybe a token or a part of another input in it."""
    data = rng.choice(inputs)
    at = rng.randrange(len(data) + 1)
    roll = rng.random()
    if roll < 0.2:
        token = rng.choice(tokens)
        data = data[:at] + token + data[at + rng.choice([0, len(token)]) :]
    elif roll < 0.35:
        other = rng.choice(inputs)
        start = rng.randrange(len(other) + 1) & ~7
        data = data[: at & ~7] + other[start : start + rng.choice([8, 16, 64, 1000])] + data[at & ~7 :]
    return damaged_bytes(rng, data)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
