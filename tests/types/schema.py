"""The schema of these tests, and tables of its kinds of values."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import settings

SCHEMA = """
enum Color { red @0; green @1; blue @2; from @3; lightGrey @4; }
enum Shape { circle @0; square @1; }

struct Scalars {
  void @0 :Void; bool @1 :Bool; other @2 :Bool;
  int8 @3 :Int8; int16 @4 :Int16; int32 @5 :Int32; int64 @6 :Int64;
  uint8 @7 :UInt8; uint16 @8 :UInt16; uint32 @9 :UInt32; uint64 @10 :UInt64;
  float32 @11 :Float32; float64 @12 :Float64; color @13 :Color;
}

struct Defaults {
  void @0 :Void; bool @1 :Bool = true; other @2 :Bool = true;
  int8 @3 :Int8 = -123; int16 @4 :Int16 = -12345; int32 @5 :Int32 = -12345678; int64 @6 :Int64 = -123456789012345;
  uint8 @7 :UInt8 = 234; uint16 @8 :UInt16 = 45678; uint32 @9 :UInt32 = 3456789012;
  uint64 @10 :UInt64 = 12345678901234567890;
  float32 @11 :Float32 = 1234.5; float64 @12 :Float64 = -123e45; color @13 :Color = blue;
}

struct Odd {
  nan32 @0 :Float32 = nan; nan64 @1 :Float64 = nan; inf32 @2 :Float32 = inf; minus64 @3 :Float64 = -inf;
  low8 @4 :Int8 = -128; high64 @5 :UInt64 = 18446744073709551615; low64 @6 :Int64 = -9223372036854775808;
}

struct Blobs {
  text @0 :Text; data @1 :Data; greeting @2 :Text = "hello"; bytes @3 :Data = 0x"00 ff 41";
  number @4 :Int32;
  union { word @5 :Text; chunk @6 :Data; none @7 :Void; }
}

struct Lists {
  voids @0 :List(Void); bools @1 :List(Bool);
  int8s @2 :List(Int8); int16s @3 :List(Int16); int32s @4 :List(Int32); int64s @5 :List(Int64);
  uint8s @6 :List(UInt8); uint16s @7 :List(UInt16); uint32s @8 :List(UInt32); uint64s @9 :List(UInt64);
  float32s @10 :List(Float32); float64s @11 :List(Float64);
  texts @12 :List(Text); datas @13 :List(Data); colors @14 :List(Color); structs @15 :List(Pair);
  lists @16 :List(List(UInt16)); structLists @17 :List(List(Pair)); textLists @18 :List(List(Text));
  caps @19 :List(Service);
  preset @20 :List(Int16) = [1, -2, 3]; presetStructs @21 :List(Pair) = [(key = "a", value = 1)];
}

interface Service { ping @0 (); }

struct Pair { key @0 :Text; value @1 :Int32; }

struct Node {
  name @0 :Text; value @1 :Int32; child @2 :Node; children @3 :List(Node); any @4 :AnyPointer; data @5 :Data;
  point :group { x @6 :Int16; y @7 :Int16; label @8 :Text; sub @9 :Node; }
  preset @10 :Pair = (key = "preset", value = 7);
  numbers @11 :List(UInt8);
  cap @12 :Service;
}

struct Shapes {
  before @0 :Int32;
  union {
    empty @1 :Void;
    count @2 :UInt16;
    label @3 :Text;
    pair @4 :Pair;
    box :group { width @5 :Float32 = 1.5; name @6 :Text; corners @7 :List(Int8); }
    circle :group { radius @8 :Float64; inner @9 :Pair; }
    any @10 :AnyPointer;
    list @11 :List(Pair);
  }
  named :union { first @12 :Void; second @13 :Int64; third @14 :Text; }
  after @15 :Text;
}

struct Switches {
  union { bit @0 :Bool; byte @1 :UInt8; half @2 :UInt16; whole @3 :UInt32; }
}

struct OldShape { before @0 :Int32; union { empty @1 :Void; count @2 :UInt16; } }

struct Old { name @0 :Text; value @1 :Int32; }
struct New { name @0 :Text; value @1 :Int32; extra @2 :Text; more @3 :UInt64 = 42; deep @4 :Pair; }
struct HoldsOld { one @0 :Old; many @1 :List(Old); }
struct HoldsNew { one @0 :New; many @1 :List(New); }
struct Bytes { values @0 :List(UInt8); }
struct Wide { values @0 :List(Slot); struct Slot { a @0 :UInt8; b @1 :UInt32; } }

struct Box(T) { value @0 :T; }
struct Boxes { text @0 :Box(Text); pair @1 :Box(Pair); list @2 :Box(List(Int32)); }
"""


class Number(NamedTuple):
    """A kind of number: the field in ``Scalars`` and its range."""

    field: str
    low: Any
    high: Any

    @property
    def list_field(self) -> str:
        return f"{self.field}s"


INTEGERS = (
    *(Number(f"int{bits}", -(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)),
    *(Number(f"uint{bits}", 0, 2**bits - 1) for bits in (8, 16, 32, 64)),
)
FLOATS = (
    Number("float32", -3.4028234663852886e38, 3.4028234663852886e38),
    Number("float64", -1.7976931348623157e308, 1.7976931348623157e308),
)
NUMBERS = (*INTEGERS, *FLOATS)

DEFAULTS = {
    "void": None,
    "bool": True,
    "other": True,
    "int8": -123,
    "int16": -12345,
    "int32": -12345678,
    "int64": -123456789012345,
    "uint8": 234,
    "uint16": 45678,
    "uint32": 3456789012,
    "uint64": 12345678901234567890,
    "float32": 1234.5,
    "float64": -123e45,
    "color": 2,
}

LIST_VALUES: dict[str, list[Any]] = {
    "voids": [None] * 3,
    "bools": [True, False, True, True, False, False, True, False, True],
    "int8s": [-128, 0, 127],
    "int16s": [-32768, 5, 32767],
    "int32s": [-(2**31), 0, 2**31 - 1],
    "int64s": [-(2**63), 1, 2**63 - 1],
    "uint8s": [0, 1, 255],
    "uint16s": [0, 1, 65535],
    "uint32s": [0, 1, 2**32 - 1],
    "uint64s": [0, 1, 2**64 - 1],
    "float32s": [0.0, -1.5, 2.0**127],
    "float64s": [0.0, -1.5, 1e300],
    "texts": ["", "a", "snow\u2603"],
    "datas": [b"", b"\0\xff", b"abcdefghi"],
    "colors": [0, 2, 1],
    "structs": [{"key": "a", "value": 1}, {"key": "b", "value": -2}, {"value": 3}],
    "lists": [[], [1], [2, 65535, 3]],
    "structLists": [[], [{"key": "x", "value": 1}], [{"key": "y", "value": 2}, {"key": "z", "value": 3}]],
    "textLists": [["a", "b"], [], [""]],
}
"""For each field of ``Lists`` with elements that a Python value can be: some."""

ELEMENTS_IN_PLACE = ("voids", "bools", "int8s", "uint64s", "float32s", "colors", "structs", "texts", "datas", "lists")

FEWER = settings(max_examples=max(10, settings.default.max_examples // 6))
"""For a test that runs once for each kind of element."""
