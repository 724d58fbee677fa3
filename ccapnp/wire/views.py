"""One segment's words as numbers of every width: where byte order is decided.

A little-endian host reads through `memoryview.cast`, which is the fastest way there is in Python.  A big-endian one
reads through `SwappedView`, which has the same few operations at a lower speed.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from typing import Any, Union

from ccapnp.wire.compiled_views import compiled_caster

__all__ = ["F32_MAX", "F64_MAX", "FORMATS", "SwappedView", "Views", "caster", "items", "number_of_bits"]

FORMATS = {
    "u8": "B",
    "i8": "b",
    "u16": "H",
    "i16": "h",
    "u32": "I",
    "i32": "i",
    "u64": "Q",
    "i64": "q",
    "f32": "f",
    "f64": "d",
}
"""Every view that a segment has, with its format letter as in `struct` and `memoryview`."""

F32_MAX, F64_MAX = 3.4028234663852886e38, 1.7976931348623157e308
"""The largest numbers of each width."""


class LazyView:
    """A view that is made when it is first read, and is an attribute in the object's own dict from then on.

    (`functools.cached_property` takes a lock for that, and hands out the dict, which makes every attribute slower.)
    Two threads may both make the view, which does no harm.
    """

    __slots__ = ("_name",)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        view = instance._view(self._name)
        setattr(instance, self._name, view)
        return view


class Views:
    """Memory as numbers of every width.

    The views that pointers, tags and the usual integers are read through are always there; to open a small message must
    not take the time to make those that it never uses, which are the others.
    """

    __slots__ = ("__dict__", "i32", "u8", "u16", "u32")

    u8: Any
    u16: Any
    u32: Any
    i32: Any
    i8: Any = LazyView()
    i16: Any = LazyView()
    u64: Any = LazyView()
    i64: Any = LazyView()
    f32: Any = LazyView()
    f64: Any = LazyView()

    def _view(self, name: str) -> Any:
        """One of the others."""
        raise NotImplementedError


def number_of_bits(view: str, bits: int) -> float:
    """The number that the view of that name reads where ``bits`` are."""
    number: float = struct.unpack("<" + FORMATS[view], bits.to_bytes(int(view[1:]) >> 3, "little"))[0]
    return number


if sys.implementation.name == "pypy":  # where a slice of a view with steps has the wrong items (7.3.11)

    def items(view: Any, index: slice) -> list[Any]:
        return [view[position] for position in range(len(view))[index]]

else:

    def items(view: Any, index: slice) -> list[Any]:
        """The items of a slice of a view."""
        return view[index].tolist()  # type: ignore[no-any-return]


class SwappedView:
    """The part of `memoryview` that readers and builders use, over little-endian items on a big-endian host."""

    __slots__ = ("_bytes", "_item", "format", "itemsize")

    def __init__(self, data: memoryview, letter: str) -> None:
        self._bytes = data
        self._item = struct.Struct("<" + letter)
        self.format = "<" + letter
        self.itemsize = self._item.size

    def __len__(self) -> int:
        return len(self._bytes) // self.itemsize

    def __getitem__(self, index: Union[int, slice]) -> Any:
        if isinstance(index, slice):
            return _SwappedItems(self, range(len(self))[index])
        return self._item.unpack_from(self._bytes, range(len(self))[index] * self.itemsize)[0]

    def __setitem__(self, index: Union[int, slice], value: Any) -> None:
        if isinstance(index, slice):
            self[index][:] = value
            return
        start = range(len(self))[index] * self.itemsize
        try:
            self._bytes[start : start + self.itemsize] = self._item.pack(value)  # pack_into would zero what it fails at
        except struct.error as error:  # memoryview's way to say it
            raise (TypeError if "required argument" in str(error) else ValueError)(str(error)) from None


class _SwappedItems:
    """Items of a `SwappedView` at regular distances: what slicing one gives."""

    __slots__ = ("_indexes", "_view")

    def __init__(self, view: SwappedView, indexes: range) -> None:
        self._view = view
        self._indexes = indexes

    format = property(lambda self: self._view.format)
    itemsize = property(lambda self: self._view.itemsize)

    def __len__(self) -> int:
        return len(self._indexes)

    def __getitem__(self, index: Union[int, slice]) -> Any:
        chosen = self._indexes[index]
        return self._view[chosen] if isinstance(chosen, int) else _SwappedItems(self._view, chosen)

    def __setitem__(self, index: Union[int, slice], value: Any) -> None:
        chosen = self._indexes[index]
        if isinstance(chosen, int):
            self._view[chosen] = value
        elif len(chosen) != len(value):
            raise ValueError("lengths differ")
        else:
            for position, item in zip(chosen, value):
                self._view[position] = item

    def tolist(self) -> list[Any]:
        return [self._view[index] for index in self._indexes]


def _caster_swapped(data: memoryview) -> Callable[[str], Any]:
    return lambda letter: data if letter == "B" else SwappedView(data, letter)


def _caster_native(data: memoryview) -> Callable[[str], Any]:
    cast: Any = data.cast
    return cast  # type: ignore[no-any-return]


if sys.byteorder == "big":
    caster = _caster_swapped
elif sys.implementation.name == "pypy":
    caster = compiled_caster
else:
    caster = _caster_native
"""``caster(data)(letter)``: ``data``, a `memoryview` of bytes, as items of that format."""
