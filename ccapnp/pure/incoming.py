"""Messages from bytes as they arrive, in whatever pieces: nothing is read here, and nothing waits.

What a message is asked for, one after the other, is what `ccapnp.wire.framing.read_segments` asks a file for, and so
are the checks.  It is called again with what is there so far each time one of these three pieces is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable, Optional, Union

from ccapnp.errors import DecodeError, TruncatedError
from ccapnp.pure.tokens import missing_bytes
from ccapnp.wire.framing import BYTES_PER_WORD, byte_view, read_segments

__all__ = ["Expand", "Incoming"]

Expand = Callable[[bytes, int, int, list[bytes]], tuple[int, int]]
"""What unpacks whole tokens, as `ccapnp.pure.packing.expand` does."""

_PREFIX_BYTES = 32


class _Missing(Exception):
    """The message needs another piece, of so many bytes."""

    def __init__(self, size_bytes: int) -> None:
        super().__init__(size_bytes)
        self.size_bytes = size_bytes


class Incoming:
    """The messages of one stream, packed if it has an ``expand``."""

    __slots__ = ("_expand", "_limit_words", "_missing", "_piece", "_pieces", "_position", "_prefix", "_window")

    def __init__(self, limit_words: Optional[int], expand: Optional[Expand] = None) -> None:
        self._limit_words = limit_words
        self._expand = expand
        self._window = b""
        self._begin(0)

    def _begin(self, position: int) -> None:
        """Begin a message at that byte of the window."""
        self._position = position
        self._prefix = self._window[position : position + _PREFIX_BYTES]
        self._pieces: list[Union[bytes, bytearray]] = []
        self._piece = bytearray()
        self._missing = BYTES_PER_WORD

    @property
    def missing_bytes(self) -> int:
        """How many bytes are sure to belong to the message that is arriving, or to the next; at least 1."""
        if self._expand is None:
            return self._missing
        return missing_bytes(self._window[self._position :])

    def feed(self, data: Any) -> Iterator[list[memoryview]]:
        """The segments of each message that is complete with ``data``, any buffer, all of which is to be iterated over.

        Raises as `read_segments` does, and DecodeError where a packed run goes past its piece.
        """
        view = byte_view(data)
        self._prefix += view[: _PREFIX_BYTES - len(self._prefix)]
        self._window = self._window[self._position :] + view
        self._position = 0
        while self._complete():
            try:
                segments = read_segments(self._again(), self._limit_words, self._expand and (lambda: self._prefix))
            except _Missing as missing:
                self._missing = missing.size_bytes
                continue
            self._begin(self._position)
            if segments is not None:
                yield segments

    def _complete(self) -> bool:
        """Whether the window has the rest of the piece, which then is added to the others."""
        if self._expand is None:
            part = self._window[self._position : self._position + self._missing]
            self._position += len(part)
        else:
            words: list[bytes] = []
            self._position, _ = self._expand(self._window, self._position, self._missing, words)
            part = b"".join(words)
        self._missing -= len(part)
        if self._missing < 0:
            raise DecodeError("the packed input did not end cleanly on a segment boundary: a run goes past it")
        if self._missing or self._piece:
            self._piece += part
        if self._missing:
            return False
        self._pieces.append(self._piece or part)
        self._piece = bytearray()
        return True

    def _again(self) -> Callable[[int], Union[bytes, bytearray]]:
        """What gives the pieces once more, and then says which is missing."""
        pieces = iter(self._pieces)

        def read_exact(size_bytes: int) -> Union[bytes, bytearray]:
            for piece in pieces:
                return piece
            raise _Missing(size_bytes)

        return read_exact

    def close(self) -> None:
        """Say that the stream has ended; TruncatedError inside a message, which counts its bytes, unpacked."""
        available = sum(map(len, self._pieces)) + len(self._piece)
        if available or self._position < len(self._window):
            raise TruncatedError(
                f"the stream ends inside a message, after {available} of {available + self._missing} bytes or more",
                needed=available + self._missing,
                available=available,
            )
