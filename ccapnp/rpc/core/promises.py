"""Capabilities that are not known yet."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional
from weakref import ref

from ccapnp.errors import FailedError
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.pending import PendingCall

if TYPE_CHECKING:
    from ccapnp.rpc.core.request import Request

__all__ = ["PromiseHook", "QueuedHook"]


class PromiseHook(Hook):
    """A capability that becomes another hook, its ``resolution``, once."""

    __slots__ = ("_waiting", "resolution")

    def __init__(self) -> None:
        self.resolution: Optional[Hook] = None
        self._waiting: list[Callable[[Hook], None]] = []

    @property
    def is_promise(self) -> bool:  # type: ignore[override]
        return self.resolution is None

    @property
    def connection(self) -> Any:
        return None if self.resolution is None else self.resolution.connection

    def innermost(self) -> Hook:
        hook: Hook = self
        while isinstance(hook, PromiseHook) and hook.resolution is not None:
            hook = hook.resolution
        if isinstance(self.resolution, PromiseHook):
            self.resolution = hook  # the way is shorter next time
        return hook

    def when_resolved(self, callback: Callable[[Hook], None]) -> None:
        if self.resolution is None:
            self._waiting.append(callback)
        else:
            callback(self.resolution)

    def _become(self, hook: Hook) -> None:
        """Be that hook from now on."""
        self.resolution = hook
        waiting, self._waiting = self._waiting, []
        for callback in waiting:
            callback(hook)


class QueuedHook(PromiseHook):
    """A promise that keeps the calls that are made of it until it is resolved.

    ``source`` is what will resolve it, and lives as long as something waits for it.
    """

    __slots__ = ("_calls", "_source", "is_settled")

    def __init__(self, source: Any = None) -> None:
        super().__init__()
        self._calls: list[tuple[Request, ref[PendingCall]]] = []
        self._source = source
        self.is_settled = False
        """Whether it is known what it will be."""

    def call(self, request: Request) -> PendingCall:
        if self.resolution is not None:
            return self.innermost().call(request)
        call = _QueuedCall(self)
        self._calls.append((request, ref(call)))
        return call

    def resolve(self, hook: Hook) -> None:
        """Be that hook, and make the calls that wait, in their order.

        If this happens while another is resolved, because calls of that one have been answered, it is done after that:
        calls may be built on each other in chains of any length.
        """
        if not self.is_settled:
            self.is_settled = True
            _work.do(self, hook)

    def _resolve(self, hook: Hook) -> None:
        hook = hook.innermost()
        if hook is self:
            hook = BrokenHook(FailedError("a promise was fulfilled with itself"))
        calls, self._calls = self._calls, []
        self._source = None
        for request, waiting in calls:
            call = waiting()
            if call is not None and not call.is_done:
                call.adopt(hook.call(request))
        self._become(hook)


class _Work(threading.local):
    """The promises that are to be resolved, in each thread."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[QueuedHook, Hook]] = deque()
        self._is_busy = False

    def do(self, promise: QueuedHook, hook: Hook) -> None:
        """Resolve a promise, now or when the one that is being resolved is done."""
        self._waiting.append((promise, hook))
        if self._is_busy:
            return
        self._is_busy = True
        try:
            while self._waiting:
                promise, hook = self._waiting.popleft()
                promise._resolve(hook)
        finally:
            self._is_busy = False


_work = _Work()


class _QueuedCall(PendingCall):
    """A call that waits in a queue, which it keeps alive."""

    __slots__ = ("_queue",)

    def __init__(self, queue: Hook) -> None:
        super().__init__()
        self._queue: Optional[Hook] = queue

    def adopt(self, inner: PendingCall) -> None:
        self._queue = None
        super().adopt(inner)
