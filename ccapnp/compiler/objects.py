"""Values that pointers lead to, before they are in a message: structs and lists as their sections will be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

from ccapnp.wire.pointers import ElementSize

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape

__all__ = ["Embedded", "ListObject", "Object", "StructListObject", "StructObject", "write_object"]


@dataclass
class StructObject:
    """A struct; an entry of ``pointers`` that is ``None`` is a null pointer."""

    data: bytearray
    pointers: list[Object]

    @classmethod
    def empty(cls, data_words: int, pointer_count: int) -> StructObject:
        """A struct of that size, all zero."""
        return cls(bytearray(data_words * 8), [None] * pointer_count)

    @classmethod
    def embedded(cls, value: Embedded, data_words: int, pointer_count: int) -> StructObject:
        """A struct of another message, at that size or its own, whichever is larger."""
        found = value.shape.read_struct(value.at, lambda shape, word: (shape, word))
        if found is None:
            return cls.empty(data_words, pointer_count)
        shape, word = found
        result = cls.empty(max(data_words, shape.data_words), max(pointer_count, shape.pointers))
        result.data[: shape.data_words << 3] = shape.u8[word << 3 : word + shape.data_words << 3]
        for index in range(shape.pointers):
            result.pointers[index] = Embedded(shape, word + shape.data_words + index)
        return result

    def resized(self, data_words: int, pointer_count: int) -> StructObject:
        """The same struct in exactly that size; what has no room is left out."""
        data = self.data[: data_words * 8]
        pointers = self.pointers[:pointer_count]
        nulls: list[Object] = [None] * (pointer_count - len(pointers))
        return StructObject(data + bytes(data_words * 8 - len(data)), pointers + nulls)

    def set_bits(self, offset: int, size: int, bits: int) -> None:
        """Set a field; ``size`` is the binary logarithm of its bits, ``offset`` in units of that size."""
        at = offset << size
        mask = (1 << (1 << size)) - 1 << (at & 7)
        last = (at + (1 << size) + 7) >> 3
        old = int.from_bytes(self.data[at >> 3 : last], "little")
        new = old & ~mask | bits << (at & 7)
        self.data[at >> 3 : last] = new.to_bytes(last - (at >> 3), "little")


@dataclass
class StructListObject:
    """A list of structs, all of that size."""

    data_words: int
    pointer_count: int
    structs: list[StructObject]


@dataclass
class ListObject:
    """A list of pointers, or of ``count`` elements that are in ``data``."""

    element: ElementSize
    count: int
    data: bytes = b""
    pointers: list[Object] = field(default_factory=list)


@dataclass
class Embedded:
    """The pointer at a word of another message."""

    shape: Any
    at: int


Object = Union[None, str, bytes, StructObject, StructListObject, ListObject, Embedded]


def write_object(value: Object, shape: BuildShape, at: int) -> None:
    """Have the pointer at a word of a message lead to this."""
    if isinstance(value, str):
        encoded = value.encode()
        shape.set_bytes(at, encoded, len(encoded), len(encoded) + 1)
    elif isinstance(value, bytes):
        shape.set_bytes(at, value, len(value), len(value))
    elif isinstance(value, StructObject):
        words = len(value.data) >> 3
        _fill(value, *shape.init_struct(at, words, len(value.pointers), lambda inner, word: (inner, word)))
    elif isinstance(value, StructListObject):
        inner, word = shape.init_structs(at, len(value.structs), value.data_words, value.pointer_count)
        for each in value.structs:
            _fill(each, inner, word)
            word += value.data_words + value.pointer_count
    elif isinstance(value, Embedded):
        shape.copy_pointer(at, value.shape, value.at)
    elif isinstance(value, ListObject):
        _write_list(value, shape, at)


def _write_list(value: ListObject, shape: BuildShape, at: int) -> None:
    if value.element == ElementSize.POINTER:
        inner, word = shape.init_pointers(at, value.count)
        for each in value.pointers:
            write_object(each, inner, word)
            word += 1
        return
    segment, word = shape.init_list(at, value.element, value.count)
    segment.raw[word << 3 : (word << 3) + len(value.data)] = value.data


def _fill(value: StructObject, shape: Any, word: int) -> None:
    shape.u8[word << 3 : (word << 3) + len(value.data)] = value.data
    word += len(value.data) >> 3
    for each in value.pointers:
        write_object(each, shape, word)
        word += 1
