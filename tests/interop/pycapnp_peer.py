"""Client and server of hub.capnp in pycapnp: ``pycapnp_peer.py server ADDRESS``, ``pycapnp_peer.py client ADDRESS``.

The client prints a line for each of its scenarios, "ok NAME" or "failed NAME: why".
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import capnp  # type: ignore[import-not-found, unused-ignore]

STANDARD = Path(__file__).parents[2] / "ccapnp" / "compiler" / "standard"
hub_capnp: Any = capnp.load(str(Path(__file__).with_name("hub.capnp")), imports=[str(STANDARD)])
Hub, Counter, Listener, Sink = hub_capnp.Hub, hub_capnp.Counter, hub_capnp.Listener, hub_capnp.Sink

LIMIT = 1 << 26
CHUNKS, CHUNK = 256, bytes(64 << 10)


class CounterServer(Counter.Server):  # type: ignore[misc]
    def __init__(self, start: int) -> None:
        self.value = start

    async def next(self, **_: Any) -> int:
        self.value += 1
        return self.value - 1


class ListenerServer(Listener.Server):  # type: ignore[misc]
    async def heard(self, value: int, **_: Any) -> int:
        return value * 10


class SinkServer(Sink.Server):  # type: ignore[misc]
    def __init__(self) -> None:
        self.size = self.chunks = 0

    async def write(self, chunk: bytes, **_: Any) -> None:
        self.size += len(chunk)
        self.chunks += 1

    async def done(self, **_: Any) -> tuple[int, int]:
        return self.size, self.chunks


class HubServer(Hub.Server):  # type: ignore[misc]
    def __init__(self) -> None:
        self.cancellations = 0
        self.kept: Any = None

    async def echo(self, text: str, data: bytes, **_: Any) -> tuple[str, bytes]:
        return text, data

    async def add(self, a: int, b: int, **_: Any) -> int:
        return a + b

    async def makeCounter(self, start: int, **_: Any) -> Any:
        return CounterServer(start)

    async def notify(self, listener: Any, times: int, **_: Any) -> int:
        return sum([(await listener.heard(value)).answer for value in range(times)])

    async def fail(self, kind: Any, reason: str, **_: Any) -> None:
        raise RuntimeError(reason)

    async def never(self, held: Any, **_: Any) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancellations += 1
            raise

    async def cancelled(self, **_: Any) -> int:
        return self.cancellations

    async def upload(self, **_: Any) -> Any:
        return SinkServer()

    async def hold(self, listener: Any, **_: Any) -> None:
        self.kept = listener

    async def held(self, **_: Any) -> Any:
        return self.kept

    async def reflect(self, counter: Any, **_: Any) -> Any:
        return counter

    async def nothing(self, **_: Any) -> None:
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
        first = hub.makeCounter(7)
        second = hub.reflect(first.counter)
        third = hub.reflect(second.counter)
        assert (await third.counter.next()).value == 7

    async def many(self) -> None:
        promises = [self.hub.add(i, 1) for i in range(256)]
        assert [(await each).sum for each in promises] == list(range(1, 257))

    async def callbacks(self) -> None:
        assert (await self.hub.notify(ListenerServer(), 10)).sum == 450

    async def error_failed(self) -> None:
        await self._error("failed")

    async def error_overloaded(self) -> None:
        await self._error("overloaded")

    async def error_disconnected(self) -> None:
        await self._error("disconnected")

    async def error_unimplemented(self) -> None:
        await self._error("unimplemented")

    async def _error(self, kind: str) -> None:
        try:
            await self.hub.fail(kind, "what happened")
        except capnp.KjException as raised:
            assert "what happened" in str(raised)
            assert raised.type.lower() == kind
        else:
            raise AssertionError("it did not fail")

    async def missing(self) -> None:
        try:
            await self.hub.missing()
        except capnp.KjException as raised:
            assert raised.type.lower() == "unimplemented"
        else:
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
        sink = (await self.hub.upload()).sink
        for _ in range(CHUNKS):
            await sink.write(CHUNK)
        results = await sink.done()
        assert (results.size, results.chunks) == (CHUNKS * len(CHUNK), CHUNKS)

    async def tail_call_back(self) -> None:
        assert (await self.hub.tail(HubServer(), 20, 22)).sum == 42

    async def tail_call(self) -> None:
        assert (await self.hub.tail(self.hub, 20, 22)).sum == 42

    async def holding(self) -> None:
        await self.hub.hold(ListenerServer())
        back = (await self.hub.held()).listener
        assert (await back.heard(5)).answer == 50

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
        except capnp.KjException:
            await self.add()
        else:
            raise AssertionError("it did not fail")


async def client(address: str) -> int:
    kind, _, rest = address.rpartition(":")
    if kind == "unix":
        stream = await capnp.AsyncIoStream.create_unix_connection(rest)
    else:
        stream = await capnp.AsyncIoStream.create_connection(kind, int(rest))
    scenarios = Scenarios(capnp.TwoPartyClient(stream, traversal_limit_in_words=LIMIT).bootstrap().cast_as(Hub))
    failures = 0
    for name in [name for name in vars(Scenarios) if name[0] != "_"]:
        try:
            await getattr(scenarios, name)()
        except Exception as error:  # noqa: BLE001
            traceback.print_exc()
            print(f"failed {name}: {error!r}", flush=True)
            failures += 1
        else:
            print(f"ok {name}", flush=True)
    return 1 if failures else 0


async def server(address: str) -> int:
    async def accept(stream: Any) -> None:
        await capnp.TwoPartyServer(stream, bootstrap=HubServer(), traversal_limit_in_words=LIMIT).on_disconnect()

    kind, _, rest = address.rpartition(":")
    if kind == "unix":
        listener = await capnp.AsyncIoStream.create_unix_server(accept, rest)
    else:
        listener = await capnp.AsyncIoStream.create_server(accept, kind, int(rest))
    print("ready", flush=True)
    async with listener:
        await listener.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(capnp.run({"client": client, "server": server}[sys.argv[1]](sys.argv[2]))))
