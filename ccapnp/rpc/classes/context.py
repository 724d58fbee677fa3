"""A call as the server's method has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeError, FailedError
from ccapnp.rpc.classes.promise import Promise
from ccapnp.rpc.classes.request import taken
from ccapnp.rpc.core.payload import BuiltPayload, Payload
from ccapnp.types.struct_view import StructBuilder

if TYPE_CHECKING:
    from ccapnp.rpc.classes.methods import Method
    from ccapnp.rpc.core.local import IncomingCall

__all__ = ["CallContext"]


class CallContext:
    """The parameters and results of a call, and what else a server's method can do with it."""

    __slots__ = ("_incoming", "_method", "_params", "_payload", "_results")

    def __init__(self, incoming: IncomingCall, method: Method) -> None:
        self._incoming = incoming
        self._method = method
        self._params: Any = None
        self._results: Any = None
        self._payload: Optional[Payload] = None

    @property
    def params(self) -> Any:
        """A reader of the parameters; FailedError after `release_params`."""
        if self._params is None:
            if self._incoming.request is None:
                raise FailedError(f"the parameters of {self._method} have been released")
            self._params = self._incoming.request.params.read(self._method.params_type)
        return self._params

    def release_params(self) -> None:
        """Free the message of the parameters, and the capabilities that came with it, before the call is done.

        It is kept as long as a reader of something in it is in use.
        """
        self._params = None
        self._incoming.request = None

    @property
    def results(self) -> Any:
        """The builder of the results, for a method that returns ``None``; it itself is ``None`` of a stream."""
        if self._payload is None:
            self._results = self._method.begin_results()
            self._payload = Payload() if self._results is None else BuiltPayload(self._results)
        return self._results

    def set_pipeline(self) -> None:
        """Let calls that are built upon the results go to the capabilities that are in them now.

        The method may go on for as long as it likes.
        """
        assert self.results is not None or self._payload is not None
        self._incoming.publish(self._payload)  # type: ignore[arg-type]

    def tail_call(self, call: Any) -> None:
        """Let the results be those of another call: a request, which this sends, or the promise of one.

        What the method returns, or does to the results, has no effect then.  A request to something that the caller has
        itself is not answered by way of this process.  EncodeError if results have been begun.
        """
        if self._payload is not None:
            raise EncodeError(f"the results of {self._method} have been begun, so that no tail call can give them")
        if isinstance(call, Promise):
            self._method.require_results_of(call)
            self._incoming.give(call._call)
        elif isinstance(call, StructBuilder) and hasattr(call, "_core"):
            self._method.require_results_of(call._promise)  # type: ignore[attr-defined]
            self._incoming.tail_call(*taken(call))
        else:
            raise TypeError(f"a tail call is a request or a promise, not a {type(call).__name__}")

    def allow_cancellation(self, allowed: bool = True) -> None:
        """Say whether the method's coroutine is canceled when nobody waits any more; it is by default."""
        self._incoming.may_cancel = allowed

    @property
    def connection(self) -> Any:
        """The `Connection` that the call came by; ``None`` of a call within this process."""
        origin = self._incoming.origin
        return None if origin is None else origin.owner

    @property
    def peer(self) -> Any:
        """The address of the caller, as of ``connection.peer``."""
        connection = self.connection
        return None if connection is None else connection.peer
