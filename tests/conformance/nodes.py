"""Schema nodes for tests: of a text, and changed by hand."""

from __future__ import annotations

from typing import Any

from ccapnp.loading.sources import compile_text
from ccapnp.schema import schema_capnp

__all__ = ["STREAM_RESULT", "nodes_of"]

STREAM_RESULT = 0x995F9A3377C0B16E


def nodes_of(text: str) -> dict[str, Any]:
    """A builder of each node of a schema, by its name within the file; the file's own name is empty."""
    request = schema_capnp.CodeGeneratorRequest.from_bytes(compile_text(text, "test.capnp", ()).request, None)
    found = {}
    for node in request.nodes:
        if node.displayName.startswith("test.capnp"):
            found[node.displayName.partition(":")[2]] = node.as_builder()
    return found
