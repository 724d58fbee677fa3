"""Servers: objects of a user's own whose methods are called by clients."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Optional
from weakref import ref

from ccapnp.errors import CapnpError, FailedError, RpcError, UnimplementedError
from ccapnp.rpc.classes.context import CallContext
from ccapnp.rpc.classes.methods import Method, all_methods, own_methods, superclasses
from ccapnp.rpc.classes.promise import Promise
from ccapnp.rpc.core.local import IncomingCall, LocalHook
from ccapnp.rpc.loop import LoopTurns, running_turns
from ccapnp.types.capability import Holder

__all__ = ["Server", "error_of", "server_class", "this_cap"]

_log = logging.getLogger("ccapnp.rpc")

_Key = tuple[int, int]


def this_cap(server: Server) -> Any:
    """A client of a server object, which keeps it alive."""
    return server._interface._client(server._entry())


class Server(Holder):
    """The base of servers.  A method is a function of the schema's name, ``async`` or not.

    It gets those parameters that it names, all if it has ``**kw``, and as ``_context`` a `CallContext`.  It gives the
    result, a tuple of all results, a dict or a message of them, the promise of another call, or ``None`` if it fills
    ``_context.results``.  A function ``<method>_context(self, context)`` gets the context alone.

    An `RpcError` that it raises arrives as what it is; any other exception as a `FailedError` with its type and text.
    Its coroutine is canceled if the caller goes away; see `CallContext.allow_cancellation`.
    """

    _interface: Any = None
    _known_hook: Optional[ref[LocalHook]] = None

    this_cap = this_cap

    def _entry(self) -> LocalHook:
        hook = None if self._known_hook is None else self._known_hook()
        if hook is None:
            handlers = _handlers(type(self))
            turns = running_turns()

            def dispatch(incoming: IncomingCall) -> None:
                request = incoming.request
                handler = handlers.get((request.interface_id, request.method_id))
                if handler is None:
                    incoming.fail(_unknown(self, request))
                else:
                    handler.begin(self, incoming, turns)

            def is_streaming(interface_id: int, method_id: int) -> bool:
                handler = handlers.get((interface_id, method_id))
                return handler is not None and handler.method.is_streaming

            hook = LocalHook(self, turns, dispatch, is_streaming)
            self._known_hook = ref(hook)
        return hook


def _unknown(server: Server, request: Any) -> RpcError:
    name = type(server).__qualname__
    if any(key[0] == request.interface_id for key in _handlers(type(server))):
        return UnimplementedError(f"{name} has no method {request.method_id} in interface {request.interface_id:#018x}")
    return UnimplementedError(f"{name} does not implement the interface {request.interface_id:#018x}")


def error_of(error: BaseException) -> RpcError:
    """The error that arrives at the caller for an exception of a server's method."""
    if isinstance(error, RpcError):
        return error
    kind = UnimplementedError if isinstance(error, NotImplementedError) else FailedError
    text = str(error)
    made = kind(f"{type(error).__name__}: {text}" if text else type(error).__name__)
    made.__cause__ = error
    return made


