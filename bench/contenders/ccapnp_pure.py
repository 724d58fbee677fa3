"""ccapnp on its pure codec."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import ccapnp

name = "ccapnp pure"


def prepare(schemas: Path) -> dict[str, Any]:
    def load(file: str) -> Any:
        tool = shutil.which("capnp")
        if tool is None:
            raise ImportError("the capnp tool, which compiles the benchmarks' schemas, is not installed")
        request = subprocess.run([tool, "compile", "-o-", str(schemas / file)], capture_output=True, check=True)
        return ccapnp.load_request(request.stdout, backend="pure")

    return {
        "Micro": load("micro.capnp").Micro,
        "ParkingLot": load("carsales.capnp").ParkingLot,
        "read": lambda struct_type, data: struct_type.from_bytes(data, traversal_limit_in_words=None),
        "from_dict": lambda struct_type, value: struct_type.from_dict(value),
        "unpack": lambda struct_type, data: struct_type.from_bytes_packed(data, traversal_limit_in_words=None),
    }
