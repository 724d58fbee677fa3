"""Streams of any number of small messages, of which no more than a part is ever in memory."""

from __future__ import annotations

import io
import mmap
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import ccapnp

__all__ = ["SCHEMA", "SOURCES", "total"]

SCHEMA = "@0xd6f1c9a3b5e70842; struct Tick { number @0 :UInt32; name @1 :Text; }"
NUMBERS = tuple(range(1000))


class Repeated(io.RawIOBase):
    """A file that neither seeks nor peeks: the same bytes again and again."""

    def __init__(self, data: bytes, times: int) -> None:
        super().__init__()
        self._data = memoryview(data)
        self._rest = self._data[:0]
        self._times = times

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest and self._times:
            self._rest = self._data
            self._times -= 1
        part = self._rest[: len(buffer)]
        buffer[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)


class Source(NamedTuple):
    """Where messages come from."""

    packed: bool
    is_file: bool
    keeps_place: bool


SOURCES = {
    "a pipe": Source(packed=False, is_file=True, keeps_place=False),
    "a packed pipe": Source(packed=True, is_file=True, keeps_place=False),
    "a file": Source(packed=False, is_file=True, keeps_place=True),
    "a packed file": Source(packed=True, is_file=True, keeps_place=True),
    "a buffer": Source(packed=False, is_file=False, keeps_place=True),
    "a packed buffer": Source(packed=True, is_file=False, keeps_place=True),
}


def total(tick: Any, source: Source, thousands: int) -> int:
    """The sum of the numbers of all messages; of a thousand it is 499500."""
    messages = [tick.new_message(number=number, name="tick") for number in NUMBERS]
    data = b"".join(map(ccapnp.to_bytes_packed if source.packed else ccapnp.to_bytes, messages))
    del messages
    if not source.is_file:
        with _mapped(data, thousands) as buffer:
            read = tick.read_multiple_bytes_packed if source.packed else tick.read_multiple_bytes
            return sum(each.number for each in read(buffer))
    read = tick.read_multiple_packed if source.packed else tick.read_multiple
    if source.keeps_place:
        with _written(data, thousands) as file:
            return sum(each.number for each in read(file))
    return sum(each.number for each in read(Repeated(data, thousands)))


@contextmanager
def _written(data: bytes, times: int) -> Iterator[Any]:
    with tempfile.TemporaryFile() as file:
        for _ in range(times):
            file.write(data)
        file.seek(0)
        yield file


@contextmanager
def _mapped(data: bytes, times: int) -> Iterator[Any]:
    with _written(data, times) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as buffer:
        yield buffer
