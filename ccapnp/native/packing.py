"""Packing and unpacking in one crossing: a whole message, or what was read of one from a file.

Each function gives ``None`` where the shim leaves the work, or the words for what is wrong, to `ccapnp.pure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ccapnp.native._lib import ffi, lib
from ccapnp.pure import packed_reader, packing
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS

__all__ = ["PackedReader", "pack", "unpack_message"]

_UNUSUAL = (BufferError, OverflowError, TypeError, ValueError)
_NO_LIMIT = 2**64 - 1


def pack(pieces: Sequence[Any]) -> Optional[bytes]:
    """The pieces of a message, each packed for itself."""
    try:
        views = [ffi.from_buffer(piece) for piece in pieces]
    except _UNUSUAL:
        return None
    packed = lib.ccp_pack(views, [len(view) for view in views], len(views))
    if not packed:
        return None
    try:
        data: bytes = ffi.unpack(packed.bytes, packed.size)
        return data
    finally:
        lib.ccp_free(packed)


def unpack_message(data: Any, limit_words: Optional[int], start: int) -> Optional[tuple[list[memoryview], int]]:
    """(segments, end) of the packed message at byte ``start`` of a buffer.  Each segment is `bytes` of its own."""
    limit = _NO_LIMIT if limit_words is None else min(limit_words, _NO_LIMIT)
    try:
        view = ffi.from_buffer(data)
        message = lib.ccp_unpack(view, len(view), start, limit)
    except _UNUSUAL:
        return None
    if not message:
        return None
    try:
        position = message.bytes
        if message.count == 1:
            return [memoryview(ffi.unpack(position, message.sizes[0] << 3))], message.end
        segments = []
        for words in ffi.unpack(message.sizes, message.count):
            segments.append(memoryview(ffi.unpack(position, words << 3)))
            position += words << 3
        return segments, message.end
    finally:
        lib.ccp_free(message)


def expand(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    """As `ccapnp.pure.packing.expand`."""
    made = lib.ccp_expand(packed, len(packed), position, want_bytes)
    if not made:
        return packing.expand(packed, position, want_bytes, words)
    try:
        words.append(ffi.unpack(made.bytes, made.size))
        return made.end, made.size
    finally:
        lib.ccp_free(made)


class PackedReader(packed_reader.PackedReader):
    """Reads packed messages from a source, of which it reads ahead of need."""

    __slots__ = ()
    expand = staticmethod(expand)

    def read_message(
        self, traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
    ) -> Optional[list[memoryview]]:
        """As of the base class; at once where all of the message has been read ahead."""
        unpacked = unpack_message(self._window, traversal_limit_in_words, self._position) if self._window else None
        if unpacked is None:
            return super().read_message(traversal_limit_in_words)
        segments, self._position = unpacked
        return segments
