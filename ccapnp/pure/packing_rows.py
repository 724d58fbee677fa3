"""Packing and unpacking in rows, one of nine bytes for each token: the fastest way where Python code is interpreted.

Nearly all the work is left to the C code of `bytes`, `int`, `re` and `struct`, for many words at a time.

- To pack, put each word into its row behind its tag; `bytes.translate` deletes the zero bytes of all rows at once, and
  only the runs (tags 0x00 and 0xff), found by a regular expression over the tags, are written one by one.
- To unpack, a regular expression cuts the input into tokens, and `struct` puts each into a row.  The rows' columns are
  large numbers, in which all bytes that have to move to the same other column do so together: by four, two and one, as
  the tags say.  The runs are put in afterwards.

The result is that of `ccapnp.pure.packing_loops`.
"""

from __future__ import annotations

import re
import struct
from functools import cache

from ccapnp.pure.tokens import SIZES, missing_bytes
from ccapnp.wire.framing import BYTES_PER_WORD

__all__ = ["expand", "pack_words"]

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

_ZEROS = [bytes(8 * count) for count in range(256)]


def _indexes(tag: int) -> bytes:
    """Where each byte of a word stands in its token; 255 stands for a byte that is zero."""
    return bytes(bin(tag & (2 << bit) - 1).count("1") if tag >> bit & 1 else 255 for bit in range(8))


_INDEXES = [_indexes(tag) for tag in range(256)]


# ---- packing


def pack_words(view: memoryview) -> bytes:
    """The tokens of whole words."""
    words = len(view) // BYTES_PER_WORD
    packed: list[bytes] = []
    start = 0
    while words - start > _FEW_WORDS:
        end = min(start + _ROWS_AT_ONCE, words)
        chunk = bytes(view[BYTES_PER_WORD * start : BYTES_PER_WORD * end])
        start += _pack_rows(chunk, packed, is_last=end == words)
    _pack_words(bytes(view[BYTES_PER_WORD * start :]), packed)
    return b"".join(packed)


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


# ---- unpacking

_FEW_TOKENS = 32
"""Up to this many are unpacked faster one by one than in rows."""

_FEW_BYTES = 8 * _FEW_TOKENS
_MOST_BYTES_AT_ONCE = 1 << 15
_MANY_RUNS = 0.04
"""With more bytes than this part that look like tags of runs, rows are not worth it."""

_RUN_TAG = re.compile(b"[\\x00\\xff]")
_HAS_BYTES = _ZERO + b"\xff" * 255


@cache
def _tokens() -> re.Pattern[bytes]:
    """What cuts packed bytes into tokens.  The last one may be cut off, or be more than one where such is in front."""
    likely_first = (4, 5, 3, 6, 2, 7, 8)
    tags = {size: bytes(tag for tag in range(1, 255) if SIZES[tag] == size) for size in likely_first}
    kinds = [b"[%b]" % re.escape(tags[size]) + b"." * (size - 1) for size in likely_first]
    copied = b"|".join(b"%b.{%d}" % (re.escape(_BYTES[count]), 8 * count) for count in range(256))
    return re.compile(b"|".join([*kinds, b"\x00.", b"\xff.{8}(?:%b)" % copied, b".+"]), re.DOTALL)


@cache
def _rows(count: int) -> struct.Struct:
    return struct.Struct("9s" * count)


@cache
def _moves() -> list[tuple[int, int, bytes]]:
    """(from, to, mask by tag) of all moves of a byte between columns, in their order."""
    masks: dict[tuple[int, int], bytearray] = {}
    for tag in range(256):
        places = [place for place in range(8) if tag >> place & 1]
        for start, place in enumerate(places):
            at = start
            for distance in (4, 2, 1):
                if place - start & distance:
                    masks.setdefault((distance, at), bytearray(256))[tag] = 0xFF
                    at += distance
    return [(at, at + distance, bytes(mask)) for (distance, at), mask in sorted(masks.items(), reverse=True)]


def expand(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    """Unpack tokens from ``position`` on until they make ``want_bytes`` bytes or more, or no whole token is left.

    What they make is appended to ``words``.  Returns the position after them and the number of bytes they make, which
    goes past ``want_bytes`` only where a run does.  Zero words of any number take no memory here.
    """
    made, start = 0, -1
    while made < want_bytes and position > start:
        start = position
        want = min(want_bytes - made, _MOST_BYTES_AT_ONCE)
        is_much = want > _FEW_BYTES and len(packed) - position > _FEW_BYTES
        position, more = (_expand_rows if is_much else _expand_one_by_one)(packed, position, want, words)
        made += more
    return position, made


def _expand_rows(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    """Unpack as many tokens as make ``want_bytes`` bytes without the copied words and zeros of runs, or fewer."""
    end = min(position + want_bytes, len(packed))
    if packed.count(_ZERO, position, end) + packed.count(b"\xff", position, end) > (end - position) * _MANY_RUNS:
        return _expand_one_by_one(packed, position, want_bytes, words)
    tokens: list[bytes] = _tokens().findall(packed, position, end)
    if missing_bytes(tokens[-1]):
        end -= len(tokens.pop())
    count = len(tokens)
    if count < _FEW_TOKENS:
        return _expand_one_by_one(packed, position, want_bytes, words)
    unpacked, tags = _unpacked_rows(tokens)
    done = run_bytes = 0
    for found in _RUN_TAG.finditer(tags):
        index = found.start()
        if 8 * index + run_bytes >= want_bytes:
            break
        token = tokens[index]
        run = token[10:] if token[0] else _ZEROS[token[1]]
        if run:
            words += (unpacked[8 * done : 8 * index + 8], run)
            run_bytes += len(run)
            done = index + 1
    used = min(count, max(done, want_bytes - run_bytes + 7 >> 3))
    words.append(unpacked[8 * done : 8 * used])
    return end - sum(map(len, tokens[used:])), 8 * used + run_bytes


def _unpacked_rows(tokens: list[bytes]) -> tuple[bytes, bytes]:
    """One word for each token, without the rest of a run; and the tags."""
    count = len(tokens)
    room = 1 << (count - 1).bit_length()
    rows = _rows(room).pack(*tokens, *[b""] * (room - count))
    tags = rows[: 9 * count : 9]
    columns = [_number(rows[place : 9 * count : 9]) for place in range(1, 9)]
    columns[0] &= _number(tags.translate(_HAS_BYTES))  # which a count of zero words is not among
    for start, end, mask in _moves():
        moving = columns[start] & _number(tags.translate(mask))
        columns[start] ^= moving
        columns[end] |= moving
    unpacked = bytearray(8 * count)
    for place, column in enumerate(columns):
        unpacked[place::8] = column.to_bytes(count, "little")
    return bytes(unpacked), tags


def _number(column: bytes) -> int:
    return int.from_bytes(column, "little")


def _expand_one_by_one(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    add = words.append
    size_of, indexes_of = SIZES, _INDEXES
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
            add(_ZERO_WORD)
            add(zeros)
            made += 8 + len(zeros)
        position = end
    return position, made
