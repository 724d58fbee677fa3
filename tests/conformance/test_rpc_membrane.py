"""Membranes and clients that connect anew (membrane-test.c++, reconnect-test.c++)."""

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


class Policy(rpc.MembranePolicy):
    """Notes what passes, and has calls of `foo` answered by others."""

    def __init__(self, servers: Servers) -> None:
        self.passed: list[str] = []
        schema = servers.schema

        class Instead(schema.Base.Server):  # type: ignore[misc, name-defined]
            def __init__(self, text: str) -> None:
                self.text = text

            def foo(self, **_: Any) -> str:
                return self.text

        self.base = schema.Base._node_id
        self.inbound, self.outbound = Instead("inbound"), Instead("outbound")

    def inbound_call(self, interface_id: int, method_id: int, target: Any) -> Any:
        self.passed.append("in")
        return self.inbound if (interface_id, method_id) == (self.base, 0) else None

    def outbound_call(self, interface_id: int, method_id: int, target: Any) -> Any:
        self.passed.append("out")
        return self.outbound if (interface_id, method_id) == (self.base, 0) else None


@pytest.mark.conformance("MEM-01")
@pytest.mark.parametrize("kind", ["object", "promise", "remote"])
def test_a_policy_has_a_say_in_each_call(servers: Servers, kind: str) -> None:
    async def main() -> None:
        policy, more = Policy(servers), servers.More()
        inside: Any = servers.local(more)
        if kind == "remote":
            inside = servers.remote(more)
        elif kind == "promise":
            inside, fulfiller = rpc.promise(servers.schema.More)
            asyncio.get_running_loop().call_later(0.01, fulfiller.fulfill, more)
        outside = rpc.membrane(inside, policy)
        assert (await outside.callFoo(servers.Base())).s == "bar outbound"
        assert (await outside.next()).n == 0
        await servers.local(more).hold(servers.Base())
        held = outside.getHeld().cap
        assert (await held.foo(123, True)).x == "inbound"
        await held.baz({"name": "an item"})
        assert {"in", "out"} == set(policy.passed)

    run(main)


@pytest.mark.conformance("MEM-01")
@pytest.mark.parametrize("kind", ["object", "promise", "resolved promise", "remote"])
def test_a_policy_sees_which_way_each_call_goes(servers: Servers, kind: str) -> None:
    class Inside(servers.More):  # type: ignore[misc, name-defined]
        def callHeld(self, _context: Any) -> None:
            _context.tail_call(self.held.cast_as(servers.schema.More).callHeld_request())

    class Outside(servers.schema.More.Server):  # type: ignore[misc, name-defined]
        def callHeld(self) -> str:
            return "from outside"

    async def main() -> None:
        policy = Policy(servers)
        inside: Any = servers.remote(Inside()) if kind == "remote" else servers.local(Inside())
        if "promise" in kind:
            promised, fulfiller = rpc.promise(servers.schema.More)
            asyncio.get_running_loop().call_later(0.01, fulfiller.fulfill, inside)
            inside = promised
        if kind == "resolved promise":
            await inside.resolved()
        outside = rpc.membrane(inside, policy)
        assert (await outside.next()).n == 0 and policy.passed == ["in"]
        await outside.hold(servers.schema.Base.Client(Outside()))
        assert policy.passed == ["in"] * 2
        assert (await outside.callHeld()).s == "from outside"
        assert policy.passed == ["in"] * 3 + ["out"]

    run(main)


@pytest.mark.conformance("MEM-01")
@pytest.mark.parametrize("way", ways)
def test_what_is_built_on_a_tail_call_goes_round_the_membrane(servers: Servers, way: str) -> None:
    async def main() -> None:
        policy = Policy(servers)
        caller = rpc.membrane(getattr(servers, way)(servers.Caller()), policy)
        promise = caller.foo(3, servers.Callee())
        early = promise.order.next()
        results = await promise
        assert (await early).n == 0
        assert policy.passed == ["in", "in", "out", "out"]  # the second of each is the early one's
        assert (await results.order.next()).n == 1 and len(policy.passed) == 4  # it is not inside

    run(main)


