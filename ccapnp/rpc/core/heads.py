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

__all__ = ["Head", "content_of"]

_SIZES = {1: "B", 2: "H", 4: "I", 8: "Q"}
_WORD = Packer("<Q")
_SHORT_BYTES = 1 << 12  # to copy so little takes less time than to make a view
_LOW = 0xFFFFFFFF
_EMPTY = EMPTY_STRUCT & _LOW

Content = tuple[int, Any]
"""A pointer, and the words that it leads to, which follow it as they are."""

NOTHING: Content = (0, b"")


class Head:
    """The first words of a message, with a number left open for each name of ``fields``.

    Of one that ends with a Payload, the pointer to that is the last thing in it, and its two pointers are left open.
    """

    def __init__(self, message: Any, *fields: tuple[Any, str, int], has_payload: bool = False) -> None:
        """``message`` is built; each field is its struct, its name, and its size in bytes, in the order they have."""
        framed = message.to_bytes()
        places = [(4, 4)]  # the size of the segment
        for view, name, size in fields:
            places.append((8 + (view._w << 3) + view._type._access(name).field.offset * size, size))
        if has_payload:
            places += [(len(framed) - 16, 8), (len(framed) - 8, 8)]
        layout, end = "<", 0
        self._parts: list[Any] = []
        for offset, size in places:
            layout += f"{offset - end}s{_SIZES[size]}"
            self._parts += (framed[end:offset], 0)
            end = offset + size
        self._parts.append(framed[end:])
        self._pack = Packer(f"{layout}{len(framed) - end}s").pack
        self._words = (len(framed) >> 3) - 1

    def framed(self, *numbers: int) -> bytes:
        """The message with these numbers in it, framed."""
        parts = self._parts[:]
        parts[1::2] = (self._words, *numbers)
        return self._pack(*parts)

    def with_payload(self, numbers: tuple[int, ...], content: Content, table: Optional[Content]) -> bytes:
        """The same, with what is in its Payload: the content, and the table of its capabilities."""
        pointer, words = content
        low = pointer & _LOW
        if pointer and low != _EMPTY:
            pointer = pointer - low | low + 4 & _LOW  # it leads over the pointer to the table
        size = len(words) >> 3
        parts = self._parts[:]
        if table is None:
            parts[1::2] = (self._words + size, *numbers, pointer, 0)
            return self._pack(*parts) + words  # type: ignore[no-any-return]
        parts[1::2] = (self._words + size + (len(table[1]) >> 3), *numbers, pointer, table[0] + (size << 2))
        return b"".join((self._pack(*parts), words, table[1]))

    def with_room(self, numbers: tuple[int, ...]) -> bytes:
        """The same without the table of segments, and with a Payload that is to be filled."""
        return self.with_payload(numbers, NOTHING, None)[8:]


def content_of(payload: Payload) -> Optional[Content]:
    """The content of a payload that can follow a head as it is; ``None`` of one that must be copied."""
    if isinstance(payload, BuiltPayload):
        segments = payload.view._c.arena.segments
        if len(segments) == 1:
            segment = segments[0]
            raw = segment.raw
            if raw.__class__ is bytearray:
                end = segment.size << 3
                return _WORD.unpack_from(raw)[0], raw[8:end] if end < _SHORT_BYTES else memoryview(raw)[8:end]
        return None
    return NOTHING if payload.__class__ is Payload else None
