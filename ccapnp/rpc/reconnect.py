"""Capabilities that are connected anew when their connection is lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import DisconnectedError
from ccapnp.rpc.classes.client import hook_of
from ccapnp.rpc.core.errors import error_of
from ccapnp.rpc.core.hooks import BrokenHook, Hook, when_settled
from ccapnp.rpc.core.pending import PendingCall

if TYPE_CHECKING:
    from ccapnp.rpc.core.request import Request

__all__ = ["auto_reconnect", "reset_connection"]


class _ReconnectHook(Hook):
    """Calls the newest capability that ``connect`` gave; one generation of it follows the other."""

    __slots__ = ("_connect", "_current", "_generation")

    def __init__(self, connect: Callable[[], Any]) -> None:
        self._connect = connect
        self._current: Optional[Hook] = None
        self._generation = 0

    def connect(self) -> Hook:
        """The capability of this generation."""
        if self._current is None:
            try:
                hook = self._current = hook_of(self._connect())
            except Exception as error:  # noqa: BLE001  # it is what calls fail with, until it works
                return BrokenHook(error_of(error))
            when_settled(hook, partial(self._look_at, hook))
            return hook
        return self._current

    def _look_at(self, hook: Hook, settled: Hook) -> None:
        """Try again with the next call if there was nothing to connect to."""
        if isinstance(settled, BrokenHook) and hook is self._current:
            self._current = None

    def reset(self) -> None:
        """Begin the next generation with the next call."""
        self._current = None
        self._generation += 1

    def call(self, request: Request) -> PendingCall:
        call = self.connect().innermost().call(request)
        generation = self._generation

        def look(done: PendingCall) -> None:
            if isinstance(done.error, DisconnectedError) and generation == self._generation:
                self.reset()

        call.when_done(look)
        return call


def auto_reconnect(interface: Any, connect: Callable[[], Any], *, lazy: bool = False) -> Any:
    """A client of the capability that ``connect()`` gives: a client, or an awaitable of one.

    It is called at once, or if ``lazy`` with the first call; and anew with the next call when it has failed, or a call
    has, with a DisconnectedError, which its caller gets all the same.  Calls in flight finish where they are.
    """
    hook = _ReconnectHook(connect)
    if not lazy:
        hook.connect()
    return interface._client(hook)


def reset_connection(client: Any) -> None:
    """Have a client of `auto_reconnect` connect anew with its next call."""
    hook = client._hook
    if not isinstance(hook, _ReconnectHook):
        raise TypeError(f"{client!r} was not made by auto_reconnect")
    hook.reset()
