"""Views for an interpreter that compiles loops: PyPy, where to cast a `memoryview` makes each of its items slow.

An item is read and written by `struct`, which is compiled into one load or store; slices are those of the cast view.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

__all__ = ["CompiledView", "compiled_caster"]


class CompiledView:
    """The part of `memoryview` that readers and builders use, over little-endian items."""

    __slots__ = ("_bytes", "_cast", "_length", "_letter", "_pack", "_unpack", "itemsize")

    def __init__(self, data: memoryview, letter: str) -> None:
        item = struct.Struct("<" + letter)
        self._bytes = data
        self._cast: Any = None
        self._letter: Any = letter
        self._length = len(data) // item.size
        self._pack = item.pack_into
        self._unpack = item.unpack_from
        self.itemsize = item.size

    def _whole(self) -> Any:
        """All items as a `memoryview`."""
        if self._cast is None:
            self._cast = self._bytes.cast(self._letter)
        return self._cast

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is int and 0 <= index < self._length:
            try:
                return self._unpack(self._bytes, index * self.itemsize)[0]
            except struct.error as error:  # of a file that was closed meanwhile
                raise ValueError(str(error)) from None
        return self._whole()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if index.__class__ is int and 0 <= index < self._length:
            try:
                self._pack(self._bytes, index * self.itemsize, value)
            except struct.error as error:  # memoryview's way to say it
                raise (TypeError if "required argument" in str(error) else ValueError)(str(error)) from None
        else:
            self._whole()[index] = value


def compiled_caster(data: memoryview) -> Callable[[str], Any]:
    """``compiled_caster(data)(letter)``: ``data`` as items of that format."""
    return lambda letter: data if letter == "B" else CompiledView(data, letter)
