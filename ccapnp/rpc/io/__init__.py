"""Connections over asyncio: TCP, TLS, unix sockets, pairs of sockets, and pairs in memory."""

from ccapnp.rpc.io.connect import connect
from ccapnp.rpc.io.connection import Connection
from ccapnp.rpc.io.pair import pair
from ccapnp.rpc.io.serve import Listener, serve

__all__ = ["Connection", "Listener", "connect", "pair", "serve"]
