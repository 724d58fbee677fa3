"""Following the struct pointers of a whole column, as a reader would one by one: the same bounds, limits and errors.

Pointers within a segment, and single far pointers, are followed for all structs at once.  What is left, double-far
pointers and wrong ones, goes one by one through the shape's own `read_struct`, which knows all cases and all errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ccapnp.columns.np import U8, np
from ccapnp.columns.places import Places, by_shape
from ccapnp.errors import DecodeError
from ccapnp.types.struct_pointer import empty_shape
from ccapnp.wire.pointers import FAR, STRUCT

if TYPE_CHECKING:
    from ccapnp.types.fields import PointerAccess

__all__ = ["follow"]


def follow(places: Places, access: PointerAccess) -> list[Places]:
    """The structs that a field of each of ``places``, at least one, leads to; where it is null, its default."""
    shape, index = places.shape, access.field.offset
    if index >= shape.pointers:
        return [_absent(places, access)]
    index += shape.data_words
    pointers = places.numbers(U8, index)
    is_null = pointers == 0
    if not is_null.any():
        return _Followed(places, access).all(places.indexes + index, pointers)
    found = [_absent(places[is_null], access)]
    if not is_null.all():
        places, pointers = places[~is_null], pointers[~is_null]
        found += _Followed(places, access).all(places.indexes + index, pointers)
    return found


def _absent(places: Places, access: PointerAccess) -> Places:
    """What null pointers read as: all the same struct, which may be none."""
    shape, word = empty_shape(places.shape.codec), 0
    if access.default is not None:
        default, at = access.default
        shape, word = default.read_struct(at, _pair) or (shape, word)
    return Places(shape, np.full(len(places), word), places.positions, f"{places.path}.{access.name}")


class _Followed:
    """What the pointers of some structs lead to, none of which is null."""

    def __init__(self, places: Places, access: PointerAccess) -> None:
        self.places = places
        self.access = access
        self.found: list[Places] = []

    def all(self, at: Any, pointers: Any) -> list[Places]:
        """All that the ``pointers``, which are at the words ``at``, lead to."""
        shape = self.places.shape
        every = np.arange(len(pointers))
        left = every[~self._take(shape.segment, at, pointers, every)]
        if len(left):
            left = self._far(left, pointers[left])
        self.found += by_shape(self._one_by_one(left, at), self._path)
        return self.found

    @property
    def _path(self) -> str:
        return f"{self.places.path}.{self.access.name}"

    def _take(self, segment: Any, at: Any, pointers: Any, chosen: Any, pads: int = 0) -> Any:
        """Find what pointers within a segment lead to, and say which of them were followed: those that are right.

        ``chosen`` are the indexes of their structs; each costs ``pads`` words more.
        """
        low = (pointers & 0xFFFFFFFF).astype(np.int64)
        sizes = (pointers >> 32).astype(np.int64)
        words = (sizes & 0xFFFF) + (sizes >> 16)
        starts = at + 1 + ((low ^ 0x80000000) - 0x80000000 >> 2)
        is_inside = (starts >= 0) & (starts <= segment.size - words) | (words == 0)
        is_right = is_inside & (low & 3 == STRUCT)
        if not is_right.all():
            starts, sizes, words, chosen = (each[is_right] for each in (starts, sizes, words, chosen))
        shape, positions = self.places.shape, self.places.positions
        try:
            shape.arena.charge(int(words.sum()) + len(words) * pads)
            for each, group in _groups(sizes):
                child = shape.child(segment, each)
                self.found.append(Places(child, starts[group], positions[chosen[group]], self._path))
        except DecodeError as error:
            raise self._located(error) from None
        return is_right

    def _far(self, chosen: Any, pointers: Any) -> Any:
        """Follow single far pointers, and say whose pointers are left then."""
        arena = self.places.shape.arena
        is_left = np.full(len(chosen), True)
        pad_at = ((pointers & 0xFFFFFFFF) >> 3).astype(np.int64)
        numbers = (pointers >> 32).astype(np.int64)
        far = np.flatnonzero((pointers & 7 == FAR) & (numbers < len(arena.segments)))
        for number, group in _groups(numbers[far]):
            pad_segment = arena.segment(number)
            inside = far[group]
            inside = inside[pad_at[inside] < pad_segment.size]
            if len(inside):
                at = pad_at[inside]
                pads = np.frombuffer(pad_segment.u8, U8)[at]
                is_left[inside] = ~self._take(pad_segment, at, pads, chosen[inside], 1)
        return chosen[is_left]

    def _one_by_one(self, chosen: Any, at: Any) -> Iterator[tuple[int, Any]]:
        shape = self.places.shape
        for position, word in zip(self.places.positions[chosen].tolist(), at[chosen].tolist()):
            try:
                yield position, shape.read_struct(word, _pair)
            except DecodeError as error:
                raise self.places.located(self.access.located(error), position) from None

    def _located(self, error: DecodeError) -> DecodeError:
        """An error about the column as a whole."""
        error = self.access.located(error)
        return error.inside(self.places.path[1:]) if self.places.path else error


def _pair(shape: Any, word: int) -> tuple[Any, int]:
    return shape, word


def _groups(keys: Any) -> Iterator[tuple[int, Any]]:
    """(key, what chooses its items) for each different key."""
    if not len(keys):
        return
    if (keys == keys[0]).all():
        yield int(keys[0]), slice(None)
        return
    order = np.argsort(keys, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        yield int(keys[group[0]]), group
