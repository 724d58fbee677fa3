"""Reading ahead of what is needed, and giving back what was not: for input whose size only reading it tells.

How large a packed message is, nothing says; and to read it byte by byte is slow.  So its reader takes what there is
and gives back the rest.  Each class here is one way to do that, and `look_ahead` chooses among them.
"""

from __future__ import annotations

import io
from typing import Any, Protocol

from ccapnp.wire.streams import FileReader

__all__ = ["LookAhead", "MemoryAhead", "look_ahead"]


class LookAhead(Protocol):
    """Where bytes come from."""

    def fetch(self, least_bytes: int, most_bytes: int) -> bytes:
        """The next bytes, b"" at the end: no more than ``most_bytes``, and maybe fewer than ``least_bytes``.

        ``least_bytes`` is how many are sure to be needed.  All that was fetched before is used now.
        """
        ...

    def give_back(self, count: int) -> bool:
        """Have the input stand ``count`` bytes before the end of what was fetched last; False if that cannot be."""
        ...


def look_ahead(file: Any, whole: bool) -> LookAhead:
    """The fastest way to read ahead of need from ``file`` without waiting for data that are not needed.

    Where ``file`` can ``peek``, or seek, what is not used is given back.  Otherwise it depends on whether ``whole``
    of the file belongs to the reader: if so, whatever has arrived is taken and cannot be given back (``read1``, or
    ``read`` of a raw file, which return as soon as there is anything); if not, or if ``read`` may wait for all it
    was asked for, no byte is read that is not needed, which takes two calls of ``read`` for a word.
    """
    if callable(getattr(file, "peek", None)):
        return _PeekAhead(file)
    seekable = getattr(file, "seekable", None)
    if callable(seekable) and seekable():
        return _SeekAhead(file)
    if whole and callable(getattr(file, "read1", None)):
        return _KeepAhead(_Read1(file))
    if whole and isinstance(file, io.RawIOBase):
        return _KeepAhead(file)
    return _NoAhead(file)


class MemoryAhead:
    """Ahead in a `memoryview` of bytes, from ``position`` on."""

    __slots__ = ("_view", "position")

    def __init__(self, view: memoryview, position: int = 0) -> None:
        self._view = view
        self.position = position

    def fetch(self, least_bytes: int, most_bytes: int) -> bytes:
        data = bytes(self._view[self.position : self.position + most_bytes])
        self.position += len(data)
        return data

    def give_back(self, count: int) -> bool:
        self.position -= count
        return True


class _PeekAhead:
    """Look at what ``file`` has in its buffer, and move over it only once it is known to be used."""

    __slots__ = ("_peek", "_peeked", "_reader")

    def __init__(self, file: Any) -> None:
        self._peek = file.peek
        self._reader = FileReader(file)
        self._peeked = 0

    def fetch(self, least_bytes: int, most_bytes: int) -> bytes:
        self.give_back(0)
        data = bytes(self._peek(most_bytes) or b"")[:most_bytes]
        self._peeked = len(data)
        # Nothing to see is the end, or nothing yet: `read` tells them apart.
        return data or self._reader.read_some(least_bytes)

    def give_back(self, count: int) -> bool:
        used = self._peeked - count
        self._peeked = 0
        while used > 0:
            used -= len(self._reader.read_some(used)) or used
        return True


class _SeekAhead:
    """Read on, and seek back."""

    __slots__ = ("_reader", "_seek")

    def __init__(self, file: Any) -> None:
        self._seek = file.seek
        self._reader = FileReader(file)

    def fetch(self, least_bytes: int, most_bytes: int) -> bytes:
        return self._reader.read_some(most_bytes)

    def give_back(self, count: int) -> bool:
        if count:
            self._seek(-count, io.SEEK_CUR)
        return True


class _KeepAhead:
    """Take what has arrived, and keep it."""

    __slots__ = ("_reader",)

    def __init__(self, file: Any) -> None:
        self._reader = FileReader(file)

    def fetch(self, least_bytes: int, most_bytes: int) -> bytes:
        return self._reader.read_some(most_bytes)

    def give_back(self, count: int) -> bool:
        return not count


class _NoAhead:
    """Read what is sure to be needed, and nothing else."""

    __slots__ = ("_reader",)

    def __init__(self, file: Any) -> None:
        self._reader = FileReader(file)

    def fetch(self, least_bytes: int, most_bytes: int) -> bytes:
        return self._reader.read_some(least_bytes)

    def give_back(self, count: int) -> bool:
        return not count


class _Read1:
    """``read1`` under the name ``read``."""

    __slots__ = ("read",)

    def __init__(self, file: Any) -> None:
        self.read = file.read1
