"""What a client does that is measured; it answers commands, as `bench.process` sends them.

A command is the name of a row and how often to do it; the answer is the seconds that it took, or of CPU for ``idle``.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

__all__ = ["ROWS", "answer"]

_FLYING = 64
_MEGABYTE = bytes(1 << 20)

Connect = Callable[[], Awaitable[tuple[Any, Callable[[], Any]]]]
"""Gives an adder by a new connection, and what closes that."""


async def _one(adder: Any, connect: Connect, count: int) -> None:
    for number in range(count):
        await adder.add(a=number, b=1)


async def _many(adder: Any, connect: Connect, count: int) -> None:
    share = count // _FLYING + 1
    await asyncio.gather(*(_one(adder, connect, share) for _ in range(_FLYING)))


async def _chain(adder: Any, connect: Connect, count: int) -> None:
    for number in range(count):
        first = adder.next()  # which must live as long as the calls that are built upon it
        second = first.adder.next()
        assert (await second.adder.add(a=number, b=1)).sum == number + 1


async def _echo(adder: Any, connect: Connect, count: int) -> None:
    for _ in range(count):
        assert len((await adder.echo(data=_MEGABYTE)).data) == len(_MEGABYTE)


async def _connect(adder: Any, connect: Connect, count: int) -> None:
    for _ in range(count):
        made, close = await connect()
        await made.add(a=1, b=2)
        close()


ROWS: dict[str, Callable[[Any, Connect, int], Awaitable[None]]] = {
    "one": _one,
    "many": _many,
    "chain": _chain,
    "echo": _echo,
    "connect": _connect,
}


async def answer(connect: Connect) -> None:
    """Answer commands from standard input until it ends."""
    loop = asyncio.get_running_loop()
    adder, close = await connect()
    await _one(adder, connect, 100)
    print("ready", flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        row, count = line.split()
        if row == "idle":
            start = time.process_time()
            await asyncio.sleep(int(count))
            print(time.process_time() - start, flush=True)
            continue
        before = time.perf_counter()
        await ROWS[row](adder, connect, int(count))
        print(time.perf_counter() - before, flush=True)
    close()
