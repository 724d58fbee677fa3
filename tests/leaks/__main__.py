"""``python -m tests.leaks BACKEND COUNT [ENTRY ...]``: does each entry so often, and names those that leak."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Optional

from tests.leaks import calls  # noqa: F401  # it adds to the entries
from tests.leaks.entries import ENTRIES, Entry, Sample
from tests.leaks.memory import ALLOWED, Memory, now

__all__ = ["leak", "main"]

_ROUNDS = 3


def leak(entry: Entry, sample: Sample, count: int) -> Optional[Memory]:
    """By how much memory grows in ``count`` turns, if it does so each time; what is made once is no leak."""
    turns = max(count // entry.share, 20)
    _do(entry, sample, min(turns, 300))
    for _ in range(_ROUNDS):
        before = now()
        _do(entry, sample, turns)
        grown = now().grown_since(before)
        if all(much <= allowed for much, allowed in zip(grown, ALLOWED)):
            return None
    return grown


def _do(entry: Entry, sample: Sample, turns: int) -> None:
    action = entry.action
    for _ in range(turns):
        action(sample)


def main(arguments: Sequence[str]) -> int:
    backend, count, *names = arguments
    sample = Sample(backend)
    found = {name: leak(ENTRIES[name], sample, int(count)) for name in names or ENTRIES}
    for name, grown in found.items():
        if grown is not None:
            print(f"{name} on {backend}, done {count} times: {grown}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
