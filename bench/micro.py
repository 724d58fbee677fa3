"""The micro benchmark: one row for each single operation, and for whole small messages.

Each row is a statement that every contender's namespace can run (see `bench.contenders`), with the number of operations
in one run of it and the ratio to pycapnp that ccapnp's pure codec is held to.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, NamedTuple, Optional

from bench.timing import Timing, time_in_turn

__all__ = ["ROWS", "Row", "run"]

CONTENDERS = ("ccapnp_pure", "pycapnp")
SCHEMAS = Path(__file__).parent / "schemas"

_TEXT = "hello world"


class Row(NamedTuple):
    """One row of the table."""

    name: str
    statement: str
    operations: int = 1
    target: Optional[float] = None


ROWS = (
    Row("read an int", "r.int", target=0.20),
    Row("read a float", "r.float"),
    Row("read a bool", "r.flag"),
    Row("read an enum", "r.color"),
    Row("read a text", "r.text", target=0.85),
    Row("read a struct", "r.child", target=0.85),
    Row("read a list", "r.children"),
    Row("set an int", "b.int = 5", target=0.60),
    Row("iterate 100 structs, read an int of each", "for x in cells: x.int", 100, 0.50),
    Row("iterate 1000 numbers", "for x in numbers: pass", 1000),
    Row("to_dict of 100 nested cars", "lot.to_dict()", target=0.35),
    Row("build 100 nested cars from a dict", "from_dict(ParkingLot, cars)"),
    Row("to_bytes of 100 nested cars", "built.to_bytes()"),
    Row("new_message with three fields", "Micro.new_message(int=5, text='hello', flag=True)"),
    Row("open a small message, read one field", "read(Micro, data).int"),
    Row("pack 100 nested cars", "built.to_bytes_packed()"),
    Row("unpack 100 nested cars", "unpack(ParkingLot, packed)"),
)


def cars_dict(count: int = 100) -> dict[str, Any]:
    """The car park that is read and built, as a dict."""
    colors = ("black", "white", "red", "green", "blue", "cyan", "magenta", "yellow", "silver")
    return {
        "cars": [
            {
                "make": ("Toyota", "GM", "Ford", "Honda", "Tesla")[number % 5],
                "model": ("Camry", "Prius", "Volt", "Accord", "Leaf", "Model S")[number % 6],
                "color": colors[number % 9],
                "seats": 2 + number % 6,
                "doors": 2 + number % 3,
                "wheels": [
                    {"diameter": 25 + (number + wheel) % 15, "airPressure": 30.5 + wheel, "snowTires": number % 16 == 0}
                    for wheel in range(4)
                ],
                "length": 170 + number % 150,
                "width": 48 + number % 36,
                "height": 54 + number % 48,
                "weight": 1000 + number * 17,
                "engine": {
                    "horsepower": 100 * (number % 4 + 1),
                    "cylinders": 4 + 2 * (number % 3),
                    "cc": 800 + number * 91,
                    "usesGas": True,
                    "usesElectric": number % 2 == 0,
                },
                "fuelCapacity": 10.0 + number % 30,
                "fuelLevel": 5.0 + number % 7,
                "hasPowerWindows": number % 2 == 0,
                "hasPowerSteering": number % 3 == 0,
                "hasCruiseControl": number % 5 != 0,
                "cupHolders": number % 12,
                "hasNavSystem": number % 7 == 0,
            }
            for number in range(count)
        ]
    }


def _namespace(contender: Any) -> dict[str, Any]:
    space: dict[str, Any] = contender.prepare(SCHEMAS)
    micro, lot = space["Micro"], space["ParkingLot"]
    builder = micro.new_message(
        int=5,
        text=_TEXT,
        child={"int": 3},
        children=[{"int": number} for number in range(100)],
        float=1.5,
        flag=True,
        color="green",
        numbers=list(range(1000)),
        blob=b"blob",
    )
    small = micro.new_message(int=5, text=_TEXT)
    space["data"] = small.to_bytes()
    space["b"] = builder
    space["r"] = space["read"](micro, builder.to_bytes())
    space["cells"] = space["r"].children
    space["numbers"] = space["r"].numbers
    space["cars"] = cars_dict()
    space["built"] = space["from_dict"](lot, space["cars"])
    lot_bytes = space["built"].to_bytes()
    space["packed"] = space["built"].to_bytes_packed()
    space["lot"] = space["read"](lot, lot_bytes)
    space["message_bytes"] = len(lot_bytes)
    _check(space)
    return space


def _check(space: dict[str, Any]) -> None:
    """Every contender must give the right answers, or its times mean nothing."""
    reader = space["r"]
    assert reader.int == 5 and reader.text == _TEXT and reader.child.int == 3 and str(reader.color) == "green"
    assert sum(cell.int for cell in space["cells"]) == 4950 and sum(space["numbers"]) == 499500
    assert space["lot"].to_dict() == space["cars"]
    assert space["unpack"](space["ParkingLot"], space["packed"]).to_dict() == space["cars"]


def run(rounds: int = 15, only: str = "") -> None:
    """Print the table while it is measured: nanoseconds per operation, of the rows whose name has ``only`` in it."""
    spaces = {}
    for module in CONTENDERS:
        contender = importlib.import_module(f"bench.contenders.{module}")
        try:
            spaces[contender.name] = _namespace(contender)
        except ImportError as error:
            print(f"left out: {contender.name} ({error})", file=sys.stderr)
    print(f"{'':44}{'ccapnp pure':>20}{'pycapnp':>20}{'ratio of min':>14}{'of median':>11}{'target':>9}")
    for row in ROWS:
        if only and only not in row.name:
            continue
        times = time_in_turn({name: (row.statement, space) for name, space in spaces.items()}, rounds, row.operations)
        print(_line(row, times), flush=True)
        if "pack" in row.name:
            print(_speed(spaces, times))


def _speed(spaces: dict[str, dict[str, Any]], times: dict[str, Timing]) -> str:
    """Megabytes of the unpacked message per second, where that is what a row is about."""
    speeds = [f"{spaces[name]['message_bytes'] / each.median * 1e3:.0f} MB/s {name}" for name, each in times.items()]
    return f"{'':44}{', '.join(speeds)}"


def _line(row: Row, times: dict[str, Timing]) -> str:
    ours, theirs = times.get("ccapnp pure"), times.get("pycapnp")
    cells = [f"{each.minimum:9.0f} /{each.median:9.0f}" if each else "-" for each in (ours, theirs)]
    ratios = ["-", "-"]
    if ours and theirs:
        ratios = [f"{ours.minimum / theirs.minimum:.2f}", f"{ours.median / theirs.median:.2f}"]
    target = f"<= {row.target:.2f}" if row.target else ""
    return f"{row.name:44}{cells[0]:>20}{cells[1]:>20}{ratios[0]:>14}{ratios[1]:>11}{target:>9}"
