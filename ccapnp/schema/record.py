"""Reading structs of schema.capnp by their offsets.

The schema model cannot be read with generated classes, for those are made from it; so it uses offsets, and a test
compares every one of them with what the compiled schema.capnp says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ccapnp.codec import ReadShape

__all__ = ["Record"]


class Record:
    """One struct: ``u16(3)`` is the 16-bit number at index 3 of its data section, ``text(0)`` its first pointer."""

    __slots__ = ("shape", "word")

    def __init__(self, shape: ReadShape, word: int) -> None:
        self.shape = shape
        self.word = word

    def bit(self, index: int) -> bool:
        shape = self.shape
        return index < shape.data_bits and bool(shape.u8[(self.word << 3) + (index >> 3)] >> (index & 7) & 1)

    def u8(self, index: int) -> int:
        shape = self.shape
        return shape.u8[(self.word << 3) + index] if (index + 1) << 3 <= shape.data_bits else 0

    def u16(self, index: int) -> int:
        shape = self.shape
        return shape.u16[(self.word << 2) + index] if (index + 1) << 4 <= shape.data_bits else 0

    def u32(self, index: int) -> int:
        shape = self.shape
        return shape.u32[(self.word << 1) + index] if (index + 1) << 5 <= shape.data_bits else 0

    def u64(self, index: int) -> int:
        shape = self.shape
        return shape.u64[self.word + index] if (index + 1) << 6 <= shape.data_bits else 0

    def pointer(self, index: int) -> Optional[tuple[ReadShape, int]]:
        """(shape, word) of a pointer that is not null."""
        shape = self.shape
        at = self.word + shape.data_words + index
        return (shape, at) if index < shape.pointers and shape.u64[at] else None

    def text(self, index: int) -> str:
        place = self.pointer(index)
        return (place[0].read_text(place[1]) or "") if place else ""

    def struct(self, index: int) -> Optional[Record]:
        place = self.pointer(index)
        return place[0].read_struct(place[1], Record) if place else None

    def structs(self, index: int) -> list[Record]:
        place = self.pointer(index)
        found = place[0].read_structs(place[1]) if place else None
        if not found:
            return []
        shape, first, count, step = found
        return [Record(shape, first + position * step) for position in range(count)]
