"""Servers: objects of a user's own whose methods are called by clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional
from weakref import ref

from ccapnp.errors import RpcError, UnimplementedError
from ccapnp.rpc.classes.handler import Handler
from ccapnp.rpc.classes.methods import Method, all_methods, derived, own_methods, superclasses
from ccapnp.rpc.core.local import IncomingCall, LocalHook
from ccapnp.rpc.loop import running_turns
from ccapnp.types.capability import Holder

__all__ = ["Server", "server_class", "this_cap"]

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

            def dispatch(incoming: IncomingCall) -> bool:
                request = incoming.request
                handler = handlers.get((request.interface_id, request.method_id))
                if handler is None:
                    incoming.fail(_unknown(self, request))
                    return False
                handler.begin(self, incoming, turns)
                return handler.is_streaming

            hook = LocalHook(self, turns, dispatch)
            self._known_hook = ref(hook)
        return hook


def _unknown(server: Server, request: Any) -> RpcError:
    name = type(server).__qualname__
    if any(key[0] == request.interface_id for key in _handlers(type(server))):
        return UnimplementedError(f"{name} has no method {request.method_id} in interface {request.interface_id:#018x}")
    return UnimplementedError(f"{name} does not implement the interface {request.interface_id:#018x}")


def _handlers(cls: Any) -> dict[_Key, Handler]:
    """What a class of servers handles: the methods of all interfaces that it has from its bases."""
    found: Optional[dict[_Key, Handler]] = cls.__dict__.get("_known_handlers")
    if found is None:
        found = {}
        interfaces = [base._interface for base in cls.__mro__ if base.__dict__.get("_interface") is not None]
        for interface in interfaces:
            for method in all_methods(interface):
                key = method.interface_id, method.method_id
                if key not in found:
                    found[key] = Handler(cls, method)
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
    methods = [] if is_bound else list(own_methods(interface))
    return derived("Server", bases or (Server,), namespace, methods, all_methods(interface)[::-1], _methods)


def _methods(methods: list[Method]) -> dict[str, Any]:
    return {method.name: _missing(method) for method in methods}


def _missing(method: Method) -> Callable[..., Any]:
    """What a server has for a method that it does not implement."""

    def missing(self: Any, /, **named: Any) -> Any:
        raise UnimplementedError(f"{type(self).__qualname__} does not implement {method}")

    missing.__name__ = method.name
    missing.__qualname__ = f"{method.interface.__qualname__}.Server.{method.name}"
    missing.__doc__ = f"{method.schema_name} of {method.interface.__qualname__}."
    missing._is_missing = True  # type: ignore[attr-defined]
    return missing