class _Handler:
    """How a class of servers handles one method."""

    def __init__(self, cls: type, method: Method) -> None:
        self.method = method
        in_context = f"{method.name}_context"
        self._with_context_alone = hasattr(cls, in_context)
        self._name = in_context if self._with_context_alone else method.name
        function = getattr(cls, self._name)
        self.is_implemented = not hasattr(function, "_is_missing")
        self._is_coroutine = inspect.iscoroutinefunction(function)
        names = () if self._with_context_alone else method.param_names
        try:
            parameters = inspect.signature(function).parameters
        except ValueError:  # of something written in C
            parameters = {"kw": inspect.Parameter("kw", inspect.Parameter.VAR_KEYWORD)}  # type: ignore[assignment]
        takes_all = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
        self._names = tuple(name for name in names if takes_all or name in parameters)
        self._wants_context = not self._with_context_alone and (takes_all or "_context" in parameters)

    def begin(self, server: Server, incoming: IncomingCall, turns: LoopTurns) -> None:
        """Begin a call."""
        context = CallContext(incoming, self.method)
        if self._is_coroutine:
            self._start(self._run, context, turns, server)
            return
        try:
            value = self._call(server, context)
            if inspect.isawaitable(value) and not isinstance(value, Promise):
                self._start(self._finish, context, turns, value)
            else:
                self._give(context, value)
        except Exception as error:  # noqa: BLE001  # it is for the caller
            self._fail(incoming, error)

    def _call(self, server: Server, context: CallContext) -> Any:
        if not self.is_implemented:
            raise UnimplementedError(f"{type(server).__qualname__} does not implement {self.method}")
        function = getattr(server, self._name)
        if self._with_context_alone:
            return function(context)
        named: dict[str, Any] = {}
        if self._names:
            params = context.params
            named = {name: getattr(params, name) for name in self._names}
        if self._wants_context:
            named["_context"] = context
        return function(**named)

    def _start(
        self, work: Callable[..., Coroutine[Any, Any, None]], context: CallContext, turns: LoopTurns, of: Any
    ) -> None:
        """Do the rest in a task, which is canceled with the call."""
        task = turns.start(work, of, context)
        incoming = context._incoming
        loop = asyncio.get_running_loop()

        def cancel() -> None:
            if context._may_cancel:
                loop.call_soon(task.cancel)  # after the coroutine has begun

        incoming.on_cancel = cancel

    async def _run(self, server: Server, context: CallContext) -> None:
        try:
            value = self._call(server, context)
        except Exception as error:  # noqa: BLE001  # it is for the caller
            self._fail(context._incoming, error)
        else:
            await self._finish(value, context)

    async def _finish(self, value: Awaitable[Any], context: CallContext) -> None:
        try:
            self._give(context, await value)
        except asyncio.CancelledError:
            self._fail(context._incoming, FailedError("the call was canceled"))
            raise
        except Exception as error:  # noqa: BLE001  # it is for the caller
            self._fail(context._incoming, error)

    def _give(self, context: CallContext, value: Any) -> None:
        incoming = context._incoming
        if incoming.is_done:
            return
        if isinstance(value, Promise):
            incoming.give(value._call)
        elif value is None and context._payload is not None:
            incoming.complete(context._payload)
        else:
            incoming.complete(self.method.results_of(value))

    def _fail(self, incoming: IncomingCall, error: Exception) -> None:
        if not incoming.is_done:
            origin = incoming.origin
            made = error_of(error)
            if origin is not None and origin.options.trace is not None:
                made.trace = origin.options.trace(error)
            if not isinstance(error, CapnpError):
                _log.debug("%s failed", self.method, exc_info=error)
            incoming.fail(made)


def _handlers(cls: Any) -> dict[_Key, _Handler]:
    """What a class of servers handles: the methods of all interfaces that it has from its bases."""
    found: Optional[dict[_Key, _Handler]] = cls.__dict__.get("_known_handlers")
    if found is None:
        found = {}
        interfaces = [base._interface for base in cls.__mro__ if base.__dict__.get("_interface") is not None]
        for interface in interfaces:
            for method in all_methods(interface):
                key = method.interface_id, method.method_id
                if key not in found:
                    found[key] = _Handler(cls, method)
        cls._known_handlers = found
    return found


def server_class(interface: Any) -> Any:
    """The class of servers of an interface."""
    if "_node_id" not in interface.__dict__:
        return Server
    is_bound = interface._origin is not interface
    bases = (interface._origin._server,) if is_bound else tuple(each._server for each in superclasses(interface))
    namespace: dict[str, Any] = {
        "__module__": interface.__module__,
        "__qualname__": f"{interface.__qualname__}.Server",
        "__doc__": interface.__doc__,
        "_interface": interface,
    }
    if not is_bound:
        for method in own_methods(interface):
            namespace[method.name] = _missing(method)
    return type("Server", bases or (Server,), namespace)


def _missing(method: Method) -> Callable[..., Any]:
    """What a server has for a method that it does not implement."""

    def missing(self: Any, **named: Any) -> Any:
        raise UnimplementedError(f"{type(self).__qualname__} does not implement {method}")

    missing.__name__ = method.name
    missing.__qualname__ = f"{method.interface.__qualname__}.Server.{method.name}"
    missing.__doc__ = f"{method.schema_name} of {method.interface.__qualname__}."
    missing._is_missing = True  # type: ignore[attr-defined]
    return missing
