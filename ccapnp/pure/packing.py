"""Packing, which leaves out zero bytes, over whole buffers of words (https://capnproto.org/encoding.html#packing).

Each word becomes a *token*: a tag byte, whose bit ``i`` says that byte ``i`` of the word is not zero, and then those
bytes.  After tag 0x00 comes a count of further zero words, after tag 0xff (and its eight bytes) a count of further
words that are copied as they are.

Both directions leave the work per byte to the C code of `bytes`:

- To pack, lay the words out in rows of nine bytes, the tag in front; `bytes.translate` deletes the zero bytes of all
  rows at once, and only the runs (tags 0x00 and 0xff), found by a regular expression over the tags, are written one
  by one.
- To unpack a token, use it as a translation table: the tag chooses a string of eight indexes into the token, with 255
  for a zero byte, and `bytes.translate` looks all eight up.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

from ccapnp.errors import EncodeError, LimitError, TruncatedError
from ccapnp.wire.framing import BYTES_PER_WORD, byte_view

__all__ = [
    "MOST_PACKED_BYTES_PER_WORD",
    "expand",
    "missing_bytes",
    "pack",
    "pack_message",
    "unpack",
    "unpacked_size_in_words",
]

MOST_PACKED_BYTES_PER_WORD = 10

_BYTES = [bytes([value]) for value in range(256)]
_ZERO = b"\x00"
_ZERO_WORD = bytes(8)
_MOST_WORDS_PER_RUN = 256

_FEW_WORDS = 24
"""Up to this many words are packed faster one by one than in rows."""

_ROWS_AT_ONCE = 8192
"""What is packed in rows at a time: small enough for the processor's cache, and much more than a run."""

_BIT_OF_BYTE = [_ZERO + bytes([1 << index]) * 255 for index in range(8)]
"""For each byte of a word, the translation of its value to its bit in the tag."""

_IS_NOT_ZERO = _ZERO + b"\x01" * 255
_TAG = {bytes(tag >> bit & 1 for bit in range(8)): _BYTES[tag] for tag in range(256)}
"""The tag of a word, by the word translated with `_IS_NOT_ZERO`."""

_ONE_ZERO_AT_MOST = re.escape(bytes(0xFF ^ 1 << bit for bit in range(8)) + b"\xff")
_RUN = re.compile(b"\x00{1,256}|\xff[" + _ONE_ZERO_AT_MOST + b"]{0,255}")
"""In a string of tags: a run of zero words, or of words that are cheaper to copy than to pack."""

_SIZE = [2] + [1 + bin(tag).count("1") for tag in range(1, 255)] + [MOST_PACKED_BYTES_PER_WORD]
"""The size of a token by its tag; for 0xff, without the words that follow the count."""

_ZEROS = [bytes(8 * (count + 1)) for count in range(256)]


def _indexes(tag: int) -> bytes:
    """Where each byte of a word stands in its token; 255 stands for a byte that is zero."""
    return bytes(bin(tag & (2 << bit) - 1).count("1") if tag >> bit & 1 else 255 for bit in range(8))


_INDEXES = [_indexes(tag) for tag in range(256)]


def pack(data: Any) -> bytes:
    """Pack one piece, any buffer of whole words, byte for byte as capnp/serialize-packed.c++ does.

    At most `MOST_PACKED_BYTES_PER_WORD` bytes come out for eight.  Raises EncodeError where ``data`` is not a whole
    number of words.
    """
    view = byte_view(data)
    words, rest = divmod(len(view), BYTES_PER_WORD)
    if rest:
        raise EncodeError(f"{len(view)} bytes are not a whole number of words")
    packed: list[bytes] = []
    start = 0
    while words - start > _FEW_WORDS:
        end = min(start + _ROWS_AT_ONCE, words)
        chunk = bytes(view[BYTES_PER_WORD * start : BYTES_PER_WORD * end])
        start += _pack_rows(chunk, packed, is_last=end == words)
    _pack_words(bytes(view[BYTES_PER_WORD * start :]), packed)
    return b"".join(packed)


