"""Client and server of hub.capnp in ccapnp: ``ccapnp_peer.py server ADDRESS``, ``ccapnp_peer.py client ADDRESS``.

The client prints a line for each of its scenarios, "ok NAME" or "failed NAME: why".
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import ccapnp
from ccapnp import rpc

hub_capnp: Any = ccapnp.load(str(Path(__file__).with_name("hub.capnp")))
Hub, Counter, Listener, Sink = hub_capnp.Hub, hub_capnp.Counter, hub_capnp.Listener, hub_capnp.Sink

OPTIONS = rpc.Options(traversal_limit_in_words=1 << 26)
ERRORS = (ccapnp.FailedError, ccapnp.OverloadedError, ccapnp.DisconnectedError, ccapnp.UnimplementedError)
CHUNKS, CHUNK = 256, bytes(64 << 10)


class CounterServer(Counter.Server):  # type: ignore[misc]
    def __init__(self, start: int) -> None:
        self.value = start

    async def next(self) -> int:
        self.value += 1
        return self.value - 1


class ListenerServer(Listener.Server):  # type: ignore[misc]
    async def heard(self, value: int) -> int:
        return value * 10


class SinkServer(Sink.Server):  # type: ignore[misc]
    def __init__(self) -> None:
        self.size = self.chunks = 0

    async def write(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self.chunks += 1

    async def done(self) -> tuple[int, int]:
        return self.size, self.chunks


class HubServer(Hub.Server):  # type: ignore[misc]
    def __init__(self) -> None:
        self.cancellations = 0
        self.kept: Any = None

    async def echo(self, text: str, data: bytes) -> tuple[str, bytes]:
        return text, data

    async def add(self, a: int, b: int) -> int:
        return a + b

    async def makeCounter(self, start: int) -> Any:
        return CounterServer(start)

    async def notify(self, listener: Any, times: int) -> int:
        return sum([(await listener.heard(value)).answer for value in range(times)])

    async def fail(self, kind: int, reason: str) -> None:
        raise ERRORS[kind](reason)

    async def never(self, held: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancellations += 1
            raise

    async def cancelled(self) -> int:
        return self.cancellations

    async def upload(self) -> Any:
        return SinkServer()

    async def tail(self, target: Any, a: int, b: int, _context: Any) -> None:
        _context.tail_call(target.add_request(a, b))

    async def hold(self, listener: Any) -> None:
        self.kept = listener

    async def held(self) -> Any:
        return self.kept

    async def reflect(self, counter: Any) -> Any:
        return counter

    async def nothing(self) -> None:
        return None


class Scenarios:
    """Each method is one; its name is what it is about."""

    def __init__(self, hub: Any) -> None:
        self.hub = hub

    async def echo(self, size: int = 1000) -> None:
        data = bytes(i & 0xFF for i in range(1000)) * (size // 1000)
        results = await self.hub.echo(text="wörter", data=data)
        assert results.text == "wörter" and results.data == data

    async def large(self) -> None:
        await self.echo(64 << 20)

    async def add(self) -> None:
        assert (await self.hub.add(2, 3)).sum == 5

    async def pipelining(self) -> None:
        hub = self.hub
        counter = hub.reflect(hub.reflect(hub.makeCounter(7).counter).counter).counter
        assert (await counter.next()).value == 7

    async def many(self) -> None:
        results = await asyncio.gather(*(self.hub.add(i, 1) for i in range(256)))
        assert [each.sum for each in results] == list(range(1, 257))

    async def callbacks(self) -> None:
        assert (await self.hub.notify(ListenerServer(), 10)).sum == 450

    async def error_failed(self) -> None:
        await self._error(0)

    async def error_overloaded(self) -> None:
        await self._error(1)

    async def error_disconnected(self) -> None:
        await self._error(2)

    async def error_unimplemented(self) -> None:
        await self._error(3)

    async def _error(self, kind: int) -> None:
        try:
            await self.hub.fail(kind, "what happened")
        except ERRORS[kind] as raised:
            assert "what happened" in raised.reason
        else:
            raise AssertionError("it did not fail")

    async def missing(self) -> None:
        try:
            await self.hub.missing()
        except ccapnp.UnimplementedError:
            return
        raise AssertionError("it did not fail")

    async def cancellation(self) -> None:
        before = (await self.hub.cancelled()).count

        async def wait() -> None:
            await self.hub.never(CounterServer(1))

        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        await self.hub.cancelled()
        task.cancel()
        for _ in range(1000):
            if (await self.hub.cancelled()).count > before:
                break
        assert (await self.hub.cancelled()).count == before + 1

    async def streaming(self) -> None:
        sink = self.hub.upload().sink
        for _ in range(CHUNKS):
            await sink.write(CHUNK)
        results = await sink.done()
        assert (results.size, results.chunks) == (CHUNKS * len(CHUNK), CHUNKS)

    async def tail_call_back(self) -> None:
        assert (await self.hub.tail(HubServer(), 20, 22)).sum == 42

    async def tail_call(self) -> None:
        assert (await self.hub.tail(self.hub, 20, 22)).sum == 42

    async def holding(self) -> None:
        listener = ListenerServer()
        await self.hub.hold(listener)
        back = (await self.hub.held()).listener
        assert (await back.heard(5)).answer == 50
        assert await back.local_server() is listener

    async def embargo(self) -> None:
        promise = self.hub.reflect(CounterServer(100))
        early = promise.counter
        await asyncio.sleep(0)
        time.sleep(0.05)  # the answer comes meanwhile, and is read when the first calls are on their way
        calls = [early.next() for _ in range(3)]
        await promise
        calls += [early.next() for _ in range(3)]
        values = [(await each).value for each in calls]
        assert values == list(range(100, 106)), values

    async def null(self) -> None:
        try:
            await self.hub.nothing().counter.next()
        except ccapnp.RpcError:
            await self.add()
        else:
            raise AssertionError("it did not fail")


async def check(name: str, scenario: Callable[[], Awaitable[None]]) -> bool:
    try:
        await scenario()
    except Exception as error:  # noqa: BLE001
        traceback.print_exc()
        print(f"failed {name}: {error!r}", flush=True)
        return False
    print(f"ok {name}", flush=True)
    return True


async def client(where: dict[str, Any]) -> int:
    async with await rpc.connect(**where, options=OPTIONS) as connection:
        scenarios = Scenarios(connection.bootstrap(Hub))
        names = [name for name in vars(Scenarios) if name[0] != "_"]
        return 0 if all([await check(name, getattr(scenarios, name)) for name in names]) else 1


async def server(where: dict[str, Any]) -> int:
    async with await rpc.serve(HubServer(), **where, options=OPTIONS) as listener:
        print("ready", flush=True)
        await listener.serve_forever()
    return 0


def main(role: str, address: str) -> int:
    kind, _, rest = address.rpartition(":")
    where = {"path": rest} if kind == "unix" else {"host": kind, "port": int(rest)}
    return asyncio.run({"client": client, "server": server}[role](where))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
