"""The same in pycapnp: ``python -m bench.rpc.pycapnp_peer server|client PATH``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import capnp

from bench.contenders.library import SCHEMAS
from bench.rpc.client import answer

Adder: Any = capnp.load(str(SCHEMAS / "adder.capnp")).Adder


class AdderServer(Adder.Server):
    async def add(self, a: int, b: int, **_: Any) -> int:
        return a + b

    async def next(self, **_: Any) -> Any:
        return self

    async def echo(self, data: bytes, **_: Any) -> bytes:
        return data


async def server(path: str) -> None:
    async def accept(stream: Any) -> None:
        await capnp.TwoPartyServer(stream, bootstrap=AdderServer()).on_disconnect()

    listener = await capnp.AsyncIoStream.create_unix_server(accept, path)
    print("ready", flush=True)
    async with listener:
        await listener.serve_forever()


async def client(path: str) -> None:
    async def connect() -> tuple[Any, Callable[[], Any]]:
        made = capnp.TwoPartyClient(await capnp.AsyncIoStream.create_unix_connection(path))
        return made.bootstrap().cast_as(Adder), made.close

    await answer(connect)


if __name__ == "__main__":
    asyncio.run(capnp.run({"server": server, "client": client}[sys.argv[1]](sys.argv[2])))
