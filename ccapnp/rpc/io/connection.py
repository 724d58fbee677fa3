"""A connection over an asyncio transport."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, TypeVar, overload

from ccapnp.codec import get_codec
from ccapnp.errors import RpcError
from ccapnp.rpc.classes.client import hook_of
from ccapnp.rpc.core.connection import Connection as Core
from ccapnp.rpc.core.hooks import Hook
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.loop import running_turns
from ccapnp.types.interface import Interface

if TYPE_CHECKING:
    from ccapnp.rpc.typed import Client, HasClient

__all__ = ["Connection"]

_C = TypeVar("_C")


class Connection(asyncio.BufferedProtocol):
    """A connection to one peer.

    It is closed by `close`, at the end of ``async with``, and when the peer closes it or does what the protocol does
    not allow.  Calls in flight then raise DisconnectedError.
    """

    def __init__(
        self, bootstrap: Any = None, *, options: Optional[Options] = None, backend: Optional[str] = None
    ) -> None:
        """``bootstrap`` is what the peer gets: a server, a client, or a function of the connection that gives one."""
        self._loop = asyncio.get_running_loop()
        self._core = Core(running_turns(), get_codec(backend), options or Options(), self._main(bootstrap))
        self._core.owner = self
        self._core.on_output = self._output_waits
        self._core.on_hurry = self._write
        self._core.on_end = self._ended
        self._core.on_resume = self._go_on
        self._transport: Optional[asyncio.Transport] = None
        self._closed: asyncio.Future[None] = self._loop.create_future()
        self._cutting: Optional[asyncio.TimerHandle] = None
        self._is_gathering = False
        self._is_paused = False
        self._is_full = False
        self._place = memoryview(bytearray(_PLACE_BYTES))
        self._is_room = False
        self._unwritten: deque[memoryview] = deque()
        self.on_lost: list[Callable[[Connection], None]] = []
        """Called with the connection when it is gone."""

    def _main(self, bootstrap: Any) -> Any:
        if bootstrap is None:
            return None
        if callable(bootstrap) and not hasattr(bootstrap, "_entry"):

            def make() -> Hook:
                return hook_of(bootstrap(self))

            return make
        return hook_of(bootstrap)

    # ---- for users

    @overload
    def bootstrap(self) -> Client: ...
    @overload
    def bootstrap(self, interface: type[HasClient[_C]]) -> _C: ...

    def bootstrap(self, interface: Any = Interface) -> Any:
        """The peer's main capability as one of that interface, which can be called at once."""
        return interface._client(self._core.ask_bootstrap())

    def close(self) -> None:
        """Close the connection once what was sent is written; it does no harm to close it twice."""
        self._core.close("the connection was closed here")

    async def wait_closed(self) -> None:
        """Wait until it is closed, by whichever side."""
        await asyncio.shield(self._closed)

    @property
    def closed(self) -> asyncio.Future[None]:
        """``await connection.closed`` waits until it is closed, by whichever side."""
        return asyncio.shield(self._closed)

    @property
    def is_closed(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._core.error is not None

    @property
    def error(self) -> Optional[RpcError]:
        """Why it is closed."""
        return self._core.error

    @property
    def peer(self) -> Any:
        """The peer's address: (host, port) and more, or a path; ``None`` if there is none."""
        return self.get_extra_info("peername")

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What the transport knows, as ``ssl_object`` or ``peercert``; see `asyncio.BaseTransport`."""
        return default if self._transport is None else self._transport.get_extra_info(name, default)

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()
        await self.wait_closed()

    def __repr__(self) -> str:
        return f"<ccapnp.rpc.Connection to {self.peer!r}{', closed' if self.is_closed else ''}>"

    # ---- for asyncio

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._write()

    def get_buffer(self, sizehint: int) -> memoryview:
        room = self._core.room()
        self._is_room = room is not None
        return self._place if room is None else room

    def buffer_updated(self, nbytes: int) -> None:
        if self._is_room:
            self._receive(self._core.filled, nbytes)
        else:
            self._receive(self._core.receive, bytes(self._place[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """The same, of bytes that are elsewhere."""
        self._receive(self._core.receive, data)

    def _receive(self, receive: Callable[[Any], None], data: Any) -> None:
        core = self._core
        is_gathering, self._is_gathering = self._is_gathering, True
        core.turns.hold()
        try:
            receive(data)
        finally:  # whatever is wrong with this connection, others go on
            core.turns.run()
            self._is_gathering = is_gathering
        if core.is_urgent:
            self._write()
        else:
            self._gather()
        if core.is_paused and not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        self._core.end()
        return False

    def connection_lost(self, exc: Optional[Exception]) -> None:
        self._core.end(None if exc is None else f"Peer disconnected: {exc}")
        self._transport = None
        if self._cutting is not None:
            self._cutting.cancel()
        if not self._closed.done():
            self._closed.set_result(None)
        for callback in self.on_lost:
            callback(self)

    def pause_writing(self) -> None:
        self._is_full = True
        self._core.hold_output()

    def resume_writing(self) -> None:
        self._is_full = False
        self._write_on()
        if not self._is_full:
            self._core.release_output()

    # ---- for the core

    def _output_waits(self, may_wait: bool) -> None:
        core = self._core
        if core.has_gathered or not (may_wait or self._is_gathering) and core.is_quiet:
            self._write()
        else:
            self._gather()

    def _gather(self) -> None:
        if not self._is_gathering:
            self._is_gathering = True
            self._loop.call_soon(self._end_gathering)

    def _end_gathering(self) -> None:
        """What was sent in this turn of the loop is written together."""
        self._is_gathering = False
        self._write()

    def _write(self) -> None:
        output = self._core.take_output()
        if self._transport is None or not output:
            return
        data = output[0] if len(output) == 1 else b"".join(output)
        if len(data) <= _MOST_AT_ONCE and not self._unwritten:
            self._transport.write(data)
        else:
            self._unwritten.append(memoryview(data))
            self._write_on()

    def _write_on(self) -> None:
        """Write as much as the transport takes: what it has to keep it copies, and moves again and again."""
        while self._unwritten and not self._is_full and self._transport is not None:
            data = self._unwritten[0]
            self._transport.write(data[:_MOST_AT_ONCE])
            if len(data) > _MOST_AT_ONCE:
                self._unwritten[0] = data[_MOST_AT_ONCE:]
            else:
                self._unwritten.popleft()
        if not self._unwritten and self.is_closed:
            self._close_transport()

    def _go_on(self) -> None:
        if self._is_paused and self._transport is not None and not self._core.is_paused:
            self._is_paused = False
            self._transport.resume_reading()

    def _ended(self, error: RpcError) -> None:
        self._write()
        if self._transport is None:
            if not self._closed.done():
                self._closed.set_result(None)
        else:
            self._cutting = self._loop.call_later(_LINGER_SECONDS, self._cut)
            if not self._unwritten:
                self._close_transport()

    def _close_transport(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()


_LINGER_SECONDS = 5.0
"""How long a peer may take to read what was sent, once a connection is closed."""

_MOST_AT_ONCE = 1 << 18
"""Bytes that a transport is given at once."""

_PLACE_BYTES = 1 << 14
"""Bytes that are received at once, but for large messages."""
