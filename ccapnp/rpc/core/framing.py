"""Messages from the bytes of a connection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ccapnp.rpc.core.wire import Wire
from ccapnp.types import message
from ccapnp.wire.limits import Limits

__all__ = ["Receiver"]


class Receiver:
    """What has arrived of the message that is not yet complete.

    A message that lies in one piece of the bytes as they come is read where it is.
    """

    def __init__(self, wire: Wire, limits: Limits) -> None:
        self._wire = wire
        self._limits = limits
        self._incoming = wire.codec.incoming(limits.traversal_limit_in_words, packed=False)
        self._is_inside = False

    def feed(self, data: bytes) -> Iterator[tuple[Any, int]]:
        """(reader, size in bytes) of each message that is complete with ``data``; DecodeError for what is none."""
        codec, reader, limits = self._wire.codec, self._wire.Message.Reader, self._limits
        position, size = 0, len(data)
        while position < size:
            if not self._is_inside:
                found = codec.near_root(data, position, limits, reader)
                if found is not None:
                    start, position = position, found[1]
                    yield found[0], position - start
                    continue
            end = position + self._incoming.missing_bytes
            self._is_inside = True
            for segments in self._incoming.feed(memoryview(data)[position:end]):
                self._is_inside = False
                shape = codec.open_segments(segments, limits)
                yield message.read_root(self._wire.Message, shape), sum(map(len, segments))
            position = end

    def close(self) -> None:
        """Say that no more comes; TruncatedError inside a message."""
        self._incoming.close()
