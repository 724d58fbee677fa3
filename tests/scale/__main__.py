"""``python -m tests.scale [THOUSANDS]``: streams of so many thousand messages, and lists up to a million elements.

For each it says what one message or element takes, which is to stay the same, and by how much memory grew.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import ccapnp
from tests.leaks.memory import now
from tests.scale.streams import SCHEMA, SOURCES, total

BACKENDS = ("native", "pure")
COUNTS = (10_000, 100_000, 1_000_000)


def main(thousands: int) -> None:
    """Measure both codecs."""
    for backend in BACKENDS:
        module: Any = ccapnp.load_text(SCHEMA + " struct Ticks { ticks @0 :List(Tick); }", backend=backend)
        for name, source in SOURCES.items():
            total(module.Tick, source, 1)
            before, start = now(), time.perf_counter()
            assert total(module.Tick, source, thousands) == 499_500 * thousands
            taken = time.perf_counter() - start
            grown = now().grown_since(before).resident_bytes
            print(f"{backend}, {name}: {taken / thousands * 1e6:.0f} ns a message, {grown >> 10} KiB more", flush=True)
        for count in COUNTS:
            _lists(backend, module.Ticks, count)


def _lists(backend: str, ticks: Any, count: int) -> None:
    values = {"ticks": [{"number": number} for number in range(count)]}
    start = time.perf_counter()
    data = ticks.from_dict(values).to_bytes()
    built = time.perf_counter()
    assert sum(tick.number for tick in ticks.from_bytes(data, None).ticks) == count * (count - 1) // 2
    read = time.perf_counter()
    print(f"{backend}, {count} elements: {(built - start) / count * 1e9:.0f} ns to build one", end=", ")
    print(f"{(read - built) / count * 1e9:.0f} ns to read one", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
