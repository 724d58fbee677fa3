"""The programs that talk to each other: how each is started, and what of it is known to fail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Timer

import pytest

__all__ = ["SCENARIOS", "Peer", "built", "listening", "outcomes", "peer"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STANDARD = ROOT / "ccapnp" / "compiler" / "standard"
SECONDS = 120

LINE = re.compile(r"^(ok|failed) (\w+)(?:: (.*))?$", re.MULTILINE)
"""What a client says of a scenario; the lines that follow a reason go on with it."""

SCENARIOS = frozenset(
    (
        *("echo", "large", "add", "pipelining", "many", "callbacks", "missing", "cancellation", "streaming"),
        *("error_failed", "error_overloaded", "error_disconnected", "error_unimplemented"),
        *("tail_call_back", "tail_call", "holding", "embargo", "null"),
    )
)
"""What each client has a line for."""

PYCAPNP_LACKS = frozenset(
    (
        # Whatever its servers raise arrives as "failed", and so does a call of a method that they lack.
        *("error_overloaded", "error_disconnected", "error_unimplemented", "missing"),
        # After a tail call of pycapnp 2.2.4 its process aborts now and then, with libcapnp's clients too.
        *("tail_call_back", "tail_call"),
    )
)


class Peer:
    """One program; ``lacks`` are the scenarios that it cannot take part in as a server."""

    def __init__(self, *command: str, lacks: frozenset[str] = frozenset(), **variables: str) -> None:
        self.command = command
        self.lacks = lacks
        self.environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(ROOT), **variables}

    def run(self, role: str, address: str) -> list[str]:
        return [*self.command, role, address]


def peer(name: str, folder: Path) -> Peer:
    """The program of that name, which is compiled into the folder if it must be."""
    if name == "cpp":
        return Peer(str(built(folder, "peer", HERE / "hub.capnp")))
    if name == "pycapnp":
        return Peer(_python_with_pycapnp(), str(HERE / "pycapnp_peer.py"), lacks=PYCAPNP_LACKS)
    if name == "native" and find_spec("ccapnp.native._shim") is None:
        _skip("the native extension is not built")
    return Peer(sys.executable, str(HERE / "ccapnp_peer.py"), CCAPNP_BACKEND=name)


def built(folder: Path, name: str, schema: Path) -> Path:
    """A C++ program, compiled with what is installed; the test is skipped, or fails, where something is missing."""
    missing = [tool for tool in ("capnp", "capnpc-c++", "g++", "pkg-config") if shutil.which(tool) is None]
    if missing or subprocess.run(["pkg-config", "--exists", "capnp-rpc"], check=False).returncode:
        _skip(f"{' and '.join(missing) or 'libcapnp-rpc'} missing")
    flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", "capnp-rpc"], text=True).split()
    # The c++.capnp of libcapnp 0.9 does not know that a call may be canceled; ours does.
    compiled = [f"-I{STANDARD}", f"--src-prefix={schema.parent}", str(schema)]
    subprocess.run(["capnp", "compile", f"-oc++:{folder}", *compiled], check=True, timeout=SECONDS)
    program = folder / name
    sources = [str(HERE / "cpp" / f"{name}.c++"), str(folder / f"{schema.name}.c++")]
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{folder}", *sources, *flags]
    subprocess.run([*command, "-o", str(program)], check=True, timeout=SECONDS)
    return program


def _python_with_pycapnp() -> str:
    """The Python that CCAPNP_PYCAPNP names, so that pycapnp need not be where the tests run; else this one."""
    python = os.environ.get("CCAPNP_PYCAPNP")
    if python is None and find_spec("capnp") is None:
        _skip("pycapnp is not installed (CCAPNP_PYCAPNP names a Python that has it)")
    return python or sys.executable


def _skip(reason: str) -> None:
    if os.environ.get("CCAPNP_INTEROP") == "require":
        pytest.fail(f"CCAPNP_INTEROP is 'require', but {reason}")
    pytest.skip(reason)


@contextmanager
def listening(server: Peer, address: str) -> Iterator[subprocess.Popen[str]]:
    """The server's process, once it listens; it is killed in the end, or when it has had its time."""
    with subprocess.Popen(
        server.run("server", address), env=server.environment, stdout=subprocess.PIPE, text=True
    ) as process:
        timer = Timer(SECONDS * 2, process.kill)
        timer.start()
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            yield process
        finally:
            timer.cancel()
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
    found = {name: reason or verdict for verdict, name, reason in LINE.findall(done.stdout)}
    assert found, done.stderr
    return found
