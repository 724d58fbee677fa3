"""ccapnp's records and columns, which take part where whole messages are handled at once."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import ccapnp
from bench.micro.contenders.contender import Contender

__all__ = ["CONTENDERS"]


def prepare(backend: str, schemas: Path) -> dict[str, Any]:
    lot = ccapnp.load(schemas / "carsales.capnp", backend=backend).ParkingLot
    return {"ParkingLot": lot, "decode": lot.decode, "encode": lot.encode, "record_of": lot.decode}


def prepare_columns(backend: str, schemas: Path) -> dict[str, Any]:
    import numpy  # noqa: F401

    table = ccapnp.load(schemas / "micro.capnp", backend=backend).Table
    return {"open_table": lambda data: table.from_bytes(data, traversal_limit_in_words=None).rows}


RECORDS = {
    "100 nested cars into objects": "decode(lot_data)",
    "100 nested cars of objects": "encode(record)",
}
COLUMNS = {"sum a column of a million structs": "rows.column('value').sum()"}

CONTENDERS = (
    *(
        Contender(f"records {backend}", partial(prepare, backend), RECORDS, True, "record = record_of(lot_data)")
        for backend in ("native", "pure")
    ),
    *(
        Contender(
            f"columns {backend}", partial(prepare_columns, backend), COLUMNS, True, "rows = open_table(table_data())"
        )
        for backend in ("native", "pure")
    ),
)
