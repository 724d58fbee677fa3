"""Calls by a connection: lifetimes, order, and what crosses it (rpc-test.c++, rpc-twoparty-test.c++)."""

from __future__ import annotations

import asyncio
import gc
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp import rpc
from tests.conformance.calls import Servers, eventually, run


@pytest.fixture
def servers(backend: str) -> Servers:
    return Servers(backend)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a path that is short enough for a unix socket."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


async def freed(servers: Servers, name: str, count: int = 1) -> None:
    """Wait until servers of that name have been freed."""

    def look() -> bool:
        gc.collect()
        return servers.counts.get(f"{name} freed", 0) >= count

    await eventually(look)


def wait(promise: Any) -> asyncio.Future[Any]:
    async def get() -> Any:
        return await promise

    return asyncio.ensure_future(get())


@pytest.mark.conformance("RPC-02")
def test_a_call_for_what_is_built_on_it_alone(servers: Servers) -> None:
    async def main() -> None:
        client = servers.remote(servers.Pipeline())
        inner = client.getCap(123, servers.Base()).outBox.cap.foo(123, True)
        gc.collect()
        assert (await inner).x == "foo"

    run(main)


@pytest.mark.conformance("RPC-03", "TWO-03")
def test_an_object_is_freed_when_the_last_reference_is_gone(servers: Servers) -> None:
    async def main() -> None:
        connection, _ = rpc.pair(servers.Pipeline(), backend=servers.backend)
        client = connection.bootstrap(servers.schema.Pipeline)
        given = servers.Base()
        promise = client.getPlain(given)
        first = (await promise).cap
        second = servers.schema.Base.Client(first)
        del given, first
        gc.collect()
        assert "base freed" not in servers.counts
        del second
        gc.collect()
        assert "base freed" not in servers.counts
        del promise
        await freed(servers, "base")

    run(main)


