"""Contenders' processes, from outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Optional

from bench.contenders import Contender
from bench.contenders.built import ROOT
from bench.contenders.missing import Missing

__all__ = ["Process", "start"]


class Process:
    """A process that answers commands; see `bench.worker`."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self._name = name
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def first(self) -> list[str]:
        """The words that it begins with."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self._name} has ended; what it printed says why")
        return line.rstrip("\n").split("\t")

    def ask(self, *command: object) -> list[str]:
        """The answer to a command."""
        assert self._process.stdin is not None
        print(*command, sep="\t", file=self._process.stdin)
        return self.first()

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


_NAMED: set[str] = set()


def start(contender: Contender, arguments: Sequence[str]) -> Optional[Process]:
    """A contender's process, or None if it cannot take part; a missing one is named, once."""
    work, *more = arguments
    try:
        process = Process(contender.name, contender.command([work, contender.name, *more]))
        word, *why = process.first()
        if word == "missing":
            raise Missing(*why)
    except Missing as missing:
        if contender.name not in _NAMED:
            _NAMED.add(contender.name)
            print(f"left out: {contender.name} ({missing})", file=sys.stderr)
        return None
    return process if word == "ready" else None
