"""The codec itself: opening messages and starting new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ccapnp.errors import DecodeError
from ccapnp.pure.building import Arena, BuildSegment
from ccapnp.pure.copy import copy_struct
from ccapnp.pure.equal import equal_structs
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.measure import total_words
from ccapnp.pure.packed_reader import PackedReader, read_message_packed, unpack_message
from ccapnp.pure.packing import pack_message
from ccapnp.pure.segment import Segment
from ccapnp.wire import framing
from ccapnp.wire.limits import Limits
from ccapnp.wire.shape import Shape

__all__ = ["PureCodec"]


class PureCodec:
    """Cap'n Proto in Python; see `ccapnp.codec.Codec`."""

    name = "pure"

    def open_flat(self, data: Any, limits: Limits) -> Segment:
        view = framing.byte_view(data)
        segments, end = framing.parse_table(view)
        if end != len(view):
            raise DecodeError(f"{len(view) - end} bytes follow the message; read_multiple_bytes reads several")
        return self.open_segments(segments, limits)

    def open_segments(self, segments: Sequence[Any], limits: Limits = Limits()) -> Segment:
        arena = Limiter(limits)
        arena.segments = opened = [
            Segment(arena, index, framing.byte_view(data)) for index, data in enumerate(segments)
        ]
        return opened[0]

    def new_message(self, first_segment_words: int = 1024) -> BuildSegment:
        return Arena(first_segment_words).root

    def pack(self, pieces: Sequence[Any]) -> bytes:
        return pack_message(pieces)

    def unpack_message(self, data: Any, limit_words: Optional[int], start: int) -> tuple[list[memoryview], int]:
        return unpack_message(data, limit_words, start)

    def read_packed(self, file: Any, limit_words: Optional[int]) -> Optional[list[memoryview]]:
        return read_message_packed(file, limit_words)

    def packed_reader(self, file: Any) -> PackedReader:
        return PackedReader.of_file(file)

    def total_size(self, shape: Shape, word: int) -> tuple[int, int]:
        return total_words(shape, word)

    def equal(self, shape: Shape, word: int, other: Shape, other_word: int) -> Optional[bool]:
        return equal_structs(shape, word, other, other_word)

    def canonicalize(self, shape: Shape, word: int) -> bytes:
        words, _ = total_words(shape, word)
        root = Arena(words + 2).root  # room for all of it, so that it is one segment
        copy_struct(root, 0, shape, word, canonical=True)
        return bytes(root.pieces()[0])


Segment.codec = PureCodec()
