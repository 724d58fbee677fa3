"""What a capability is underneath: something that can be called, here or at a peer, now or once it is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ccapnp.errors import FailedError, RpcError

if TYPE_CHECKING:
    from ccapnp.rpc.core.pending import PendingCall
    from ccapnp.rpc.core.request import Request

__all__ = ["NULL", "BrokenHook", "Hook", "when_settled"]


class Hook:
    """A capability.

    ``connection`` is the one whose peer has it, as far as that is known, and ``None`` for all else.
    """

    __slots__ = ("__weakref__",)

    connection: Any = None
    is_promise = False
    """Whether it will become another hook."""
    present: Any = None
    """What makes of a client that is read from a message what its reader is to get, if that is something else."""

    def call(self, request: Request) -> PendingCall:
        """Make a call.  Nothing that a user wrote runs before this returns; calls arrive in the order they are made."""
        raise NotImplementedError

    def innermost(self) -> Hook:
        """The hook that this one is known to have become, or itself."""
        return self

    def when_resolved(self, callback: Callable[[Hook], None]) -> None:
        """``callback(hook)``, at once or later, with the hook that a promise has become; never of what is none."""

    def fixed(self) -> Hook:
        """What stays at the peer, of a promise of the peer's, whatever that becomes."""
        return self


class BrokenHook(Hook):
    """A capability that there is not, and all calls of which fail with one error; null is such a one."""

    __slots__ = ("error", "is_null")

    def __init__(self, error: RpcError, is_null: bool = False) -> None:
        self.error = error
        self.is_null = is_null

    def call(self, request: Request) -> PendingCall:
        from ccapnp.rpc.core.pending import failed

        return failed(self.error)


NULL = BrokenHook(FailedError("Called null capability"), is_null=True)


def when_settled(hook: Hook, callback: Callable[[Hook], None]) -> None:
    """``callback(hook)``, at once or later, with what is no promise any more."""
    hook = hook.innermost()
    if hook.is_promise:
        hook.when_resolved(lambda found: when_settled(found, callback))
    else:
        callback(hook)
