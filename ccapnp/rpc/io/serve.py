"""Serving whoever connects."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from typing import Any, Optional

from ccapnp.rpc.core.options import Options
from ccapnp.rpc.io.connection import Connection

__all__ = ["Listener", "serve"]


class Listener:
    """What listens, and the connections that have come; closing it closes them."""

    def __init__(self, bootstrap: Any, options: Optional[Options], backend: Optional[str]) -> None:
        self._bootstrap = bootstrap
        self._options = options
        self._backend = backend
        self._server: Any = None
        self._socket_file: Optional[tuple[str, int]] = None
        self._is_closed = False
        self.connections: set[Connection] = set()
        """Those that are open."""

    def _accept(self) -> Connection:
        connection = Connection(self._bootstrap, options=self._options, backend=self._backend)
        self.connections.add(connection)
        connection.on_lost.append(self.connections.discard)
        return connection

    @property
    def sockets(self) -> tuple[Any, ...]:
        """The sockets that it listens on."""
        return tuple(self._server.sockets)

    @property
    def port(self) -> int:
        """The port, of TCP: the one that was chosen if it was given as 0."""
        return self.sockets[0].getsockname()[1]  # type: ignore[no-any-return]

    async def serve_forever(self) -> None:
        """Serve until the task is canceled or the listener closed."""
        try:
            await self._server.serve_forever()
        except asyncio.CancelledError:
            if self._server.is_serving() or not self._is_closed:
                raise

    def _made(self, path: Any) -> None:
        """Note the file of a unix socket, to remove it in the end, as asyncio does from Python 3.13 on."""
        with suppress(OSError):
            self._socket_file = os.fspath(path), os.stat(path).st_ino

    def close(self) -> None:
        """Listen no more, and close all connections; it does no harm to do so twice."""
        self._is_closed = True
        self._server.close()
        if self._socket_file is not None:
            path, inode = self._socket_file
            self._socket_file = None
            with suppress(OSError):
                if os.stat(path).st_ino == inode:  # and not that of another server meanwhile
                    os.unlink(path)
        for connection in list(self.connections):
            connection.close()

    async def wait_closed(self) -> None:
        """Wait until all connections are closed."""
        await asyncio.gather(*(connection.wait_closed() for connection in list(self.connections)))

    async def __aenter__(self) -> Listener:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.close()
        await self.wait_closed()


async def serve(
    bootstrap: Any,
    host: Optional[str] = None,
    port: Optional[int] = None,
    *,
    path: Any = None,
    sock: Optional[socket.socket] = None,
    ssl: Any = None,
    backlog: int = 100,
    options: Optional[Options] = None,
    backend: Optional[str] = None,
) -> Listener:
    """Serve on a host and port, a unix socket's path, or by a socket that is bound already.

    ``bootstrap`` is what each client gets: a server or client object, or a function that is called with each
    `Connection` whose peer asks for it, and gives one; it sees ``connection.peer`` and, of TLS, the certificate.
    """
    if (host is not None or port is not None) + (path is not None) + (sock is not None) != 1:
        raise TypeError("serve takes a host and a port, or a path, or a sock")
    loop = asyncio.get_running_loop()
    listener = Listener(bootstrap, options, backend)
    accept = listener._accept
    if path is not None:
        listener._server = await loop.create_unix_server(accept, path, ssl=ssl, backlog=backlog)
        listener._made(path)
    elif sock is not None:
        is_unix = getattr(socket, "AF_UNIX", None) == sock.family
        create: Any = loop.create_unix_server if is_unix else loop.create_server
        listener._server = await create(accept, sock=sock, ssl=ssl, backlog=backlog)
    else:
        listener._server = await loop.create_server(accept, host, port or 0, ssl=ssl, backlog=backlog)
    return listener
