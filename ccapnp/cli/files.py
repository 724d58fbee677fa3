"""The files of a conversion: what is read as it arrives, and what is written as a whole or not at all."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable, Optional

__all__ = ["Input", "opened_input", "opened_output"]

_HEAD_BYTES = 1 << 16


class Input(io.RawIOBase):
    """A file that is read as its bytes arrive.

    ``before_read`` is called before it may have to be waited for, and ``after_read`` with how many bytes came.
    """

    def __init__(self, file: Any, before_read: Callable[[], Any], after_read: Callable[[int], Any]) -> None:
        self._read1 = file.read1
        self._before_read = before_read
        self._after_read = after_read
        self._head: Optional[bytes] = None

    def readable(self) -> bool:
        return True

    def head(self) -> bytes:
        """What arrives first, which is still to be read."""
        if self._head is None:
            self._head = self._next(_HEAD_BYTES)
        return self._head

    def readinto(self, buffer: Any) -> int:
        data = self._head or self._next(len(buffer))
        count = min(len(data), len(buffer))
        buffer[:count] = data[:count]
        self._head = data[count:]
        return count

    def _next(self, most_bytes: int) -> bytes:
        self._before_read()
        data: bytes = self._read1(most_bytes)
        self._after_read(len(data))
        return data


@contextmanager
def opened_input(name: Optional[str]) -> Iterator[Any]:
    """The file of that name, or standard input."""
    if name is None:
        yield sys.stdin.buffer
    else:
        with open(name, "rb") as file:
            yield file


@contextmanager
def opened_output(name: Optional[str]) -> Iterator[Any]:
    """A file to write, or standard output.

    It is a new one, which takes the place of one of that name once all has been written to it.  What is no ordinary
    file, as a pipe or a terminal, is written to as it is.
    """
    if name is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            yield file
        return
    target = os.path.realpath(name)
    temporary = os.path.join(os.path.dirname(target), f".{os.path.basename(target)}.{os.getpid()}")
    try:
        with open(temporary, "xb") as file:
            yield file
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
