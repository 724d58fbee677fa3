"""Calls, in this process and by a connection, which are to be the same (capability-test.c++)."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

import ccapnp
from ccapnp import rpc
from tests.conformance.calls import Servers, eventually, run, ways


@pytest.fixture
def servers(backend: str) -> Servers:
    return Servers(backend)


@pytest.fixture(params=ways)
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def client_of(servers: Servers, way: str, server: Any) -> Any:
    return getattr(servers, way)(server)


@pytest.mark.conformance("CAP-01", "RPC-01a", "TWO-01", "PRO-17")
def test_calls_get_results_and_what_is_not_implemented_says_so(servers: Servers, way: str) -> None:
    async def main() -> None:
        client = client_of(servers, way, servers.Base())
        first = client.foo(i=123, j=True)
        missing = client.bar()
        second = client.baz(item={"name": "an item"})
        assert not servers.counts
        assert (await first).x == "foo"
        await second
        with pytest.raises(ccapnp.UnimplementedError, match=r"does not implement Base\.bar"):
            await missing
        assert servers.counts == {"base": 2}

    run(main)


@pytest.mark.conformance("CAP-02", "CAP-13", "CAP-12", "CAP-18", "CAP-20", "MEM-03")
def test_capabilities_anywhere_in_a_message(servers: Servers, way: str) -> None:
    async def main() -> None:
        keeper = client_of(servers, way, servers.Keeper())
        one, two, three = servers.Base(), servers.Derived(), servers.Base()
        holder = servers.schema.Holder.new_message(
            cap=one, caps=[two, three, one], list=[{"number": 1}, {"number": 2, "cap": three}], plain=two
        )
        holder.any = servers.schema.Base.Client(two)
        copy = (await keeper.keep(holder)).holder
        assert await copy.cap.local_server() is one
        assert [await each.local_server() for each in copy.caps] == [two, three, one]
        assert await copy.any.as_interface(servers.schema.Derived).local_server() is two
        assert copy.list[0].cap is None and await copy.list[1].cap.local_server() is three
        assert await copy.plain.cast_as(servers.schema.Derived).local_server() is two
        assert (await copy.caps[0].cast_as(servers.schema.Derived).grault()).size == 7
        moved = servers.schema.Holder.new_message()
        moved.adopt("cap", _orphan(moved, copy.caps[1]))
        assert await moved.cap.local_server() is three
        orphan = moved.disown("cap")
        assert moved.cap is None
        moved.init("list", 1)[0].adopt("cap", orphan)
        assert await moved.list[0].cap.local_server() is three

    run(main)


def _orphan(message: Any, client: Any) -> Any:
    message.cap = client
    return message.disown("cap")


@pytest.mark.conformance("CAP-03")
def test_a_derived_interface_is_its_bases_too(servers: Servers, way: str) -> None:
    async def main() -> None:
        schema = servers.schema
        client = client_of(servers, way, servers.Derived())
        assert isinstance(client, schema.Base.Client)
        await client.qux()
        base = client.cast_as(schema.Base)
        assert (await base.foo(123, True)).x == "foo"
        assert (await base.cast_as(schema.Derived).grault()).name == "an item"
        diamond = client_of(servers, way, servers.Diamond())
        assert [(await call()).side for call in (diamond.left, diamond.right, diamond.both)] == [
            "left",
            "right",
            "both",
        ]
        assert (await diamond.foo(1, False)).x == "diamond"
        assert {"foo", "left", "right", "both", "foo_request"} <= set(dir(diamond))

    run(main)


@pytest.mark.conformance("CAP-04", "CAP-05", "RPC-01b")
def test_calls_on_results_that_are_not_there_yet(servers: Servers, way: str) -> None:
    async def main() -> None:
        client = client_of(servers, way, servers.Pipeline())
        promise = client.getCap(n=123, inCap=servers.Base())
        inner = promise.outBox.cap.foo(i=123, j=True)
        cast = promise.outBox.cap.cast_as(servers.schema.Derived).grault()
        group = promise.outBox.inner.cap
        del promise
        assert not servers.counts
        assert (await inner).x == "foo" and (await cast).size == 7
        assert servers.counts["pipeline"] == 1 and servers.counts["base"] == 2
        gc.collect()
        assert (await group.foo(123, True)).x == "foo"

    run(main)


@pytest.mark.conformance("CAP-06", "RPC-01c")
def test_a_pipeline_that_is_there_before_the_results(servers: Servers, way: str) -> None:
    async def main() -> None:
        more = servers.More()
        promise = client_of(servers, way, more).early()
        assert (await promise.cap.foo(123, True)).x == "foo"
        assert more.events == ["began"] and not promise._call.is_done
        promise.cancel()

    run(main)


@pytest.mark.conformance("CAP-07", "RPC-01d", "PRO-15")
@pytest.mark.parametrize("callee_way", ways)
def test_a_tail_call_gives_the_results_of_another(servers: Servers, way: str, callee_way: str) -> None:
    async def main() -> None:
        caller = client_of(servers, way, servers.Caller())
        callee = client_of(servers, callee_way, servers.Callee())
        promise = caller.foo(i=456, callee=callee)
        first = promise.order.next()
        results = await promise
        assert (results.i, results.t) == (456, "from the caller")
        second = promise.order.next()
        assert [(await each).n for each in (first, second)] == [0, 1]
        assert (await results.order.next()).n == 2
        assert servers.counts == {"caller": 1, "callee": 1}

    run(main)


@pytest.mark.conformance("CAP-11", "PRO-15")
def test_a_tail_call_after_results_is_an_error(servers: Servers, way: str) -> None:
    class Caller(servers.schema.Caller.Server):  # type: ignore[misc, name-defined]
        def foo(self, callee: Any, _context: Any) -> None:
            _context.results.i = 1
            _context.tail_call(callee.foo_request(1, "x"))

    async def main() -> None:
        with pytest.raises(ccapnp.FailedError, match="have been begun"):
            await client_of(servers, way, Caller()).foo(1, servers.Callee())

    run(main)


@pytest.mark.conformance("CAP-08", "RPC-06")
def test_a_canceled_call_is_canceled_at_its_server(servers: Servers, way: str) -> None:
    async def main() -> None:
        more, held = servers.More(), servers.Base()
        client = client_of(servers, way, more)
        task = asyncio.ensure_future(_wait(client.never(held)))
        del held
        await eventually(lambda: more.events == ["began"])
        assert "base freed" not in servers.counts
        task.cancel()
        await eventually(lambda: more.events == ["began", "canceled"])
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        await _collected(lambda: servers.counts.get("base freed") == 1)

    run(main)


async def _wait(promise: Any) -> Any:
    return await promise


async def _collected(condition: Any) -> None:
    def look() -> bool:
        gc.collect()
        return bool(condition())

    await eventually(look)


@pytest.mark.conformance("CAP-09", "CAP-10", "CAP-11")
def test_requests_are_built_and_interfaces_found_by_name(servers: Servers, way: str) -> None:
    async def main() -> None:
        schema = servers.schema
        client = client_of(servers, way, servers.Derived())
        request = client.foo_request(i=123)
        request.j = True
        assert (await request.send()).x == "foo"
        with pytest.raises(ccapnp.FailedError, match="has been sent already"):
            request.send()
        assert (await client.cast_as(schema.Order).cast_as(schema.Base).foo(123, True)).x == "foo"
        with pytest.raises(ccapnp.UnimplementedError, match="does not implement the interface"):
            await client.cast_as(schema.Order).next()
        pipeline = client_of(servers, way, servers.Pipeline())
        plain = pipeline.getPlain(client).cap
        assert (await plain.cast_as(schema.Derived).grault()).size == 7
        through = pipeline.getAny(schema.Derived.Client(client)).cap.as_interface(schema.Derived)
        assert (await through.foo(123, True)).x == "foo"
        for wrong in ({"k": 1}, {"i": "one"}):
            with pytest.raises((ccapnp.EncodeError, ccapnp.UnknownFieldError)):
                client.foo(**wrong)
        with pytest.raises(ccapnp.EncodeError, match="takes 2 parameters"):
            client.foo(1, True, 3)

    run(main)


@pytest.mark.conformance("CAP-11")
def test_parameters_that_were_released_cannot_be_read(servers: Servers, way: str) -> None:
    class Base(servers.schema.Base.Server):  # type: ignore[misc, name-defined]
        def foo_context(self, context: Any) -> None:
            assert context.params.i == 123
            context.release_params()
            context.params

    async def main() -> None:
        with pytest.raises(ccapnp.FailedError, match="have been released"):
            await client_of(servers, way, Base()).foo(123, True)

    run(main)


@pytest.mark.conformance("CAP-14")
def test_methods_named_as_python_itself_names_things(servers: Servers, way: str) -> None:
    async def main() -> None:
        client = client_of(servers, way, servers.Keywords())
        assert (await client.import_(from_=3)).class_ == 3
        await client.pass_()
        assert (await client.none(None_=4)).None_ == 4 and servers.counts == {"pass": 1}
        assert (await client.import_request(from_=3).send()).class_ == 3

    run(main)


@pytest.mark.conformance("CAP-15")
def test_generic_interfaces(servers: Servers, way: str) -> None:
    async def main() -> None:
        schema = servers.schema
        generic = client_of(servers, way, servers.Generic()).cast_as(schema.Generic[ccapnp.Text])
        assert (await generic.put("a text")).value == "a text"
        items = generic.cast_as(schema.Generic[schema.Item])
        assert (await items.put({"name": "an item"})).value.name == "an item"
        assert (await generic.implicit("any text")).value.as_text() == "any text"
        caps = generic.cast_as(schema.Generic[schema.Base])
        assert (await caps.put(servers.Base()).value.foo(123, True)).x == "foo"

    run(main)


@pytest.mark.conformance("CAP-15", "RPC-15", "PRO-17")
def test_null_cannot_be_called(servers: Servers, way: str) -> None:
    async def main() -> None:
        client = client_of(servers, way, servers.Pipeline())
        promise = client.getNull()
        with pytest.raises(ccapnp.FailedError, match="Called null capability"):
            await promise.cap.foo(1, True)
        assert (await promise).cap is None
        with pytest.raises(ccapnp.FailedError, match="Called null capability"):
            await servers.schema.Base.Client(None).foo(1, True)
        assert await servers.schema.Base.Client(None).local_server() is None

    run(main)


@pytest.mark.conformance("CAP-16")
def test_ones_own_server_behind_a_capability(servers: Servers) -> None:
    async def main() -> None:
        own = servers.Base()
        remote = servers.remote(servers.More())
        await remote.hold(own)
        assert await (await remote.getHeld()).cap.local_server() is own
        assert await servers.schema.Base.Client(own).local_server() is own
        assert await remote.local_server() is None
        promised, fulfiller = rpc.promise(servers.schema.Base)
        waiting = asyncio.ensure_future(promised.local_server())
        await asyncio.sleep(0)
        assert not waiting.done()
        fulfiller.fulfill(own)
        assert await waiting is own
        broken, fulfiller = rpc.promise(servers.schema.Base)
        fulfiller.reject(ValueError("gone"))
        with pytest.raises(ccapnp.FailedError, match="gone"):
            await broken.local_server()

    run(main)


@pytest.mark.conformance("CAP-17")
def test_a_server_lives_as_long_as_its_own_capability(servers: Servers, way: str) -> None:
    class Base(servers.Base):  # type: ignore[misc, name-defined]
        def foo(self, **_: Any) -> str:
            nonlocal own
            own = self.this_cap()
            return "mine"

    own: Any = None

    async def main() -> None:
        nonlocal own
        client = client_of(servers, way, Base())
        assert (await client.foo(1, True)).x == "mine"
        client.close()
        del client
        gc.collect()
        assert "base freed" not in servers.counts
        assert (await own.foo(1, True)).x == "mine"
        own = None
        await _collected(lambda: servers.counts.get("base freed") == 1)

    run(main)


@pytest.mark.conformance("CAP-19", "TWO-12")
def test_calls_of_a_promise_are_made_in_order_once_it_is_known(servers: Servers, way: str) -> None:
    async def main() -> None:
        promised, fulfiller = rpc.promise(servers.schema.Order)
        calls = [promised.next() for _ in range(3)]
        request = promised.next_request()
        outer, outer_fulfiller = rpc.promise(servers.schema.Order)
        fulfiller.fulfill(outer)
        outer_fulfiller.fulfill(client_of(servers, way, servers.Order()))
        calls += [request.send(), promised.next()]
        assert [(await each).n for each in calls] == list(range(5))

    run(main)


@pytest.mark.conformance("CAP-21", "TWO-11", "PRO-21")
def test_streaming_calls_run_one_at_a_time(servers: Servers, way: str) -> None:
    async def main() -> None:
        stream = servers.Stream()
        client = client_of(servers, way, stream)
        calls = [asyncio.ensure_future(_wait(each)) for each in (client.addI(123), client.addJ(321), client.addI(456))]
        finish = asyncio.ensure_future(_wait(client.finish()))
        for _ in range(3):
            await asyncio.sleep(0.01)
            assert not finish.done()
            stream.gate.release()
        results = await finish
        assert (results.i, results.j) == (579, 321)
        await asyncio.gather(*calls)

    run(main)


@pytest.mark.conformance("CAP-22")
def test_a_streaming_call_that_is_canceled_while_it_waits_is_skipped(servers: Servers) -> None:
    async def main() -> None:
        stream = servers.Stream()
        client = servers.local(stream)
        first, skipped = client.addI(123), client.addJ(321)
        await asyncio.sleep(0.01)
        skipped.cancel()
        finish = client.finish()
        stream.gate.release()
        await first
        results = await finish
        assert (results.i, results.j) == (123, 0)

    run(main)


@pytest.mark.conformance("CAP-23")
def test_a_streaming_call_that_fails_fails_all_that_follow(servers: Servers, way: str) -> None:
    async def main() -> None:
        stream = servers.Stream()
        client = client_of(servers, way, stream)
        sent = client.addI(666)
        stream.gate.release()
        if way == "local":
            with pytest.raises(ccapnp.FailedError, match="no such number"):
                await sent
        else:
            await sent
            await asyncio.sleep(0.02)
        for call in (client.addI(1), client.finish()):
            with pytest.raises(ccapnp.FailedError, match="no such number"):
                await call

    run(main)


@pytest.mark.conformance("CAP-24")
def test_a_capability_that_is_taken_back(servers: Servers, way: str) -> None:
    async def main() -> None:
        more = servers.More()
        client, revoker = rpc.revocable(client_of(servers, way, more))
        running = asyncio.ensure_future(_wait(client.never(servers.Base())))
        await eventually(lambda: more.events == ["began"])
        assert not revoker.is_revoked
        revoker.revoke()
        assert revoker.is_revoked
        for call in (running, client.next()):
            with pytest.raises(ccapnp.FailedError, match="revoked"):
                await call
        await eventually(lambda: more.events == ["began", "canceled"])

    run(main)
