"""Nothing that a Python program can do ends the interpreter: each case runs in a process of its own, on each codec.

The cases are the functions of `tests.crashes`; whether what they get is right is for other tests.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.crashes import CASES


@pytest.mark.parametrize("case", CASES)
def test_the_interpreter_lives_on(backend: str, case: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-X", "faulthandler", "-m", "tests.crashes", backend, case],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, f"it ended with {done.returncode}: {done.stderr}"
    assert not done.stderr
