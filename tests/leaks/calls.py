"""Calls as actions that can be done again and again, by connections that stay and by new ones."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import ccapnp
from ccapnp import rpc
from tests.conformance.calls import Servers
from tests.leaks.entries import ENTRIES, Entry, Sample

__all__: list[str] = []


class _Line:
    """A loop, and a connection to one of each server in it."""

    def __init__(self, backend: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.servers = Servers(backend)
        self.loop.run_until_complete(self._connect())

    async def _connect(self) -> None:
        servers = self.servers
        self.server = servers.More()
        self.more, self.pipeline = servers.remote(self.server), servers.remote(servers.Pipeline())
        self.callee, self.caller = servers.remote(servers.Callee()), servers.remote(servers.Caller())


@cache
def _line(backend: str) -> _Line:
    return _Line(backend)


def _entry(share: int) -> Callable[[Callable[[_Line], Awaitable[Any]]], None]:
    def note(action: Callable[[_Line], Awaitable[Any]]) -> None:
        def act(sample: Sample) -> None:
            line = _line(sample.backend)
            line.loop.run_until_complete(action(line))

        ENTRIES[action.__name__] = Entry(act, share)

    return note


@_entry(1)
async def calls(line: _Line) -> None:
    await line.more.next()


@_entry(5)
async def calls_on_promises_with_callbacks(line: _Line) -> None:
    await line.pipeline.getCap(123, line.servers.Base()).outBox.cap.foo(123, True)


@_entry(5)
async def calls_that_come_back(line: _Line) -> None:
    promise = line.more.echo(line.servers.Order())
    early = promise.cap.next()
    await promise
    await promise.cap.next()
    await early


@_entry(5)
async def tail_calls(line: _Line) -> None:
    await line.caller.foo(1, line.callee)
    await line.caller.foo(1, line.servers.Callee()).order.next()


@_entry(5)
async def calls_that_fail_or_are_canceled(line: _Line) -> None:
    with contextlib.suppress(ccapnp.FailedError):
        await line.more.fail()
    promise = line.more.never(line.servers.Base())
    await line.more.next()
    promise.cancel()
    line.servers.counts.clear()
    line.server.events.clear()


@_entry(20)
async def connections(line: _Line) -> None:
    ours, theirs = rpc.pair(line.servers.More(), backend=line.servers.backend)
    async with ours, theirs:
        await ours.bootstrap(line.servers.schema.More).next()
