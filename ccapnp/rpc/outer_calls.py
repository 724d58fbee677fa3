"""Calls that are made by way of a hook which has a say in them."""

from __future__ import annotations

from weakref import WeakSet

from ccapnp.errors import RpcError
from ccapnp.rpc.core.pending import PendingCall

__all__ = ["OuterCalls"]


class OuterCalls:
    """Calls in flight, all of which can be made to fail."""

    def __init__(self) -> None:
        self._calls: WeakSet[PendingCall] = WeakSet()

    def add(self, call: PendingCall) -> PendingCall:
        """Have it among them until it is done."""
        if not call.is_done:
            self._calls.add(call)
            call.when_done(self._calls.discard)
        return call

    def of(self, inner: PendingCall) -> PendingCall:
        """A call among them with the results of another one."""
        outer = PendingCall()
        outer.adopt(inner)
        return self.add(outer)

    def fail(self, error: RpcError) -> None:
        """Have them fail; what they wait for is canceled."""
        for call in list(self._calls):
            call.abandon(error)
