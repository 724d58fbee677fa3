"""What belongs to an asyncio event loop: the turns of its capabilities, and the calls that run in it."""

from __future__ import annotations

import asyncio
import threading
from weakref import WeakKeyDictionary, ref

from ccapnp.rpc.core.turns import Turns
from ccapnp.rpc.workers import Workers

__all__ = ["LoopTurns", "running_turns"]


class LoopTurns(Turns):
    """Turns that a loop takes, which must be running in this thread when they are made."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(self._call_loop, self._report_to_loop)
        self._loop = ref(loop)
        self._thread = threading.get_ident()
        self.workers = Workers(self)

    def _call_loop(self) -> None:
        loop = self._loop()
        if loop is None or loop.is_closed():
            return
        if threading.get_ident() == self._thread:
            loop.call_soon(self.run)
        else:
            loop.call_soon_threadsafe(self.run)

    def _report_to_loop(self, error: BaseException) -> None:
        loop = self._loop()
        if loop is not None:
            loop.call_exception_handler({"message": "an error in ccapnp.rpc", "exception": error})


_known: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopTurns] = WeakKeyDictionary()


def running_turns() -> LoopTurns:
    """The turns of the loop that runs in this thread; RuntimeError if none does."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "capabilities need a running asyncio event loop: use them inside of a coroutine, or ccapnp.rpc.blocking"
        ) from None
    found = _known.get(loop)
    if found is None:
        found = _known[loop] = LoopTurns(loop)
    return found
