"""ccapnp, on each of its codecs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import ccapnp
from bench.micro.contenders.contender import Contender

__all__ = ["CONTENDERS"]


def prepare(backend: str, schemas: Path) -> dict[str, Any]:
    micro = ccapnp.load(schemas / "micro.capnp", backend=backend)
    return {
        "Micro": micro.Micro,
        "Table": micro.Table,
        "ParkingLot": ccapnp.load(schemas / "carsales.capnp", backend=backend).ParkingLot,
        "read": lambda struct_type, data: struct_type.from_bytes(data, traversal_limit_in_words=None),
        "from_dict": lambda struct_type, value: struct_type.from_dict(value),
        "to_bytes": ccapnp.to_bytes,
        "to_json": ccapnp.to_json,
        "from_json": lambda struct_type, text: struct_type.from_json(text),
        "to_text": ccapnp.to_text,
        "from_text": lambda struct_type, text: struct_type.from_text(text),
        "canonicalize": ccapnp.canonicalize,
    }


CONTENDERS = tuple(Contender(f"ccapnp {backend}", partial(prepare, backend)) for backend in ("native", "pure"))
