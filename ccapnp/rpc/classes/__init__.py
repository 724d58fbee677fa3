"""The classes of interfaces: ``Calculator.Client`` and ``Calculator.Server``, and what goes with a call of one.

They are made from the schema when they are first asked for; see `ccapnp.types.interface`.
"""

from ccapnp.rpc.classes.client import client_class
from ccapnp.rpc.classes.pipeline import pipeline_class
from ccapnp.rpc.classes.server import server_class

__all__ = ["client_class", "pipeline_class", "server_class"]
