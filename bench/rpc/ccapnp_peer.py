"""An adder in ccapnp: ``python -m bench.rpc.ccapnp_peer server|client PATH``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import ccapnp
from bench.contenders.library import SCHEMAS
from bench.rpc.client import answer
from ccapnp import rpc

Adder: Any = ccapnp.load(str(SCHEMAS / "adder.capnp")).Adder


class AdderServer(Adder.Server):
    async def add(self, a: int, b: int) -> int:
        return a + b

    async def next(self) -> Any:
        return self

    async def echo(self, data: bytes) -> bytes:
        return data


async def server(path: str) -> None:
    async with await rpc.serve(AdderServer(), path=path) as listener:
        print("ready", flush=True)
        await listener.serve_forever()


async def client(path: str) -> None:
    async def connect() -> tuple[Any, Callable[[], Any]]:
        connection = await rpc.connect(path=path)
        return connection.bootstrap(Adder), connection.close

    await answer(connect)


if __name__ == "__main__":
    asyncio.run({"server": server, "client": client}[sys.argv[1]](sys.argv[2]))
