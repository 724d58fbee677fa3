"""Every way in which messages are read out of streams and buffers, and what became of each message."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any, Callable

import ccapnp
from tests.parity.outcomes import outcome

__all__ = ["PACKED_READS", "READS", "everything"]


class Trickle(io.RawIOBase):
    """Gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        return self.file.readinto(memoryview(target)[:3])


def one(read: Callable[[], Any]) -> Iterator[Any]:
    yield read()


def decoded(kind: Any, data: bytes, limits: dict[str, Any], packed: bool = False) -> Iterator[Any]:
    """What a decoder makes of a stream that arrives in pieces."""
    decoder = ccapnp.StreamDecoder(**limits, packed=packed, backend=kind._registry.codec.name)
    for start in range(0, len(data), 11):
        for message in decoder.feed(data[start : start + 11]):
            yield message.get_root(kind)
    decoder.close()


READS: dict[str, Callable[[Any, bytes, dict[str, Any]], Iterable[Any]]] = {
    "from_bytes": lambda kind, data, limits: one(lambda: kind.from_bytes(data, **limits)),
    "from_bytearray": lambda kind, data, limits: one(lambda: kind.from_bytes(bytearray(data), **limits)),
    "from_bytes_at_odd_address": lambda kind, data, limits: one(
        lambda: kind.from_bytes(memoryview(b"x" + data)[1:], **limits)
    ),
    "read": lambda kind, data, limits: one(lambda: kind.read(io.BytesIO(data), **limits)),
    "read_trickle": lambda kind, data, limits: one(lambda: kind.read(Trickle(data), **limits)),
    "read_multiple": lambda kind, data, limits: kind.read_multiple(io.BytesIO(data), **limits),
    "read_multiple_bytes": lambda kind, data, limits: kind.read_multiple_bytes(data, **limits),
    "decoder": decoded,
}
PACKED_READS: dict[str, Callable[[Any, bytes, dict[str, Any]], Iterable[Any]]] = {
    "from_bytes_packed": lambda kind, data, limits: one(lambda: kind.from_bytes_packed(data, **limits)),
    "read_packed": lambda kind, data, limits: one(lambda: kind.read_packed(io.BytesIO(data), **limits)),
    "read_packed_trickle": lambda kind, data, limits: one(lambda: kind.read_packed(Trickle(data), **limits)),
    "read_multiple_packed": lambda kind, data, limits: kind.read_multiple_packed(io.BytesIO(data), **limits),
    "read_multiple_packed_trickle": lambda kind, data, limits: kind.read_multiple_packed(Trickle(data), **limits),
    "read_multiple_bytes_packed": lambda kind, data, limits: kind.read_multiple_bytes_packed(data, **limits),
    "decoder": lambda kind, data, limits: decoded(kind, data, limits, packed=True),
}


def everything(messages: Iterable[Any]) -> list[Any]:
    """What became of each message, and of the one at which the stream ended."""
    iterator = iter(messages)
    found = []
    while len(found) < 20:
        seen = outcome(lambda: next(iterator))
        found.append(seen)
        if seen[0] == "error":  # StopIteration too
            break
    return found
