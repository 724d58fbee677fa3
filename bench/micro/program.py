"""The rows that the C++ library runs, in a program of bench/cpp."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from typing import Optional

from bench.contenders import cpp
from bench.contenders.missing import Missing
from bench.micro import samples
from bench.micro.messages import encode, lot_file, table_file
from bench.micro.rows import Row
from bench.process import Process
from bench.report.table import CPP

__all__ = ["close", "seconds"]

_COMMANDS = {"100 nested cars into objects": "cars", "sum a column of a million structs": "column"}

_opened = ExitStack()


def seconds(row: Row) -> dict[str, Callable[[int], float]]:
    """What times a row, if the program has it and can be built."""
    command = _COMMANDS.get(row.name)
    process = None if command is None else _program()
    return {} if process is None else {CPP: partial(_seconds, process, command)}


def _seconds(process: Process, command: Optional[str], loops: int) -> float:
    return float(process.ask(command, loops)[0])


@cache
def _program() -> Optional[Process]:
    lot = lot_file(encode([samples.cars()], cpp.SCHEMAS / "carsales.capnp", "ParkingLot"))
    try:
        return _opened.enter_context(Process(CPP, cpp.command(["micro", CPP, str(lot), str(table_file())])))
    except Missing as missing:
        print(f"left out: {CPP} ({missing})", file=sys.stderr)
        return None


def close() -> None:
    """End the program."""
    _opened.close()
    _program.cache_clear()
