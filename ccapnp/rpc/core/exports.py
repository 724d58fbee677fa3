"""Our capabilities that the peer may call."""

from __future__ import annotations

from typing import Optional

from ccapnp.rpc.core.hooks import Hook
from ccapnp.rpc.core.tables import Table

__all__ = ["Export", "Exports"]


class Export:
    """An entry: the capability, and how often the peer was told of it and has not released it.

    ``target`` is what messages for it go to, of a promise that was resolved.
    """

    __slots__ = ("count", "hook", "target", "was_promise")

    def __init__(self, hook: Hook) -> None:
        self.hook = self.target = hook
        self.count = 0
        self.was_promise = hook.is_promise


class Exports:
    """The table, in which a capability has one number however often it is sent."""

    __slots__ = ("_numbers", "_table")

    def __init__(self) -> None:
        self._table: Table[Export] = Table()
        self._numbers: dict[Hook, int] = {}

    def __len__(self) -> int:
        return len(self._table)

    def get(self, number: int) -> Optional[Export]:
        return self._table.get(number)

    def add(self, hook: Hook) -> tuple[int, Export]:
        """Count the capability once more as told of, and give its number and entry."""
        number = self._numbers.get(hook)
        entry = None if number is None else self._table.get(number)
        if number is None or entry is None:
            entry = Export(hook)
            number = self._numbers[hook] = self._table.add(entry)
        entry.count += 1
        return number, entry

    def release(self, number: int, count: int) -> bool:
        """Count the capability as told of so many times less; False if it was not told of so often."""
        entry = self._table.get(number)
        if entry is None or entry.count < count:
            return False
        entry.count -= count
        if not entry.count:
            self._table.pop(number)
            self._forget(entry.hook, number)
        return True

    def replace(self, number: int, entry: Export, hook: Hook, target: Hook) -> None:
        """Have a promise that was resolved be what it has become."""
        self._forget(entry.hook, number)
        entry.hook = hook
        entry.target = target

    def _forget(self, hook: Hook, number: int) -> None:
        if self._numbers.get(hook) == number:
            del self._numbers[hook]

    def clear(self) -> None:
        self._table.clear()
        self._numbers.clear()
