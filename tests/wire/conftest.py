"""Schemas of the wire tests: structs of every small shape."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

SCHEMA = """
struct Bits { a @0 :Bool; b @1 :Bool; c @2 :Bool; d @3 :Bool; e @4 :Bool; f @5 :Bool; g @6 :Bool; h @7 :Bool;
  i @8 :Bool; j @9 :Bool; k @10 :Bool; l @11 :Bool; m @12 :Bool; n @13 :Bool; o @14 :Bool; p @15 :Bool; }
struct TrueBits { a @0 :Bool = true; b @1 :Bool = true; c @2 :Bool = true; d @3 :Bool = true; e @4 :Bool = true;
  f @5 :Bool = true; g @6 :Bool = true; h @7 :Bool = true; i @8 :Bool = true; j @9 :Bool; }

struct Floats { a @0 :Float32; b @1 :Float64; c @2 :Float32 = 1.5; d @3 :Float64 = 2.5; e @4 :Float32 = nan;
  f @5 :Float64 = nan; }

struct Void0 { v @0 :Void; }
struct Bit1 { f @0 :Bool; }
struct Byte8 { f @0 :UInt8; }
struct Short16 { f @0 :UInt16; }
struct Int32 { f @0 :UInt32; }
struct Long64 { f @0 :UInt64; }
struct Two64 { f @0 :UInt64; g @1 :UInt64 = 7; }
struct Text1 { t @0 :Text; }
struct Text2 { t @0 :Text; u @1 :Text; }
struct Both { f @0 :UInt32; t @1 :Text; }
struct Both2 { f @0 :UInt32; t @1 :Text; g @2 :UInt64 = 9; u @3 :Text; }

struct Node {
  value @0 :UInt32;
  next @1 :Node;
  children @2 :List(Node);
  name @3 :Text;
  blob @4 :Data;
  any @5 :AnyPointer;
  matrix @6 :List(List(UInt16));
  union { none @7 :Void; number @8 :UInt64; text @9 :Text; }
}
struct Chain { next @0 :Chain; value @1 :UInt8; }
struct Pair { a @0 :Node; b @1 :Node; }
struct Empties { list @0 :List(Void0); voids @1 :List(Void); }
struct Caps { cap @0 :Thing; list @1 :List(Thing); any @2 :AnyPointer; }
interface Thing {}

struct Old { old1 @0 :Int64; old2 @1 :Text; old3 @2 :Old; }
struct New { old1 @0 :Int64; old2 @1 :Text; old3 @2 :New; new1 @3 :Int64 = 987; new2 @4 :Text = "baz";
  new3 @5 :List(New); }
"""


@pytest.fixture(scope="session")
def shapes(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module for the schema above."""
    return compile_schema(SCHEMA)
