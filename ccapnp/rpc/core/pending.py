"""Calls that were made: their results to come, and the capabilities that will be in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional
from weakref import ref

from ccapnp.errors import FailedError, RpcError
from ccapnp.rpc.core.hooks import BrokenHook, Hook

if TYPE_CHECKING:
    from ccapnp.rpc.core.payload import Payload
    from ccapnp.rpc.core.promises import QueuedHook

__all__ = ["PendingCall", "failed"]

Callback = Callable[["PendingCall"], None]
Path = tuple[int, ...]

_NONE: dict[Any, Any] = {}
"""What calls have upon which nothing is built; it stays empty."""


class PendingCall:
    """A call in flight; of what is done, ``results`` or ``error`` is there.

    Whoever wants the results holds it.  It is canceled when nobody does, not even a capability that is built upon it;
    or by `drop`, which does not wait for Python to notice.
    """

    __slots__ = (
        "__weakref__",
        "_callbacks",
        "_inner",
        "_pipelines",
        "_published",
        "_resolved",
        "error",
        "on_adopt",
        "results",
    )

    def __init__(self) -> None:
        self.on_adopt: Optional[Callback] = None
        """Called with another call whose results this one is going to have."""
        self.results: Optional[Payload] = None
        self.error: Optional[RpcError] = None
        self._callbacks: tuple[Callback, ...] = ()
        self._inner: Optional[PendingCall] = None
        self._published: Optional[Payload] = None
        self._pipelines: dict[Path, ref[Any]] = _NONE
        self._resolved: dict[Path, Hook] = _NONE

    @property
    def is_done(self) -> bool:
        """Whether there are results, or an error."""
        return self.results is not None or self.error is not None

    def when_done(self, callback: Callback) -> None:
        """``callback(call)``, at once or later."""
        if self.results is not None or self.error is not None:
            callback(self)
        else:
            self._callbacks += (callback,)

    def hurry(self) -> None:
        """Somebody waits, and may do nothing else until the results are there."""

    def pipeline(self, path: Path) -> Hook:
        """The capability to which a path of pointer fields of the results leads, which need not be there yet."""
        if path in self._resolved:  # calls that were made before may be on a longer way than those to come
            return self._resolved[path].innermost()
        if self.results is not None:
            return self.results.capability_at(path).innermost()
        if self.error is not None:
            return BrokenHook(self.error)
        if self._published is not None:
            return self._published.capability_at(path).innermost()
        if self._inner is not None:
            return self._inner.pipeline(path)
        known = self._pipelines.get(path)
        hook = None if known is None else known()
        if hook is None:
            hook = self._new_pipeline(path)
            if not self._pipelines:
                self._pipelines = {}
            self._pipelines[path] = ref(hook)
        return hook  # type: ignore[no-any-return]

    def _new_pipeline(self, path: Path) -> Any:
        from ccapnp.rpc.core.promises import QueuedHook

        return QueuedHook(self)

    def _live_pipelines(self) -> list[tuple[Path, QueuedHook]]:
        """The capabilities that were built upon this and are still in use."""
        found = ((path, known()) for path, known in self._pipelines.items())
        return [(path, hook) for path, hook in found if hook is not None]

    def _resolve_pipelines(self, find: Callable[[Path], Hook]) -> None:
        for path, hook in self._live_pipelines():
            hook.resolve(find(path))
            if not self._resolved:
                self._resolved = {}
            self._resolved[path] = hook
        self._pipelines = _NONE

    # ---- for whoever gives the results

    def complete(self, results: Payload) -> None:
        """Have these results."""
        if self.results is None and self.error is None:
            self.results = results
            if self._pipelines:
                self._resolve_pipelines(results.capability_at)
            self._done()

    def fail(self, error: RpcError) -> None:
        """Have failed."""
        if self.results is None and self.error is None:
            self.error = error
            if self._pipelines:
                broken = BrokenHook(error)
                self._resolve_pipelines(lambda path: broken)
            self._done()

    def _done(self) -> None:
        callbacks, self._callbacks = self._callbacks, ()
        self._inner = self.on_adopt = None
        for callback in callbacks:
            callback(self)

    def adopt(self, inner: PendingCall) -> None:
        """Have the results of another call, and from now on its capabilities."""
        if self.is_done:
            return
        self._inner = inner
        if self._pipelines:
            self._resolve_pipelines(inner.pipeline)
        if self.on_adopt is not None:
            self.on_adopt(inner)
        inner.when_done(_Forward(self))

    def publish(self, results: Payload) -> None:
        """Let what is built upon this call be of these results, although it goes on."""
        if not self.is_done and self._published is None:
            self._published = results
            self._resolve_pipelines(results.capability_at)

    # ---- for whoever made the call

    def drop(self) -> None:
        """Say that nobody waits for the results: the call is canceled, unless something is built upon it."""
        if not self.is_done and not self._live_pipelines():
            self.cancel()
            self.fail(FailedError("the call was canceled"))

    def abandon(self, error: RpcError) -> None:
        """Fail, and cancel what this waits for."""
        inner = self._inner
        self.fail(error)
        self._inner = inner
        self.cancel()

    def cancel(self) -> None:
        """Have whoever works on it stop."""
        if self._inner is not None:
            self._inner.drop()


class _Forward:
    """Passes on what another call gives, without keeping the receiver alive."""

    __slots__ = ("_to",)

    def __init__(self, to: PendingCall) -> None:
        self._to = ref(to)

    def __call__(self, inner: PendingCall) -> None:
        call = self._to()
        if call is None:
            return
        if inner.results is not None:
            call.complete(inner.results)
        else:
            call.fail(inner.error or FailedError("the call gave nothing"))


def failed(error: RpcError) -> PendingCall:
    """A call that failed at once."""
    call = PendingCall()
    call.error = error
    return call
