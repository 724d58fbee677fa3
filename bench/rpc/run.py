"""Measures calls of several clients and servers in turn, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from bench.contenders import cpp
from bench.contenders.missing import Missing
from bench.process import Process
from bench.report.results import Result, Target
from bench.timing import time_in_turn

__all__ = ["measure"]

PYCAPNP = "pycapnp"
PYTHON = {
    "ccapnp native": ("ccapnp_peer", "native"),
    "ccapnp pure": ("ccapnp_peer", "pure"),
    PYCAPNP: ("pycapnp_peer", "auto"),
}
CPP_SERVER = " -> C++"
"""Behind the name of a client whose server is that in C++."""

ROWS = {
    "one": ("a call at a time", 1 / 1.5),
    "many": ("a call, 64 in flight", 1 / 2),
    "chain": ("a chain of three pipelined calls", 1 / 2),
    "echo": ("an echo of 1 MB", 1.0),
    "connect": ("a connection and a call", 1.0),
}
"""What is measured, and how much of pycapnp's time it is to take at most."""

_OPERATIONS = {"one": 100, "many": 640, "chain": 50, "echo": 5, "connect": 10}
_IDLE_SECONDS = 2


def measure(rounds: int) -> Iterator[Result]:
    """The times of each row, by the names of client and server."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        clients = dict(_clients(stack, folder))
        for row, (title, ratio) in ROWS.items():
            seconds = {name: _timer(client, row, _OPERATIONS[row]) for name, client in clients.items()}
            times = time_in_turn(seconds, rounds, _OPERATIONS[row])
            yield Result(f"rpc: {title}", times, (Target("ccapnp native", PYCAPNP, ratio),))
        for name, client in clients.items():
            print(
                f"{name}: {float(client.ask('idle', _IDLE_SECONDS)[0]) * 1e3:.2f} ms of CPU in {_IDLE_SECONDS} s idle"
            )


def _timer(client: Process, row: str, operations: int):  # type: ignore[no-untyped-def]
    return lambda loops: float(client.ask(row, loops * operations)[0])


def _clients(stack: ExitStack, folder: Path) -> Iterator[tuple[str, Process]]:
    cpp_path = _serve(stack, "C++", lambda path: cpp.command(["adder", "C++", path]), folder)
    for name, (module, backend) in PYTHON.items():
        command = [sys.executable, "-m", f"bench.rpc.{module}"]
        path = _serve(stack, name, lambda path, command=command: [*command, "server", path], folder, backend)
        for suffix, server in (("", path), (CPP_SERVER, cpp_path)):
            if server is not None and path is not None:
                os.environ["CCAPNP_BACKEND"] = backend
                client = stack.enter_context(Process(name, [*command, "client", server]))
                client.first()
                yield f"{name}{suffix}", client
    os.environ.pop("CCAPNP_BACKEND", None)


def _serve(stack, name, command, folder, backend="auto"):  # type: ignore[no-untyped-def]
    """The path that a server listens at; ``None`` if it cannot take part."""
    path = str(folder / name.replace(" ", "-"))
    try:
        made = command(path)
    except Missing as reason:
        print(f"without {name}: {reason}")
        return None
    environment = {**os.environ, "CCAPNP_BACKEND": backend}
    process = subprocess.Popen(made, env=environment, stdout=subprocess.PIPE, text=True)
    stack.callback(process.wait)
    stack.callback(process.kill)
    if process.stdout.readline() != "ready\n":
        print(f"without {name}: its server ended")
        return None
    return path