@pytest.mark.conformance("MEM-01")
@pytest.mark.parametrize("way", ways)
def test_a_tail_call_passes_a_membrane_as_any_call(servers: Servers, way: str) -> None:
    async def main() -> None:
        caller = rpc.membrane(getattr(servers, way)(servers.Caller()), Policy(servers))
        results = await caller.foo(3, servers.Callee())
        assert results.i == 3 and (await results.order.next()).n == 0

    run(main)


@pytest.mark.conformance("MEM-02")
@pytest.mark.parametrize("way", ways)
def test_what_goes_in_and_comes_out_again_is_itself(servers: Servers, way: str) -> None:
    async def main() -> None:
        outside = rpc.membrane(getattr(servers, way)(servers.More()), Policy(servers))
        own = servers.Order()
        assert await (await outside.echo(own)).cap.local_server() is own

    run(main)


@pytest.mark.conformance("MEM-03")
def test_a_copy_has_its_capabilities_wrapped(servers: Servers) -> None:
    async def main() -> None:
        policy = Policy(servers)
        holder = servers.schema.Holder.new_message(cap=servers.Base(), caps=[servers.Base()])
        holder.any = servers.schema.Base.Client(servers.Base())
        out = rpc.copy_out_of_membrane(holder, policy)
        for each in (out.cap, out.caps[0], out.any.as_interface(servers.schema.Base)):
            assert (await each.foo(123, True)).x == "inbound"
        back = rpc.copy_into_membrane(out, policy)
        assert (await back.cap.foo(123, True)).x == "foo" and (await holder.cap.foo(123, True)).x == "foo"

    run(main)


@pytest.mark.conformance("MEM-04")
def test_a_promise_becomes_the_same_thing_each_time(servers: Servers) -> None:
    async def main() -> None:
        policy = Policy(servers)
        promised, fulfiller = rpc.promise(servers.schema.Order)
        one, other = rpc.membrane(promised, policy), rpc.membrane(promised, policy)
        fulfiller.fulfill(servers.Order())
        await one.resolved()
        assert one._hook.innermost() is other._hook.innermost() is not promised._hook.innermost()

    run(main)


@pytest.mark.conformance("MEM-05")
def test_a_membrane_that_is_revoked_lets_nothing_through(servers: Servers) -> None:
    async def main() -> None:
        policy, more = Policy(servers), servers.More()
        outside = rpc.membrane(servers.local(more), policy)
        obtained = (await outside.echo(servers.local(servers.Order()))).cap
        inner = rpc.membrane(servers.Order(), policy)
        running = asyncio.ensure_future(_wait(outside.never(None)))
        await eventually(lambda: more.events == ["began"])
        policy.revoke(ccapnp.FailedError("gone"))
        for call in (running, outside.next(), inner.next()):
            with pytest.raises(ccapnp.FailedError, match="gone"):
                await call
        assert (await obtained.next()).n == 0  # it never was inside
        await eventually(lambda: more.events == ["began", "canceled"])

    run(main)


@pytest.mark.conformance("MEM-05")
@pytest.mark.parametrize("way", ways)
def test_what_was_had_from_a_membrane_that_is_revoked_is_lost_both_ways(servers: Servers, way: str) -> None:
    async def main() -> None:
        policy, more = rpc.MembranePolicy(), servers.More()
        outside = rpc.membrane(getattr(servers, way)(more), policy)
        held = servers.Base()
        await servers.local(more).hold(held)
        obtained = (await outside.getHeld()).cap
        assert (await obtained.foo(123, True)).x == "foo"
        pipelined = outside.getHeld().cap
        await outside.hold(servers.Base())
        assert (await more.held.foo(123, True)).x == "foo"
        policy.revoke(ccapnp.OverloadedError("gone"))
        counts = dict(servers.counts)
        for call in (obtained.foo(123, True), pipelined.foo(123, True), more.held.foo(123, True), outside.getHeld()):
            with pytest.raises(ccapnp.OverloadedError, match="gone"):
                await call
        assert servers.counts["base"] == counts["base"]

    run(main)


