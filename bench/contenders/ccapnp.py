"""ccapnp, on each of its codecs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import ccapnp
from bench.capnp_tool import compile_schema
from bench.contenders.contender import Contender

__all__ = ["CONTENDERS"]


def prepare(backend: str, schemas: Path) -> dict[str, Any]:
    def load(file: str) -> Any:
        return ccapnp.load_request(compile_schema(schemas / file), backend=backend)

    return {
        "Micro": load("micro.capnp").Micro,
        "ParkingLot": load("carsales.capnp").ParkingLot,
        "read": lambda struct_type, data: struct_type.from_bytes(data, traversal_limit_in_words=None),
        "from_dict": lambda struct_type, value: struct_type.from_dict(value),
        "to_bytes": ccapnp.to_bytes,
        "canonicalize": ccapnp.canonicalize,
    }


CONTENDERS = tuple(Contender(f"ccapnp {backend}", partial(prepare, backend)) for backend in ("native", "pure"))
