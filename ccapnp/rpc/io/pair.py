"""Two connections to each other within one process and loop, for tests: no socket, but the same bytes."""

from __future__ import annotations

import asyncio
from typing import Any, Optional

from ccapnp.rpc.core.options import Options
from ccapnp.rpc.io.connection import Connection

__all__ = ["pair"]


class _Wire(asyncio.Transport):
    """One end: what is written here is received there, in a later turn of the loop."""

    def __init__(self, protocol: Connection) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._protocol = protocol
        self._other: Any = None
        self._held: Optional[list[bytes]] = None
        self._is_closing = False

    def write(self, data: Any) -> None:
        if not self._is_closing:
            self._loop.call_soon(self._other._arrive, bytes(data))

    def _arrive(self, data: bytes) -> None:
        if self._held is not None:
            self._held.append(data)
        else:
            self._protocol.data_received(data)

    def pause_reading(self) -> None:
        self._held = []

    def resume_reading(self) -> None:
        held, self._held = self._held or [], None
        for data in held:
            self._arrive(data)  # which holds it if this is paused again meanwhile

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._loop.call_soon(self._protocol.connection_lost, None)
            self._loop.call_soon(self._other.close)

    abort = close


def pair(
    bootstrap: Any = None, other_bootstrap: Any = None, *, options: Optional[Options] = None, backend: Any = None
) -> tuple[Connection, Connection]:
    """Two connections; the second one's peer, which is the first, gets ``bootstrap``, and the other way round."""
    server = Connection(bootstrap, options=options, backend=backend)
    client = Connection(other_bootstrap, options=options, backend=backend)
    here, there = _Wire(client), _Wire(server)
    here._other, there._other = there, here
    client.connection_made(here)
    server.connection_made(there)
    return client, server
