"""What is sent together is written together, and nobody waits for more than there is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ccapnp import rpc
from ccapnp.rpc.core.framing import Receiver
from ccapnp.rpc.core.wire import wire_of
from ccapnp.wire.limits import Limits
from tests.conformance.calls import Servers, run


@pytest.fixture
def servers(backend: str) -> Servers:
    return Servers(backend)


class Writes:
    """The kinds of messages in each write of a connection's."""

    def __init__(self, connection: Any) -> None:
        self._transport = connection._transport
        self._receiver = Receiver(wire_of(connection._core.wire.codec), Limits())
        self.kinds: list[list[str]] = []
        connection._transport = self

    def write(self, data: Any) -> None:
        self.kinds.append([message.which() for message, _ in self._receiver.feed(bytes(data))])
        self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Ends:
    """Two connected ends, after one call, and what each writes from then on."""

    def __init__(self, servers: Servers) -> None:
        schema = servers.schema

        class Chain(schema.Pipeline.Server):  # type: ignore[misc, name-defined]
            async def getPlain(self, cap: Any) -> Any:
                return self

        self.ours, self.theirs = rpc.pair(Chain(), backend=servers.backend)
        self.client = self.ours.bootstrap(schema.Pipeline)
        self.interface = schema.Pipeline

    async def begin(self) -> None:
        await self.client.getPlain(None)
        await settle()
        self.sent, self.answered = Writes(self.ours).kinds, Writes(self.theirs).kinds

    async def chain(self) -> None:
        """Three calls, each of what the one before it gives."""
        first = self.client.getPlain(None)
        second = first.cap.cast_as(self.interface).getPlain(None)
        await second.cap.cast_as(self.interface).getPlain(None)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_calls_on_calls_go_in_one_write_and_their_answers_in_one(servers: Servers) -> None:
    async def main() -> None:
        ends = Ends(servers)
        await ends.begin()
        await ends.chain()
        await settle()
        assert ends.sent[0] == ["call"] * 3
        assert ends.answered == [["return"] * 3]

    run(main)


def test_what_can_wait_goes_with_the_next_call(servers: Servers) -> None:
    async def main() -> None:
        ends = Ends(servers)
        await ends.begin()
        for _ in range(3):
            await ends.chain()
        assert len(ends.sent) == 3, ends.sent
        await settle()
        assert [kind for kinds in ends.sent for kind in kinds].count("finish") == 9  # also without a further call

    run(main)


def test_a_call_that_nobody_waits_for_is_written_all_the_same(servers: Servers) -> None:
    async def main() -> None:
        ends = Ends(servers)
        await ends.begin()
        call = ends.client.getPlain(None)
        await settle()
        assert ends.sent[0] == ["call"] and ends.answered == [["return"]]
        await call

    run(main)


def test_a_call_waits_for_no_other_that_the_peer_still_works_on(servers: Servers) -> None:
    """While one call is with the peer, a second one is written no later than in the next turn of the loop."""

    async def main() -> None:
        more = servers.More()
        ours, _ = rpc.pair(more, backend=servers.backend)
        client = ours.bootstrap(servers.schema.More)
        never = client.never(None)
        await settle()
        sent = Writes(ours).kinds
        waiting = asyncio.ensure_future(asyncio.wait_for(_n(client.next(0)), 5))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sent == [["call"]]
        assert await waiting == 0
        never.cancel()

    run(main)


async def _n(call: Any) -> int:
    return int((await call).n)
