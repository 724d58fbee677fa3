"""Running the rows, each contender in a process of its own, in turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.micro import program, samples
from bench.micro.contenders import capnpy, ccapnp, msgspec, pycapnp, records
from bench.micro.contenders.contender import Contender
from bench.micro.messages import encode, table
from bench.micro.rows import Row
from bench.micro.worker import Worker
from bench.timing import Timing, time_in_turn

__all__ = ["CONTENDERS", "enter", "measure"]

CONTENDERS = (
    *ccapnp.CONTENDERS,
    *pycapnp.CONTENDERS,
    *capnpy.CONTENDERS,
    *records.CONTENDERS,
    *msgspec.CONTENDERS,
)
SCHEMAS = Path(__file__).parent.parent / "schemas"


def measure(
    contenders: Sequence[Contender], rows: Sequence[Row], rounds: int
) -> Iterator[tuple[Row, dict[str, Timing]]]:
    """Each row that a contender can run, with the times of those that can, by their names."""
    workers = {contender.name: Worker(enter, contender) for contender in contenders}
    try:
        taking_part = [contender for contender in contenders if _takes_part(contender, workers[contender.name])]
        for row in rows:
            seconds = {
                each.name: partial(workers[each.name].seconds, statement, each.setup(row))
                for each in taking_part
                if (statement := each.statement(row)) is not None
            }
            seconds.update(program.seconds(row))
            if seconds:
                yield row, time_in_turn(seconds, rounds, row.operations)
    finally:
        for worker in workers.values():
            worker.close()
        program.close()


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
    space = contender.prepare(SCHEMAS)
    space["lot_data"] = lot = encode([cars], SCHEMAS / "carsales.capnp", "ParkingLot")
    space["cars"] = cars
    space["table_data"] = table
    if contender.is_for_its_own_rows:
        exec(contender.beforehand, space)
        return space
    space["r"] = space["read"](space["Micro"], _encode_micro([micro]))
    space["cells"] = space["r"].children
    space["numbers"] = space["r"].numbers
    space["words"] = space["r"].texts
    space["thousand"], space["texts"] = micro["numbers"], micro["texts"]
    space["small"] = _encode_micro([samples.SMALL])
    space["stream"] = _encode_micro([samples.SMALL] * 1000)
    space["packed_stream"] = _encode_micro([samples.SMALL] * 1000, packed=True)
    space["packed"] = encode([cars], SCHEMAS / "carsales.capnp", "ParkingLot", packed=True)
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
