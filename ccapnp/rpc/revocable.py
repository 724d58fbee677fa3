"""Capabilities that can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import FailedError, RpcError
from ccapnp.rpc.classes.client import hook_of
from ccapnp.rpc.core.errors import error_of
from ccapnp.rpc.core.hooks import Hook
from ccapnp.rpc.core.pending import PendingCall, failed
from ccapnp.rpc.outer_calls import OuterCalls

if TYPE_CHECKING:
    from ccapnp.rpc.core.request import Request

__all__ = ["Revoker", "revocable"]


class _RevocableHook(Hook):
    __slots__ = ("_calls", "_error", "_inner")

    def __init__(self, inner: Hook) -> None:
        self._inner: Optional[Hook] = inner
        self._error: Optional[RpcError] = None
        self._calls = OuterCalls()

    def call(self, request: Request) -> PendingCall:
        if self._inner is None:
            return failed(self._error or FailedError("revoked"))
        return self._calls.of(self._inner.innermost().call(request))

    def revoke(self, error: RpcError) -> None:
        if self._inner is not None:
            self._inner = None
            self._error = error
            self._calls.fail(error)


class Revoker:
    """Takes a capability back."""

    def __init__(self, hook: _RevocableHook) -> None:
        self._hook = hook

    @property
    def is_revoked(self) -> bool:
        """Whether it has been taken back."""
        return self._hook._inner is None

    def revoke(self, error: Optional[BaseException] = None) -> None:
        """Have calls in flight, and all calls from now on, fail with that error; the server is not referred to then."""
        self._hook.revoke(FailedError("the capability was revoked") if error is None else error_of(error))


def revocable(target: Any, interface: Any = None) -> tuple[Any, Revoker]:
    """A client for a server object, or for another client, and what takes it back."""
    made = interface or target._interface
    hook = _RevocableHook(hook_of(target))
    return made._client(hook), Revoker(hook)
