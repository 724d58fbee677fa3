"""The messages that every contender reads: the same bytes for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import ccapnp
from bench.contenders.built import BUILD
from bench.micro.rows import TABLE_ROWS

__all__ = ["encode", "lot_file", "table", "table_file"]


def encode(values: Iterable[Mapping[str, Any]], schema: Path, name: str, packed: bool = False) -> bytes:
    """Messages of the struct called ``name``, one after another."""
    struct_type = getattr(ccapnp.load(schema, backend="pure"), name)
    messages = map(struct_type.from_dict, values)
    return b"".join(map(ccapnp.to_bytes_packed if packed else ccapnp.to_bytes, messages))


def table() -> bytes:
    """A table with a million rows."""
    return table_file().read_bytes()


def table_file() -> Path:
    """The same as a file, which is written once."""
    path = BUILD / "table"
    if not path.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        schema = Path(__file__).parent.parent / "schemas" / "micro.capnp"
        message = ccapnp.load(schema, backend="pure").Table.new_message(num_first_segment_words=4 * TABLE_ROWS)
        for number, row in enumerate(message.init("rows", TABLE_ROWS)):
            row.id, row.value, row.count, row.valid = number, number % 1000 + 0.5, number % 97, True
        path.write_bytes(message.to_bytes())
    return path


def lot_file(lot: bytes) -> Path:
    """The car park as a file."""
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / "lot"
    path.write_bytes(lot)
    return path
