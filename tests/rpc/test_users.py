"""What has been asked of, or reported against, RPC in other libraries: none of it is to happen here."""

from __future__ import annotations

import asyncio
import gc
import logging
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
def path() -> Iterator[Path]:
    """A path that is short enough for a unix socket."""
    with tempfile.TemporaryDirectory() as made:
        yield Path(made) / "s"


async def _get(promise: Any) -> Any:
    return await promise


def waiting(promise: Any) -> asyncio.Future[Any]:
    """A task that waits for a call."""
    return asyncio.ensure_future(_get(promise))


async def in_time(awaitable: Any) -> Any:
    """What an awaitable gives, which must not hang."""
    return await asyncio.wait_for(awaitable, 10)


# ---- the end of a connection


@pytest.mark.parametrize("closer", ["here", "there", "cut"])
def test_calls_fail_at_once_when_the_connection_ends_and_after(servers: Servers, path: Path, closer: str) -> None:
    async def main() -> None:
        more = servers.More()
        async with (
            await rpc.serve(more, path=path, backend=servers.backend) as listener,
            await rpc.connect(path=path, backend=servers.backend) as ours,
        ):
            client = ours.bootstrap(servers.schema.More)
            running = waiting(client.never(None))
            await eventually(lambda: more.events == ["began"])
            (theirs,) = listener.connections
            if closer == "cut":
                theirs._transport.abort()
            else:
                (ours if closer == "here" else theirs).close()
            await in_time(ours.closed)
            calls = (running, client.next(), client.echo(None).cap.next(), client.next_request().send())
            for call in (*calls, ours.bootstrap(servers.schema.More).next()):
                with pytest.raises(ccapnp.DisconnectedError) as caught:
                    await in_time(call)
                assert isinstance(caught.value, ConnectionError)
            await in_time(theirs.closed)
            await eventually(lambda: more.events == ["began", "canceled"])

    run(main)


def test_what_cannot_be_connected_to_is_an_error_at_once(servers: Servers, path: Path) -> None:
    async def main() -> None:
        with pytest.raises(FileNotFoundError):
            await rpc.connect(path=path, backend=servers.backend)
        listener = await rpc.serve(servers.Order(), "127.0.0.1", 0, backend=servers.backend)
        port = listener.port
        async with listener:
            pass
        with pytest.raises(ConnectionRefusedError):
            await rpc.connect("127.0.0.1", port, backend=servers.backend)

    run(main)


# ---- methods that misbehave


