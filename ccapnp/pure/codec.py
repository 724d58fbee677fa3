"""The codec itself: opening messages and starting new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ccapnp.errors import DecodeError
from ccapnp.pure.building import BuildShape, new_root
from ccapnp.pure.copy import copy_struct
from ccapnp.pure.equal import equal_structs
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.measure import total_words
from ccapnp.pure.packed_reader import PackedReader, read_message_packed, unpack_message
from ccapnp.pure.packing import pack_message
from ccapnp.pure.reading import ReadShape
from ccapnp.pure.segment import Segment
from ccapnp.pure.tree import TreeMode, decode_struct
from ccapnp.wire import framing
from ccapnp.wire.layout import StructLayout
from ccapnp.wire.limits import Limits

__all__ = ["PureCodec"]


class PureCodec:
    """Cap'n Proto in Python; see `ccapnp.codec.Codec`."""

    name = "pure"

    def open_flat(self, data: Any, limits: Limits) -> ReadShape:
        view = framing.byte_view(data)
        segments, end = framing.parse_table(view)
        if end != len(view):
            raise DecodeError(f"{len(view) - end} bytes follow the message; read_multiple_bytes reads several")
        if not _is_raw(data):
            return self.open_segments(segments, limits)
        origin = end - sum(map(len, segments))
        opened = []
        for index, segment in enumerate(segments):
            opened.append(Segment(index, segment, data, origin))
            origin += len(segment)
        return _root(opened, limits)

    def open_segments(self, segments: Sequence[Any], limits: Limits = Limits()) -> ReadShape:
        return _root([_open(index, data) for index, data in enumerate(segments)], limits)

    def new_message(self, first_segment_words: int = 1024) -> BuildShape:
        return new_root(first_segment_words)

    def pack(self, pieces: Sequence[Any]) -> bytes:
        return pack_message(pieces)

    def unpack_message(self, data: Any, limit_words: Optional[int], start: int) -> tuple[list[memoryview], int]:
        return unpack_message(data, limit_words, start)

    def read_packed(self, file: Any, limit_words: Optional[int]) -> Optional[list[memoryview]]:
        return read_message_packed(file, limit_words)

    def packed_reader(self, file: Any) -> PackedReader:
        return PackedReader.of_file(file)

    def total_size(self, shape: ReadShape, word: int) -> tuple[int, int]:
        return total_words(shape, word)

    def equal(self, shape: ReadShape, word: int, other: ReadShape, other_word: int) -> Optional[bool]:
        return equal_structs(shape, word, other, other_word)

    def canonicalize(self, shape: ReadShape, word: int) -> bytes:
        words, _ = total_words(shape, word)
        root = new_root(words + 2)  # room for all of it, so that it is one segment
        copy_struct(root, 0, shape, word, canonical=True)
        return bytes(root.pieces()[0])

    def decode_tree(
        self, layout: StructLayout, verbose: bool, base64: bool, shape: ReadShape, word: int
    ) -> dict[str, Any]:
        return decode_struct(layout, TreeMode(verbose, base64), shape, word)


def _is_raw(data: Any) -> bool:
    """Whether a slice of ``data`` is bytes (or a bytearray), which can decode themselves as text."""
    kind = type(data)
    return kind is bytes or kind is bytearray or (kind.__module__ == "mmap" and kind.__name__ == "mmap")


def _open(index: int, data: Any) -> Segment:
    view = framing.byte_view(data)
    owner = view.obj
    return Segment(index, view, owner if _is_raw(owner) and len(owner) == len(view) else None)


def _root(segments: list[Segment], limits: Limits) -> ReadShape:
    arena = Limiter(limits)
    arena.segments = segments
    return ReadShape(segments[0], arena, 0, 1, limits.nesting_limit)


ReadShape.codec = PureCodec()
