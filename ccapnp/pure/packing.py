"""Packing, which leaves out zero bytes, over whole buffers of words (https://capnproto.org/encoding.html#packing).

Each word becomes a *token*: a tag byte, whose bit ``i`` says that byte ``i`` of the word is not zero, and then those
bytes.  After tag 0x00 comes a count of further zero words, after tag 0xff (and its eight bytes) a count of further
words that are copied as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ccapnp.errors import EncodeError, LimitError, TruncatedError
from ccapnp.pure.tokens import MOST_PACKED_BYTES_PER_WORD, SIZES, missing_bytes
from ccapnp.wire.framing import BYTES_PER_WORD, byte_view

if sys.implementation.name == "pypy":
    from ccapnp.pure.packing_loops import expand, pack_words
else:
    from ccapnp.pure.packing_rows import expand, pack_words

__all__ = [
    "expand",
    "pack",
    "pack_message",
    "unpack",
    "unpacked_size_in_words",
]


def pack(data: Any) -> bytes:
    """Pack one piece, any buffer of whole words, byte for byte as capnp/serialize-packed.c++ does.

    At most `MOST_PACKED_BYTES_PER_WORD` bytes come out for eight.  Raises EncodeError where ``data`` is not a whole
    number of words.
    """
    view = byte_view(data)
    if len(view) % BYTES_PER_WORD:
        raise EncodeError(f"{len(view)} bytes are not a whole number of words")
    return pack_words(view)


def pack_message(pieces: Iterable[Any]) -> bytes:
    """Pack a message given as its segment table and its segments; no run goes from one piece into the next."""
    return b"".join([pack(piece) for piece in pieces])


_WINDOW_BYTES = 1 << 14
"""What is unpacked at a time, so that the list of words never takes much more memory than the words themselves."""


def unpack(data: Any, limit_words: int | None = None) -> bytes:
    """Unpack a whole buffer; the encoding need not be the one that `pack` would choose.

    Raises TruncatedError where ``data`` ends inside a token, and LimitError where more than ``limit_words`` words
    (None: any number) would come out, before memory is taken for them.
    """
    view = byte_view(data)
    most_bytes = sys.maxsize if limit_words is None else BYTES_PER_WORD * limit_words
    unpacked: list[bytes] = []
    total = start = 0
    rest = b""
    while start < len(view):
        window = rest + bytes(view[start : start + _WINDOW_BYTES])
        start += _WINDOW_BYTES
        words: list[bytes] = []
        position, made = expand(window, 0, most_bytes - total + 1, words)
        total += made
        if total > most_bytes:
            raise LimitError(f"the packed data make more than {limit_words} words", option="traversal_limit_in_words")
        unpacked.append(b"".join(words))
        rest = window[position:]
    if rest:
        raise TruncatedError(
            f"the packed data end inside a token, after {len(view)} bytes",
            needed=len(view) + missing_bytes(rest),
            available=len(view),
        )
    return b"".join(unpacked)


def unpacked_size_in_words(data: Any) -> int:
    """How many words packed ``data`` make; none are made.  Raises TruncatedError where ``data`` end inside a token."""
    packed = bytes(byte_view(data))
    words = position = 0
    while position < len(packed):
        token = packed[position : position + MOST_PACKED_BYTES_PER_WORD]
        size = SIZES[token[0]]
        run = token[size - 1] if token[0] in (0, 0xFF) and len(token) >= size else 0
        words += 1 + run
        position += size + (8 * run if token[0] else 0)
    if position > len(packed):
        raise TruncatedError("invalid packed data: they end inside a token", needed=position, available=len(packed))
    return words
