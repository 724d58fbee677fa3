"""Packing and unpacking in one crossing: a whole message, or what was read of one from a file.

Each function gives ``None`` where the shim leaves the work, or the words for what is wrong, to `ccapnp.pure`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ccapnp.native._lib import ffi, lib
from ccapnp.pure import packed_reader, packing
from ccapnp.wire.framing import BYTES_PER_WORD, parse_table
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS

__all__ = ["PackedReader", "expand", "pack", "unpack", "unpack_message"]

_UNUSUAL = (BufferError, OverflowError, TypeError, ValueError)
_NO_LIMIT = 2**64 - 1
_from_buffer, _copied = ffi.from_buffer, ffi.unpack
_pack, _unpack, _expand, _free = lib.ccp_pack, lib.ccp_unpack, lib.ccp_expand, lib.ccp_free


def pack(pieces: Sequence[Any]) -> Optional[bytes]:
    """The pieces of a message, each packed for itself."""
    try:
        views = list(map(_from_buffer, pieces))
    except _UNUSUAL:
        return None
    packed = _pack(views, list(map(len, views)), len(views))
    if not packed:
        return None
    try:
        data: bytes = _copied(packed.bytes, packed.size)
        return data
    finally:
        _free(packed)


def unpack(data: Any, limit_words: Optional[int], start: int, most_bytes: int) -> Optional[tuple[bytes, int]]:
    """(framed messages, end) of the packed message at byte ``start`` of a buffer, and of more up to ``most_bytes``."""
    limit = _NO_LIMIT if limit_words is None else min(limit_words, _NO_LIMIT)
    try:
        view = data if data.__class__ is bytes else _from_buffer(data)
        made = _unpack(view, len(view), start, limit, most_bytes)
    except _UNUSUAL:
        return None
    if not made:
        return None
    try:
        return _copied(made.bytes, made.size), made.end
    finally:
        _free(made)


def unpack_message(data: Any, limit_words: Optional[int], start: int) -> Optional[tuple[list[memoryview], int]]:
    """(segments, end) of the packed message at byte ``start`` of a buffer.  Each segment is `bytes` of its own."""
    unpacked = unpack(data, limit_words, start, 0)
    if unpacked is None:
        return None
    segments, _ = parse_table(memoryview(unpacked[0]))
    return [memoryview(bytes(segment)) for segment in segments], unpacked[1]


def expand(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    """As `ccapnp.pure.packing.expand`."""
    made = _expand(packed, len(packed), position, want_bytes)
    if not made:
        return packing.expand(packed, position, want_bytes, words)
    try:
        words.append(_copied(made.bytes, made.size))
        return made.end, made.size
    finally:
        _free(made)


class PackedReader(packed_reader.PackedReader):
    """Reads packed messages from a source, of which it reads ahead of need."""

    __slots__ = ()
    expand = staticmethod(expand)

    def read_message(
        self, traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
    ) -> Optional[list[memoryview]]:
        """As of the base class; at once where all of the message is read with its first byte."""
        if self._position == len(self._window) and not self._fetch(BYTES_PER_WORD):
            return None
        unpacked = unpack_message(self._window, traversal_limit_in_words, self._position)
        if unpacked is None:
            return super().read_message(traversal_limit_in_words)
        segments, self._position = unpacked
        self._give_back()
        return segments
