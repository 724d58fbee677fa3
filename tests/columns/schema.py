"""The schema of these tests, and lists of its structs."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import ccapnp

__all__ = ["NUMBERS", "SCHEMA", "built", "one_by_one", "parking_lot", "read"]

SCHEMA = """
enum Fuel { petrol @0; diesel @1; electric @2; }

struct Plain {
  flag @0 :Bool; other @1 :Bool;
  int8 @2 :Int8; int16 @3 :Int16; int32 @4 :Int32; int64 @5 :Int64;
  uint8 @6 :UInt8; uint16 @7 :UInt16; uint32 @8 :UInt32; uint64 @9 :UInt64;
  float32 @10 :Float32; float64 @11 :Float64; fuel @12 :Fuel;
}

struct Preset {
  flag @0 :Bool = true; other @1 :Bool = true;
  int8 @2 :Int8 = -123; int16 @3 :Int16 = -12345; int32 @4 :Int32 = -12345678; int64 @5 :Int64 = -123456789012345;
  uint8 @6 :UInt8 = 234; uint16 @7 :UInt16 = 45678; uint32 @8 :UInt32 = 3456789012;
  uint64 @9 :UInt64 = 12345678901234567890;
  float32 @10 :Float32 = 1234.5; float64 @11 :Float64 = -123e45; fuel @12 :Fuel = electric;
}

struct Engine { power @0 :UInt16; size @1 :Float32 = 1.5; fuel @2 :Fuel = diesel; turbo @3 :Bool; maker @4 :Maker; }
struct Maker { name @0 :Text; year @1 :Int16 = 1900; }

struct Car {
  make @0 :Text; seats @1 :UInt8; weight @2 :Float64; alarm @3 :Bool; engine @4 :Engine;
  spare @5 :Engine = (power = 7, maker = (name = "spare"));
  tank :group { litres @6 :Float32; cap :group { size @7 :Int16; color @8 :Text; } }
  union { new @9 :Void; price @10 :Int64; lease :group { rate @11 :Int64; months @12 :Int16; } loan @13 :Maker; }
  doors @14 :List(UInt8); any @15 :AnyPointer; nothing @16 :Void;
}

struct Lot { cars @0 :List(Car); }

struct Number { value @0 :UInt64; more @1 :Int32 = -7; text @2 :Text; }
struct Narrow { byte @0 :UInt8; flag @1 :Bool; short @2 :Int16 = 3; int @3 :Int32; }
struct Pointer { next @0 :Pointer; value @1 :Int32 = 9; }
struct Nothing {}
struct Choice { union { number @0 :UInt16; real @1 :Float64; flag @2 :Bool; inner :group { x @3 :Int8; } } }
struct Odd { nan @0 :Float32 = nan; inf @1 :Float64 = inf; from @2 :Int8; }
"""

NUMBERS = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint8": (0, 2**8 - 1),
    "uint16": (0, 2**16 - 1),
    "uint32": (0, 2**32 - 1),
    "uint64": (0, 2**64 - 1),
}
"""The lowest and the highest of each kind of integer."""


def built(struct_type: Any, values: list[dict[str, Any]]) -> Any:
    """The builder of a list of structs that is a message's root."""
    return ccapnp.MessageBuilder().set_root(values, ccapnp.List[struct_type])


def read(struct_type: Any, structs: Any) -> Any:
    """The reader of such a list, from the bytes of its message, as another struct's perhaps."""
    message = ccapnp.MessageBuilder()
    message.set_root(structs)
    return ccapnp.MessageReader(message.to_bytes()).get_root(ccapnp.List[struct_type])


def parking_lot(schema: Any, count: int = 10) -> Any:
    """A builder of a lot of cars, no two of which are alike."""
    lot = schema.Lot.new_message(
        cars=[
            {
                "make": f"make {index}",
                "seats": index % 256,
                "weight": index / 4,
                "alarm": index % 3 == 1,
                "tank": {"litres": index * 0.5, "cap": {"size": -index, "color": "red"}},
                "doors": [index % 256],
            }
            for index in range(count)
        ]
    )
    for index, car in enumerate(lot.cars):
        if index % 3:
            car.engine = {"power": index, "size": index * 2, "fuel": index % 4, "turbo": index % 2 == 0}
            car.engine.maker = {"name": f"maker {index}", "year": 2000 - index % 1000}
        if index % 4 == 2:
            car.spare = {"power": index}
    return lot


def one_by_one(structs: Any, path: str) -> list[Any]:
    """A column as a loop over the structs reads it."""
    return list(map(attrgetter(path), structs))