@pytest.mark.conformance("RPC-07")
def test_calls_of_a_promised_parameter_wait(servers: Servers) -> None:
    async def main() -> None:
        client = servers.remote(servers.More())
        promised, fulfiller = rpc.promise(servers.schema.Base)
        calls = [wait(client.callFoo(promised)) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert not any(each.done() for each in calls) and not servers.counts
        fulfiller.fulfill(servers.Base())
        assert [(await each).s for each in calls] == ["bar foo", "bar foo"]

    run(main)


@pytest.mark.conformance("RPC-08")
def test_a_capability_that_is_held_and_given_back(servers: Servers) -> None:
    async def main() -> None:
        connection, other = rpc.pair(servers.More(), backend=servers.backend)
        client, own = connection.bootstrap(servers.schema.More), servers.Base()
        await client.hold(own)
        assert (await client.callHeld()).s == "held foo"
        back = (await client.getHeld()).cap
        questions = len(connection._core.questions)
        assert (await back.foo(123, True)).x == "foo" and len(connection._core.questions) == questions
        await client.hold(back)
        del own, back
        gc.collect()
        assert "base freed" not in servers.counts
        assert (await client.callHeld()).s == "held foo"
        client.close()
        del client
        connection.close()
        await connection.closed
        await other.closed
        await freed(servers, "base")

    run(main)


@pytest.mark.conformance("RPC-11", "RPC-13", "TWO-16")
@pytest.mark.parametrize("hops", [1, 2])
def test_calls_keep_their_order_when_a_promise_comes_back(servers: Servers, hops: int) -> None:
    async def main() -> None:
        client = servers.remote(servers.More())
        for _ in range(hops - 1):
            client = servers.remote(client)
        promise = client.echo(servers.Order())
        calls = [promise.cap.next() for _ in range(3)]
        await promise
        calls += [promise.cap.next() for _ in range(3)]
        assert [(await each).n for each in calls] == list(range(6))

    run(main)


@pytest.mark.conformance("RPC-11", "TWO-16")
def test_calls_keep_their_order_when_what_comes_back_is_a_promise(servers: Servers) -> None:
    async def main() -> None:
        client = servers.remote(servers.remote(servers.More()))
        promised, fulfiller = rpc.promise(servers.schema.Order)
        promise = client.echo(promised)
        calls = [promise.cap.next() for _ in range(2)]
        await promise
        calls += [promise.cap.next() for _ in range(2)]
        fulfiller.fulfill(servers.Order())
        calls += [promise.cap.next() for _ in range(2)]
        assert [(await each).n for each in calls] == list(range(6))

    run(main)


@pytest.mark.conformance("RPC-12")
def test_ones_own_server_is_found_when_what_was_sent_has_come_back(servers: Servers) -> None:
    async def main() -> None:
        own = servers.Order()
        promise = servers.remote(servers.More()).echo(own)
        calls = [promise.cap.next() for _ in range(3)]
        assert await promise.cap.local_server() is own
        assert own.calls >= 3
        assert [(await each).n for each in calls] == [0, 1, 2]

    run(main)


@pytest.mark.conformance("RPC-14", "RPC-16")
def test_calls_of_a_promise_that_breaks_fail(servers: Servers) -> None:
    async def main() -> None:
        client = servers.remote(servers.More())
        promised, fulfiller = rpc.promise(servers.schema.Order)
        promise = client.echo(promised)
        calls = [promise.cap.next() for _ in range(3)]
        held = client.callFoo(promised.cast_as(servers.schema.Base))
        await promise
        calls += [promise.cap.next() for _ in range(3)]
        fulfiller.reject(ccapnp.OverloadedError("foo"))
        for each in (*calls, held):
            with pytest.raises(ccapnp.OverloadedError, match="foo"):
                await each
        assert (await client.next()).n == 0

    run(main)


@pytest.mark.conformance("RPC-18")
def test_errors_while_a_connection_ends_harm_nobody(servers: Servers) -> None:
    class Bad(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        async def never(self, **_: Any) -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                raise ValueError("at a bad time") from None

        async def fail(self) -> None:
            while True:
                try:
                    await asyncio.sleep(0.02)
                    return
                except asyncio.CancelledError:
                    continue

        def next(self) -> int:
            return 1

    async def main() -> None:
        async with await rpc.serve(Bad(), "127.0.0.1", 0, backend=servers.backend) as server:
            other = await rpc.connect("127.0.0.1", server.port, backend=servers.backend)
            async with await rpc.connect("127.0.0.1", server.port, backend=servers.backend) as connection:
                client = connection.bootstrap(servers.schema.More)
                calls = [wait(client.never(None)), wait(client.fail())]
                await client.next()
            for each in calls:
                with pytest.raises(ccapnp.DisconnectedError):
                    await each
            assert (await other.bootstrap(servers.schema.More).next()).n == 1
            other.close()
            await other.closed

    run(main)


@pytest.mark.conformance("RPC-19", "CAP-01")
def test_an_object_is_called_without_a_connection(servers: Servers) -> None:
    async def main() -> None:
        assert (await servers.local(servers.Base()).foo(123, True)).x == "foo"

    run(main)


@pytest.mark.conformance("RPC-20", "RPC-22")
@pytest.mark.parametrize("has_trace", [False, True])
def test_errors_have_a_text_and_a_trace_only_where_asked_for(servers: Servers, has_trace: bool) -> None:
    async def main() -> None:
        options = {"trace": lambda error: f"trace of {error}"} if has_trace else {}
        with pytest.raises(ccapnp.FailedError) as caught:
            await servers.remote(servers.More(), **options).fail()
        assert str(caught.value) == "remote exception: test exception" and caught.value.reason == "test exception"
        assert caught.value.trace == ("trace of test exception" if has_trace else None)

    run(main)


@pytest.mark.conformance("RPC-22")
def test_a_trace_is_passed_on_by_those_alone_who_give_theirs(servers: Servers) -> None:
    async def main() -> None:
        inner = servers.remote(servers.More(), trace=lambda error: "the inner trace")
        for options, trace in (({}, None), ({"trace": lambda error: "x"}, "the inner trace")):
            with pytest.raises(ccapnp.FailedError) as caught:
                await servers.remote(inner, **options).fail()
            assert caught.value.trace == trace

    run(main)


@pytest.mark.conformance("PRO-17", "REC-02")
def test_a_connection_that_a_server_lost_is_one_that_its_caller_lost(servers: Servers) -> None:
    class Order(servers.schema.Order.Server):  # type: ignore[misc, name-defined]
        def next(self) -> int:
            raise ConnectionResetError("the database")

    async def main() -> None:
        with pytest.raises(ccapnp.DisconnectedError, match="ConnectionResetError: the database"):
            await servers.remote(Order()).next()

    run(main)


@pytest.mark.conformance("RPC-21")
def test_an_error_that_is_passed_on_is_remote_once(servers: Servers) -> None:
    async def main() -> None:
        with pytest.raises(ccapnp.FailedError) as caught:
            await servers.remote(servers.remote(servers.More())).fail()
        assert str(caught.value) == "remote exception: test exception"

    run(main)


@pytest.mark.conformance("PRO-01")
def test_a_server_without_anything_to_offer_says_so(servers: Servers) -> None:
    async def main() -> None:
        with pytest.raises(ccapnp.FailedError, match="pass one to serve"):
            await servers.remote(servers.schema.Order.Client(None)).next()

    run(main)


# ---- by sockets


@pytest.mark.conformance("TWO-02", "TWO-05", "PRO-19")
def test_after_the_end_of_a_connection_all_calls_fail(servers: Servers, folder: Path) -> None:
    async def main() -> None:
        async with await rpc.serve(servers.Pipeline(), path=folder / "s", backend=servers.backend) as server:
            connection = await rpc.connect(path=folder / "s", backend=servers.backend)
            async with connection:
                client = connection.bootstrap(servers.schema.Pipeline)
                promise = client.getCap(123, servers.Base())
                assert (await promise.outBox.cap.foo(123, True)).x == "foo"
                before = servers.counts["base"], servers.counts["pipeline"]
                (theirs,) = server.connections
                theirs.close()
                await connection.closed
                for call in (client.getNull(), promise.outBox.cap.foo(123, True), client.getNull().cap.foo(1, True)):
                    with pytest.raises(ccapnp.DisconnectedError):
                        await call
                assert (servers.counts["base"], servers.counts["pipeline"]) == before and connection.is_closed
        assert not (folder / "s").exists()

    run(main)


@pytest.mark.conformance("TWO-06", "PRO-24")
def test_what_is_too_large_fails_alone(servers: Servers) -> None:
    async def main() -> None:
        client = servers.remote(servers.Keywords())
        small = servers.remote(servers.Generic(), traversal_limit_in_words=1000).cast_as(
            servers.schema.Generic[ccapnp.Data]
        )
        with pytest.raises(ccapnp.FailedError, match="larger than our single-message size limit"):
            await small.put(bytes(10000))
        assert (await small.put(b"small")).value == b"small"
        assert (await client.import_(5)).class_ == 5

    class Big(servers.schema.Base.Server):  # type: ignore[misc, name-defined]
        def foo(self, **_: Any) -> str:
            return "x" * 10000

    async def results() -> None:
        client = servers.remote(Big(), traversal_limit_in_words=1000)
        with pytest.raises(ccapnp.FailedError, match="a result .* is larger than our single-message size limit"):
            await client.foo(1, True)
        with pytest.raises(ccapnp.UnimplementedError):
            await client.bar()

    run(main)
    run(results)


@pytest.mark.conformance("TWO-07", "PRO-01")
def test_each_peer_may_get_something_of_its_own(servers: Servers) -> None:
    async def main() -> None:
        seen = []

        def for_peer(connection: rpc.Connection) -> Any:
            seen.append(connection.peer)
            return servers.Order() if len(seen) == 1 else servers.Base()

        async with await rpc.serve(for_peer, "127.0.0.1", 0, backend=servers.backend) as server:
            for interface, call in ((servers.schema.Order, "next"), (servers.schema.Base, "baz")):
                async with await rpc.connect("127.0.0.1", server.port, backend=servers.backend) as connection:
                    arguments = ({"name": "an item"},) if call == "baz" else ()
                    await getattr(connection.bootstrap(interface), call)(*arguments)
        assert [host for host, _ in seen] == ["127.0.0.1"] * 2

    run(main)


@pytest.mark.conformance("PRO-01")
def test_what_fails_to_find_something_for_a_peer_fails_its_calls(servers: Servers, folder: Path) -> None:
    async def main() -> None:
        peers = []

        def for_peer(connection: rpc.Connection) -> Any:
            peers.append(connection)
            if len(peers) == 1:
                raise LookupError("an unknown peer")
            return servers.Order()

        async with (
            await rpc.serve(for_peer, path=folder / "s", backend=servers.backend),
            await rpc.connect(path=folder / "s", backend=servers.backend) as connection,
        ):
            with pytest.raises(ccapnp.FailedError, match="LookupError: an unknown peer"):
                await connection.bootstrap(servers.schema.Order).next()
            assert (await connection.bootstrap(servers.schema.Order).next()).n == 0

    run(main)


@pytest.mark.conformance("TWO-09", "TWO-10", "PRO-21")
@pytest.mark.parametrize("is_promised", [False, True])
def test_streaming_calls_return_until_the_window_is_full(servers: Servers, is_promised: bool) -> None:
    async def main() -> None:
        stream = servers.Stream()
        client = servers.remote(stream, stream_window=1024)
        if is_promised:
            promised, fulfiller = rpc.promise(servers.schema.Stream)
            fulfiller.fulfill(client)
            client = promised
        returned = 0

        async def send() -> None:
            nonlocal returned
            for _ in range(30):
                await client.addI(1)
                returned += 1

        sending = asyncio.ensure_future(send())
        await asyncio.sleep(0.05)
        first = returned
        assert 5 < first < 20
        for expected in range(1, 4):
            stream.gate.release()
            await eventually(lambda expected=expected: returned >= first + expected)  # type: ignore[misc]
            await asyncio.sleep(0.01)
            assert returned <= first + expected + 1
        for _ in range(30):
            stream.gate.release()
        await sending
        assert (await client.finish()).i == 30

    run(main)


@pytest.mark.conformance("TWO-11", "RPC-12")
def test_ones_own_stream_is_found_behind_what_waits(servers: Servers) -> None:
    async def main() -> None:
        own = servers.Order()
        promise = servers.remote(servers.More()).echo(own)
        calls = [promise.cap.next() for _ in range(4)]
        found = await promise.cap.local_server()
        assert found is own and own.calls == 4 and [(await each).n for each in calls] == [0, 1, 2, 3]

    run(main)


@pytest.mark.conformance("TWO-13")
def test_a_connection_that_cannot_be_written_to_fails_calls(servers: Servers) -> None:
    async def main() -> None:
        ours, theirs = socket.socketpair()
        connection = await rpc.connect(sock=ours, backend=servers.backend)
        client = connection.bootstrap(servers.schema.Order)
        theirs.close()
        with pytest.raises(ccapnp.DisconnectedError, match="Peer disconnected"):
            await client.next()
        await connection.closed

    run(main)


@pytest.mark.conformance("TWO-14")
def test_streaming_calls_outlive_their_client(servers: Servers) -> None:
    async def main() -> None:
        stream = servers.Stream()
        client = servers.remote(stream)
        await client.addI(123)
        await client.addI(456)
        finish = client.finish()
        client.close()
        del client
        gc.collect()
        stream.gate.release()
        stream.gate.release()
        assert (await finish).i == 579

    run(main)


@pytest.mark.conformance("TWO-15")
def test_what_may_not_be_canceled_goes_on_to_its_end(servers: Servers) -> None:
    done = asyncio.Event

    async def main() -> None:
        finished = done()
        gate = done()

        class Stubborn(servers.schema.More.Server):  # type: ignore[misc, name-defined]
            async def never(self, cap: Any, _context: Any) -> None:
                _context.allow_cancellation(False)
                began.set()
                await gate.wait()
                finished.set()

        began = done()
        client = servers.remote(Stubborn())
        promise = client.never(None)
        await began.wait()
        client.close()
        promise.cancel()
        del client, promise
        gc.collect()
        await asyncio.sleep(0.01)
        gate.set()
        await finished.wait()

    run(main)
