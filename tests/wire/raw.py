"""Messages written by hand, word by word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ccapnp
from ccapnp.wire.framing import framed_pieces
from ccapnp.wire.pointers import far_pointer, list_pointer, struct_pointer

__all__ = ["capability", "far", "frame", "lst", "root_of", "segment_sizes", "segments_of", "struct", "words"]


def words(*parts: Any) -> bytes:
    """One segment: numbers become words, texts are hexadecimal in memory order, bytes are filled up to a word."""
    made = b""
    for part in parts:
        if isinstance(part, int):
            made += part.to_bytes(8, "little")
        else:
            data = bytes.fromhex(part) if isinstance(part, str) else bytes(part)
            made += data + bytes(-len(data) % 8)
    return made


def frame(*segments: bytes) -> bytes:
    """A framed message of these segments."""
    return b"".join(framed_pieces(segments))


def root_of(*segments: bytes, **limits: Any) -> ccapnp.AnyPointerReader:
    """The root pointer of a message of these segments."""
    return ccapnp.MessageReader.from_segments(segments, **limits).root


# The four kinds of pointers, as numbers.


def struct(offset: int, data_words: int, pointers: int) -> int:
    return struct_pointer(offset, data_words, pointers)


def lst(offset: int, element_size: int, count: int) -> int:
    return list_pointer(offset, element_size, count)


def far(pad_word: int, segment: int, *, double: bool = False) -> int:
    return far_pointer(pad_word, segment, double=double)


def capability(index: int) -> int:
    return index << 32 | 3


def segments_of(builder: Any) -> list[bytes]:
    """A copy of the segments of a builder's message."""
    return [bytes(segment) for segment in builder.to_segments()]


def segment_sizes(builder: Any) -> list[int]:
    """Their sizes in words."""
    return [len(segment) >> 3 for segment in builder.to_segments()]


def hexes(segments: Iterable[bytes]) -> list[str]:
    """Segments as hexadecimal words, for a failure that a person can read."""
    return [segment.hex(" ", 8) for segment in segments]