class Faults(logging.Handler):
    """What asyncio complains of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    handler = Faults()
    logger = logging.getLogger("asyncio")
    logger.addHandler(handler)
    yield handler.messages
    logger.removeHandler(handler)


@pytest.mark.parametrize("way", ["local", "remote"])
@pytest.mark.parametrize("reaction", ["raises", "returns", "goes on"])
def test_whatever_a_method_does_when_it_is_canceled_others_go_on(
    servers: Servers, complaints: list[str], way: str, reaction: str
) -> None:
    class Stubborn(servers.More):  # type: ignore[misc, name-defined]
        async def never(self, cap: Any) -> Any:
            self.events.append("began")
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.events.append("canceled")
                if reaction == "raises":
                    raise ValueError("at a bad time") from None
                if reaction == "goes on":
                    await asyncio.sleep(0.01)
            self.events.append("ended")
            return cap

    async def main() -> None:
        server = Stubborn()
        client = getattr(servers, way)(server)
        task = waiting(client.never(servers.Base()))
        await eventually(lambda: server.events == ["began"])
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await client.next()).n == 0
        expected = ["began", "canceled", "ended"][: 2 if reaction == "raises" else 3]
        await eventually(lambda: server.events == expected)
        assert (await client.next()).n == 1

    run(main)
    gc.collect()
    assert not complaints


def test_a_loop_that_ends_while_methods_run_is_not_complained_of(servers: Servers, complaints: list[str]) -> None:
    async def main() -> None:
        more = servers.More()
        client = servers.remote(more)
        task = waiting(client.never(None))
        await eventually(lambda: more.events == ["began"])
        del task

    for _ in range(2):
        asyncio.run(main())
    gc.collect()
    assert not complaints


@pytest.mark.parametrize("way", ["local", "remote"])
@pytest.mark.parametrize("kind", ["FailedError", "OverloadedError", "DisconnectedError", "UnimplementedError"])
def test_an_error_is_of_its_kind_at_both_ends(servers: Servers, way: str, kind: str) -> None:
    error_class = getattr(ccapnp, kind)
    seen = []

    class Base(servers.schema.Base.Server):  # type: ignore[misc, name-defined]
        def foo(self, **_: Any) -> str:
            raise error_class("for a reason")

    class Asker(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        async def callFoo(self, cap: Any) -> str:
            try:
                await cap.foo(1, True)
            except ccapnp.RpcError as error:
                seen.append(type(error))
                raise
            return "it did not fail"

    async def main() -> None:
        client = getattr(servers, way)(Asker())
        with pytest.raises(error_class) as caught:
            await client.callFoo(Base())
        assert type(caught.value) is error_class and caught.value.reason == "for a reason"
        assert seen == [error_class]

    run(main)


def test_a_peer_learns_of_an_exception_its_type_and_text_alone(servers: Servers) -> None:
    class Base(servers.schema.Base.Server):  # type: ignore[misc, name-defined]
        def foo(self, **_: Any) -> str:
            secret = {"password": "1234"}
            return str(secret["user"])

        def baz(self, item: Any) -> None:
            raise NotImplementedError

    async def main() -> None:
        client = servers.remote(Base())
        with pytest.raises(ccapnp.FailedError) as caught:
            await client.foo(1, True)
        assert caught.value.reason == "KeyError: 'user'" and caught.value.trace is None
        assert "Traceback" not in str(caught.value) and __file__ not in str(caught.value)
        with pytest.raises(ccapnp.UnimplementedError, match="NotImplementedError"):
            await client.baz({})
        with pytest.raises(ccapnp.UnimplementedError, match=r"Base does not implement Base\.bar"):
            await client.bar()

    run(main)


# ---- many peers


def test_each_connection_has_its_object_and_knows_its_peer(servers: Servers) -> None:
    async def main() -> None:
        peers = []

        def for_peer(connection: rpc.Connection) -> Any:
            peers.append(connection.peer)
            return servers.Order()

        class Nosy(servers.schema.Order.Server):  # type: ignore[misc, name-defined]
            def next(self, _context: Any) -> int:
                peers.append(_context.peer)
                return 7

        async with await rpc.serve(for_peer, "127.0.0.1", 0, backend=servers.backend) as listener:
            connections = [await rpc.connect("127.0.0.1", listener.port, backend=servers.backend) for _ in range(5)]
            orders = [each.bootstrap(servers.schema.Order) for each in connections]
            for number in range(3):
                results = await asyncio.gather(*(waiting(order.next()) for order in orders))
                assert [each.n for each in results] == [number] * 5
            own = [each._transport.get_extra_info("sockname") for each in connections]
            assert sorted(peers) == sorted(own)
            for each in connections:
                each.close()
                await each.closed
        peers.clear()
        async with (
            await rpc.serve(Nosy(), "127.0.0.1", 0, backend=servers.backend) as listener,
            await rpc.connect("127.0.0.1", listener.port, backend=servers.backend) as connection,
        ):
            assert (await connection.bootstrap(servers.schema.Order).next()).n == 7
            assert peers == [connection.get_extra_info("sockname")]

    run(main)


def test_one_connection_serves_many_interfaces(servers: Servers) -> None:
    class Main(servers.schema.Pipeline.Server):  # type: ignore[misc, name-defined]
        def getAny(self, cap: Any) -> Any:
            return {"cap": servers.schema.Stream.Client(servers.Stream())}

        def getPlain(self, cap: Any) -> Any:
            return servers.Order()

    async def main() -> None:
        client = servers.remote(Main())
        order = client.getPlain(None).cap.cast_as(servers.schema.Order)
        stream = client.getAny(None).cap.as_interface(servers.schema.Stream)
        assert (await order.next()).n == 0 and (await stream.finish()).i == 0
        with pytest.raises(ccapnp.UnimplementedError, match="does not implement the interface"):
            await order.cast_as(servers.schema.Stream).finish()

    run(main)


# ---- streams and pipelines


def test_a_slow_reader_slows_the_writer_down(servers: Servers, path: Path) -> None:
    schema: Any = ccapnp.load_text(
        "@0xb6a3d1c9e5f70842; interface Sink { write @0 (chunk :Data) -> stream; done @1 () -> (size :UInt64); }",
        backend=servers.backend,
    )
    window, chunk, count = 1 << 16, 1 << 14, 200

    class Sink(schema.Sink.Server):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.size = 0

        async def write(self, chunk: Any) -> None:
            await asyncio.sleep(0)
            self.size += len(chunk)

        async def done(self) -> int:
            return self.size

    async def main() -> None:
        server, most = Sink(), 0
        options = rpc.Options(stream_window=window)
        async with (
            await rpc.serve(server, path=path, backend=servers.backend),
            await rpc.connect(path=path, options=options, backend=servers.backend) as connection,
        ):
            sink = connection.bootstrap(schema.Sink)
            for number in range(count):
                assert await sink.write(bytes(chunk)) is None
                most = max(most, chunk * (number + 1) - server.size)
            assert (await sink.done()).size == chunk * count
        assert window // 2 < most <= window + 4 * chunk

    run(main)


@pytest.mark.parametrize("depth", [1, 3, 20])
def test_calls_upon_calls_need_no_answer_in_between(servers: Servers, depth: int) -> None:
    class Chain(servers.schema.Pipeline.Server):  # type: ignore[misc, name-defined]
        calls = 0

        def getPlain(self, cap: Any) -> Any:
            self.calls += 1
            return self

    async def main() -> None:
        server = Chain()
        ours: Any = rpc.pair(server, backend=servers.backend)[0]
        held: list[bytes] = []
        arrive, ours.data_received = ours.data_received, held.append
        client = ours.bootstrap(servers.schema.Pipeline)
        for _ in range(depth):
            client = client.getPlain(None).cap.cast_as(servers.schema.Pipeline)
        last = waiting(client.getPlain(None))
        await eventually(lambda: server.calls == depth + 1)
        assert held and not last.done()
        ours.data_received = arrive
        for data in held:
            ours.data_received(data)
        assert (await last).cap is not None

    run(main)


@pytest.mark.parametrize("way", ["local", "remote"])
def test_an_error_in_the_first_call_is_that_of_all_built_on_it(servers: Servers, way: str) -> None:
    class Failing(servers.schema.Pipeline.Server):  # type: ignore[misc, name-defined]
        def getPlain(self, cap: Any) -> Any:
            raise ccapnp.OverloadedError("not now")

    async def main() -> None:
        client = getattr(servers, way)(Failing())
        second = client.getPlain(None).cap.cast_as(servers.schema.Pipeline)
        third = second.getPlain(None).cap.cast_as(servers.schema.Base)
        for call in (third.foo(1, True), second.getNull(), second.getNull().cap.foo(1, True)):
            with pytest.raises(ccapnp.OverloadedError) as caught:
                await call
            assert caught.value.reason == "not now"

    run(main)


# ---- objects and parameters


@pytest.mark.parametrize("way", ["local", "remote"])
def test_the_object_behind_a_capability_that_comes_back(servers: Servers, way: str) -> None:
    class Registry(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.given = servers.Order()
            self.found: Any = None

        def getHeld(self) -> Any:
            return {"cap": servers.schema.Base.Client(self.given)}

        async def hold(self, cap: Any) -> None:
            self.found = await cap.local_server()

    async def main() -> None:
        registry = Registry()
        client = getattr(servers, way)(registry)
        await client.hold((await client.getHeld()).cap)
        assert registry.found is registry.given
        await client.hold(client.getHeld().cap)
        assert registry.found is registry.given
        await client.hold(servers.remote(servers.Base()))
        assert registry.found is None

    run(main)


@pytest.mark.parametrize("way", ["local", "remote"])
def test_parameters_that_are_kept_can_be_read_and_called_later(servers: Servers, way: str) -> None:
    kept: list[Any] = []

    class Keeper(servers.schema.Keeper.Server):  # type: ignore[misc, name-defined]
        def keep(self, holder: Any) -> Any:
            kept.append(holder)
            return {"holder": {}}

    async def main() -> None:
        client = getattr(servers, way)(Keeper())
        await client.keep({"cap": servers.Base(), "list": [{"number": 5}]})
        gc.collect()
        (holder,) = kept
        assert holder.list[0].number == 5 and (await holder.cap.foo(123, True)).x == "foo"
        assert "base freed" not in servers.counts
        kept.clear()
        del holder
        await collected(servers)

    run(main)


async def collected(servers: Servers) -> None:
    def look() -> bool:
        gc.collect()
        return servers.counts.get("base freed") == 1

    await eventually(look)


def test_what_is_no_capability_is_not_taken_for_one(servers: Servers) -> None:
    async def main() -> None:
        client = servers.remote(servers.More())
        for wrong in (5, "a text", object()):
            with pytest.raises(ccapnp.EncodeError, match="cap"):
                client.hold(wrong)
        assert (await client.next()).n == 0

    run(main)
