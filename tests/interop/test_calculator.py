"""The calculator of the examples, and one in C++: each one's client with the other's server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.interop.peers import built

EXAMPLE = ROOT / "examples" / "calculator"
SECONDS = 60


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("calculator"), "calculator", EXAMPLE / "calculator.capnp")


@contextmanager
def listening(*command: str) -> Iterator[str]:
    """What a server says first, while it runs."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def said(*command: str) -> list[str]:
    """The lines that a client prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.conformance("PRO-26")
def test_the_client_with_a_server_in_cpp(program: Path, backend: str) -> None:
    with listening(str(program), "server", "127.0.0.1") as port:
        lines = said(sys.executable, str(EXAMPLE / "client.py"), f"127.0.0.1:{port}")
    assert [line.rpartition("= ")[2] for line in lines[:-1]] == ["101.0", "27.0", "29.0", "1234.0", "512.0"]
    assert "a wrong number of parameters" in lines[-1]


@pytest.mark.conformance("PRO-26")
def test_a_client_in_cpp_with_the_server(program: Path, backend: str) -> None:
    with listening(sys.executable, "-u", str(EXAMPLE / "server.py"), "127.0.0.1:0") as line:
        assert said(str(program), "client", line.removeprefix("listening on ")) == ["131", "42"]
