"""``python -m tests.leaks.once BACKEND``: does each entry a few times, for a tool that watches the process."""

from __future__ import annotations

import sys

from tests.leaks.entries import ENTRIES, Sample

__all__: list[str] = []

if __name__ == "__main__":
    sample = Sample(sys.argv[1])
    for entry in ENTRIES.values():
        for _ in range(5):
            entry.action(sample)
