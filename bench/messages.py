"""The messages that every contender reads: the same bytes for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import ccapnp

__all__ = ["encode"]


def encode(values: Iterable[Mapping[str, Any]], schema: Path, name: str, packed: bool = False) -> bytes:
    """Messages of the struct called ``name``, one after another."""
    struct_type = getattr(ccapnp.load(schema, backend="pure"), name)
    messages = map(struct_type.from_dict, values)
    return b"".join(map(ccapnp.to_bytes_packed if packed else ccapnp.to_bytes, messages))
