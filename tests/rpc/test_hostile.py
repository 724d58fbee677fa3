"""Peers that mean no good: each is cut off with the reason, or has one call fail, and costs no memory that grows."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ccapnp
import ccapnp.rpc
from ccapnp.errors import DisconnectedError
from ccapnp.rpc import Options
from ccapnp.rpc.core import receiving
from ccapnp.rpc.core.hooks import BrokenHook
from ccapnp.rpc.core.payload import Payload
from tests.rpc.peer import Peer, Recorder

SECONDS = 60
"""That a whole test may take before it fails."""

LIMITS = Options(max_calls=50, max_exports=50, max_imports=50, max_capabilities=20, traversal_limit_in_words=1000)


@pytest.fixture
def peer(backend: str) -> Peer:
    peer = Peer(backend, LIMITS)
    peer.bootstrap(1000)
    peer.send(finish={"questionId": 1000, "releaseResultCaps": False})
    return peer


def assert_cut_off(peer: Peer, received: list[dict[str, Any]], reason: str) -> None:
    """The last that the peer was told is why, and nothing is left of it."""
    assert reason in received[-1]["abort"]["reason"]
    assert isinstance(peer.error, DisconnectedError)
    assert reason in str(peer.error)
    assert peer.is_idle
    assert peer.send(bootstrap={"questionId": 0}) == []


# ---- bytes that are no messages


@pytest.mark.conformance("PRO-18", "TWO-04")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "not Cap'n Proto"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)), ""),
        (b"\xff" * 64, "too many segments"),
        ((1000).to_bytes(4, "little") + bytes(4004), "segments"),
        (bytes(4) + (1 << 20).to_bytes(4, "little"), "larger than the limit"),
        (bytes(4) + b"\xff\xff\xff\xff", "larger than the limit"),
    ],
    ids=["HTTP", "TLS", "garbage", "too many segments", "a large message", "the largest message"],
)
def test_what_is_no_message_is_refused_before_more_of_it_comes(peer: Peer, data: bytes, reason: str) -> None:
    assert_cut_off(peer, peer.send_bytes(data), reason)


@pytest.mark.conformance("PRO-18")
@pytest.mark.parametrize(
    "words",
    [
        b"\x00\x00\x00\x00\x01\x00\x01\x00",
        b"\xf8\xff\xff\xff\xff\xff\xff\xff",
        b"\x01\x00\x00\x00\x02\x00\x00\x00",
        b"\x03\x00\x00\x00\x07\x00\x00\x00",
        b"\x02\x00\x00\x00\x09\x00\x00\x00",
    ],
    ids=["out of bounds", "before the message", "a list", "a capability", "a far pointer"],
)
def test_a_message_with_a_wrong_root_is_refused(peer: Peer, words: bytes) -> None:
    peer.send_bytes(bytes(4) + b"\x01\x00\x00\x00" + words)
    assert isinstance(peer.error, DisconnectedError)
    assert peer.is_idle


@pytest.mark.conformance("PRO-19")
def test_half_a_message_and_then_the_end_is_told_apart(peer: Peer) -> None:
    whole = peer.wire.Message.new_message(bootstrap={"questionId": 0}).to_bytes()
    assert peer.send_bytes(whole[:-3]) == []
    peer.connection.end()
    assert "the stream ends inside a message" in str(peer.error)
    assert peer.is_idle


def test_a_call_with_any_bit_flipped_is_done_or_cut_off(backend: str) -> None:
    whole = Peer(backend).wire.Message.new_message(
        call={
            "questionId": 1,
            "target": {"promisedAnswer": {"questionId": 0, "transform": [{"getPointerField": 0}]}},
            "params": {"capTable": [{"senderHosted": 3}, {"receiverAnswer": {"questionId": 0}}]},
        }
    )
    data = whole.to_bytes()
    for bit in range(8 * 8, 8 * len(data)):
        flipped = bytearray(data)
        flipped[bit >> 3] ^= 1 << (bit & 7)
        peer = Peer(backend, LIMITS)
        peer.bootstrap()
        peer.connection.receive(bytes(flipped))
        peer.settle()
        for incoming in peer.main.calls:
            incoming.complete(Payload())
        peer.settle()
        peer.connection.end()
        assert peer.is_idle


# ---- messages that must not be


@pytest.mark.conformance("PRO-02", "PRO-03", "PRO-08", "PRO-12", "PRO-16")
@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"return": {"answerId": 7, "canceled": None}}, "no question 7"),
        ({"release": {"id": 7, "referenceCount": 1}}, "capability 7"),
        ({"release": {"id": 0, "referenceCount": 2}}, "capability 0"),
        ({"release": {"id": 0, "referenceCount": 0xFFFFFFFF}}, "capability 0"),
        ({"disembargo": {"target": {"importedCap": 0}, "context": {"senderLoopback": 0}}}, "not the sender's"),
        ({"disembargo": {"target": {"importedCap": 7}, "context": {"senderLoopback": 0}}}, "no capability 7"),
        ({"disembargo": {"target": {"importedCap": 0}, "context": {"receiverLoopback": 9}}}, "no embargo 9"),
        ({"call": {"questionId": 1, "target": {"importedCap": 0xFFFFFFFF}}}, "no capability 4294967295"),
        ({"unimplemented": {"call": {"questionId": 0}}}, "does not implement"),
    ],
)
def test_a_number_that_is_not_known_cuts_the_peer_off(peer: Peer, message: dict[str, Any], reason: str) -> None:
    assert_cut_off(peer, peer.send(**message), reason)


@pytest.mark.conformance("PRO-04", "PRO-09", "PRO-16")
@pytest.mark.parametrize(
    "message",
    [
        {"finish": {"questionId": 7}},
        {"resolve": {"promiseId": 7, "exception": {"reason": "broken"}}},
        {"resolve": {"promiseId": 7, "cap": {"receiverHosted": 7}}},
    ],
)
def test_a_flood_of_what_means_nothing_leaves_nothing(peer: Peer, message: dict[str, Any]) -> None:
    data = peer.wire.Message.new_message(**message).to_bytes()
    assert peer.send_bytes(data * 2000) == []
    assert peer.error is None
    peer.send(release={"id": 0, "referenceCount": 1})
    assert peer.is_idle


@pytest.mark.conformance("PRO-11", "PRO-25")
def test_a_flood_of_unknown_messages_is_echoed_and_leaves_nothing(peer: Peer) -> None:
    data = peer.wire.Message.new_message(join={"questionId": 0}).to_bytes()
    received = peer.send_bytes(data * 500)
    assert [list(each) for each in received] == [["unimplemented"]] * 500
    peer.send(release={"id": 0, "referenceCount": 1})
    assert peer.is_idle


# ---- too much


@pytest.mark.conformance("PRO-02")
def test_too_many_calls_cut_the_peer_off(peer: Peer) -> None:
    for number in range(LIMITS.max_calls):
        assert peer.call(number) == []
    assert len(peer.connection.answers) == LIMITS.max_calls
    assert_cut_off(peer, peer.call(LIMITS.max_calls), "too many")
    assert len(peer.main.canceled) == LIMITS.max_calls


@pytest.mark.conformance("PRO-16")
def test_an_endless_chain_of_calls_built_on_calls_counts_as_calls(peer: Peer) -> None:
    peer.call(0)
    for number in range(1, LIMITS.max_calls):
        peer.call(number, {"questionId": number - 1, "transform": [{"getPointerField": 0}]})
    received = peer.call(LIMITS.max_calls, {"questionId": 0, "transform": []})
    assert_cut_off(peer, received, "too many")


@pytest.mark.conformance("PRO-16")
def test_a_long_chain_of_calls_fails_as_one_when_its_first_does(backend: str) -> None:
    peer = Peer(backend)
    peer.bootstrap()
    peer.call(1)
    length = 3000
    for number in range(2, length):
        peer.call(number, {"questionId": number - 1, "transform": [{"getPointerField": 0}]})
    peer.main.calls.pop().fail(ccapnp.FailedError("no more"))
    received = peer.received()
    assert {each["return"]["exception"]["reason"] for each in received} == {"no more"}
    assert len(received) == length - 1
    assert peer.error is None


@pytest.mark.conformance("PRO-07")
def test_too_many_capabilities_in_one_message_cut_the_peer_off(peer: Peer) -> None:
    table = [{"senderHosted": number} for number in range(LIMITS.max_capabilities + 1)]
    assert_cut_off(peer, peer.call(1, params={"capTable": table}), "capabilities")


@pytest.mark.conformance("PRO-07")
def test_too_many_imports_cut_the_peer_off(peer: Peer) -> None:
    received: list[dict[str, Any]] = []
    for number in range(10):
        table = [{"senderHosted": 10 * number + each} for each in range(10)]
        received += peer.call(number, params={"capTable": table})
        assert len(peer.connection.descriptors.imports) <= LIMITS.max_imports
    assert_cut_off(peer, received, "too many capabilities")


@pytest.mark.conformance("PRO-08")
def test_capabilities_that_the_peer_never_releases_are_limited(peer: Peer) -> None:
    reasons = []
    for number in range(LIMITS.max_exports + 5):
        peer.call(number)
        peer.main.calls.pop().complete(peer.results([Recorder(peer.turns).hook]))
        (answer,) = peer.received()
        reasons.append(answer["return"].get("exception", {}).get("reason"))
        peer.send(finish={"questionId": number, "releaseResultCaps": False})
    assert len(peer.connection.exports) == LIMITS.max_exports
    assert reasons[0] is None
    assert "has not released" in reasons[-1]
    assert peer.error is None


@pytest.mark.conformance("PRO-16")
def test_a_huge_path_leads_nowhere(peer: Peer) -> None:
    peer.call(1)
    (answer,) = peer.call(2, {"questionId": 1, "transform": [{"getPointerField": 0}] * 400})
    assert "400 steps" in answer["return"]["exception"]["reason"]
    peer.call(3, {"questionId": 1, "transform": [{"getPointerField": 0}] * 64})
    peer.main.calls.pop().complete(peer.results())
    (answer,) = (each for each in peer.received() if each["return"]["answerId"] == 3)
    assert answer["return"]["exception"]["reason"] == "Called null capability"
    assert peer.error is None


def test_parameters_that_are_nested_deeply_fail_when_they_are_read(peer: Peer) -> None:
    depth = 200
    struct_of_one_pointer = bytes(6) + b"\x01\x00"
    data = bytes(4) + (depth + 1).to_bytes(4, "little") + struct_of_one_pointer * depth + bytes(8)
    nested = ccapnp.MessageReader(data, backend=peer.wire.codec.name, nesting_limit=1000)
    peer.call(1, params={"content": nested.root})
    found = peer.main.calls.pop().request.params.capability_at((0,) * 150)
    assert isinstance(found, BrokenHook)
    assert "nest" in found.error.reason
    assert peer.error is None


# ---- beside others, over sockets

SCHEMA = """
interface Main {
  echo @0 (data :Data) -> (data :Data);
}

