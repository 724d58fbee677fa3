"""The connection is cut, at each message of a session and inside of each: all that waits fails, and nothing is left."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

import pytest

import ccapnp
import ccapnp.rpc
from ccapnp.codec import get_codec
from ccapnp.errors import DisconnectedError
from ccapnp.rpc.core.framing import Receiver
from ccapnp.rpc.core.questions import Question
from ccapnp.rpc.core.wire import wire_of
from ccapnp.wire.limits import Limits
from tests.rpc.ends import pump
from tests.rpc.play import HOLD, RETURN_NEW, RETURN_PARAM, RETURN_PROMISE, TAIL_CALL, Play

SECONDS = 60
"""That a session may take before it fails."""


def places_to_cut(backend: str, data: bytes) -> Iterator[int]:
    """Before each message, inside of it, and after the last."""
    at = 0
    for _, size in Receiver(wire_of(get_codec(backend)), Limits()).feed(data):
        yield from (at, at + 4, at + size - 1)
        at += size
    yield at


# ---- two cores


class Cut(Exception):
    """No more bytes come."""


class Session(Play):
    """Calls of each kind in both directions, in which an end gets but so many bytes."""

    def __init__(self, backend: str, deaf: int, limit: Optional[int] = None) -> None:
        super().__init__(backend)
        self.heard = bytearray()
        end = self.ends[deaf]
        receive = end.connection.receive

        def hear(data: bytes) -> None:
            left = None if limit is None else limit - len(self.heard)
            self.heard += data
            receive(data if left is None else data[:left])
            if left is not None and len(data) > left:
                raise Cut

        end.connection.receive = hear  # type: ignore[method-assign]

    def run(self) -> None:
        """All that happens."""
        for what in (RETURN_NEW, HOLD, RETURN_PARAM, RETURN_PROMISE, TAIL_CALL, HOLD):
            for handle in range(4):
                self.call(handle, what + 8 * handle)
        for call in range(0, 24, 2):
            self.build_upon(call, 0)
        for handle in range(4, 16):
            self.call(handle, HOLD)
            if handle % 4 == 0:
                pump(*self.ends)
        for _ in range(3):
            self.resolve(0, 3)
            self.answer(0, 3)
            self.drop_call(5, 0)
            pump(*self.ends)


@pytest.mark.conformance("PRO-18", "PRO-19", "TWO-02")
@pytest.mark.parametrize("deaf", [0, 1])
def test_wherever_it_is_cut_all_that_waits_fails_and_no_table_has_an_entry(backend: str, deaf: int) -> None:
    whole = Session(backend, deaf)
    whole.run()
    places = list(places_to_cut(backend, bytes(whole.heard)))
    assert len(places) > 60
    for place in places[deaf::4]:  # each end is cut off at a quarter of them
        session = Session(backend, deaf, place)
        with contextlib.suppress(Cut):
            session.run()
        check_cut(session)


def check_cut(session: Session) -> None:
    for end in session.ends:
        end.arriving.clear()
        end.connection.end()
        assert isinstance(end.connection.error, DisconnectedError)
    pump(*session.ends)
    assert [end.left for end in session.ends] == [{}, {}]
    for call in session.calls.values():
        if isinstance(call.pending, Question):
            assert call.pending.is_done
    session.finish()


# ---- over a socket

SCHEMA = """
interface Main {
  echo @0 (text :Text) -> (text :Text);
  never @1 (cap :Main) -> (cap :Main);
  other @2 () -> (other :Main);
  callBack @3 (cap :Main) -> (text :Text);
  write @4 (data :Data) -> stream;
}
"""


class Relay:
    """Passes on what a client and a server at ``path`` say, until it has passed so many bytes in one direction."""

    def __init__(self, path: str, direction: int, limit: Optional[int]) -> None:
        self.passed = [bytearray(), bytearray()]
        self._path = path
        self._direction = direction
        self._limit = limit

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._path)
        await asyncio.gather(self._pass(0, reader, far_writer), self._pass(1, far_reader, writer))

    async def _pass(self, direction: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passed = self.passed[direction]
        try:
            while data := await reader.read(1 << 16):
                limit = None if direction != self._direction or self._limit is None else self._limit - len(passed)
                passed += data
                writer.write(data if limit is None else data[:limit])
                await writer.drain()
                if limit is not None and len(data) >= limit:
                    break
        except ConnectionError:
            pass
        finally:
            writer.close()


def server_of(main: Any) -> Any:
    """An object that does what the schema says."""

    class Server(main.Server):  # type: ignore[misc]
        async def echo(self, text: str) -> str:
            await asyncio.sleep(0)
            return text

        async def never(self, cap: Any) -> None:
            await asyncio.Event().wait()

        async def other(self) -> Any:
            return Server()

        async def callBack(self, cap: Any) -> Any:
            return (await cap.echo("back")).text

        async def write(self, data: bytes) -> None:
            await asyncio.sleep(0)

    return Server()


async def session(main: Any, directory: Path, direction: int, limit: Optional[int]) -> list[bytes]:
    """A session over a relay, and what was said in each direction."""
    before = asyncio.all_tasks()
    complaints: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
    relay = Relay(f"{directory}/server", direction, limit)
    between = await asyncio.start_unix_server(relay.accept, f"{directory}/relay")
    async with await ccapnp.rpc.serve(server_of(main), path=f"{directory}/server"):
        connection = await ccapnp.rpc.connect(path=f"{directory}/relay", bootstrap=server_of(main))
        client = connection.bootstrap(main)
        calls = [
            client.echo("one"),
            client.other().other.echo("two"),
            client.callBack(server_of(main)),
            client.callBack(client.other().other),
            *(client.write(b"x" * 300) for _ in range(3)),
            client.echo("three"),
        ]
        lasting = [client.never(server_of(main)), client.never(client).cap.echo("four")]
        done = await asyncio.gather(*calls, return_exceptions=True)
        connection.close()
        await connection.wait_closed()
        failed = await asyncio.gather(*lasting, client.echo("five"), return_exceptions=True)
    between.close()
    errors = [each for each in done if isinstance(each, BaseException)]
    assert {type(each) for each in (*errors, *failed)} == {DisconnectedError}
    assert limit is not None or not errors
    del calls, lasting, client, done, errors, failed
    gc.collect()
    while asyncio.all_tasks() != before:
        await asyncio.sleep(0)
    assert complaints == []
    return [bytes(each) for each in relay.passed]


@pytest.mark.conformance("PRO-18", "PRO-19", "TWO-02")
@pytest.mark.parametrize("direction", [0, 1], ids=["to the server", "to the client"])
def test_wherever_a_socket_is_cut_all_that_waits_fails_and_no_task_is_left(
    backend: str, compile_schema: Callable[[str], ModuleType], tmp_path: Path, direction: int
) -> None:
    main = compile_schema(SCHEMA).Main

    def run(limit: Optional[int]) -> list[bytes]:
        directory = tmp_path / str(limit)
        directory.mkdir()
        return asyncio.run(asyncio.wait_for(session(main, directory, direction, limit), SECONDS))

    places = list(places_to_cut(backend, run(None)[direction]))
    assert len(places) > 20
    for place in places:
        run(place)
