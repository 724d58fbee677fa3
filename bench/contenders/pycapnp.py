"""pycapnp, the Cython binding of the C++ library."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

name = "pycapnp"


def prepare(schemas: Path) -> dict[str, Any]:
    import capnp

    capnp.remove_import_hook()
    warnings.filterwarnings("ignore", message="This message has already been written once")
    opened: list[Any] = []

    def read(struct_type: Any, data: bytes) -> Any:
        manager = struct_type.from_bytes(data, traversal_limit_in_words=2**61)
        opened.append(manager)
        return manager.__enter__()

    return {
        "Micro": capnp.load(str(schemas / "micro.capnp")).Micro,
        "ParkingLot": capnp.load(str(schemas / "carsales.capnp")).ParkingLot,
        "read": read,
        "from_dict": lambda struct_type, value: struct_type.new_message(**value),
        "unpack": lambda struct_type, data: struct_type.from_bytes_packed(data, traversal_limit_in_words=2**61),
    }
