"""A call whose parameters are built in place before it is made."""

from __future__ import annotations

from typing import Any

from ccapnp.errors import FailedError

__all__ = ["request_class", "send"]


def send(request: Any) -> Any:
    """Make the call, and give the promise of its results; FailedError the second time."""
    client, core = request._client, request._core
    if client is None:
        raise FailedError(f"this request of {request._method} has been sent already")
    request._client = request._core = None
    return client._send(core, request._promise)


def taken(request: Any) -> tuple[Any, Any]:
    """The hook and the request, to be sent by another way."""
    client, core = request._client, request._core
    if client is None:
        raise FailedError(f"this request of {request._method} has been sent already")
    request._client = request._core = None
    return client._hook, core


def request_class(method: Any, promise: Any) -> Any:
    """The class of builders of a method's parameters that can be sent."""
    builder = method.params_type.Builder
    namespace: dict[str, Any] = {
        "__slots__": ("_client", "_core"),
        "__module__": method.interface.__module__,
        "_method": method,
        "_promise": promise,
    }
    if not hasattr(builder, "send"):  # a parameter of that name wins
        namespace["send"] = send
    made = type("Request", (builder,), namespace)
    made.__qualname__ = f"{method}.Request"
    return made


def new_request(made: Any, client: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """A request of that class to a client, with some parameters set."""
    core, params = made._method.begin()
    made._method.fill(params, positional, named)
    request = made()
    request._c, request._w = params._c, params._w
    request._client, request._core = client, core
    return request
