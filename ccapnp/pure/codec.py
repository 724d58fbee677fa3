"""The codec itself: opening messages and starting new ones."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Optional, TypeVar

from ccapnp.errors import DecodeError
from ccapnp.pure import packing
from ccapnp.pure.building import BuildShape
from ccapnp.pure.copy import copy_canonical
from ccapnp.pure.decode_records import decode_record
from ccapnp.pure.encode_records import frame_record
from ccapnp.pure.equal import equal_structs
from ccapnp.pure.given import Allocator, begun_in
from ccapnp.pure.incoming import Incoming
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.measure import total_words
from ccapnp.pure.opening import begun, near_root
from ccapnp.pure.packed_reader import PackedReader, read_message_packed, unpack_message, unpack_simple
from ccapnp.pure.reading import ReadShape
from ccapnp.pure.segment import SegmentTable, is_raw
from ccapnp.pure.tree import decode_struct
from ccapnp.wire import framing
from ccapnp.wire.layout import FieldPlan, StructLayout, TreeMode
from ccapnp.wire.limits import UNLIMITED, Limits
from ccapnp.wire.pointers import MAX_OBJECT_WORDS
from ccapnp.wire.shape import new_shape

__all__ = ["PureCodec"]

_T = TypeVar("_T")
_DEFAULT_LIMITS = Limits()
_TABLE = struct.Struct("<2I")
"""Of a message of one segment: the number of its last segment, and that one's size in words."""


class _Place:
    """Where a struct is: its shape, and the index of its first word."""

    __slots__ = ("_c", "_w")

    _c: ReadShape
    _w: int


