"""RPC: calling what is elsewhere, and being called, over asyncio.

- `connect` and `serve` make connections, and `pair` two of them within a process, for tests.
- ``Calculator.Client`` and ``Calculator.Server`` are classes of each interface ``Calculator`` of a schema.
- `ccapnp.rpc.blocking` is for scripts and threads that have no event loop.

`ccapnp.rpc.core` is the protocol itself, which knows of no event loop.
"""

from ccapnp.rpc import blocking
from ccapnp.rpc.core.options import Options
from ccapnp.rpc.io import Connection, Listener, connect, pair, serve
from ccapnp.rpc.membrane import (
    MembranePolicy,
    copy_into_membrane,
    copy_out_of_membrane,
    membrane,
    reverse_membrane,
)
from ccapnp.rpc.reconnect import auto_reconnect, reset_connection
from ccapnp.rpc.revocable import Revoker, revocable
from ccapnp.rpc.typed import (
    AnyPipeline,
    CallContext,
    Client,
    Fulfiller,
    Pipeline,
    Promise,
    Server,
    cast_as,
    close,
    local_server,
    promise,
    resolved,
    send,
    this_cap,
)

__all__ = [
    "blocking",
    "reverse_membrane",
    "revocable",
    "reset_connection",
    "promise",
    "membrane",
    "copy_out_of_membrane",
    "copy_into_membrane",
    "auto_reconnect",
    "Revoker",
    "MembranePolicy",
    "Fulfiller",
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
