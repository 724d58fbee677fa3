"""Objects in this process, and calls of them.

A call is begun in a later turn, as if it had come from a peer.  Of streaming calls, one runs at a time, and what was
called after it waits; once one has failed, so do all later calls of the object (capnp/capability.h, "streaming").
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Optional
from weakref import ref

from ccapnp.errors import RpcError
from ccapnp.rpc.core.hooks import Hook
from ccapnp.rpc.core.pending import PendingCall

if TYPE_CHECKING:
    from ccapnp.rpc.core.payload import Payload
    from ccapnp.rpc.core.request import Request
    from ccapnp.rpc.core.turns import Turns

__all__ = ["IncomingCall", "LocalHook"]


class LocalHook(Hook):
    """The capability of an object here.

    ``dispatch(incoming)`` begins a call, and says whether its method is a streaming one.
    """

    __slots__ = ("_broken", "_dispatch", "_running", "_waiting", "server", "turns")

    def __init__(self, server: Any, turns: Turns, dispatch: Callable[[IncomingCall], bool]) -> None:
        self.server = server
        self.turns = turns
        self._dispatch = dispatch
        self._running: Optional[IncomingCall] = None
        self._waiting: deque[Callable[[], None]] = deque()
        self._broken: Optional[RpcError] = None

    def call(self, request: Request) -> PendingCall:
        incoming = IncomingCall(self, request)
        call = _LocalCall(incoming)
        incoming._call = ref(call)
        self.turns.soon(self._begin, incoming)
        return call

    def _begin(self, incoming: IncomingCall) -> None:
        if self._running is not None:
            self._waiting.append(partial(self._begin, incoming))
        elif self._broken is not None:
            incoming.fail(self._broken)
        elif not incoming.is_canceled:
            is_streaming = self._dispatch(incoming)
            if is_streaming and incoming.is_done:
                self._broken = incoming.error
            elif is_streaming:
                self._running = incoming

    def _finished(self, incoming: IncomingCall) -> None:
        if self._running is incoming:
            self._running = None
            self._broken = incoming.error
            while self._waiting and self._running is None:
                self._waiting.popleft()()

    def when_reached(self, callback: Callable[[], None]) -> None:
        """``callback()`` once all calls that have been made have begun, which for streaming ones takes their time."""
        self.turns.soon(self._reach, callback)

    def _reach(self, callback: Callable[[], None]) -> None:
        if self._running is None:
            callback()
        else:
            self._waiting.append(callback)


class _LocalCall(PendingCall):
    """A call of an object here, as its caller has it."""

    __slots__ = ("_incoming",)

    def __init__(self, incoming: IncomingCall) -> None:
        super().__init__()
        self._incoming = incoming

    def cancel(self) -> None:
        super().cancel()
        self._incoming.cancel()

    def __del__(self) -> None:
        if not self.is_done:
            self._incoming.turns.soon(self._incoming.cancel)


class IncomingCall:
    """A call of an object here, as the object has it: the request, and where the results go.

    ``on_cancel()`` is called when nobody waits for them any more.
    """

    __slots__ = (
        "_call",
        "_target",
        "error",
        "is_canceled",
        "is_done",
        "may_cancel",
        "on_cancel",
        "origin",
        "request",
        "turns",
    )

    def __init__(self, target: LocalHook, request: Request) -> None:
        self._target: Optional[LocalHook] = target
        self._call: Any = None
        self.is_done = False
        self.turns = target.turns
        self.request: Any = request
        self.origin = request.origin
        self.error: Optional[RpcError] = None
        self.is_canceled = False
        self.may_cancel = True
        self.on_cancel: Optional[Callable[[], Any]] = None

    def cancel(self) -> None:
        """Nobody waits for the results any more."""
        if not self.is_done and not self.is_canceled:
            self.is_canceled = True
            if self.on_cancel is not None and self.may_cancel:
                self.on_cancel()

    def complete(self, results: Payload) -> None:
        """Give the results."""
        self._finish()
        call = self._call()
        if call is not None:
            call.complete(results)

    def fail(self, error: RpcError) -> None:
        """Give an error."""
        self.error = error
        self._finish()
        call = self._call()
        if call is not None:
            call.fail(error)

    def _finish(self) -> None:
        target, self._target = self._target, None
        self.is_done = True
        self.on_cancel = None
        self.request = None  # so that capabilities that came with it are released
        if target is not None and target._running is self:
            target._finished(self)

    def publish(self, results: Payload) -> None:
        """Let callers use capabilities of the results before the call is complete."""
        call = self._call()
        if call is not None:
            call.publish(results)

    def tail_call(self, hook: Hook, request: Request) -> PendingCall:
        """Let the results be those of another call; where they are wanted is where they go at once.

        What comes back is kept by whoever made this call alone, if somebody did.
        """
        request.origin = self.origin
        request.is_awaited_here = self.request.is_awaited_here
        inner = hook.innermost().call(request)
        self.give(inner)
        return inner

    def give(self, inner: PendingCall) -> None:
        """Let the results be those of a call that was made already."""
        call = self._call()
        self.is_done = True
        self.on_cancel = None
        if call is None:
            inner.drop()
            self._finish()
            return
        call.adopt(inner)
        inner.when_done(self._given)

    def _given(self, inner: PendingCall) -> None:
        self.error = inner.error
        self._finish()
