"""pycapnp, the Cython binding of the C++ library."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from bench.micro.contenders.contender import Contender

__all__ = ["CONTENDERS"]


def prepare(schemas: Path) -> dict[str, Any]:
    import capnp

    capnp.remove_import_hook()
    warnings.filterwarnings("ignore", message="This message has already been written once")
    opened: list[Any] = []

    def read(struct_type: Any, data: bytes) -> Any:
        manager = struct_type.from_bytes(data, traversal_limit_in_words=2**61)
        opened.append(manager)
        return manager.__enter__()

    micro = capnp.load(str(schemas / "micro.capnp"))
    return {
        "Micro": micro.Micro,
        "Table": micro.Table,
        "ParkingLot": capnp.load(str(schemas / "carsales.capnp")).ParkingLot,
        "read": read,
        "from_dict": lambda struct_type, value: struct_type.new_message(**value),
        "to_bytes": lambda message: message.to_bytes(),
        # It leaves JSON to the standard library.
        "to_json": lambda message: json.dumps(message.to_dict()),
        "from_json": lambda struct_type, text: struct_type.new_message(**json.loads(text)),
        "to_text": str,
    }


STATEMENTS = {
    "open a small message, read one field": "with Micro.from_bytes(small) as x: x.int",
    # Its structs compare, and hash, by identity.
    "compare 100 nested cars": None,
    "hash 100 nested cars": None,
    "canonical form of 100 nested cars": None,
    "100 nested cars from text": None,
}

CONTENDERS = (Contender("pycapnp", prepare, STATEMENTS),)
