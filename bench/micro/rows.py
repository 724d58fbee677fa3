"""The rows of the micro benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Optional

from bench.report.results import Target
from bench.report.table import CPP, NATIVE, PURE, PYCAPNP

__all__ = ["ROWS", "SET", "TABLE_ROWS", "Row", "targets"]

RECORDS = "records native"
TABLE_ROWS = 1_000_000


class Row(NamedTuple):
    """One row of the table.

    Its statement is run in the namespace of each contender (see `bench.micro.run`), after the setup, which is not
    timed.
    ``native`` and ``pure`` are the ratios to pycapnp that ccapnp's codecs are held to.
    """

    name: str
    statement: str
    operations: int = 1
    native: Optional[float] = None
    pure: Optional[float] = None
    setup: str = "pass"


# What is held to the time of another than pycapnp.
TARGETS: Mapping[str, tuple[Target, ...]] = {
    "100 nested cars into objects": (
        Target(RECORDS, PYCAPNP, 0.03),
        Target(RECORDS, "msgspec", 1.3),
        Target(RECORDS, CPP, 8),
    ),
    "100 nested cars of objects": (Target(RECORDS, "msgspec", 2.5),),
    "sum a column of a million structs": (Target("columns native", CPP, 2),),
}


def targets(row: Row) -> tuple[Target, ...]:
    """What contenders are held to."""
    of_pycapnp = (Target(name, PYCAPNP, ratio) for name, ratio in ((NATIVE, row.native), (PURE, row.pure)) if ratio)
    return (*of_pycapnp, *TARGETS.get(row.name, ()))


# A message to write to is new in each round, since what is replaced in it still takes its place.
BUILDER = "b = Micro.new_message()"

READ = (
    Row("read an int", "r.int", native=0.18, pure=0.20),
    Row("read an int8", "r.int8"),
    Row("read an int16", "r.int16"),
    Row("read an int64", "r.int64"),
    Row("read a uint8", "r.uint8"),
    Row("read a uint16", "r.uint16"),
    Row("read a uint32", "r.uint32"),
    Row("read a uint64", "r.uint64"),
    Row("read a float", "r.float", native=0.25),
    Row("read a double", "r.double"),
    Row("read a bool", "r.flag", native=0.25),
    Row("read an enum", "r.color", native=0.25),
    Row("read a text", "r.text", native=0.70, pure=0.85),
    Row("read a data", "r.blob"),
    Row("read a struct", "r.child", native=0.75, pure=0.85),
    Row("read a list", "r.children", native=0.75),
    Row("read a group's field", "r.position.x"),
    Row("read a union's field", "r.shape.circle"),
    Row("ask which of a union it is", "r.shape.which()"),
)

SET = (
    Row("set an int", "b.int = 5", native=0.55, pure=0.60, setup=BUILDER),
    Row("set an int8", "b.int8 = -5", setup=BUILDER),
    Row("set an int16", "b.int16 = -500", setup=BUILDER),
    Row("set an int64", "b.int64 = -5000", setup=BUILDER),
    Row("set a uint8", "b.uint8 = 200", setup=BUILDER),
    Row("set a uint16", "b.uint16 = 60000", setup=BUILDER),
    Row("set a uint32", "b.uint32 = 70000", setup=BUILDER),
    Row("set a uint64", "b.uint64 = 70000", setup=BUILDER),
    Row("set a float", "b.float = 1.5", setup=BUILDER),
    Row("set a double", "b.double = 1.5", setup=BUILDER),
    Row("set a bool", "b.flag = True", setup=BUILDER),
    Row("set an enum", "b.color = 1", setup=BUILDER),
    Row("set an enum by name", "b.color = 'green'", setup=BUILDER),
    Row("set a text", "b.text = 'hello world'", native=0.85, setup=BUILDER),
    Row("set a data", "b.blob = b'hello world'", setup=BUILDER),
    Row("set a struct", "b.child = r.child", setup=BUILDER),
    Row("set a group's field", "b.position.x = 1.5", setup=BUILDER),
    Row("set a union's field", "b.shape.square = 1.5", setup=BUILDER),
    Row("init a struct", "b.init('child')", setup=BUILDER),
    Row("set a list of 1000 numbers", "b.numbers = thousand", setup=BUILDER),
    Row("set a list of 100 texts", "b.texts = texts", setup=BUILDER),
    Row(
        "init 100 structs, set 3 fields of each",
        "for x in Micro.new_message().init('children', 100): x.int = 5; x.float = 1.5; x.flag = True",
        native=0.50,
    ),
)

ITERATE = (
    Row("iterate 100 structs, read an int of each", "for x in cells: x.int", 100, native=0.45, pure=0.50),
    Row("iterate 1000 numbers", "for x in numbers: pass", 1000),
    Row("iterate 100 texts", "for x in words: pass", 100),
    Row(
        "sum a column of a million structs",
        "sum(x.value for x in table.rows)",
        TABLE_ROWS,
        setup="table = read(Table, table_data())",
    ),
)

WHOLE = (
    Row("to_dict of 100 nested cars", "lot.to_dict()", native=0.05, pure=0.35),
    Row("100 nested cars into objects", "read(ParkingLot, lot_data).to_dict()"),
    Row("100 nested cars of objects", "to_bytes(from_dict(ParkingLot, cars))"),
    Row("build 100 nested cars from a dict", "from_dict(ParkingLot, cars)", native=0.10),
    Row("to_json of 100 nested cars", "to_json(lot)", native=0.15, pure=1.00),
    Row("100 nested cars from JSON", "from_json(ParkingLot, json_text)", native=0.30),
    Row("to_text of 100 nested cars", "to_text(lot)"),
    Row("100 nested cars from text", "from_text(ParkingLot, text)"),
    Row("to_bytes of 100 nested cars", "built.to_bytes()", native=0.30),
    Row("new_message with three fields", "Micro.new_message(int=5, text='hello', flag=True)"),
    Row("open a small message, read one field", "Micro.from_bytes(small).int", native=1.00),
    Row("pack 100 nested cars", "built.to_bytes_packed()", native=0.60),
    Row("unpack 100 nested cars", "ParkingLot.from_bytes_packed(packed)", native=0.60),
    Row("copy 100 nested cars to a builder", "lot.as_builder()"),
    Row("compare 100 nested cars", "lot == same"),
    Row("hash 100 nested cars", "hash(lot)"),
    Row("canonical form of 100 nested cars", "canonicalize(lot)"),
    Row("read 1000 messages, an int of each", "for x in Micro.read_multiple_bytes(stream): x.int", 1000),
    Row(
        "read 1000 packed messages, an int of each",
        "for x in Micro.read_multiple_bytes_packed(packed_stream): x.int",
        1000,
    ),
)

ROWS = (*READ, *SET, *ITERATE, *WHOLE)
