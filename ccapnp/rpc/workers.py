"""Tasks in which the coroutines of calls run.

A task costs more than most calls do.  So one *worker* begins all that wait, one after the other; the first that does
not come to its end at once keeps the task, which from then on is that call's alone, and another worker begins the rest.
Each call has a context of its own (`contextvars`), as in a task of its own.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, copy_context
from types import coroutine
from typing import Any, Optional

from ccapnp.rpc.core.turns import Turns

__all__ = ["Work", "Workers"]

_MOST_AT_ONCE = 64
"""Calls that a worker begins before others in the loop have their turn."""


class Work:
    """A coroutine that is to run: what makes it, and once it has had to wait, its task."""

    __slots__ = ("_is_canceled", "_task", "arguments", "context", "function")

    def __init__(self, function: Callable[..., Coroutine[Any, Any, None]], arguments: tuple[Any, ...]) -> None:
        self.function = function
        self.arguments = arguments
        self.context = copy_context()
        self._task: Optional[asyncio.Task[None]] = None
        self._is_canceled = False

    def cancel(self) -> None:
        """Cancel it: it begins in any case, and has a CancelledError where it waits."""
        self._is_canceled = True
        if self._task is not None:
            self._task.cancel()

    def keep(self, task: asyncio.Task[None]) -> None:
        """It waits, in that task."""
        self._task = task
        if self._is_canceled:
            task.cancel()


class Workers:
    """The workers of one event loop."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._waiting: deque[Work] = deque()
        self._next: Optional[asyncio.Task[None]] = None
        self._tasks: set[Optional[asyncio.Task[None]]] = set()  # a loop does not keep them alive

    def soon(self, function: Callable[..., Coroutine[Any, Any, None]], *arguments: Any) -> Work:
        """Have the coroutine that ``function(*arguments)`` makes run; it is to handle its own exceptions."""
        work = Work(function, arguments)
        self._waiting.append(work)
        self._start()
        return work

    def _start(self) -> None:
        if self._waiting and (self._next is None or self._next.done()):
            self._next = asyncio.get_running_loop().create_task(self._run())
            self._tasks.add(self._next)

    async def _run(self) -> None:
        task = self._next
        assert task is not None
        self._turns.hold()
        try:
            for _ in range(_MOST_AT_ONCE):
                if not self._waiting:
                    self._turns.run()  # what those which have ended lead to may be more to do
                    if not self._waiting:
                        break
                    self._turns.hold()
                work = self._waiting.popleft()
                running = work.function(*work.arguments)
                try:
                    waited = work.context.run(running.send, None)
                except StopIteration:
                    if task._must_cancel:  # type: ignore[attr-defined]  # it canceled its task, and did not wait
                        break
                    continue
                work.keep(task)
                self._begin_no_more()
                await _rest(work.context, running, waited)
                return
        finally:
            if self._next is task:
                self._begin_no_more()
            self._tasks.discard(task)

    def _begin_no_more(self) -> None:
        """The worker leaves what waits to another one."""
        self._next = None
        self._turns.let_go()
        self._start()


@coroutine
def _rest(context: Context, running: Coroutine[Any, Any, None], waited: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine that has begun, and waits for something."""
    while True:
        try:
            sent = yield waited
        except BaseException as error:  # noqa: BLE001  # it is the coroutine's
            resume: Callable[[Any], Any] = running.throw
            sent = error
        else:
            resume = running.send
        try:
            waited = context.run(resume, sent)
        except StopIteration:
            return
