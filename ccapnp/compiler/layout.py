"""Where the fields of a struct are: the algorithm that every compiler of the language must follow to the letter.

Fields are placed in the order of their ordinals, so that those added later move none that are there.  A field of the
data section goes into the smallest gap that fits (each size has at most one gap), else into a new word at the end.

The members of a union share room: a *location* is room of the struct that each member may use for itself, and a new one
is taken only when no location has enough left for the member, nor can be made to grow into a gap behind it.  Members
are groups to the layout, a single field is a group of one.  Sizes are binary logarithms of bits; an offset counts
units of its own size.
"""

from __future__ import annotations

from typing import Optional, Protocol

__all__ = ["Scope", "StructLayout", "UnionLayout", "UnionMember"]

_WORD = 6
_DISCRIMINANT = 4


class Scope(Protocol):
    """Where fields can be added: a struct, or a member of a union.  A group outside a union is its parent's scope."""

    def add_void(self) -> None:
        """A field that takes no room."""
        ...

    def add_data(self, size: int) -> int:
        """The offset of a new field of the data section."""
        ...

    def add_pointer(self) -> int:
        """The index of a new field of the pointer section."""
        ...

    def grow_data(self, size: int, offset: int, by: int) -> bool:
        """Make a field that is there ``by`` larger where it is, and say whether there was room."""
        ...


class _Gaps:
    """The gaps in a word: of each size at most one, the second half of room that is one larger; 0 stands for none."""

    __slots__ = ("_at",)

    def __init__(self) -> None:
        self._at = [0] * _WORD

    def take(self, size: int) -> Optional[int]:
        """The offset of room of that size, cut from the smallest gap that has it."""
        if size >= _WORD:
            return None
        found: Optional[int] = self._at[size]
        if found:
            self._at[size] = 0
            return found
        found = self.take(size + 1)
        if found is None:
            return None
        self._at[size] = found * 2 + 1
        return found * 2

    def smallest(self, size: int) -> Optional[int]:
        """The size of the smallest gap of at least that size."""
        return next((each for each in range(size, _WORD) if self._at[each]), None)

    def add(self, size: int, offset: int, limit: int = _WORD) -> None:
        """What is free from ``offset`` on up to the end of the room of size ``limit`` around it."""
        for each in range(size, limit):
            self._at[each] = offset
            offset = offset + 1 >> 1

    def grow(self, size: int, offset: int, by: int) -> bool:
        """Give room at ``offset`` the gaps right behind it, as many as it needs to be ``by`` larger."""
        needed = range(size, size + by)
        if needed.stop > _WORD or any(self._at[each] != (offset >> each - size) + 1 for each in needed):
            return False
        for each in needed:
            self._at[each] = 0
        return True


class StructLayout:
    """A whole struct."""

    def __init__(self) -> None:
        self.data_words = 0
        self.pointer_count = 0
        self._gaps = _Gaps()

    def add_void(self) -> None:
        pass

    def add_data(self, size: int) -> int:
        offset = self._gaps.take(size)
        if offset is None:
            offset = self.data_words << _WORD - size
            self.data_words += 1
            self._gaps.add(size, offset + 1)
        return offset

    def add_pointer(self) -> int:
        self.pointer_count += 1
        return self.pointer_count - 1

    def grow_data(self, size: int, offset: int, by: int) -> bool:
        return self._gaps.grow(size, offset, by)


class _Location:
    """Room in the data section that the members of a union share."""

    __slots__ = ("offset", "size")

    def __init__(self, size: int, offset: int) -> None:
        self.size = size
        self.offset = offset

    def grow_to(self, size: int, scope: Scope) -> bool:
        if size > self.size:
            if not scope.grow_data(self.size, self.offset, size - self.size):
                return False
            self.offset >>= size - self.size
            self.size = size
        return True