async def _wait(promise: Any) -> Any:
    return await promise


# ---- connecting anew


class Generations:
    """Objects of which the newest is connected to, each broken when it is told to be."""

    def __init__(self, servers: Servers, way: str) -> None:
        self.made: list[Any] = []
        generations = self

        class Order(servers.schema.Order.Server):  # type: ignore[misc, name-defined]
            def __init__(self, number: int) -> None:
                self.number = number
                self.error: Any = None
                self.gate: Any = None

            async def next(self) -> int:
                gate = self.gate
                if gate is not None:
                    await gate.wait()
                if self.error is not None:
                    raise self.error
                return self.number

        def connect() -> Any:
            generations.made.append(Order(len(generations.made) + 1))
            return getattr(servers, way)(generations.made[-1])

        self.connect = connect


@pytest.fixture(params=ways)
def generations(request: pytest.FixtureRequest, servers: Servers) -> Generations:
    return Generations(servers, request.param)


@pytest.mark.conformance("REC-01")
@pytest.mark.parametrize("lazy", [False, True])
def test_it_connects_at_once_or_with_the_first_call(servers: Servers, generations: Generations, lazy: bool) -> None:
    async def main() -> None:
        client = rpc.auto_reconnect(servers.schema.Order, generations.connect, lazy=lazy)
        assert len(generations.made) == (0 if lazy else 1)
        assert (await client.next()).n == 1 and len(generations.made) == 1

    run(main)


@pytest.mark.conformance("REC-02")
def test_only_a_lost_connection_is_made_anew(servers: Servers, generations: Generations) -> None:
    async def main() -> None:
        client = rpc.auto_reconnect(servers.schema.Order, generations.connect)
        for error, generation in ((ccapnp.OverloadedError("busy"), 1), (ccapnp.DisconnectedError("lost"), 2)):
            generations.made[0].error = error
            with pytest.raises(type(error)):
                await client.next()
            generations.made[0].error = None
            assert (await client.next()).n == generation

    run(main)


@pytest.mark.conformance("REC-03")
def test_two_that_fail_at_once_connect_once(servers: Servers, generations: Generations) -> None:
    async def main() -> None:
        client = rpc.auto_reconnect(servers.schema.Order, generations.connect)
        generations.made[0].error = ccapnp.DisconnectedError("lost")
        for each in [client.next(), client.next()]:
            with pytest.raises(ccapnp.DisconnectedError):
                await each
        assert [(await client.next()).n for _ in range(2)] == [2, 2] and len(generations.made) == 2

    run(main)


@pytest.mark.conformance("REC-03")
def test_one_that_fails_late_does_not_connect_again(servers: Servers, generations: Generations) -> None:
    async def main() -> None:
        client = rpc.auto_reconnect(servers.schema.Order, generations.connect)
        first = generations.made[0]
        first.error, first.gate = ccapnp.DisconnectedError("lost"), asyncio.Event()
        late = asyncio.ensure_future(_wait(client.next()))
        await asyncio.sleep(0.01)
        first.gate, gate = None, first.gate
        with pytest.raises(ccapnp.DisconnectedError):
            await client.next()
        assert (await client.next()).n == 2
        gate.set()
        with pytest.raises(ccapnp.DisconnectedError):
            await late
        assert (await client.next()).n == 2 and len(generations.made) == 2

    run(main)


