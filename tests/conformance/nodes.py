"""Schema nodes for tests: of a text, and changed by hand."""

from __future__ import annotations

from typing import Any

from ccapnp.loading.sources import compile_text
from ccapnp.schema import schema_capnp

__all__ = ["SCHEMA", "STREAM_RESULT", "nodes_of"]

STREAM_RESULT = 0x995F9A3377C0B16E

SCHEMA = """@0xf000000000000001;
struct Outer @0xf000000000000010 {
  inner @0 :Inner;
  kind @1 :Kind;
  server @2 :Server;
  others @3 :List(Inner);
  union { a @4 :Int32 = 5; b @5 :Text = "b"; }
  place :group { x @6 :Int16; deep :union { y @7 :Int8; z @8 :Text; } }
  late @9! :union { p @10 :UInt8; q @11 :UInt16; }
  struct Inner @0xf000000000000011 { n @0 :Int64; outer @1 :Outer; }
}
enum Kind @0xf000000000000012 { one @0; two @1; }
interface Server @0xf000000000000013 { call @0 (n :Int32) -> (outer :Outer); feed @1 (chunk :Data) -> stream; }
const answer @0xf000000000000014 :Outer = (kind = two, a = 42, place = (x = 7));
struct Box @0xf000000000000015 (T) { content @0 :T; boxes @1 :List(Box(Text)); }
struct Boxes @0xf000000000000016 { box @0 :Box(Outer); }
annotation note @0xf000000000000017 (struct) :Text;
"""
"""A schema with something of every kind."""


def nodes_of(text: str) -> dict[str, Any]:
    """A builder of each node of a schema, by its name within the file; the file's own name is empty."""
    request = schema_capnp.CodeGeneratorRequest.from_bytes(compile_text(text, "test.capnp", ()).request, None)
    found = {}
    for node in request.nodes:
        if node.displayName.startswith("test.capnp"):
            found[node.displayName.partition(":")[2]] = node.as_builder()
    return found
