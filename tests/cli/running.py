"""Running the command and the official tool, to compare what becomes of it."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from ccapnp.cli.main import main

__all__ = ["COMMAND", "Result", "hear_interrupts", "official", "ours"]

COMMAND = [sys.executable, "-m", "ccapnp"]


class Result(NamedTuple):
    """What a run gave."""

    status: int
    out: bytes
    error: str


def ours(arguments: Sequence[str], data: bytes = b"") -> Result:
    """Run the command within this process."""
    with pytest.MonkeyPatch.context() as patch:
        out, error = io.BytesIO(), io.BytesIO()
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, write_through=True))
        patch.setattr(sys, "stderr", io.TextIOWrapper(error, "utf-8", write_through=True))
        try:
            status = main([str(each) for each in arguments])
        except SystemExit as exit:
            status = int(exit.code or 0)
        sys.stdout.flush()
        return Result(status, out.getvalue(), error.getvalue().decode())


def official(tool: str, arguments: Sequence[str], data: bytes = b"") -> Result:
    """Run the official tool."""
    done = subprocess.run([tool, *map(str, arguments)], input=data, capture_output=True, check=False)
    return Result(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


def hear_interrupts() -> None:
    """For a new process: SIGINT means what it usually does, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
