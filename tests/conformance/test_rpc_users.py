"""What users of other libraries expect of calls, and what they suffered from."""

from __future__ import annotations

import asyncio
import copy
import gc
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp import rpc
from tests.conformance.calls import SCHEMA, Servers, eventually, run
from tests.conftest import ROOT


@pytest.fixture
def servers(backend: str) -> Servers:
    return Servers(backend)


RESULTS = """@0xe1d6d2ab0ab4a7c5;
interface Results {
  none @0 ();
  one @1 () -> (value :UInt32);
  two @2 () -> (a :UInt32, b :Text);
  struct @3 () -> (inner :Inner);
  whole @4 () -> Inner;
  list @5 () -> (numbers :List(UInt32));
  choice @6 Choice -> (said :Text);
  struct Inner { a @0 :UInt32; b @1 :Text; }
  struct Choice { union { a @0 :UInt32; b @1 :Text; } }
}
"""


def served(servers: Servers, give: Callable[..., Any], name: str) -> Any:
    """A client of a server of which one method gives what it is told to."""
    schema = ccapnp.load_text(RESULTS, backend=servers.backend)
    made = type("Made", (schema.Results.Server,), {name: lambda self, **kw: give(**kw)})
    return servers.remote(made())


@pytest.mark.conformance("PYC-19")
@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("none", None, {}),
        ("one", 5, {"value": 5}),
        ("one", (5,), {"value": 5}),
        ("one", {"value": 5}, {"value": 5}),
        ("two", (5, "x"), {"a": 5, "b": "x"}),
        ("two", {"b": "x"}, {"a": 0, "b": "x"}),
        ("struct", {"a": 5}, {"inner": {"a": 5}}),
        ("struct", {"inner": {"a": 5}}, {"inner": {"a": 5}}),
        ("whole", (5, "x"), {"a": 5, "b": "x"}),
        ("list", [1, 2], {"numbers": [1, 2]}),
    ],
)
def test_what_a_method_returns_are_its_results(
    servers: Servers, name: str, given: Any, expected: dict[str, Any]
) -> None:
    async def main() -> None:
        assert (await getattr(served(servers, lambda **kw: given, name), name)()).to_dict() == expected

    run(main)


@pytest.mark.conformance("PYC-19")
def test_a_message_is_what_a_method_returns_as_well(servers: Servers) -> None:
    async def main() -> None:
        schema = ccapnp.load_text(RESULTS, backend=servers.backend)
        inner = schema.Results.Inner.new_message(a=5)
        for name, made in (("whole", inner), ("struct", inner), ("whole", inner.as_reader())):
            results = await getattr(served(servers, lambda made=made, **kw: made, name), name)()
            assert (results if name == "whole" else results.inner).a == 5

    run(main)


@pytest.mark.conformance("PYC-19")
@pytest.mark.parametrize(
    ("name", "given", "text"),
    [
        ("none", 5, "Results.none has no results, and an int was returned"),
        ("one", (1, 2), r"Results.one has 1 results \(value\), and a tuple of 2 was returned"),
        ("two", 5, r"Results.two has 2 results \(a, b\), and an int was returned"),
        ("two", {"c": 1}, "has no field 'c'"),
        ("one", "five", "value: "),
        ("whole", object(), "and an object was returned"),
    ],
)
def test_wrong_results_say_what_is_wrong(servers: Servers, name: str, given: Any, text: str) -> None:
    async def main() -> None:
        with pytest.raises(ccapnp.FailedError, match=text):
            await getattr(served(servers, lambda **kw: given, name), name)()

    run(main)


@pytest.mark.conformance("PYC-19")
def test_only_the_active_member_of_a_union_is_a_parameter(servers: Servers) -> None:
    async def main() -> None:
        client = served(servers, lambda _context, **kw: repr(kw), "choice")
        assert (await client.choice(b="x")).said == "{'b': 'x'}" and (await client.choice(a=1)).said == "{'a': 1}"

    run(main)


@pytest.mark.conformance("PYC-19", "PYC-20")
def test_servers_and_clients_as_pycapnp_has_them(servers: Servers) -> None:
    class Base(servers.schema.Base.Server):  # type: ignore[misc, name-defined]
        async def foo_context(self, context: Any) -> None:
            context.results.x = f"{context.params.i} {context.connection is not None}"

        async def baz(self, item: Any, _context: Any, **_: Any) -> None:
            assert item.name == "an item" and _context.peer is None

    async def main() -> None:
        client = servers.remote(Base())
        assert (await client.foo(5, True)).x == "5 True" and (await client.foo(i=6)).x == "6 True"
        await client.baz({"name": "an item"})
        assert {"foo", "bar", "baz", "foo_request", "cast_as"} <= set(dir(client))
        promise = client.foo(5, True)
        assert (await promise).x == (await promise).x == "5 True"
        promise = client.foo(5, True)
        promise.cancel()
        with pytest.raises(ccapnp.FailedError, match="canceled"):
            await promise
        with pytest.raises(AttributeError, match=r"has no method 'fooo'; did you mean .*foo"):
            client.fooo()
        with pytest.raises(AttributeError, match="only structs and capabilities"):
            client.foo(5, True).x

    run(main)


