"""Tables of what is known under a number."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Generic, Optional, TypeVar

__all__ = ["Table"]

_T = TypeVar("_T")


class Table(Generic[_T]):
    """Entries under numbers that are chosen here: the lowest that is free."""

    __slots__ = ("_entries", "_free", "_next")

    def __init__(self) -> None:
        self._entries: dict[int, _T] = {}
        self._free: list[int] = []
        self._next = 0

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: _T) -> int:
        """Enter it, and give its number."""
        if self._free:
            number = heappop(self._free)
        else:
            number = self._next
            self._next += 1
        self._entries[number] = entry
        return number

    def get(self, number: int) -> Optional[_T]:
        return self._entries.get(number)

    def pop(self, number: int) -> Optional[_T]:
        """Remove and give the entry of a number, which is free then; ``None`` if there is none."""
        entry = self._entries.pop(number, None)
        if entry is not None:
            heappush(self._free, number)
        return entry

    def clear(self) -> list[_T]:
        """Remove and give all entries."""
        entries = list(self._entries.values())
        self.__init__()  # type: ignore[misc]
        return entries
