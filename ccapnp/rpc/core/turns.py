"""What is to be done soon, in order: the only place from which code of users' is called."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

__all__ = ["Turns"]


class Turns:
    """A queue of calls.  ``wake()`` is called when there is something in it, and leads to a call of `run` later.

    `soon` may be called from any thread, and in the midst of anything, as when an object is freed; so may ``wake``.
    ``report(error)`` is told of an exception that nobody is there to catch.
    """

    def __init__(self, wake: Callable[[], None], report: Callable[[BaseException], None]) -> None:
        self._ready: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._wake = wake
        self._report = report
        self._is_awake = False

    def soon(self, callback: Callable[..., None], *arguments: Any) -> None:
        """Have ``callback(*arguments)`` called in a later turn."""
        self._ready.append((callback, arguments))
        if not self._is_awake:
            self._is_awake = True
            self._wake()

    def hold(self) -> None:
        """Do not wake anybody: `run` or `let_go` is called anyway, soon."""
        self._is_awake = True

    def let_go(self) -> None:
        """Wake, if there is something to be done."""
        self._is_awake = bool(self._ready)
        if self._ready:
            self._wake()

    def run(self) -> None:
        """Do what there is to do so far."""
        self._is_awake = False
        ready = self._ready
        for _ in range(len(ready)):
            callback, arguments = ready.popleft()
            try:
                callback(*arguments)
            except Exception as error:  # noqa: BLE001  # what follows does not suffer for it
                self._report(error)
        if not self._is_awake:
            self.let_go()
