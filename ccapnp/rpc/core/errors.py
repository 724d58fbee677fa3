"""What is wrong with a peer."""

from __future__ import annotations

from ccapnp.errors import CapnpError

__all__ = ["ProtocolError"]


class ProtocolError(CapnpError):
    """The peer did what the protocol does not allow, or went past a limit: it is told so, and cut off."""
