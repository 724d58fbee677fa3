"""RPC: calling what is elsewhere, and being called, over asyncio.

- `connect` and `serve` make connections, and `pair` two of them within a process, for tests.
- ``Calculator.Client`` and ``Calculator.Server`` are classes of each interface ``Calculator`` of a schema.
- `ccapnp.rpc.blocking` is for scripts and threads that have no event loop.

`ccapnp.rpc.core` is the protocol itself, which knows of no event loop.
"""

from ccapnp.rpc.classes.client import Client, cast_as, close, local_server, resolved
from ccapnp.rpc.classes.context import CallContext
from ccapnp.rpc.classes.pipeline import AnyPipeline, Pipeline
from ccapnp.rpc.classes.promise import Promise
from ccapnp.rpc.classes.request import send
from ccapnp.rpc.classes.server import Server, this_cap
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.io import Connection, Listener, connect, pair, serve

__all__ = [
    "AnyPipeline",
    "CallContext",
    "Client",
    "Connection",
    "Listener",
    "Options",
    "Pipeline",
    "Promise",
    "Server",
    "cast_as",
    "close",
    "connect",
    "local_server",
    "pair",
    "resolved",
    "send",
    "serve",
    "this_cap",
]