@pytest.mark.conformance("CAP-25", "RPC-26")
def test_an_object_is_one_capability_and_a_connection_is_idle_without_any(servers: Servers) -> None:
    async def main() -> None:
        server = servers.Order()
        order = servers.schema.Order.Client
        assert order(server)._entry() is order(server)._entry()
        ours, theirs = rpc.pair(server, backend=servers.backend)
        client = ours.bootstrap(servers.schema.Order)
        await client.next()
        assert not ours._core.is_idle and not theirs._core.is_idle
        client.close()

        def is_idle() -> bool:
            gc.collect()
            return ours._core.is_idle and theirs._core.is_idle

        await eventually(is_idle)

    run(main)


@pytest.mark.conformance("PYC-21")
@pytest.mark.parametrize("kind", ["tcp", "unix", "socketpair"])
def test_large_payloads_one_by_one_and_many_at_once(servers: Servers, kind: str, tmp_path_factory: Any) -> None:
    async def main() -> None:
        where: dict[str, Any] = {"host": "127.0.0.1", "port": 0}
        if kind == "unix":
            where = {"path": f"/tmp/{tmp_path_factory.mktemp('s').name}-{servers.backend}"}  # it must be short
        data = bytes(range(256)) * (1 << 14)
        async with await rpc.serve(servers.Generic(), **where, backend=servers.backend) as server:
            if kind == "tcp":
                where["port"] = server.port
            connection = await rpc.connect(**where, backend=servers.backend)
            async with connection:
                client = connection.bootstrap(servers.schema.Generic).cast_as(servers.schema.Generic[ccapnp.Data])
                for _ in range(2):
                    assert (await client.put(data)).value == data
                assert all(each.value == data for each in await asyncio.gather(*(client.put(data) for _ in range(8))))

    async def by_socketpair() -> None:
        ours, theirs = socket.socketpair()
        one = await rpc.connect(sock=ours, bootstrap=servers.Generic(), backend=servers.backend)
        other = await rpc.connect(sock=theirs, backend=servers.backend)
        async with one, other:
            client = other.bootstrap(servers.schema.Generic)
            assert (await client.put(servers.schema.Item.new_message(name="x" * 100000))).value.as_struct(
                servers.schema.Item
            ).name == "x" * 100000

    run(by_socketpair if kind == "socketpair" else main)


@pytest.mark.conformance("PYC-18")
def test_loops_in_sequence_and_in_threads(servers: Servers) -> None:
    async def once() -> None:
        connection, other = rpc.pair(servers.Order(), backend=servers.backend)
        async with connection:
            assert (await connection.bootstrap(servers.schema.Order).next()).n == 0
        await other.closed
        connection.close()

    for _ in range(3):
        asyncio.run(once())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: asyncio.run(once()), range(8)))


@pytest.mark.conformance("PYC-18")
def test_capabilities_need_a_loop(servers: Servers) -> None:
    with pytest.raises(RuntimeError, match="a running asyncio event loop"):
        servers.schema.Order.Client(servers.Order())


@pytest.mark.conformance("PYC-20")
def test_a_time_limit_cancels_the_call(servers: Servers) -> None:
    async def main() -> None:
        more = servers.More()
        client = servers.remote(more)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.never(None), 0.05)
        await asyncio.sleep(0.02)
        assert more.events == ["began", "canceled"] and (await client.next()).n == 0

    run(main)


def test_a_server_that_says_nothing_is_waited_for_as_long_as_one_likes(servers: Servers) -> None:
    async def main() -> None:
        writers: list[Any] = []
        silent = await asyncio.start_server(lambda reader, writer: writers.append(writer), "127.0.0.1", 0)
        port = silent.sockets[0].getsockname()[1]
        async with await rpc.connect("127.0.0.1", port, backend=servers.backend) as connection:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(connection.bootstrap(servers.schema.Order).next(), 0.05)
        for writer in writers:
            writer.close()
        silent.close()

    run(main)


def test_a_server_of_something_else_is_an_error(servers: Servers) -> None:
    async def main() -> None:
        def answer(reader: Any, writer: Any) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        other = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = other.sockets[0].getsockname()[1]
        connection = await rpc.connect("127.0.0.1", port, backend=servers.backend)
        with pytest.raises(ccapnp.DisconnectedError, match="not Cap'n Proto"):
            await connection.bootstrap(servers.schema.Order).next()
        await connection.closed
        other.close()

    run(main)


# ---- TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that its key signed itself, for localhost."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    return certificate, key


