"""The schema model: what a compiled schema says of its types, as plain objects.

`ccapnp.schema.schema_capnp` is the module generated from schema.capnp itself, for those who want the raw messages.
"""

from ccapnp.schema.nodes import Annotation, Enumerant, Field, Method, Node, NodeKind
from ccapnp.schema.registry import Registry
from ccapnp.schema.request import Request
from ccapnp.schema.value import Brand, Kind, Type, Value

__all__ = [
    "Annotation",
    "Brand",
    "Enumerant",
    "Field",
    "Kind",
    "Method",
    "Node",
    "NodeKind",
    "Registry",
    "Request",
    "Type",
    "Value",
]
