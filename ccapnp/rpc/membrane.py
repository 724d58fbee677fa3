"""Membranes: whatever capability passes one is wrapped in it, and a policy has a say in each call through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional
from weakref import WeakKeyDictionary, ref

from ccapnp.errors import FailedError, RpcError
from ccapnp.rpc.classes.client import hook_of
from ccapnp.rpc.core.errors import error_of
from ccapnp.rpc.core.hooks import BrokenHook, Hook
from ccapnp.rpc.core.payload import Payload
from ccapnp.rpc.core.pending import PendingCall, failed
from ccapnp.rpc.core.request import Request
from ccapnp.rpc.outer_calls import OuterCalls
from ccapnp.types.interface import Interface
from ccapnp.types.struct_view import as_builder

if TYPE_CHECKING:
    from ccapnp.types.struct_view import StructView

__all__ = ["MembranePolicy", "copy_into_membrane", "copy_out_of_membrane", "membrane", "reverse_membrane"]


class MembranePolicy:
    """What passes a membrane: derive from it, and override the two methods.

    Each gets the ids of the interface and the method, and a client of the target, and gives ``None`` to let the call
    pass, or a client or server that is called in its place.  What it raises is what the call fails with.  A call that
    goes elsewhere is not one through the membrane: its capabilities are not wrapped.
    """

    _error: Optional[RpcError] = None

    def inbound_call(self, interface_id: int, method_id: int, target: Any) -> Any:
        """A call from outside of something inside."""
        return None

    def outbound_call(self, interface_id: int, method_id: int, target: Any) -> Any:
        """A call from inside of something outside."""
        return None

    def revoke(self, error: Optional[BaseException] = None) -> None:
        """Have all calls through the membrane fail, those in flight, too."""
        self._error = FailedError("the membrane was revoked") if error is None else error_of(error)
        self._state.calls.fail(self._error)

    @property
    def _state(self) -> _State:
        return self.__dict__.setdefault("_membrane_state", _State())  # type: ignore[no-any-return]


class _State:
    """What a membrane knows: the calls through it, and the hook for each capability, by direction."""

    def __init__(self) -> None:
        self.calls = OuterCalls()
        self.wrapped: tuple[WeakKeyDictionary[Hook, ref[_MembraneHook]], ...] = (
            WeakKeyDictionary(),
            WeakKeyDictionary(),
        )


def _wrap(hook: Hook, policy: MembranePolicy, is_reverse: bool) -> Hook:
    """A capability as it is on the other side: of one inside, as seen outside; the other way if ``is_reverse``."""
    hook = hook.innermost()
    if isinstance(hook, BrokenHook):
        return hook
    if isinstance(hook, _MembraneHook) and hook.policy is policy and hook.is_reverse != is_reverse:
        return hook.inner
    known = policy._state.wrapped[is_reverse]
    found = known.get(hook)
    made = None if found is None else found()
    if made is None:
        made = _MembraneHook(hook, policy, is_reverse)
        known[hook] = ref(made)
    return made


class _MembraneHook(Hook):
    """A capability on the other side of a membrane."""

    __slots__ = ("inner", "is_reverse", "policy")

    def __init__(self, inner: Hook, policy: MembranePolicy, is_reverse: bool) -> None:
        self.inner = inner
        self.policy = policy
        self.is_reverse = is_reverse

    @property
    def is_promise(self) -> bool:  # type: ignore[override]
        return self.inner.innermost().is_promise

    def innermost(self) -> Hook:
        inner = self.inner.innermost()
        return self if inner is self.inner else _wrap(inner, self.policy, self.is_reverse)

    def when_resolved(self, callback: Callable[[Hook], None]) -> None:
        self.inner.when_resolved(lambda found: callback(_wrap(found, self.policy, self.is_reverse)))

    def call(self, request: Request) -> PendingCall:
        policy = self.policy
        if policy._error is not None:
            return failed(policy._error)
        decide = policy.outbound_call if self.is_reverse else policy.inbound_call
        try:
            elsewhere = decide(request.interface_id, request.method_id, Interface._client(self.inner))
            if elsewhere is not None:
                return hook_of(elsewhere).innermost().call(request)
            params = _wrapped(request.params, policy, not self.is_reverse)
        except Exception as error:  # noqa: BLE001  # it is what the call fails with
            return failed(error_of(error))
        inside = Request(request.interface_id, request.method_id, params, request.is_streaming)
        return policy._state.calls.add(_MembraneCall(self.inner.innermost().call(inside), policy, self.is_reverse))


class _MembraneCall(PendingCall):
    """A call through a membrane."""

    __slots__ = ("_inner_call", "_is_reverse", "_policy")

    def __init__(self, inner: PendingCall, policy: MembranePolicy, is_reverse: bool) -> None:
        super().__init__()
        self._inner_call = inner
        self._policy = policy
        self._is_reverse = is_reverse
        me = ref(self)

        def forward(done: PendingCall) -> None:
            call = me()
            if call is not None:
                call._forward(done)

        inner.when_done(forward)

    def _forward(self, done: PendingCall) -> None:
        if done.results is None:
            self.fail(done.error or FailedError("the call gave nothing"))
            return
        try:
            self.complete(_wrapped(done.results, self._policy, self._is_reverse))
        except Exception as error:  # noqa: BLE001  # of results that cannot be copied
            self.fail(error_of(error))

    def pipeline(self, path: tuple[int, ...]) -> Hook:
        if self.is_done:
            return super().pipeline(path)
        return _wrap(self._inner_call.pipeline(path), self._policy, self._is_reverse)

    def cancel(self) -> None:
        self._inner_call.drop()


def _wrapped(payload: Payload, policy: MembranePolicy, is_reverse: bool) -> Payload:
    """The same payload with its capabilities as they are on the other side."""
    return payload.with_caps(lambda hook: _wrap(hook, policy, is_reverse))


def _wrap_table(builder: Any, policy: MembranePolicy, is_reverse: bool) -> None:
    table = getattr(builder._c.arena, "caps", [])
    table[:] = [None if hook is None else _wrap(hook, policy, is_reverse) for hook in table]


def membrane(target: Any, policy: MembranePolicy, interface: Any = None) -> Any:
    """A client for those outside of a capability that is inside."""
    return (interface or target._interface)._client(_wrap(hook_of(target), policy, is_reverse=False))


def reverse_membrane(target: Any, policy: MembranePolicy, interface: Any = None) -> Any:
    """A client for those inside of a capability that is outside."""
    return (interface or target._interface)._client(_wrap(hook_of(target), policy, is_reverse=True))


def copy_out_of_membrane(view: StructView, policy: MembranePolicy) -> Any:
    """A copy for those outside of a struct from inside, whose capabilities are wrapped."""
    made = as_builder(view)
    _wrap_table(made, policy, is_reverse=False)
    return made


def copy_into_membrane(view: StructView, policy: MembranePolicy) -> Any:
    """A copy for those inside of a struct from outside."""
    made = as_builder(view)
    _wrap_table(made, policy, is_reverse=True)
    return made
