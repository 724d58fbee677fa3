"""Messages from the bytes of a connection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional

from ccapnp.errors import TruncatedError
from ccapnp.rpc.core.errors import ProtocolError
from ccapnp.rpc.core.wire import Wire
from ccapnp.types import message
from ccapnp.wire.framing import MAX_STREAM_SEGMENTS, expected_size_in_words
from ccapnp.wire.limits import Limits

__all__ = ["Receiver"]


class Receiver:
    """Keeps what has arrived of a message that is not yet complete; one that is, is read where it lies."""

    def __init__(self, wire: Wire, limits: Limits) -> None:
        self._wire = wire
        self._limits = limits
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._needed_bytes = 0
        self._place: Optional[memoryview] = None

    # ---- a large message, whose bytes can be put where they are to be

    def room(self) -> Optional[memoryview]:
        """Where to put the next bytes, if a large message has begun; else, and if there are others, there is `feed`.

        A peer that says how much will come has no more memory kept for it than for what did come, but for 1 MiB.
        """
        if self._needed_bytes - self._held_bytes < _LARGE_BYTES:
            return None
        held = self._held_bytes
        if self._place is None or len(self._place) == held:
            place = memoryview(bytearray(min(self._needed_bytes, held + max(held, _MOST_AHEAD_BYTES))))
            place[:held] = b"".join(self._held) if self._place is None else self._place
            self._held, self._place = [], place
        return self._place[held:]

    def filled(self, size: int) -> Iterator[tuple[Any, int]]:
        """As `feed`, of so many bytes that were put into the room."""
        self._held_bytes += size
        if self._held_bytes < self._needed_bytes or self._place is None:
            return iter(())
        data = self._place
        self._forget()
        return self._messages(data)

    # ---- bytes

    def feed(self, data: bytes) -> Iterator[tuple[Any, int]]:
        """(reader, size in bytes) of each message that is complete with ``data``; CapnpError for what is none."""
        if self._held_bytes:
            if self._place is not None:
                self._held, self._place = [bytes(self._place[: self._held_bytes])], None
            self._held.append(data)
            self._held_bytes += len(data)
            if self._held_bytes < self._needed_bytes:
                return iter(())
            data = b"".join(self._held)
            self._forget()
        return self._messages(data)

    def _messages(self, data: Any) -> Iterator[tuple[Any, int]]:
        near_root, limits, root = self._wire.codec.near_root, self._limits, self._wire.Message
        position, size = 0, len(data)
        while position < size:
            found = near_root(data, position, limits, root.Reader)
            if found is None:
                end = position + self._size_at(data, position)
                if end > size:
                    self._hold(data[position:] if position else data, end - position)
                    return
                reader = message.from_bytes(root, memoryview(data)[position:end], *limits)
            else:
                reader, end = found
                self._require_size(end - position >> 3)
            yield reader, end - position
            position = end

    def _size_at(self, data: bytes, position: int) -> int:
        """The size in bytes of the message that begins there, or of what is needed to know more of it."""
        prefix = memoryview(data)[position : position + _MOST_TABLE_BYTES]
        words = expected_size_in_words(prefix)
        if len(prefix) >= 8 and int.from_bytes(prefix[:4], "little") >= MAX_STREAM_SEGMENTS:
            raise ProtocolError(f"this is not Cap'n Proto: a message of more than {MAX_STREAM_SEGMENTS} segments")
        self._require_size(words)
        return words << 3

    def _require_size(self, words: int) -> None:
        limit = self._limits.traversal_limit_in_words
        if limit is not None and words > limit + _MOST_TABLE_BYTES // 8:
            raise ProtocolError(f"a message of {words} words is larger than the limit of {limit}")

    def _hold(self, data: bytes, needed_bytes: int) -> None:
        self._held = [data]
        self._held_bytes = len(data)
        self._needed_bytes = needed_bytes

    def _forget(self) -> None:
        self._held, self._place = [], None
        self._held_bytes = self._needed_bytes = 0

    def close(self) -> None:
        """Say that no more comes; TruncatedError inside a message."""
        if self._held_bytes:
            raise TruncatedError(
                f"the stream ends inside a message, after {self._held_bytes} of {self._needed_bytes} bytes or more",
                needed=self._needed_bytes,
                available=self._held_bytes,
            )


_MOST_TABLE_BYTES = 4 + 4 * MAX_STREAM_SEGMENTS + 4
_LARGE_BYTES = 1 << 14
_MOST_AHEAD_BYTES = 1 << 20
