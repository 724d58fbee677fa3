"""The examples of RPC, run as their users run them: each server and each client is a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

SECONDS = 60
"""That a whole test may take before it fails."""


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, SECONDS))


@asynccontextmanager
async def started(program: str, *arguments: object) -> AsyncIterator[Process]:
    """An example, as a process on the environment's codec, which is killed in the end if it still runs."""
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / program), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def serving(example: str, *arguments: object) -> AsyncIterator[tuple[str, Process]]:
    """The address of an example's server, and its process, which complains of nothing and ends when it is told to."""
    async with started(f"{example}/server.py", "127.0.0.1:0", *arguments) as server:
        line = await line_of(server)
        assert line.startswith("listening on 127.0.0.1:"), await server.communicate()
        yield line.split()[-1], server
        server.send_signal(signal.SIGINT)
        assert await server.communicate() == (b"", b"")
        assert server.returncode == 0


async def line_of(process: Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().rstrip("\n")


async def done(program: str, *arguments: object) -> tuple[str, str, int]:
    """What a program prints, what it complains of, and its status."""
    async with started(program, *arguments) as process:
        printed, complained = await process.communicate()
        assert process.returncode is not None
        return printed.decode(), complained.decode(), process.returncode


CALCULATED = """\
123 + 45 - 67 = 101.0
4 * 6 + 3 = 27.0
4 * 6 + 5 = 29.0
f(x, y) = x * 100 + y; f(12, 34) = 1234.0
2 ** (4 + 5) = 512.0
f(1): the function takes 2 parameters, not 1
"""


def test_the_calculator(backend: str) -> None:
    async def test() -> None:
        async with serving("calculator") as (address, _):
            clients = (done("calculator/client.py", address) for _ in range(2))
            assert await asyncio.gather(*clients) == [(CALCULATED, "", 0)] * 2

    run(test())


def test_the_chat_room(backend: str) -> None:
    async def test() -> None:
        async with serving("chat") as (address, _), started("chat/client.py", address, "Alice") as alice:
            assert await line_of(alice) == "* here already: nobody"
            async with started("chat/client.py", address, "Bob") as bob:
                assert await line_of(bob) == "* here already: Alice"
                assert await line_of(alice) == "* Bob joined"
                say(alice, "Hello!")
                assert await line_of(bob) == "Alice: Hello!"
                say(bob, "Grüezi!")
                assert await line_of(alice) == "Bob: Grüezi!"
                assert await done("chat/client.py", address, "Alice") == ("", "the name Alice is taken\n", 1)
            assert await line_of(alice) == "* Bob left"  # it was killed
            async with started("chat/client.py", address, "Bob") as bob:
                assert await line_of(bob) == "* here already: Alice"
                assert await line_of(alice) == "* Bob joined"
                alice.stdin.close()
                assert await alice.communicate() == (b"", b"")
                assert await line_of(bob) == "* Alice left"

    run(test())


def say(process: Process, text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{text}\n".encode())


def test_files_are_transferred(backend: str, tmp_path: Path) -> None:
    here, there = folders(tmp_path)
    content = os.urandom(1_000_001)
    (here / "file").write_bytes(content)
    (here / "empty").touch()

    async def test() -> None:
        async with serving("file_transfer", there) as (address, _):
            for name, size in ("file", len(content)), ("empty", 0):
                program = "file_transfer/client.py", address
                assert await done(*program, "upload", here / name) == (f"{size} bytes were sent\n", "", 0)
                (here / name).unlink()
                assert await done(*program, "download", here / name) == (f"{size} bytes were received\n", "", 0)
            _, complained, status = await done(*program, "download", here / "nothing")
            assert (complained, status) == ("remote exception: there is no file 'nothing'\n", 1)

    run(test())
    for folder in (here, there):
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {"file": content, "empty": b""}


def test_a_file_whose_sender_dies_is_removed(backend: str, tmp_path: Path) -> None:
    here, there = folders(tmp_path)
    os.mkfifo(here / "pipe")

    async def test() -> None:
        client = "file_transfer/client.py"
        async with serving("file_transfer", there) as (address, _), started(client, address, "upload", here / "pipe"):
            while not sum(path.stat().st_size for path in there.iterdir()):
                await asyncio.sleep(0.01)

    with open(os.open(here / "pipe", os.O_RDWR), "wb", buffering=0) as pipe:
        pipe.write(bytes(1 << 16))
        run(test())
    assert not list(there.iterdir())


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="there is no /proc to tell how much memory is in use"
)
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython frees what is not used at once")
def test_a_long_file_takes_little_memory(backend: str, tmp_path: Path) -> None:
    here, there = folders(tmp_path)
    size = 128 << 20
    with (here / "file").open("wb") as file:
        file.truncate(size)

    async def test() -> None:
        async with serving("file_transfer", there) as (address, server):
            before = peak_bytes(server)
            for command in ("upload", "download"):
                _, complained, _ = await done("file_transfer/client.py", address, command, here / "file")
                assert not complained
                assert peak_bytes(server) - before < size // 4

    run(test())
    assert (there / "file").stat().st_size == size


def peak_bytes(process: Process) -> int:
    """The most memory that a process has had so far."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM:"))


def folders(path: Path) -> tuple[Path, Path]:
    here, there = path / "here", path / "there"
    here.mkdir()
    there.mkdir()
    return here, there
