"""Texts of schemas: each is a SchemaError, or a request with which all goes well."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz import requests
from tests.fuzz.schemas import compiled, texts

__all__ = ["MOST_BYTES", "TOKENS", "run", "seeds"]

MOST_BYTES = 2000

WORDS = """
    struct enum interface union group const annotation using import embed extends stream void true false inf nan
    Void Bool Int8 Int64 UInt16 Float32 Float64 Text Data List AnyPointer AnyStruct AnyList Capability List(Text)
    @0 @1 @0xb1b2b3b4b5b6b7b8; :union { } ( ) [ ] = ; : -> (*) $ . , # - "x" 0x"ff" -1 1e400 65535 ` \\x00 \\u1234
    0x7fffffffffffffff 18446744073709551616 \u00e9 \ufeff \udcff
"""
TOKENS = [word.encode(errors="surrogateescape") for word in WORDS.split()]

FILE_ID = b"@0xd1f2b0c94e6a7784;"


def run(data: bytes) -> None:
    request = compiled(data if data.lstrip().startswith(b"@0x") else FILE_ID + data)
    if request is not None:
        requests.run(request)


def seeds() -> Iterator[bytes]:
    for text in texts():
        if len(text) <= MOST_BYTES:
            yield text
