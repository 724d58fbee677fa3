"""Calls by real sockets: what is freed, canceled and kept in order (rpc-twoparty-test.c++)."""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ccapnp import rpc
from tests.conformance.calls import Servers, eventually, run


@pytest.fixture
def servers(backend: str) -> Servers:
    return Servers(backend)


@pytest.fixture
def path() -> Iterator[Path]:
    """A path that is short enough for a unix socket."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made) / "s"


@asynccontextmanager
async def connected(servers: Servers, path: Path, server: Any, **options: Any) -> AsyncIterator[tuple[Any, Any]]:
    """Both ends of a connection by a unix socket."""
    how = {"options": rpc.Options(**options), "backend": servers.backend}
    async with await rpc.serve(server, path=path, **how) as listener, await rpc.connect(path=path, **how) as ours:
        await eventually(lambda: bool(listener.connections))
        (theirs,) = listener.connections
        yield ours, theirs


async def _get(promise: Any) -> Any:
    return await promise


def waiting(promise: Any) -> asyncio.Future[Any]:
    """A task that waits for a call."""
    return asyncio.ensure_future(_get(promise))


async def collected(condition: Any) -> None:
    """Wait until something holds, once what nothing refers to is gone."""

    def look() -> bool:
        gc.collect()
        return bool(condition())

    await eventually(look)


def is_idle(*connections: Any) -> bool:
    return all(each._core.is_idle for each in connections)


# ---- what is freed


@pytest.mark.conformance("RPC-03", "TWO-03")
def test_an_object_of_the_servers_is_freed_without_another_message(servers: Servers, path: Path) -> None:
    class Giver(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        def getHeld(self) -> Any:
            return servers.Base()

    async def still_there() -> None:
        gc.collect()
        await asyncio.sleep(0.02)
        assert "base freed" not in servers.counts

    async def main() -> None:
        async with connected(servers, path, Giver()) as (ours, theirs):
            client = ours.bootstrap(servers.schema.More)
            promise = client.getHeld()
            first, second = promise.cap, (await promise).cap
            assert (await first.foo(123, True)).x == (await second.foo(123, True)).x == "foo"
            del first
            await still_there()
            del second
            await still_there()
            del promise
            await collected(lambda: servers.counts.get("base freed") == 1)
            client.close()
            await collected(lambda: is_idle(ours, theirs))

    run(main)


@pytest.mark.conformance("RPC-04")
@pytest.mark.parametrize("turns", range(8))
def test_results_that_come_for_a_canceled_call_are_released(servers: Servers, path: Path, turns: int) -> None:
    class Giver(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        made = 0

        def getHeld(self) -> Any:
            self.made += 1
            return servers.Base()

    async def main() -> None:
        giver = Giver()
        async with connected(servers, path, giver) as (ours, theirs):
            client = ours.bootstrap(servers.schema.More)
            await client.resolved()
            promise = client.getHeld()
            for _ in range(turns):
                await asyncio.sleep(0)
            promise.cancel()
            del promise
            client.close()
            await collected(lambda: is_idle(ours, theirs) and giver.made == servers.counts.get("base freed", 0))

    run(main)


@pytest.mark.conformance("RPC-09", "RPC-06")
def test_a_canceled_call_gives_its_parameters_back(servers: Servers, path: Path) -> None:
    async def main() -> None:
        more = servers.More()
        async with connected(servers, path, more) as (ours, _):
            client = ours.bootstrap(servers.schema.More)
            promise = client.never(servers.Base())
            await eventually(lambda: more.events == ["began"])
            gc.collect()
            assert "base freed" not in servers.counts
            promise.cancel()
            await collected(lambda: servers.counts.get("base freed") == 1)
            assert more.events == ["began", "canceled"] and (await client.next()).n == 0

    run(main)


@pytest.mark.conformance("RPC-10")
def test_an_object_that_is_sent_many_times_is_one_export(servers: Servers, path: Path) -> None:
    async def main() -> None:
        more = servers.More()
        async with connected(servers, path, more) as (ours, _):
            client, own = ours.bootstrap(servers.schema.More), servers.Base()
            calls = [client.never(own) for _ in range(4)]
            await eventually(lambda: more.events == ["began"] * 4)
            assert len(ours._core.exports) == 1
            del own
            while len(calls) > 1:
                calls.pop()
                await collected(lambda: more.events.count("canceled") == 4 - len(calls))
                assert len(ours._core.exports) == 1 and "base freed" not in servers.counts
            calls.pop()
            await collected(lambda: servers.counts.get("base freed") == 1)
            assert len(ours._core.exports) == 0

    run(main)


# ---- what is canceled


@pytest.mark.conformance("RPC-05")
@pytest.mark.parametrize("turns", [*range(8), None])
def test_a_tail_call_is_canceled_once_with_the_call_whenever_that_is(servers: Servers, path: Path, turns: Any) -> None:
    events: list[str] = []

    class Callee(servers.schema.Callee.Server):  # type: ignore[misc, name-defined]
        async def foo(self, **_: Any) -> None:
            events.append("began")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                events.append("canceled")
                raise

    async def main() -> None:
        async with connected(servers, path, servers.Caller()) as (ours, theirs):
            client = ours.bootstrap(servers.schema.Caller)
            await client.resolved()
            promise = client.foo(1, Callee())
            if turns is None:
                await eventually(lambda: events == ["began"])
            else:
                for _ in range(turns):
                    await asyncio.sleep(0)
            promise.cancel()
            del promise
            client.close()
            await collected(lambda: is_idle(ours, theirs))
            assert events in ([], ["began", "canceled"])
            assert turns is not None or events

    run(main)


@pytest.mark.conformance("TWO-15")
def test_a_server_lives_until_what_it_may_not_be_stopped_from_is_done(servers: Servers, path: Path) -> None:
    events: list[str] = []

    class Stubborn(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        async def next(self, _context: Any) -> int:
            _context.allow_cancellation(False)
            events.append("began")
            await gate.wait()
            events.append("done")
            return 1

        def __del__(self) -> None:
            events.append("freed")

    class Giver(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        def echo(self, cap: Any) -> Any:
            return Stubborn()

    gate: Any = None

    async def main() -> None:
        nonlocal gate
        gate = asyncio.Event()
        async with connected(servers, path, Giver()) as (ours, _):
            stubborn = ours.bootstrap(servers.schema.More).echo(None).cap
            promise = stubborn.next()
            await eventually(lambda: events == ["began"])
            promise.cancel()
            del promise, stubborn
            gc.collect()
            await asyncio.sleep(0.02)
            assert events == ["began"]
            gate.set()
            await collected(lambda: events == ["began", "done", "freed"])

    run(main)


# ---- how it ends


@pytest.mark.conformance("TWO-04", "RPC-17", "PRO-18")
def test_a_peer_is_told_why_before_the_connection_is_closed(servers: Servers, path: Path) -> None:
    async def main() -> None:
        async with await rpc.serve(servers.Order(), path=path, backend=servers.backend) as listener:
            reader, writer = await asyncio.open_unix_connection(str(path))
            await eventually(lambda: bool(listener.connections))
            (theirs,) = listener.connections
            message = theirs._core.wire.Message
            writer.write(message.new_message(**{"return": {"answerId": 1234, "canceled": None}}).to_bytes())
            abort = message.from_bytes(await reader.read())  # up to the end of the stream
            assert abort.which() == "abort" and abort.abort.reason
            await theirs.closed
            writer.close()
            async with await rpc.connect(path=path, backend=servers.backend) as connection:
                assert (await connection.bootstrap(servers.schema.Order).next()).n == 0

    run(main)


# ---- streams


@pytest.mark.conformance("TWO-10")
def test_a_stream_by_a_promise_keeps_its_window_once_the_promise_is_known(servers: Servers, path: Path) -> None:
    async def main() -> None:
        stream = servers.Stream()
        async with connected(servers, path, stream, stream_window=1024) as (ours, _):
            promised, fulfiller = rpc.promise(servers.schema.Stream)
            early = [waiting(promised.addI(1)) for _ in range(3)]
            await asyncio.sleep(0.02)
            assert not any(each.done() for each in early)
            fulfiller.fulfill(ours.bootstrap(servers.schema.Stream))
            await asyncio.gather(*early)
            late = [waiting(promised.addI(1)) for _ in range(27)]
            finish = waiting(promised.finish())
            await asyncio.sleep(0.05)
            assert not all(each.done() for each in late) and not finish.done()
            for _ in range(30):
                stream.gate.release()
            await asyncio.gather(*late)
            assert (await finish).i == 30

    run(main)


@pytest.mark.conformance("TWO-11")
def test_a_stream_within_a_process_has_no_window(servers: Servers) -> None:
    async def main() -> None:
        stream = servers.Stream()
        calls = [waiting(servers.local(stream).addI(1)) for _ in range(100)]
        await asyncio.sleep(0.02)
        assert not any(each.done() for each in calls)  # each is done when it is done
        for _ in calls:
            stream.gate.release()
        await asyncio.gather(*calls)
        assert stream.i == 100

    run(main)


@pytest.mark.conformance("TWO-11", "CAP-16")
def test_ones_own_stream_is_given_when_all_that_was_sent_has_been_taken(servers: Servers) -> None:
    async def main() -> None:
        stream = servers.Stream()
        client = servers.local(stream)
        calls = [waiting(client.addI(1)) for _ in range(3)]
        await asyncio.sleep(0.01)
        found = asyncio.ensure_future(client.local_server())
        for done in range(3):
            await asyncio.sleep(0.01)
            assert not found.done() and stream.i == done
            stream.gate.release()
        assert await found is stream and stream.i == 3
        await asyncio.gather(*calls)

    run(main)


# ---- order


@pytest.mark.conformance("TWO-12")
def test_a_request_begun_before_a_promise_is_known_is_in_order(servers: Servers, path: Path) -> None:
    async def main() -> None:
        async with connected(servers, path, servers.More()) as (ours, _):
            client = ours.bootstrap(servers.schema.More)
            promised, fulfiller = rpc.promise(servers.schema.Order)
            cap = client.echo(promised).cap
            first = cap.next()
            request = cap.next_request()
            fulfiller.fulfill(servers.Order())
            await cap.resolved()
            second = request.send()
            assert [(await each).n for each in (first, second)] == [0, 1]

    run(main)


@pytest.mark.conformance("RPC-11", "RPC-12", "TWO-16")
@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_calls_keep_their_order_whenever_a_promise_is_known(servers: Servers, hops: int, when: str) -> None:
    async def main() -> None:
        client = servers.remote(servers.More())
        for _ in range(hops - 1):
            client = servers.remote(client)
        own = servers.Order()
        promised, fulfiller = rpc.promise(servers.schema.Order)
        if when == "before":
            fulfiller.fulfill(own)
        promise = client.echo(promised)
        calls = []
        for number in range(60):
            calls.append(promise.cap.next())
            if number == 30 and when == "between":
                fulfiller.fulfill(own)
            if number % 3 == 0:
                await asyncio.sleep(0)
        if when == "after":
            fulfiller.fulfill(own)
        assert await promise.cap.local_server() is own
        assert own.calls == 60
        calls.append(promise.cap.next())
        assert [(await each).n for each in calls] == list(range(61))

    run(main)
