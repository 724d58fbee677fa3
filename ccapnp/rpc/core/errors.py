"""What is wrong with a peer, and what a call fails with."""

from __future__ import annotations

from ccapnp.errors import CapnpError, DisconnectedError, FailedError, RpcError, UnimplementedError

__all__ = ["ProtocolError", "error_of"]


class ProtocolError(CapnpError):
    """The peer did what the protocol does not allow, or went past a limit: it is told so, and cut off."""


def error_of(error: BaseException) -> RpcError:
    """What a call fails with for an exception: itself, or one of the kind that comes closest, with type and text."""
    if isinstance(error, RpcError):
        return error
    kind: type[RpcError] = FailedError
    if isinstance(error, NotImplementedError):
        kind = UnimplementedError
    elif isinstance(error, ConnectionError):
        kind = DisconnectedError
    text = str(error)
    made = kind(f"{type(error).__name__}: {text}" if text else type(error).__name__)
    made.__cause__ = error
    return made