class UnionLayout:
    """A union in a struct, or in a member of another union.

    ``discriminant_offset`` is set when the second member gets its first field, or by `add_discriminant`.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.discriminant_offset: Optional[int] = None
        self.locations: list[_Location] = []
        self.pointers: list[int] = []
        self._members = 0

    def add_discriminant(self) -> bool:
        """Place the discriminant now, for a union with an ordinal; False if it has been placed."""
        if self.discriminant_offset is not None:
            return False
        self.discriminant_offset = self.scope.add_data(_DISCRIMINANT)
        return True

    def begin_member(self) -> None:
        """Note that one more member has a field."""
        self._members += 1
        if self._members == 2:
            self.add_discriminant()


class UnionMember:
    """One member of a union, with all its fields."""

    def __init__(self, union: UnionLayout) -> None:
        self.union = union
        self._used: list[_Usage] = []
        self._pointers = 0
        self._is_begun = False

    def _begin(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            self.union.begin_member()

    def add_void(self) -> None:
        self._begin()
        self.union.scope.add_void()  # where the union may be in a member of another, which then has a field

    def add_data(self, size: int) -> int:
        self._begin()
        locations = self.union.locations
        while len(self._used) < len(locations):
            self._used.append(_Usage())
        best: Optional[tuple[int, int]] = None
        for index, (usage, location) in enumerate(zip(self._used, locations)):
            gap = usage.smallest_gap(location, size)
            if gap is not None and (best is None or gap < best[0]):
                best = gap, index
        if best is not None:
            return self._used[best[1]].take(locations[best[1]], size)
        for usage, location in zip(self._used, locations):
            grown = usage.take_by_growing(location, size, self.union.scope)
            if grown is not None:
                return grown
        location = _Location(size, self.union.scope.add_data(size))
        locations.append(location)
        self._used.append(_Usage(size))
        return location.offset

    def add_pointer(self) -> int:
        self._begin()
        pointers = self.union.pointers
        if self._pointers == len(pointers):
            pointers.append(self.union.scope.add_pointer())
        self._pointers += 1
        return pointers[self._pointers - 1]

    def grow_data(self, size: int, offset: int, by: int) -> bool:
        if size + by > _WORD or offset & (1 << by) - 1:
            return False
        for usage, location in zip(self._used, self.union.locations):
            if location.size >= size and offset >> location.size - size == location.offset:
                inner = offset - (location.offset << location.size - size)
                return usage.grow(location, size, inner, by, self.union.scope)
        return False


class _Usage:
    """How much of a location one member uses: room of size ``size`` from its start on, with gaps in it."""

    __slots__ = ("_gaps", "_size")

    def __init__(self, size: Optional[int] = None) -> None:
        self._size = size
        self._gaps = _Gaps()

    def smallest_gap(self, location: _Location, size: int) -> Optional[int]:
        """The size of the smallest room in the location that a field of that size can be put into."""
        if self._size is None:
            return location.size if size <= location.size else None
        if size >= self._size:
            return size if size < location.size else None
        gap = self._gaps.smallest(size)
        if gap is None and self._size < location.size:
            return self._size
        return gap

    def take(self, location: _Location, size: int) -> int:
        """Put a field into room that `smallest_gap` found."""
        if self._size is None:
            self._size, inner = size, 0
        elif size >= self._size:
            self._gaps.add(self._size, 1, size)
            self._size, inner = size + 1, 1
        else:
            gap = self._gaps.take(size)
            if gap is None:  # what is used is doubled
                inner = 1 << self._size - size
                self._gaps.add(size, inner + 1, self._size)
                self._size += 1
            else:
                inner = gap
        return (location.offset << location.size - size) + inner

    def take_by_growing(self, location: _Location, size: int, scope: Scope) -> Optional[int]:
        """Put a field into the location after making that larger, if it can be."""
        if self._size is None:
            if not location.grow_to(size, scope):
                return None
            self._size, inner = size, 0
        else:
            used = self._size
            if not location.grow_to(max(used, size) + 1, scope):
                return None
            self._gaps.add(used, 1, max(used, size) + 1)
            self._size = max(used, size) + 1
            gap = self._gaps.take(size)
            assert gap is not None
            inner = gap
        return (location.offset << location.size - size) + inner

    def grow(self, location: _Location, size: int, inner: int, by: int, scope: Scope) -> bool:
        """Make a field in the location larger where it is."""
        if inner or self._size != size:
            return self._gaps.grow(size, inner, by)
        if not location.grow_to(size + by, scope):
            return False
        self._size = size + by
        return True
