"""Messages that are mostly the same words: a call up to its parameters, results up to their content, and small ones.

To build each of them anew would take longer than all else that a call needs.  A *head* is built once, and then copied
with other numbers in it.  The content follows it as it is: it was built as a message of its own, of one segment, and
when the pointer to its root becomes that of the Payload, it leads a word further.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import Any, Optional

from ccapnp.rpc.core.payload import BuiltPayload, Payload
from ccapnp.wire.pointers import EMPTY_STRUCT

__all__ = ["Head", "content_of", "put_together"]

_SIZES = {1: "B", 2: "H", 4: "I", 8: "Q"}
_WORD = Packer("<Q")
_WORDS = Packer("<QQ")
_TABLE = Packer("<II")
_SHORT_BYTES = 1 << 12  # to copy so little takes less time than to make a view
_LOW = 0xFFFFFFFF
_EMPTY = EMPTY_STRUCT & _LOW


class Head:
    """The first words of a message, with a number left open for each name of ``fields``."""

    def __init__(self, message: Any, *fields: tuple[Any, str, int]) -> None:
        """``message`` is built; each field is its struct, its name, and its size in bytes."""
        self._words = message.to_bytes()[8:]
        self._sizes = [
            (Packer(f"<{_SIZES[size]}").pack_into, 8 + (view._w << 3) + view._type._access(name).field.offset * size)
            for view, name, size in fields
        ]
        self._framed = _TABLE.pack(0, len(self._words) >> 3) + self._words

    def framed(self, *numbers: int) -> bytearray:
        """The message with these numbers in it, framed."""
        made = bytearray(self._framed)
        for (pack, offset), number in zip(self._sizes, numbers):
            pack(made, offset, number)
        return made


def content_of(payload: Payload) -> Optional[tuple[int, Any]]:
    """(pointer, words) of a payload that can follow a head as it is; ``None`` of one that must be copied."""
    if isinstance(payload, BuiltPayload):
        view = payload.view
        segments = view._c.arena.segments
        if len(segments) == 1:
            segment = segments[0]
            raw = segment.raw
            if raw.__class__ is bytearray:
                end = segment.size << 3
                return _WORD.unpack_from(raw)[0], raw[8:end] if end < _SHORT_BYTES else memoryview(raw)[8:end]
        return None
    return (0, b"") if payload.__class__ is Payload else None


def put_together(head: bytearray, content: tuple[int, Any], table: Optional[tuple[int, Any]]) -> bytes:
    """A whole message: the head, whose last two words are the pointers of a Payload, its content, and its table.

    The latter two are as `content_of` has them.
    """
    pointer, words = content
    low = pointer & _LOW
    if pointer and low != _EMPTY:
        pointer = pointer - low | low + 4 & _LOW
    size = len(words)
    if table is None:
        _WORDS.pack_into(head, len(head) - 16, pointer, 0)
        _TABLE.pack_into(head, 0, 0, (len(head) + size >> 3) - 1)
        return b"".join((head, words))
    _WORDS.pack_into(head, len(head) - 16, pointer, table[0] + (size >> 3 << 2))
    _TABLE.pack_into(head, 0, 0, (len(head) + size + len(table[1]) >> 3) - 1)
    return b"".join((head, words, table[1]))