def pack_message(pieces: Iterable[Any]) -> bytes:
    """Pack a message given as its segment table and its segments; no run goes from one piece into the next."""
    return b"".join([pack(piece) for piece in pieces])


def _pack_rows(data: bytes, packed: list[bytes], is_last: bool) -> int:
    """Pack the words of ``data`` and return how many: without ``is_last``, a run at its end may go on and is left."""
    words = len(data) // BYTES_PER_WORD
    tags = _tags(data, words)
    columns = bytearray(9 * words)
    columns[0::9] = tags
    for index in range(8):
        columns[index + 1 :: 9] = data[index::8]
    rows = bytes(columns)
    add = packed.append
    done = 0
    for run in _RUN.finditer(tags):
        start, end = run.span()
        if start > done:
            add(rows[9 * done : 9 * start].translate(None, _ZERO))
        if end == words and not is_last:
            return start
        if tags[start]:
            add(b"\xff" + data[8 * start : 8 * start + 8] + _BYTES[end - start - 1] + data[8 * start + 8 : 8 * end])
        else:
            add(_ZERO + _BYTES[end - start - 1])
        done = end
    add(rows[9 * done :].translate(None, _ZERO))
    return words


def _tags(data: bytes, words: int) -> bytes:
    """The tag of each word: byte by byte of a word, the bits of all words at once."""
    bits = 0
    for index in range(8):
        bits |= int.from_bytes(data[index::8].translate(_BIT_OF_BYTE[index]), "little")
    return bits.to_bytes(words, "little")


def _pack_words(data: bytes, packed: list[bytes]) -> None:
    """Pack the words of ``data`` one by one."""
    add = packed.append
    position, size = 0, len(data)
    while position < size:
        word = data[position : position + 8]
        position = start = position + 8
        kept = word.translate(None, _ZERO)
        if not kept:
            most = min(size, start + 8 * (_MOST_WORDS_PER_RUN - 1))
            while position < most and data[position : position + 8] == _ZERO_WORD:
                position += 8
            add(_ZERO + _BYTES[(position - start) // 8])
        elif len(kept) == 8:
            most = min(size, start + 8 * (_MOST_WORDS_PER_RUN - 1))
            while position < most and data.count(0, position, position + 8) < 2:
                position += 8
            add(b"\xff" + word + _BYTES[(position - start) // 8] + data[start:position])
        else:
            add(_TAG[word.translate(_IS_NOT_ZERO)] + kept)


def expand(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    """Unpack tokens from ``position`` on until they make ``want_bytes`` bytes or more, or no whole token is left.

    What they make is appended to ``words``.  Returns the position after them and the number of bytes they make, which
    goes past ``want_bytes`` only where a run does.  Zero words of any number take no memory here.
    """
    add = words.append
    size_of, indexes_of = _SIZE, _INDEXES
    size, made = len(packed), 0
    while made < want_bytes and position < size:
        tag = packed[position]
        end = position + size_of[tag]
        if end > size:
            break
        if 0 < tag < 255:
            add(indexes_of[tag].translate(packed[position:end].ljust(256, _ZERO)))
            made += 8
        elif tag:
            end += 8 * packed[end - 1]
            if end > size:
                break
            add(packed[position + 1 : position + 9])
            add(packed[position + 10 : end])
            made += end - position - 2
        else:
            zeros = _ZEROS[packed[position + 1]]
            add(zeros)
            made += len(zeros)
        position = end
    return position, made


def missing_bytes(token: bytes) -> int:
    """How many bytes are sure to follow in a token, of which these are the first; at least 1, given a part of one."""
    if not token:
        return 1
    size = _SIZE[token[0]]
    if token[0] == 0xFF and len(token) >= size:
        size += 8 * token[size - 1]
    return size - len(token)


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
        size = _SIZE[token[0]]
        run = token[size - 1] if token[0] in (0, 0xFF) and len(token) >= size else 0
        words += 1 + run
        position += size + (8 * run if token[0] else 0)
    if position > len(packed):
        raise TruncatedError("invalid packed data: they end inside a token", needed=position, available=len(packed))
    return words
