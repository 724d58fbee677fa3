"""Packing and unpacking byte by byte, which is the fastest way where loops are compiled: on PyPy.

The result is that of `ccapnp.pure.packing`, where the encoding is explained.  What is done with each bit of a tag is
written out, since a loop over them takes four times as long.
"""

from __future__ import annotations

__all__ = ["expand", "pack_words"]

_MOST_RUN_BYTES = 8 * 255
_MOST_AT_ONCE_BYTES = 1 << 16


def pack_words(view: memoryview) -> bytes:
    """The tokens of whole words."""
    data = bytes(view)
    size = len(data)
    packed = bytearray(size // 8 * 10)
    position = end = 0
    while position < size:
        tag_at = end
        end += 1
        tag = 0
        if data[position]:
            packed[end] = data[position]
            end += 1
            tag |= 1
        if data[position + 1]:
            packed[end] = data[position + 1]
            end += 1
            tag |= 2
        if data[position + 2]:
            packed[end] = data[position + 2]
            end += 1
            tag |= 4
        if data[position + 3]:
            packed[end] = data[position + 3]
            end += 1
            tag |= 8
        if data[position + 4]:
            packed[end] = data[position + 4]
            end += 1
            tag |= 16
        if data[position + 5]:
            packed[end] = data[position + 5]
            end += 1
            tag |= 32
        if data[position + 6]:
            packed[end] = data[position + 6]
            end += 1
            tag |= 64
        if data[position + 7]:
            packed[end] = data[position + 7]
            end += 1
            tag |= 128
        packed[tag_at] = tag
        position += 8
        if tag in (0, 0xFF):
            start = position
            most = min(size, start + _MOST_RUN_BYTES)
            least, zeros = (8, 8) if tag == 0 else (0, 1)
            while position < most and least <= data.count(0, position, position + 8) <= zeros:
                position += 8
            packed[end] = (position - start) // 8
            end += 1
            if tag:
                packed[end : end + position - start] = data[start:position]
                end += position - start
    return bytes(packed[:end])


def expand(packed: bytes, position: int, want_bytes: int, words: list[bytes]) -> tuple[int, int]:
    """As `ccapnp.pure.packing.expand`."""
    made = 0
    while made < want_bytes:
        room = min(want_bytes - made + 7 & ~7, _MOST_AT_ONCE_BYTES)
        position, more = _expand_some(packed, position, room, words)
        made += more
        if more < room:
            break
    return position, made


def _expand_some(packed: bytes, position: int, room: int, words: list[bytes]) -> tuple[int, int]:
    made = bytearray(room)
    size = len(packed)
    end = 0
    while end < room and position < size:
        at = position
        tag = packed[at]
        at += 1
        if tag == 0:
            if at >= size:
                break
            end += 8 + 8 * packed[at]
            at += 1
        elif tag == 0xFF:
            if at + 9 > size:
                break
            run = 8 * packed[at + 8]
            if at + 9 + run > size:
                break
            made[end : end + 8] = packed[at : at + 8]
            made[end + 8 : end + 8 + run] = packed[at + 9 : at + 9 + run]
            end += 8 + run
            at += 9 + run
        else:
            if at + 8 > size and at + bin(tag).count("1") > size:
                break
            if tag & 1:
                made[end] = packed[at]
                at += 1
            if tag & 2:
                made[end + 1] = packed[at]
                at += 1
            if tag & 4:
                made[end + 2] = packed[at]
                at += 1
            if tag & 8:
                made[end + 3] = packed[at]
                at += 1
            if tag & 16:
                made[end + 4] = packed[at]
                at += 1
            if tag & 32:
                made[end + 5] = packed[at]
                at += 1
            if tag & 64:
                made[end + 6] = packed[at]
                at += 1
            if tag & 128:
                made[end + 7] = packed[at]
                at += 1
            end += 8
        position = at
    words.append(bytes(made[:end]) + bytes(max(0, end - len(made))))
    return position, end
