"""msgspec, whose typed Structs are decoded from MessagePack, and encoded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.micro.contenders.contender import Contender

__all__ = ["CONTENDERS"]


def prepare(schemas: Path) -> dict[str, Any]:
    import msgspec

    from bench.schemas import structs

    def value_of(cars: dict[str, Any]) -> Any:
        named = [{**car, "color": structs.Color[car["color"]]} for car in cars["cars"]]
        return structs.ParkingLot([_struct(structs.Car, car, structs) for car in named])

    decoder, encoder = msgspec.msgpack.Decoder(structs.ParkingLot), msgspec.msgpack.Encoder()
    return {"decode": decoder.decode, "encode": encoder.encode, "value_of": value_of}


def _struct(kind: Any, values: dict[str, Any], structs: Any) -> Any:
    values = dict(values)
    if "wheels" in values:
        values["wheels"] = [structs.Wheel(**wheel) for wheel in values["wheels"]]
        values["engine"] = structs.Engine(**values["engine"])
    return kind(**values)


STATEMENTS = {
    "100 nested cars into objects": "decode(packed_cars)",
    "100 nested cars of objects": "encode(value)",
}

CONTENDERS = (Contender("msgspec", prepare, STATEMENTS, True, "value = value_of(cars); packed_cars = encode(value)"),)
