"""The micro benchmark: one row for each single operation, and for whole small messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Optional

from bench import samples
from bench.contenders import capnpy, ccapnp, pycapnp
from bench.contenders.contender import Contender
from bench.messages import encode
from bench.timing import Timing, time_in_turn
from bench.worker import Worker

__all__ = ["CONTENDERS", "ROWS", "Row", "enter", "measure"]

CONTENDERS = (*ccapnp.CONTENDERS, *pycapnp.CONTENDERS, *capnpy.CONTENDERS)
SCHEMAS = Path(__file__).parent / "schemas"


class Row(NamedTuple):
    """One row of the table.

    Its statement is run in the namespace of each contender (see `enter`), after the setup, which is not timed.
    ``native`` and ``pure`` are the ratios to pycapnp that ccapnp's codecs are held to.
    """

    name: str
    statement: str
    operations: int = 1
    native: Optional[float] = None
    pure: Optional[float] = None
    setup: str = "pass"


# A message to write to is new in each round, since what is replaced in it still takes its place.
BUILDER = "b = Micro.new_message()"

ROWS = (
    Row("read an int", "r.int", native=0.18, pure=0.20),
    Row("read a float", "r.float", native=0.25),
    Row("read a bool", "r.flag", native=0.25),
    Row("read an enum", "r.color", native=0.25),
    Row("read a text", "r.text", native=0.70, pure=0.85),
    Row("read a struct", "r.child", native=0.75, pure=0.85),
    Row("read a list", "r.children", native=0.75),
    Row("set an int", "b.int = 5", native=0.55, pure=0.60, setup=BUILDER),
    Row("set a text", "b.text = 'hello world'", native=0.85, setup=BUILDER),
    Row("set a list of 1000 numbers", "b.numbers = thousand", setup=BUILDER),
    Row(
        "init 100 structs, set 3 fields of each",
        "for x in Micro.new_message().init('children', 100): x.int = 5; x.float = 1.5; x.flag = True",
        native=0.50,
    ),
    Row("iterate 100 structs, read an int of each", "for x in cells: x.int", 100, native=0.45, pure=0.50),
    Row("iterate 1000 numbers", "for x in numbers: pass", 1000),
    Row("to_dict of 100 nested cars", "lot.to_dict()", native=0.05, pure=0.35),
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


def measure(
    contenders: Sequence[Contender], rows: Sequence[Row], rounds: int
) -> Iterator[tuple[Row, dict[str, Timing]]]:
    """Each row that a contender can run, with the times of those that can, by their names."""
    workers = {contender.name: Worker(enter, contender) for contender in contenders}
    try:
        taking_part = [contender for contender in contenders if _takes_part(contender, workers[contender.name])]
        for row in rows:
            statements = {each.name: each.statements.get(row.name, row.statement) for each in taking_part}
            seconds = {
                name: partial(workers[name].seconds, statement, row.setup)
                for name, statement in statements.items()
                if statement is not None
            }
            if seconds:
                yield row, time_in_turn(seconds, rounds, row.operations)
    finally:
        for worker in workers.values():
            worker.close()


def _takes_part(contender: Contender, worker: Worker) -> bool:
    try:
        worker.wait()
    except ImportError as error:
        print(f"left out: {contender.name} ({error})", file=sys.stderr)
        return False
    return True


def enter(contender: Contender) -> dict[str, Any]:
    """The namespace of a contender, with the messages that the rows are about, the same bytes for each contender."""
    micro, cars = samples.micro(), samples.cars()
    small = {"int": 5, "text": micro["text"]}
    space = contender.prepare(SCHEMAS)
    space["r"] = space["read"](space["Micro"], _encode_micro([micro]))
    space["cells"] = space["r"].children
    space["numbers"] = space["r"].numbers
    space["thousand"] = micro["numbers"]
    space["small"] = _encode_micro([small])
    space["stream"] = _encode_micro([small] * 1000)
    space["packed_stream"] = _encode_micro([small] * 1000, packed=True)
    space["cars"] = cars
    space["packed"] = encode([cars], SCHEMAS / "carsales.capnp", "ParkingLot", packed=True)
    lot = encode([cars], SCHEMAS / "carsales.capnp", "ParkingLot")
    space["lot"] = space["read"](space["ParkingLot"], lot)
    for write, name in (("to_json", "json_text"), ("to_text", "text")):
        if write in space:
            space[name] = space[write](space["lot"])
    space["same"] = space["read"](space["ParkingLot"], lot)
    space["built"] = space["from_dict"](space["ParkingLot"], cars)
    built = space["read"](space["ParkingLot"], space["to_bytes"](space["built"]))
    # Every contender must give the right answers, or its times mean nothing.
    assert samples.holds(space["r"], micro) and samples.holds(space["lot"], cars) and samples.holds(built, cars)
    return space


def _encode_micro(values: Sequence[dict[str, Any]], packed: bool = False) -> bytes:
    return encode(values, SCHEMAS / "micro.capnp", "Micro", packed)