struct Parameters {
  data @0 :Data;
}
"""


def run(test: Any) -> None:
    asyncio.run(asyncio.wait_for(test, SECONDS))


@pytest.fixture
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


@pytest.fixture
def main(schema: Any) -> Any:
    return schema.Main


def echoing(main: Any) -> Any:
    class Server(main.Server):  # type: ignore[misc]
        async def echo(self, data: bytes) -> bytes:
            return data

    return Server()


@pytest.mark.conformance("TWO-04", "PRO-18")
def test_a_hostile_connection_does_no_harm_to_another(main: Any, tmp_path: Path) -> None:
    async def test() -> None:
        path = f"{tmp_path}/socket"
        async with await ccapnp.rpc.serve(echoing(main), path=path), await ccapnp.rpc.connect(path=path) as good:
            client = good.bootstrap(main)
            for data in (b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, b"\x00" * 7):
                reader, writer = await asyncio.open_unix_connection(path)
                writer.write(data)
                writer.write_eof()
                await reader.read()
                writer.close()
                await writer.wait_closed()
                assert bytes((await client.echo(b"still here")).data) == b"still here"

    run(test())


@pytest.mark.conformance("TWO-04")
def test_a_server_of_something_else_is_told_apart(main: Any, tmp_path: Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async def test() -> None:
        path = f"{tmp_path}/socket"
        server = await asyncio.start_unix_server(answer, path)
        async with server, await ccapnp.rpc.connect(path=path) as connection:
            with pytest.raises(DisconnectedError, match="not Cap'n Proto"):
                await connection.bootstrap(main).echo(b"hello")

    run(test())


def test_a_silent_server_is_given_up_after_a_timeout(main: Any) -> None:
    async def test() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            async with await ccapnp.rpc.connect(*silent.getsockname()) as connection:
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(connection.bootstrap(main).echo(b"hello"), 0.05)

    run(test())


@pytest.mark.conformance("PRO-22")
def test_a_peer_that_calls_and_never_reads_is_not_read_either(schema: Any, backend: str, tmp_path: Path) -> None:
    """What it may have in flight, and what waits for it, is limited; the rest stays where it is: at the peer."""
    main, options = schema.Main, Options(flow_limit_in_words=1 << 15)

    async def test() -> None:
        path = f"{tmp_path}/socket"
        async with await ccapnp.rpc.serve(echoing(main), path=path, options=options) as listener:
            loop = asyncio.get_running_loop()
            rude = socket.socket(socket.AF_UNIX)
            rude.setblocking(False)
            await loop.sock_connect(rude, path)
            messages = Peer(backend).wire.Message
            await loop.sock_sendall(rude, messages.new_message(bootstrap={"questionId": 0}).to_bytes())
            sent = 0
            with pytest.raises(asyncio.TimeoutError):
                for number in range(1, 10_000):
                    call = call_of(messages, number, 1 << 14)
                    await asyncio.wait_for(loop.sock_sendall(rude, call), 0.5)
                    sent += len(call)
            (connection,) = listener.connections
            assert connection._core.is_paused
            assert sent < 8 << 20
            async with await ccapnp.rpc.connect(path=path) as good:
                assert bytes((await good.bootstrap(main).echo(b"still here")).data) == b"still here"
            rude.close()
            await connection.wait_closed()

    def call_of(messages: Any, number: int, size: int) -> bytes:
        call = messages.new_message(
            call={"questionId": number, "target": {"promisedAnswer": {"questionId": 0}}, "interfaceId": main._node_id}
        )
        call.call.params.content = schema.Parameters.new_message(data=b"x" * size)
        return bytes(call.to_bytes())

    run(test())


def test_calls_are_built_upon_so_many_places_of_one_answer_at_most(backend: str) -> None:
    peer = Peer(backend, LIMITS)
    peer.bootstrap()
    peer.call(1)
    for step in range(LIMITS.max_capabilities):
        peer.call(2, {"questionId": 1, "transform": [{"getPointerField": step}]})
        peer.send(finish={"questionId": 2})
    assert peer.error is None
    messages = peer.call(2, {"questionId": 1, "transform": [{"getPointerField": LIMITS.max_capabilities}]})
    assert "calls are built upon" in messages[-1]["abort"]["reason"]


def test_a_fault_of_ours_ends_one_connection_and_no_other(
    main: Any, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def fail(*_: Any) -> None:
        raise RuntimeError("a fault")

    async def test() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(str(context["exception"])))
        async with await ccapnp.rpc.serve(echoing(main), "127.0.0.1", 0, backend=backend) as server:
            good = await ccapnp.rpc.connect("127.0.0.1", server.port, backend=backend)
            bad = await ccapnp.rpc.connect("127.0.0.1", server.port, backend=backend)
            async with good, bad:
                client = good.bootstrap(main)
                await client.echo(b"before")
                await asyncio.sleep(0.05)  # so that nothing is on its way
                with monkeypatch.context() as patch, pytest.raises(DisconnectedError):
                    patch.setattr(receiving, "handle", fail)
                    await bad.bootstrap(main).echo(b"lost")
                local = main.Client(echoing(main))
                assert (await asyncio.wait_for(local.echo(b"here"), 5)).data == b"here"
                assert (await client.echo(b"after")).data == b"after"

    run(test())
    assert told == ["a fault"]