class PureCodec:
    """Cap'n Proto in Python; see `ccapnp.codec.Codec`.

    ``read_shape`` and ``build_shape`` are the classes of its messages' shapes, which know their codec.
    """

    name = "pure"
    read_shape: type[ReadShape] = ReadShape
    build_shape: type[BuildShape] = BuildShape

    def new_struct(self, first_segment_words: int, data_words: int, pointers: int, view_class: Any) -> Any:
        return self.new_message(first_segment_words).init_struct(0, data_words, pointers, view_class._at)

    def field(self, general: property, plan: Optional[FieldPlan]) -> Any:
        return general

    def hasten_view(self, view_class: Any) -> None:
        return None

    def hasten_list(self, list_class: _T) -> _T:
        return list_class

    def open_flat(self, data: Any, limits: Limits) -> ReadShape:
        view = framing.byte_view(data)
        segments, end = framing.parse_table(view)
        if end != len(view):
            raise DecodeError(f"{len(view) - end} bytes follow the message; read_multiple_bytes reads several")
        raw, start = (data, end - sum(map(len, segments))) if is_raw(data) else (None, 0)
        return self._open(SegmentTable(segments, raw, start), limits)

    def near_root(self, data: Any, start: int, limits: Limits, view_class: type[_T]) -> Optional[tuple[_T, int]]:
        if (data.__class__ is not bytes and not is_raw(data)) or len(data) < start + 16:
            return None
        last, size = _TABLE.unpack_from(data, start)
        if last:
            return self._near_root_of_several(data, start, limits, view_class)
        start += 8
        end = start + (size << 3)
        if end > len(data):
            return None
        made = near_root(self.read_shape, memoryview(data)[start:end], data, start, limits, view_class)
        return None if made is None else (made, end)

    def _near_root_of_several(
        self, data: Any, start: int, limits: Limits, view_class: type[_T]
    ) -> Optional[tuple[_T, int]]:
        """As `near_root`, of a message of several segments."""
        try:
            segments, end = framing.parse_table(memoryview(data), start)
        except DecodeError:
            return None
        first = end - sum(map(len, segments))
        table = SegmentTable(segments, data, first)
        made = near_root(self.read_shape, segments[0], data, first, limits, view_class, table)
        return None if made is None else (made, end)

    def near_root_of(self, segments: Sequence[Any], limits: Limits, view_class: type[_T]) -> Optional[_T]:
        first = _whole(segments[0])
        if first is None:
            return None
        table = None
        if len(segments) > 1:
            views = [first, *map(_whole, segments[1:])]
            if None in views:
                return None
            table = SegmentTable(views)  # type: ignore[arg-type]
        return near_root(self.read_shape, first, first.obj, 0, limits, view_class, table)

    def open_segments(self, segments: Sequence[Any], limits: Limits = _DEFAULT_LIMITS) -> ReadShape:
        views = list(map(framing.byte_view, segments))
        for index, view in enumerate(views):
            if len(view) & 7:
                raise DecodeError(f"segment {index} has {len(view)} bytes, not a whole number of words", segment=index)
        return self._open(SegmentTable(views), limits)

    def _open(self, segments: SegmentTable, limits: Limits) -> ReadShape:
        arena = Limiter.of(limits, segments)
        return new_shape(self.read_shape, segments[0], arena, 0, 1, limits.nesting_limit)

    def new_message(self, first_segment_words: int = 1024) -> BuildShape:
        return begun(self.build_shape, max(1, min(first_segment_words, MAX_OBJECT_WORDS)))

    def build_in(
        self, segments: Sequence[Any], used_words: Optional[Sequence[int]], allocator: Optional[Allocator]
    ) -> BuildShape:
        return begun_in(self.build_shape, segments, used_words, allocator)

    def pack(self, pieces: Sequence[Any]) -> bytes:
        return packing.pack_message(pieces)

    def unpack_message(self, data: Any, limit_words: Optional[int], start: int) -> tuple[list[memoryview], int]:
        return unpack_message(data, limit_words, start)

    def unpack_framed(
        self, data: Any, limit_words: Optional[int], start: int, most_bytes: int
    ) -> Optional[tuple[bytes, int]]:
        return unpack_simple(data, limit_words, start) if data.__class__ is bytes else None

    def read_packed(self, file: Any, limit_words: Optional[int]) -> Optional[list[memoryview]]:
        return read_message_packed(file, limit_words)

    def packed_reader(self, file: Any) -> PackedReader:
        return PackedReader.of_file(file)

    def incoming(self, limit_words: Optional[int], packed: bool) -> Incoming:
        return Incoming(limit_words, packing.expand if packed else None)

    def total_size(self, shape: ReadShape, word: int) -> tuple[int, int]:
        return total_words(shape, word)

    def equal(self, shape: ReadShape, word: int, other: ReadShape, other_word: int) -> Optional[bool]:
        return equal_structs(shape, word, other, other_word)

    def canonicalize(self, shape: ReadShape, word: int) -> bytes:
        words, _ = total_words(shape, word)
        root = self.new_message(words + 2)  # room for all of it, so that it is one segment
        copy_canonical(root, 0, shape, word)
        return bytes(root.pieces()[0])

    def is_canonical(self, root: ReadShape) -> bool:
        pieces = root.pieces()
        words = len(pieces[0]) >> 3
        if len(pieces) != 1 or not words:
            return False
        # There is but one canonical form, so a message in it is its own.  To measure it comes first, since a small
        # message could have a large one, if its pointers share objects.
        try:
            if self.total_size(root.reopen(Limits(words, UNLIMITED.nesting_limit)), 0) != (words, 0):
                return False
            # The root pointer is read as a struct that has nothing else, which adds a pointer to that.
            form = self.canonicalize(root.reopen(UNLIMITED), 0)
        except DecodeError:
            return False
        return form[8:] == pieces[0] or pieces[0] == bytes(8)

    def decode_tree(self, layout: StructLayout, mode: TreeMode, shape: ReadShape, word: int) -> dict[str, Any]:
        return decode_struct(layout, mode, shape, word)

    def decode_record(self, layout: StructLayout, shape: ReadShape, word: int) -> Any:
        return decode_record(layout, shape, word)

    def near_record(self, layout: StructLayout, data: Any, start: int, limits: Limits) -> Optional[tuple[Any, int]]:
        found = self.near_root(data, start, limits, _Place)
        if found is None:
            return None
        place, end = found
        try:
            return decode_record(layout, place._c, place._w), end
        except (DecodeError, RecursionError):
            return None

    def frame_record(self, layout: StructLayout, record: Any) -> Optional[bytes]:
        return None if record.__class__ is dict else frame_record(layout, record)

    def write_json(self, layout: StructLayout, shape: ReadShape, word: int) -> Optional[str]:
        return None


def _whole(segment: Any) -> Optional[memoryview]:
    """Our own view of a segment, which whoever gave it may release, if it is all of some bytes or a bytearray."""
    if segment.__class__ is not memoryview or segment.format != "B" or len(segment) & 7 or not segment.c_contiguous:
        return None
    owner = segment.obj
    is_whole = (owner.__class__ is bytes or owner.__class__ is bytearray) and len(owner) == len(segment)
    return memoryview(segment) if is_whole else None


ReadShape.codec = PureCodec()