def test_tls_with_certificates_of_both_sides(servers: Servers, certificate: tuple[Path, Path]) -> None:
    contexts = []
    for purpose in (ssl.Purpose.CLIENT_AUTH, ssl.Purpose.SERVER_AUTH):
        context = ssl.create_default_context(purpose, cafile=str(certificate[0]))
        context.load_cert_chain(*map(str, certificate))
        context.verify_mode = ssl.CERT_REQUIRED
        contexts.append(context)
    subjects = []

    def for_peer(connection: rpc.Connection) -> Any:
        subjects.append(connection.get_extra_info("peercert")["subject"])
        return servers.Generic()

    async def main() -> None:
        server = await rpc.serve(for_peer, "127.0.0.1", 0, ssl=contexts[0], backend=servers.backend)
        async with server:
            connection = await rpc.connect(
                "127.0.0.1", server.port, ssl=contexts[1], server_hostname="localhost", backend=servers.backend
            )
            async with connection:
                client = connection.bootstrap(servers.schema.Generic).cast_as(servers.schema.Generic[ccapnp.Data])
                assert (await client.put(bytes(10 << 20))).value == bytes(10 << 20)
        assert subjects == [((("commonName", "localhost"),),)]

    run(main)


# ---- without a loop


class _Served:
    """A server in a thread, as long as a test runs."""

    def __init__(self, servers: Servers, make: Callable[[], Any]) -> None:
        self._ready = threading.Event()
        self._stop: Any = None

        async def main() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            async with await rpc.serve(make(), "127.0.0.1", 0, backend=servers.backend) as server:
                self.port = server.port
                self._ready.set()
                await self._stop.wait()

        self._thread = threading.Thread(target=lambda: asyncio.run(main()))

    def __enter__(self) -> int:
        self._thread.start()
        self._ready.wait()
        return self.port

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


def test_blocking_clients_in_many_threads(servers: Servers) -> None:
    with (
        _Served(servers, servers.Keywords) as port,
        rpc.blocking.connect("127.0.0.1", port, timeout=30, backend=servers.backend) as connection,
    ):
        client = connection.bootstrap(servers.schema.Keywords)

        def work(number: int) -> int:
            return sum(client.import_(number).class_ for _ in range(50))

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(8))) == [50 * number for number in range(8)]
        assert client.import_request(from_=7).send().class_ == 7 and {"import_", "pass_"} <= set(dir(client))
    assert connection.is_closed


def test_blocking_clients_give_what_can_be_called_and_compared(servers: Servers) -> None:
    with (
        _Served(servers, servers.More) as port,
        rpc.blocking.connect("127.0.0.1", port, timeout=30, backend=servers.backend) as connection,
    ):
        client = connection.bootstrap(servers.schema.More)
        client.hold(servers.Base())
        held = client.getHeld()
        assert held.cap.foo(123, True).x == "foo" and isinstance(held.to_dict()["cap"], rpc.blocking.BlockingClient)
        assert client.callFoo(held.cap) == client.callFoo(held.cap) and client.callHeld().s == "held foo"
        with pytest.raises(ccapnp.FailedError, match="test exception"):
            client.fail()
        with pytest.raises(asyncio.TimeoutError):
            rpc.blocking.BlockingClient(client._client, 0.05).never(None)
        with client.echo(servers.Order()).cap as order:
            assert [order.next().n for _ in range(3)] == [0, 1, 2]


def test_a_blocking_call_where_nothing_could_answer_it_is_refused(servers: Servers) -> None:
    class Base(servers.schema.Base.Server):  # type: ignore[misc, name-defined]
        def foo(self, **_: Any) -> str:
            return str(client.next().n)

    with (
        _Served(servers, servers.More) as port,
        rpc.blocking.connect("127.0.0.1", port, timeout=30, backend=servers.backend) as connection,
    ):
        client = connection.bootstrap(servers.schema.More)
        with pytest.raises(ccapnp.FailedError, match="would wait for ever"):
            client.callFoo(Base())
        with pytest.raises(TypeError, match="cannot be pickled"):
            copy.copy(client)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_blocking_call_is_interrupted(servers: Servers) -> None:
    script = (
        "import sys, ccapnp, ccapnp.rpc\n"
        "schema = ccapnp.load(sys.argv[1])\n"
        "with ccapnp.rpc.blocking.connect('127.0.0.1', int(sys.argv[2])) as connection:\n"
        "    client = connection.bootstrap(schema.More)\n"
        "    print(client.next().n, flush=True)\n"
        "    try:\n"
        "        client.never(None)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', client.next().n)\n"
    )
    more: list[Any] = []

    def make() -> Any:
        more.append(servers.More())
        return more[0]

    with _Served(servers, make) as port:
        command = [sys.executable, "-c", script, str(SCHEMA), str(port)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None and process.stdout.readline() == "0\n"
            until = time.monotonic() + 10
            while more[0].events != ["began"] and time.monotonic() < until:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted 1\n"
        assert process.returncode == 0 and more[0].events == ["began", "canceled"]