@pytest.mark.conformance("REC-04", "REC-05")
def test_calls_on_a_lost_connection_are_not_canceled_by_the_next(servers: Servers, generations: Generations) -> None:
    async def main() -> None:
        client = rpc.auto_reconnect(servers.schema.Order, generations.connect)
        first = generations.made[0]
        first.gate = asyncio.Event()
        running = asyncio.ensure_future(_wait(client.next()))
        await asyncio.sleep(0.01)
        request = client.next_request()
        gate, first.gate, first.error = first.gate, None, ccapnp.DisconnectedError("lost")
        with pytest.raises(ccapnp.DisconnectedError):
            await client.next()
        first.error = None
        assert (await client.next()).n == (await request.send()).n == 2
        del client
        gc.collect()
        gate.set()
        assert (await running).n == 1

    run(main)


@pytest.mark.conformance("REC-02", "REC-06")
@pytest.mark.parametrize("awaits", [False, True])
def test_a_server_that_comes_back_is_found_again(servers: Servers, awaits: bool) -> None:
    async def main() -> None:
        listeners: list[Any] = [await rpc.serve(servers.Order(), "127.0.0.1", 0, backend=servers.backend)]
        port = listeners[0].port
        connections: list[Any] = []

        async def connect() -> Any:
            connections.append(await rpc.connect("127.0.0.1", port, backend=servers.backend))
            return connections[-1].bootstrap(servers.schema.Order)

        client = rpc.auto_reconnect(servers.schema.Order, connect)
        assert [(await client.next()).n for _ in range(2)] == [0, 1]
        async with listeners.pop():
            pass
        if awaits:
            await connections[0].closed
        with pytest.raises(ccapnp.DisconnectedError):
            await client.next()
        async with await rpc.serve(servers.Order(), "127.0.0.1", port, backend=servers.backend):
            assert [(await client.next()).n for _ in range(2)] == [0, 1] and len(connections) == 2
            connections[1].close()
            await connections[1].closed

    run(main)


@pytest.mark.conformance("REC-04", "REC-05", "REC-07")
def test_calls_in_flight_finish_where_they_are(servers: Servers, generations: Generations) -> None:
    async def main() -> None:
        client = rpc.auto_reconnect(servers.schema.Order, generations.connect)
        first = generations.made[0]
        first.gate = asyncio.Event()
        running = asyncio.ensure_future(_wait(client.next()))
        await asyncio.sleep(0.01)
        request = client.next_request()
        rpc.reset_connection(client)
        assert (await client.next()).n == 2
        assert (await request.send()).n == 2
        client.close()
        del client
        first.gate.set()
        assert (await running).n == 1

    run(main)


@pytest.mark.conformance("REC-06")
def test_it_is_reached_by_a_connection_as_well(servers: Servers, generations: Generations) -> None:
    async def main() -> None:
        client = servers.remote(rpc.auto_reconnect(servers.schema.Order, generations.connect, lazy=True))
        assert (await client.next()).n == 1
        generations.made[0].error = ccapnp.DisconnectedError("lost")
        with pytest.raises(ccapnp.DisconnectedError):
            await client.next()
        assert (await client.next()).n == 2

    run(main)


@pytest.mark.conformance("REC-01")
def test_what_cannot_be_connected_to_says_why(servers: Servers) -> None:
    async def main() -> None:
        attempts = []

        def connect() -> Any:
            attempts.append(1)
            raise OSError("no route")

        client = rpc.auto_reconnect(servers.schema.Order, connect, lazy=True)
        for _ in range(2):
            with pytest.raises(ccapnp.RpcError, match="no route"):
                await client.next()
        assert len(attempts) == 2

    run(main)


@pytest.mark.conformance("REC-02")
def test_what_could_not_be_connected_to_is_tried_again(servers: Servers) -> None:
    async def main() -> None:
        attempts = []

        async def connect() -> Any:
            attempts.append(1)
            if len(attempts) < 3:
                raise OSError("no route")
            return servers.remote(servers.Order())

        client = rpc.auto_reconnect(servers.schema.Order, connect)
        for _ in range(2):
            with pytest.raises(ccapnp.RpcError, match="no route"):
                await client.next()
        assert [(await client.next()).n for _ in range(2)] == [0, 1] and len(attempts) == 3

    run(main)
