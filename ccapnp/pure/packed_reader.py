"""Packed messages, one after the other, from a buffer or from an object with ``read``.

The parts of a message are unpacked by separate reads, as in capnp/serialize-packed.c++: the table's first word, the
rest of the table, and all segments together.  A run of words that goes past the end of such a read is an error.
"""

from __future__ import annotations

import struct
from typing import Any, TypeVar

from ccapnp.errors import DecodeError, TruncatedError
from ccapnp.pure.packing import expand
from ccapnp.pure.tokens import MOST_PACKED_BYTES_PER_WORD, missing_bytes
from ccapnp.wire.framing import BYTES_PER_WORD, byte_view, read_segments
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
from ccapnp.wire.lookahead import LookAhead, MemoryAhead, look_ahead

__all__ = ["PackedReader", "read_message_packed", "unpack_message", "unpack_simple"]

_Reader = TypeVar("_Reader", bound="PackedReader")

_TWO_U32 = struct.Struct("<2I")
_LEAST_FETCH_BYTES = 1 << 10
_MOST_FETCH_BYTES = 1 << 14
_PREFIX_BYTES = 32


def unpack_message(
    data: Any, traversal_limit_in_words: int | None = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS, start: int = 0
) -> tuple[list[memoryview], int]:
    """Unpack the packed message that begins at byte ``start`` of a buffer.

    Returns its segments, read-only, and the byte where it ends.  Raises as `PackedReader.read_message` does, and
    TruncatedError where there is nothing at ``start``.
    """
    source = MemoryAhead(byte_view(data), start)
    segments = PackedReader(source).read_message(traversal_limit_in_words)
    if segments is None:
        raise TruncatedError("the input is empty", needed=1, available=0)
    return segments, source.position


def unpack_simple(data: bytes, limit_words: int | None, start: int) -> tuple[bytes, int] | None:
    """(the framed message, end) of the packed message at a byte of ``data``, if it is sound and has one segment."""
    words: list[bytes] = []
    position, made = expand(data, start, BYTES_PER_WORD, words)
    if made != BYTES_PER_WORD:
        return None
    last, size = _TWO_U32.unpack(b"".join(words))
    if last or not size or (limit_words is not None and size > limit_words):
        return None
    position, made = expand(data, position, BYTES_PER_WORD * size, words)
    return (b"".join(words), position) if made == BYTES_PER_WORD * size else None


def read_message_packed(
    file: Any, traversal_limit_in_words: int | None = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
) -> list[memoryview] | None:
    """Read one packed message from ``file`` and return its segments, read-only; None where ``file`` ends before it.

    ``file`` is any object with ``read`` or ``readinto``.  It stands right behind the message afterwards: a file that
    can ``peek`` or seek gets back what was read ahead, and from any other no byte is read that is not needed, which is
    slow; to read many messages from one, use `PackedReader.of_file`.  Raises as `PackedReader.read_message` does.
    """
    return PackedReader(look_ahead(file, whole=False)).read_message(traversal_limit_in_words)


class PackedReader:
    """Reads packed messages from a source, of which it reads ahead of need.

    What was read ahead goes back to the source after each message.  A source that cannot take it back leaves it here
    for the next message, so that one reader must live as long as such a source.  ``expand`` is what unpacks.
    """

    __slots__ = ("_position", "_prefix", "_source", "_window")
    expand = staticmethod(expand)

    def __init__(self, source: LookAhead) -> None:
        self._source = source
        self._window = b""
        self._position = 0
        self._prefix = b""

    @classmethod
    def of_file(cls: type[_Reader], file: Any) -> _Reader:
        """A reader of all packed messages in ``file``, an object with ``read`` or ``readinto``.

        Between messages a ``file`` that can ``peek`` or seek stands right behind the last one; any other may have been
        read further.  None is waited on for more than a message needs.
        """
        return cls(look_ahead(file, whole=True))

    def read_message(
        self, traversal_limit_in_words: int | None = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
    ) -> list[memoryview] | None:
        """Read one message and return its segments, read-only; None where the source ends before it.

        Raises as `ccapnp.wire.framing.read_segments` does, and DecodeError where a run goes past the table's first
        word, the table, or the last segment.
        """
        self._prefix = self._window[self._position : self._position + _PREFIX_BYTES]
        segments = read_segments(self.read_exact, traversal_limit_in_words, lambda: self._prefix)
        self._give_back()
        return segments

    def _give_back(self) -> None:
        """What was read ahead goes back to the source, if that takes it."""
        if self._source.give_back(len(self._window) - self._position):
            self._window = b""
            self._position = 0

    def read_exact(self, size_bytes: int) -> bytes | None:
        """Exactly ``size_bytes`` unpacked bytes, or None where the source ends before the first of them.

        ``size_bytes`` is a whole number of words.  Memory is taken as the data arrive.  Raises TruncatedError where
        the source ends too early (``needed`` and ``available`` count unpacked bytes) and DecodeError where a run goes
        past the end of this read.
        """
        pieces: list[bytes] = []
        available = 0
        while available < size_bytes:
            words: list[bytes] = []
            self._position, made = self.expand(self._window, self._position, size_bytes - available, words)
            available += made
            if available > size_bytes:
                raise DecodeError("the packed input did not end cleanly on a segment boundary: a run goes past it")
            pieces.append(b"".join(words))
            if available < size_bytes and not self._fetch(size_bytes - available):
                if not available and not self._window:
                    return None
                raise TruncatedError(
                    f"the packed input ends after {available} of {size_bytes} unpacked bytes",
                    needed=size_bytes,
                    available=available,
                )
        return b"".join(pieces)

    def _fetch(self, want_bytes: int) -> bool:
        """Read on after the window, of which at most a part of a token is left; False where the source ends."""
        rest = self._window[self._position :]
        most = want_bytes // BYTES_PER_WORD * MOST_PACKED_BYTES_PER_WORD
        more = self._source.fetch(missing_bytes(rest), min(max(most, _LEAST_FETCH_BYTES), _MOST_FETCH_BYTES))
        self._prefix += more[: max(0, _PREFIX_BYTES - len(self._prefix))]
        self._window = rest + more
        self._position = 0
        return bool(more)
