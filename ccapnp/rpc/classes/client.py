"""Clients: capabilities as a user holds them, with a method for each of the interface's."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from ccapnp.errors import DisconnectedError, FailedError, did_you_mean, shown
from ccapnp.rpc.classes.methods import Method, all_methods, derived, own_methods, room_for, superclasses
from ccapnp.rpc.classes.promise import promise_class
from ccapnp.rpc.classes.request import new_request, request_class
from ccapnp.rpc.core.errors import error_of
from ccapnp.rpc.core.hooks import NULL, BrokenHook, Hook, when_settled
from ccapnp.rpc.core.local import LocalHook
from ccapnp.rpc.core.promises import QueuedHook
from ccapnp.rpc.core.request import Request
from ccapnp.rpc.loop import running_turns
from ccapnp.types.capability import Holder

__all__ = ["Client", "cast_as", "client_class", "close", "hook_of", "local_server", "resolved"]

_CLOSED = BrokenHook(DisconnectedError("this client is closed"))


def hook_of(target: Any) -> Hook:
    """The capability that a client or server is, or that an awaitable will give; of ``None``, null."""
    if isinstance(target, Hook):
        return target
    if isinstance(target, Holder):
        return target._entry()  # type: ignore[no-any-return]
    if target is None:
        return NULL
    if inspect.isawaitable(target):
        return _awaited(target)
    raise TypeError(f"{shown(target)} is neither a client, nor a server, nor an awaitable that gives one")


def _awaited(target: Awaitable[Any]) -> Hook:
    queue = QueuedHook()

    async def fulfill() -> None:
        try:
            queue.resolve(hook_of(await target))
        except asyncio.CancelledError:
            queue.resolve(BrokenHook(FailedError("what was to give the capability was canceled")))
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, it is what calls fail with
            queue.resolve(BrokenHook(error_of(error)))

    running_turns().workers.soon(fulfill)
    return queue


def cast_as(client: Client, interface: Any) -> Any:
    """The same capability as one of another interface, whether or not it is one."""
    return interface._client(client._hook)


def close(client: Client) -> None:
    """Have no more use for the capability: its calls fail.  (A client that is no longer referred to is closed, too.)"""
    client._hook = _CLOSED


async def resolved(client: Client) -> Any:
    """Wait until it is known what the capability is; RpcError if it is broken."""
    hook = await _settled(client._hook)
    if isinstance(hook, BrokenHook) and not hook.is_null:
        raise hook.error
    return client


async def local_server(client: Client) -> Any:
    """The server object behind a capability that is one of this process's, once it is known; else ``None``.

    All calls that were made before have begun then, streaming ones, too: what is done to the object comes after them.
    The capability's own error if it is broken.
    """
    hook = await _settled(client._hook)
    if isinstance(hook, BrokenHook) and not hook.is_null:
        raise hook.error
    if not isinstance(hook, LocalHook):
        return None
    reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    hook.when_reached(lambda: None if reached.done() else reached.set_result(None))
    await reached
    return hook.server


async def _settled(hook: Hook) -> Hook:
    future: asyncio.Future[Hook] = asyncio.get_running_loop().create_future()
    when_settled(hook, lambda found: None if future.done() else future.set_result(found))
    return await future


class Client(Holder):
    """A capability: ``target`` is a server, another client, or an awaitable that gives one of them.

    Its methods are those of the interface, each of which gives a `Promise`; ``<method>_request`` gives a builder of the
    parameters, to be sent later.  A method of the schema wins over one of this class, which also is a function of
    `ccapnp.rpc`.
    """

    __slots__ = ("__weakref__", "_hook")

    _interface: Any = None

    def __init__(self, target: Any) -> None:
        self._hook = target if isinstance(target, Hook) else hook_of(target)

    def _entry(self) -> Hook:
        return self._hook.innermost()

    def _send(self, request: Request, promise: Any) -> Any:
        """Make a call whose parameters were built, and give that promise of its results."""
        return promise._of(self._hook.innermost().call(request))

    cast_as = cast_as
    close = close
    local_server = local_server
    resolved = resolved

    def __enter__(self: Any) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        close(self)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__qualname__} has no method {name!r}{did_you_mean(name, dir(type(self)))}")

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a capability cannot be pickled: it belongs to a connection")


def _call(method: Method) -> Callable[..., Any]:
    made: Any = None

    def call(self: Any, /, *args: Any, **named: Any) -> Any:
        nonlocal made
        if made is None:
            made = promise_class(method)._of
        if args or named:
            request, params = method.begin(room_for((*args, *named.values())))
            method.fill(params, args, named)
        else:
            request = method.begin_without_parameters()
        return made(self._hook.innermost().call(request))

    return _named(call, method, method.name)


def _request(method: Method) -> Callable[..., Any]:
    made: Any = None

    def request(self: Any, /, *args: Any, **named: Any) -> Any:
        nonlocal made
        if made is None:
            made = request_class(method, promise_class(method))
        return new_request(made, self, args, named)

    request._gives_builder = True  # type: ignore[attr-defined]
    return _named(request, method, f"{method.schema_name}_request")


def _named(function: Any, method: Method, name: str) -> Callable[..., Any]:
    function.__name__ = name
    function.__qualname__ = f"{method.interface.__qualname__}.Client.{name}"
    function.__doc__ = f"{method.schema_name} of {method.interface.__qualname__}."
    return function  # type: ignore[no-any-return]


def client_class(interface: Any) -> Any:
    """The class of clients of an interface."""
    if "_node_id" not in interface.__dict__:
        return Client
    is_bound = interface._origin is not interface
    bases = (interface._origin._client,) if is_bound else tuple(each._client for each in superclasses(interface))
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__module__": interface.__module__,
        "__qualname__": f"{interface.__qualname__}.Client",
        "__doc__": interface.__doc__,
        "_interface": interface,
    }
    methods = all_methods(interface)[::-1] if is_bound else list(own_methods(interface))
    return derived("Client", bases or (Client,), namespace, methods, all_methods(interface)[::-1], _methods)


def _methods(methods: list[Method]) -> dict[str, Any]:
    requests = {f"{method.schema_name}_request": _request(method) for method in methods}
    return {**requests, **{method.name: _call(method) for method in methods}}
