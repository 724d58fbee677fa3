"""Texts of schemas to begin with, and what the compiler makes of a text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Optional

from ccapnp import SchemaError
from ccapnp.loading.sources import compile_text
from tests.compiler.snippets import ACCEPTED, FAULTY, PRELUDE

__all__ = ["compiled", "texts"]

TESTS = Path(__file__).resolve().parents[1]
NAME = "fuzz.capnp"


def compiled(text: bytes) -> Optional[bytes]:
    """The request for a schema, if nothing is wrong with it."""
    try:
        return compile_text(text, NAME, ()).request
    except SchemaError:
        return None


def texts() -> Iterator[bytes]:
    """Good and bad schemas."""
    for path in sorted(TESTS.rglob("*.capnp")):
        yield path.read_bytes()
    for snippet in (*ACCEPTED, *FAULTY):
        yield f"{PRELUDE}{snippet}".encode()
