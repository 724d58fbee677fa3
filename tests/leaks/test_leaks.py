"""Memory stays flat; `make leaks` looks for longer."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

COUNT = "1000"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython gives memory back at once")
def test_memory_stays_flat_whatever_is_done(backend: str) -> None:
    done = run("-m", "tests.leaks", backend, COUNT)
    assert done.returncode == 0, done.stdout + done.stderr


LEAK = """
from tests.leaks.__main__ import leak
from tests.leaks.entries import Entry
kept = []
assert leak(Entry(lambda sample: kept.append(object()), 1), None, 2000)
assert leak(Entry(lambda sample: bytes(100), 1), None, 2000) is None
"""


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython gives memory back at once")
def test_a_leak_is_seen() -> None:
    done = run("-c", LEAK)
    assert done.returncode == 0, done.stderr
