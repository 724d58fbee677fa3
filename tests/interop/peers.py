"""The programs that talk to each other: how each is started, and what of it is known to fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["SCENARIOS", "Peer", "built_peer", "listening", "outcomes", "peers"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SECONDS = 120

SCENARIOS = (
    *("echo", "large", "add", "pipelining", "many", "callbacks", "fail", "missing", "cancellation", "streaming"),
    *("tail_call_back", "tail_call", "holding", "embargo", "null"),
)


class Peer:
    """One program; ``lacks`` are the scenarios that it cannot take part in as a server."""

    def __init__(self, name: str, command: list[str], lacks: tuple[str, ...] = (), **variables: str) -> None:
        self.name = name
        self.command = command
        self.lacks = lacks
        self.environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(ROOT), **variables}

    def run(self, role: str, address: str) -> list[str]:
        return [*self.command, role, address]


def built_peer(folder: Path) -> Path:
    """The C++ program, compiled with what is installed; the test is skipped, or fails, where something is missing."""
    missing = [tool for tool in ("capnp", "capnpc-c++", "g++", "pkg-config") if shutil.which(tool) is None]
    if missing or subprocess.run(["pkg-config", "--exists", "capnp-rpc"], check=False).returncode:
        _skip(f"{' and '.join(missing) or 'libcapnp-rpc'} missing")
    flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", "capnp-rpc"], text=True).split()
    schema = HERE / "hub.capnp"
    subprocess.run(["capnp", "compile", f"-oc++:{folder}", f"--src-prefix={HERE}", str(schema)], check=True)
    program = folder / "peer"
    sources = [str(HERE / "cpp" / "peer.c++"), str(folder / "hub.capnp.c++")]
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{folder}", *sources, *flags]
    subprocess.run([*command, "-o", str(program)], check=True)
    return program


def peers(name: str, cpp: Path) -> Peer:
    """The program of that name."""
    if name == "cpp":
        return Peer(name, [str(cpp)])
    if name == "pycapnp":
        if find_spec("capnp") is None:
            _skip("pycapnp is not installed")
        # Its servers cannot say of which kind an error is.
        return Peer(name, [sys.executable, str(HERE / "pycapnp_peer.py")], lacks=("fail", "missing"))
    if name == "native" and find_spec("ccapnp.native._shim") is None:
        _skip("the native extension is not built")
    return Peer(name, [sys.executable, str(HERE / "ccapnp_peer.py")], CCAPNP_BACKEND=name)


def _skip(reason: str) -> None:
    if os.environ.get("CCAPNP_INTEROP") == "require":
        pytest.fail(f"CCAPNP_INTEROP is 'require', but {reason}")
    pytest.skip(reason)


@contextmanager
def listening(server: Peer, address: str) -> Iterator[subprocess.Popen[str]]:
    """The server's process, once it listens."""
    with subprocess.Popen(
        server.run("server", address), env=server.environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def outcomes(client: Peer, address: str) -> dict[str, str]:
    """What the client says of each scenario: "ok", or why it failed."""
    done = subprocess.run(
        client.run("client", address),
        env=client.environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    found = {}
    for line in done.stdout.splitlines():
        verdict, _, name = line.partition(" ")
        name, _, reason = name.partition(": ")
        found[name] = reason or verdict
    assert found, done.stderr
    return found
