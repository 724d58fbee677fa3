"""Connecting to a server."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Optional

from ccapnp.rpc.core.options import Options
from ccapnp.rpc.io.connection import Connection

__all__ = ["connect"]


async def connect(
    host: Optional[str] = None,
    port: Optional[int] = None,
    *,
    path: Any = None,
    sock: Optional[socket.socket] = None,
    ssl: Any = None,
    server_hostname: Optional[str] = None,
    bootstrap: Any = None,
    options: Optional[Options] = None,
    backend: Optional[str] = None,
) -> Connection:
    """A connection to a host and port, a unix socket's path, or by a socket that is connected already.

    ``ssl`` is an `ssl.SSLContext`, or True for that of `ssl.create_default_context`.  ``bootstrap`` is what the server
    gets that asks for this side's main capability.  ``backend`` is the codec of the protocol's own messages.  Raises
    OSError as `asyncio.loop.create_connection` does; for a time limit, use `asyncio.timeout` or `asyncio.wait_for`.
    """
    if (host is not None) + (path is not None) + (sock is not None) != 1:
        raise TypeError("connect takes a host and a port, or a path, or a sock")
    loop = asyncio.get_running_loop()

    def make() -> Connection:
        return Connection(bootstrap, options=options, backend=backend)

    if path is not None:
        _, connection = await loop.create_unix_connection(make, path, ssl=ssl, server_hostname=server_hostname)
    elif sock is not None:
        _, connection = await loop.create_connection(make, sock=sock, ssl=ssl, server_hostname=server_hostname)
    else:
        if host is None or port is None:
            raise TypeError("connect takes a port with a host")
        _, connection = await loop.create_connection(make, host, port, ssl=ssl, server_hostname=server_hostname)
    return connection
