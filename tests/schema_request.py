"""The CodeGeneratorRequest of schema.capnp, put together from the nodes that its checked-in module embeds."""

from __future__ import annotations

from base64 import b64decode

from ccapnp.schema import schema_capnp

FILE_ID = 0xA93FC509624C72D9
FILE_NAME = "capnp/schema.capnp"


def schema_request() -> bytes:
    """The request as a compiler would make it, but without comments."""
    nodes = [schema_capnp.Node.from_bytes_packed(b64decode(text)) for _, text in sorted(schema_capnp._nodes.items())]
    imports = [
        {"id": node.id, "name": f"/{node.displayName}" if node.displayName[0] != "/" else node.displayName}
        for node in nodes
        if node.which() == "file" and node.id != FILE_ID
    ]
    file = {"id": FILE_ID, "filename": FILE_NAME, "imports": imports}
    return schema_capnp.CodeGeneratorRequest.new_message(nodes=nodes, requestedFiles=[file]).to_bytes()


def without_comments(data: bytes) -> bytes:
    """A request for schema.capnp, as some compiler made it, in the form of the one above."""
    request = schema_capnp.CodeGeneratorRequest.from_bytes(data, None).as_builder()
    request.sourceInfo = None
    request.requestedFiles[0].filename = FILE_NAME
    return request.to_bytes()
