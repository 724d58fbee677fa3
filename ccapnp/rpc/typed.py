"""The classes of clients, servers and calls, and the functions on them, under the names that type checkers know.

At run time these are the real ones.  A type checker reads `typed.pyi` instead, on which generated stubs build.
"""

from ccapnp.rpc.classes.client import Client, cast_as, close, local_server, resolved
from ccapnp.rpc.classes.context import CallContext
from ccapnp.rpc.classes.pipeline import AnyPipeline, Pipeline
from ccapnp.rpc.classes.promise import Promise
from ccapnp.rpc.classes.request import send
from ccapnp.rpc.classes.server import Server, this_cap
from ccapnp.rpc.fulfiller import Fulfiller, promise

__all__ = [
    "AnyPipeline",
    "CallContext",
    "Client",
    "Fulfiller",
    "Pipeline",
    "Promise",
    "Server",
    "cast_as",
    "close",
    "local_server",
    "promise",
    "resolved",
    "send",
    "this_cap",
]
