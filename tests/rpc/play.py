"""Random play of two vats: objects, promises, calls and the capabilities that go with them, and what must hold of them.

Each call has a number, which is its interface id, so that an object that gets it knows which one it is; its method id
says what the object is to do.  All that is held by a user is a `Handle`.  So that no promise comes to wait for itself,
handles and calls have a *rank*, and nothing comes to depend on what has a higher one.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ccapnp.errors import DisconnectedError, FailedError
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.local import IncomingCall, LocalHook
from ccapnp.rpc.core.payload import Payload
from ccapnp.rpc.core.pending import PendingCall
from ccapnp.rpc.core.promises import QueuedHook
from ccapnp.rpc.core.request import Request
from tests.rpc.ends import End, connected, pump, pump_all
from tests.rpc.peer import payload_of

__all__ = ["OPERATIONS", "Play"]

RETURN_NOTHING, RETURN_NEW, RETURN_PARAM, RETURN_PROMISE, HOLD, KEEP_PARAM, TAIL_CALL, FAIL = range(8)

ON_PURPOSE = "on purpose"
EXPECTED = {
    ON_PURPOSE,
    "Called null capability",
    "Pipeline call on a request that returned no capabilities or was already closed.",
}


class Handle:
    """A capability that somebody at an end has."""

    def __init__(self, end: End, hook: Hook, rank: int) -> None:
        self.end = end
        self.hook = hook
        self.rank = rank
        self.made: list[int] = []
        """The calls that were made of it, in their order."""


class Call:
    """A call, and what is known of it, however it is made."""

    def __init__(self, number: int, handle: Handle, param: Optional[Handle]) -> None:
        self.number = number
        self.end = handle.end
        self.rank = number
        self.param_rank = 0 if param is None else param.rank
        self.arrivals = 0
        self.pending: Optional[PendingCall] = None


class Held(NamedTuple):
    """A call that an object has not answered yet."""

    end: End
    call: Call
    incoming: IncomingCall


class Play:
    """The two vats, and all that there is."""

    def __init__(self, backend: str) -> None:
        self.ends = connected(backend)
        self.codec = self.ends[0].connection.wire.codec
        self.calls: dict[int, Call] = {}
        self.arrived: list[int] = []
        self.orders: list[list[int]] = []
        self.handles: list[Handle] = []
        self.held: list[Held] = []
        self.promises: list[tuple[Handle, QueuedHook]] = []
        self._number = 0
        for end in self.ends:
            end.connection.bootstrap = self._new_object(end)
        for end in self.ends:
            self._add(end, end.connection.ask_bootstrap(), 0)
            self._add(end, self._new_object(end), 0)

    # ---- what there is

    def _add(self, end: End, hook: Hook, rank: int) -> Handle:
        handle = Handle(end, hook, rank)
        self.handles.append(handle)
        self.orders.append(handle.made)
        return handle

    def _next(self) -> int:
        self._number += 2
        return self._number

    def _new_object(self, end: End) -> LocalHook:
        return LocalHook(None, end.turns, lambda incoming: self._dispatch(end, incoming))

    def _new_promise(self, end: End, rank: int) -> QueuedHook:
        queue = QueuedHook()
        self.promises.append((Handle(end, queue, rank), queue))
        return queue

    # ---- objects

    def _dispatch(self, end: End, incoming: IncomingCall) -> bool:
        request = incoming.request
        call = self.calls[request.interface_id]
        call.arrivals += 1
        self.arrived.append(call.number)
        param = request.params.capability_at((0,))
        what = request.method_id
        if what == RETURN_NEW:
            self._give(incoming, self._new_object(end))
        elif what == RETURN_PARAM:
            self._give(incoming, param)
        elif what == RETURN_PROMISE:
            self._give(incoming, self._new_promise(end, call.rank - 1))
        elif what == HOLD:
            self.held.append(Held(end, call, incoming))
        elif what == TAIL_CALL:
            target = Handle(end, param, call.param_rank)
            inner = self._new_call(target, RETURN_NEW, None)
            inner.rank = call.rank
            incoming.tail_call(param, Request(inner.number, RETURN_NEW, Payload()))
        elif what == FAIL:
            incoming.fail(FailedError(ON_PURPOSE))
        else:
            if what == KEEP_PARAM:
                self._add(end, param, call.param_rank)
            incoming.complete(Payload())
        return False

    def _give(self, incoming: IncomingCall, *hooks: Hook) -> None:
        incoming.complete(payload_of(self.codec, hooks))

    def _new_call(self, handle: Handle, what: int, param: Optional[Handle]) -> Call:
        call = Call(self._next(), handle, param)
        self.calls[call.number] = call
        return call

    # ---- what may happen; of all that it can happen to, ``a`` and ``b`` choose

    def arrive(self, a: int, b: int) -> None:
        """Some bytes arrive: one, few, or all."""
        end = self.ends[a % 2]
        end.arrive((1, 5, 24, 100, len(end.arriving))[b % 5])

    def turn(self, a: int, b: int) -> None:
        """An end takes a turn."""
        self.ends[a % 2].turn()

    def call(self, a: int, b: int) -> None:
        """A call is made, with another handle of that end as its parameter."""
        handle = _one_of(self.handles, a)
        what = b % 8
        param = _one_of([each for each in self.handles if each.end is handle.end], b // 8)
        call = self._new_call(handle, what, param)
        handle.made.append(call.number)
        request = Request(call.number, what, payload_of(self.codec, [param.hook]))
        call.pending = handle.hook.innermost().call(request)
        handle.end.flush()

    def build_upon(self, a: int, b: int) -> None:
        """A capability of results, which may not be there yet, is taken."""
        calls = [call for call in self.calls.values() if call.pending is not None]
        if calls:
            call = _one_of(calls, a)
            assert call.pending is not None
            self._add(call.end, call.pending.pipeline((0,)), call.rank)
            call.end.flush()

    def promise(self, a: int, b: int) -> None:
        """A promise is made."""
        end = self.ends[a % 2]
        rank = self._next()
        self._add(end, self._new_promise(end, rank), rank)

    def resolve(self, a: int, b: int) -> None:
        """A promise becomes an object, what a handle is, or an error."""
        if self.promises:
            promise, queue = self.promises.pop(a % len(self.promises))
            end = promise.end
            known = [each.hook for each in self.handles if each.end is end and each.rank < promise.rank]
            broken = BrokenHook(FailedError(ON_PURPOSE))
            queue.resolve(_one_of([self._new_object(end), broken, *known], b))
            end.flush()

    def answer(self, a: int, b: int) -> None:
        """An object answers a call that it holds."""
        if self.held:
            end, call, incoming = self.held.pop(a % len(self.held))
            known = [each.hook for each in self.handles if each.end is end and each.rank < call.rank]
            if b % 8 == 0:
                incoming.fail(FailedError(ON_PURPOSE))
            else:
                self._give(incoming, _one_of([self._new_object(end), *known], b))
            end.flush()

    def drop_handle(self, a: int, b: int) -> None:
        """A handle is not in use any more."""
        if len(self.handles) > 4:
            del self.handles[4 + a % (len(self.handles) - 4)]

    def drop_call(self, a: int, b: int) -> None:
        """Nobody waits for a call any more."""
        calls = [call for call in self.calls.values() if call.pending is not None]
        if calls:
            call = _one_of(calls, a)
            pending, call.pending = call.pending, None
            if b % 2:
                assert pending is not None
                pending.drop()
            del pending
            call.end.flush()

    # ---- the end

    def finish(self) -> None:
        """Answer and resolve all that waits, and see that everything is as it must be; then let go of everything."""
        pump(*self.ends)
        while self.held or self.promises:
            self.answer(0, 1)
            self.resolve(0, 0)
            pump(*self.ends)
        self._check_calls()
        self._check_order()
        self.calls.clear()
        self.handles.clear()
        for end in self.ends:
            end.connection.bootstrap = None
        pump_all(*self.ends)
        assert [end.left for end in self.ends] == [{}, {}]

    def _check_calls(self) -> None:
        for call in self.calls.values():
            assert call.arrivals <= 1
            if call.pending is not None:
                assert call.pending.is_done, f"call {call.number} is lost"
                error = call.pending.error
                if error is None:
                    assert call.arrivals == 1
                elif self.ends[0].connection.error is None or not isinstance(error, DisconnectedError):
                    assert error.reason in EXPECTED

    def _check_order(self) -> None:
        place = {number: index for index, number in enumerate(self.arrived)}
        for made in self.orders:
            places = [place[number] for number in made if number in place]
            assert places == sorted(places), f"of the calls {made}, some overtook others"


OPERATIONS = ("arrive", "turn", "call", "build_upon", "promise", "resolve", "answer", "drop_handle", "drop_call")
"""The names of all that may happen."""


def _one_of(things: list[Any], choice: int) -> Any:
    return things[choice % len(things)]
