"""Messages of any number of segments, and as they are framed."""

from __future__ import annotations

from ccapnp.wire.framing import framed_pieces

__all__ = ["ROOT", "framed", "message"]

ROOT = bytes.fromhex("0000000001000100")
"""A root pointer, to a struct of one word and one pointer, which is not there."""


def message(count: int) -> list[bytes]:
    """``count`` segments of different sizes."""
    return [(ROOT if index == 0 else b"") + bytes([index % 251 + 1]) * 8 * index for index in range(count)]


def framed(segments: list[bytes]) -> bytes:
    """The framed message of these segments."""
    return b"".join(framed_pieces(segments))
