"""A call that is to be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ccapnp.rpc.core.payload import Payload

__all__ = ["Request"]


class Request:
    """The method, its parameters, and how it is called.

    ``is_streaming`` says that it is a method declared as ``-> stream``.  ``origin`` is the connection that it came
    from, if it came from one: what is called on behalf of it there can have its results sent there at once, unless it
    ``is_awaited_here``, as a call is whose results the peer has us keep for a question of our own.
    """

    __slots__ = ("interface_id", "is_awaited_here", "is_streaming", "method_id", "origin", "params")

    def __init__(
        self,
        interface_id: int,
        method_id: int,
        params: Payload,
        is_streaming: bool = False,
        origin: Any = None,
        is_awaited_here: bool = False,
    ) -> None:
        self.interface_id = interface_id
        self.method_id = method_id
        self.params = params
        self.is_streaming = is_streaming
        self.origin = origin
        self.is_awaited_here = is_awaited_here
