"""Bytes from any object with ``read`` or ``readinto``, and to any object with ``write``, all of them or an error.

Such an object may return less than was asked for, and take less than it was given; a raw, non-blocking one may
return None.  Nothing here reads further than it was asked to; `ccapnp.wire.lookahead` does.
"""

from __future__ import annotations

import errno
import io
import struct
from collections.abc import Iterable
from typing import Any, Callable

from ccapnp.errors import TruncatedError
from ccapnp.wire.framing import BYTES_PER_WORD, Buffer, byte_view, read_segments
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS

__all__ = ["FileReader", "read_message", "write_pieces"]

_FIRST_CHUNK_BYTES = 1 << 18
"""What is asked for at once before any of it has arrived; after that, as much again as has arrived."""

_FIRST_CHUNK_WORDS = _FIRST_CHUNK_BYTES >> 3
_TWO_U32 = struct.Struct("<2I")

_GATHER_BYTES = 1 << 16
"""Pieces are joined into writes of up to this size; a larger piece is written as it is, without a copy."""

_MOST_BYTES_PER_WRITE = 1 << 30
"""Some systems refuse, or cut, writes of 2 GiB and more."""


class FileReader:
    """Reads from an object with ``read(n)``, or else ``readinto(buffer)``, and never more than it is asked for.

    Raises TypeError for an object that has neither, or that gives text.
    """

    __slots__ = ("_again", "_read")

    def __init__(self, file: Any) -> None:
        self._read = _read_method(file)
        self._again: list[bytes] = []  # what is given once more, the first last

    def read_message(self, traversal_limit_in_words: int | None) -> list[memoryview] | None:
        """As the function of that name; with little ado for a small message of one segment."""
        first = self.read_some(BYTES_PER_WORD)
        if not first:
            return None
        body = None
        if len(first) == BYTES_PER_WORD:
            last, words = _TWO_U32.unpack(first)
            most = _FIRST_CHUNK_WORDS if traversal_limit_in_words is None else traversal_limit_in_words
            if not last and 0 < words <= most and words <= _FIRST_CHUNK_WORDS:
                body = self.read_some(words << 3)
                if len(body) == words << 3:
                    return [memoryview(body)]
        self._again = [first] if body is None else [body, first]
        return read_segments(self.read_exact, traversal_limit_in_words)

    def read_some(self, most_bytes: int) -> bytes:
        """One call of the object's ``read``: at least one byte and at most ``most_bytes``, or b"" at the end.

        Raises BlockingIOError where a non-blocking object has nothing to give.
        """
        if self._again:
            return self._again.pop()
        data = self._read(most_bytes)
        if type(data) is not bytes:
            data = _as_bytes(data)
        if len(data) > most_bytes:
            raise OSError(f"read({most_bytes}) returned {len(data)} bytes")
        return data

    def read_exact(self, size_bytes: int) -> bytes | bytearray | None:
        """``size_bytes`` bytes, or None where the input ends before the first of them.

        Memory is taken as the data arrives, so that a size that is only claimed costs nothing.  Raises
        TruncatedError, which counts the bytes, where the input ends too early.
        """
        first = self.read_some(min(size_bytes, _FIRST_CHUNK_BYTES))
        if len(first) == size_bytes:
            return first
        data = bytearray(first)
        while len(data) < size_bytes:
            # An empty `first` was the end; some objects would wait if asked again.
            more = data and self.read_some(min(size_bytes - len(data), max(len(data), _FIRST_CHUNK_BYTES)))
            if not more:
                if not data:
                    return None
                raise TruncatedError(
                    f"the input ends after {len(data)} of {size_bytes} bytes", needed=size_bytes, available=len(data)
                )
            data += more
        return data


def read_message(
    file: Any, traversal_limit_in_words: int | None = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
) -> list[memoryview] | None:
    """Read one framed message from ``file`` and return its segments, read-only; None where ``file`` ends before it.

    ``file`` is any object with ``read`` or ``readinto``; it stands right behind the message afterwards.  Raises as
    `FileReader` and `read_segments` do.
    """
    return FileReader(file).read_message(traversal_limit_in_words)


def write_pieces(file: Any, pieces: Iterable[Buffer]) -> None:
    """Write all of ``pieces``, in order, to an object with ``write``; small ones together in one call.

    ``write`` may take less than it is given.  If it returns None, all was taken, except by an `io.RawIOBase`, where
    that means it would block: BlockingIOError, whose ``characters_written`` counts all bytes written here.
    """
    write = getattr(file, "write", None)
    if not callable(write):
        raise TypeError(
            f"{type(file).__name__} has no write(); pass an open file, or what makefile('wb') of a socket gives"
        )
    written = 0
    for chunk in _gathered(pieces):
        for start in range(0, len(chunk), _MOST_BYTES_PER_WRITE):
            part = chunk[start : start + _MOST_BYTES_PER_WRITE]
            written += _write_all(file, write, part, written)


def _gathered(pieces: Iterable[Buffer]) -> Iterable[Buffer]:
    """``pieces`` again, with neighbours joined as long as they are small together."""
    small: list[Buffer] = []
    small_bytes = 0
    for piece in pieces:
        view = byte_view(piece)
        if small and small_bytes + len(view) > _GATHER_BYTES:
            yield b"".join(small)
            small, small_bytes = [], 0
        if len(view) > _GATHER_BYTES:
            yield view
        else:
            small.append(view)
            small_bytes += len(view)
    if small:
        yield b"".join(small)


def _write_all(file: Any, write: Callable[[Buffer], Any], data: Buffer, before: int) -> int:
    """Write ``data``, in as many calls as it takes, and return its size; ``before`` bytes were written earlier."""
    done = 0
    while done < len(data):
        view = memoryview(data)[done:] if done else data
        count = write(view)
        if count is None:
            if isinstance(file, io.RawIOBase):
                raise BlockingIOError(errno.EAGAIN, "the file would block inside a message", before + done)
            break
        if not isinstance(count, int):
            raise TypeError(f"write() returned {type(count).__name__}, not a number of bytes")
        if not 0 < count <= len(view):
            raise OSError(f"write() of {len(view)} bytes returned {count}")
        done += count
    return len(data)


def _read_method(file: Any) -> Callable[[int], Any]:
    read = getattr(file, "read", None)
    if callable(read):
        return read  # type: ignore[no-any-return]
    readinto = getattr(file, "readinto", None)
    if not callable(readinto):
        raise TypeError(
            f"{type(file).__name__} has neither read() nor readinto(); "
            "pass an open file, or what makefile('rb') of a socket gives; "
            "what is in memory is read with from_bytes or read_multiple_bytes"
        )

    def read_through_readinto(most_bytes: int) -> bytes | None:
        buffer = bytearray(most_bytes)
        count: Any = readinto(buffer)
        if count is None:
            return None
        if not isinstance(count, int):
            raise TypeError(f"readinto() returned {type(count).__name__}, not a number of bytes")
        if not 0 <= count <= most_bytes:
            raise OSError(f"readinto() of {most_bytes} bytes returned {count}")
        return bytes(memoryview(buffer)[:count])

    return read_through_readinto


def _as_bytes(data: Any) -> bytes:
    """What ``read`` returned, where it is not `bytes` itself."""
    if data is None:
        raise BlockingIOError(errno.EAGAIN, "the file has no data yet; messages are read from blocking files")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    what = "text; open the file in binary mode" if isinstance(data, str) else f"{type(data).__name__}, not bytes"
    raise TypeError(f"read() returned {what}")
