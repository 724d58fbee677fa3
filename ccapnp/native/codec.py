"""The codec itself: messages as of the pure codec, and libcapnp for what is done with a whole message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native import packing
from ccapnp.native.shapes import BuildShape, ReadShape
from ccapnp.native.tree import FEW_WORDS, SOME_FIELDS, decode, write_json
from ccapnp.native.whole import VERDICTS, canonical_form, equality, is_small, total_size
from ccapnp.pure import reading
from ccapnp.pure.arena import BuildSegment
from ccapnp.pure.codec import PureCodec
from ccapnp.pure.incoming import Incoming
from ccapnp.pure.measure import total_words
from ccapnp.pure.tree import decode_struct
from ccapnp.wire.lookahead import look_ahead

if TYPE_CHECKING:
    from ccapnp.wire.layout import StructLayout, TreeMode

__all__ = ["NativeCodec"]


class NativeCodec(PureCodec):
    """Cap'n Proto on libcapnp; see `ccapnp.codec.Codec`."""

    name = "native"
    read_shape = ReadShape
    build_shape = BuildShape

    def total_size(self, shape: reading.ReadShape, word: int) -> tuple[int, int]:
        if not shape.pointers or is_small(shape):
            return total_words(shape, word)
        return total_size(shape, word) or super().total_size(shape, word)

    def equal(self, shape: reading.ReadShape, word: int, other: reading.ReadShape, other_word: int) -> Optional[bool]:
        is_for_python = type(shape.segment) is BuildSegment and is_small(shape)  # of which a copy must be made first
        found = None if is_for_python else equality(shape, word, other, other_word)
        return super().equal(shape, word, other, other_word) if found is None else VERDICTS[found]

    def canonicalize(self, shape: reading.ReadShape, word: int) -> bytes:
        return canonical_form(shape, word) or super().canonicalize(shape, word)

    def decode_tree(self, layout: StructLayout, mode: TreeMode, shape: reading.ReadShape, word: int) -> dict[str, Any]:
        is_for_shim = shape.segment.size >= FEW_WORDS and (layout.nested or len(layout.fields) > SOME_FIELDS)
        value = decode(layout, mode, shape, word) if is_for_shim and not mode.base64 else None
        return decode_struct(layout, mode, shape, word) if value is None else value

    def write_json(self, layout: StructLayout, shape: reading.ReadShape, word: int) -> Optional[str]:
        return write_json(layout, shape, word)

    def pack(self, pieces: Sequence[Any]) -> bytes:
        packed = packing.pack(pieces)
        return super().pack(pieces) if packed is None else packed

    def unpack_message(self, data: Any, limit_words: Optional[int], start: int) -> tuple[list[memoryview], int]:
        unpacked = packing.unpack_message(data, limit_words, start)
        return super().unpack_message(data, limit_words, start) if unpacked is None else unpacked

    def unpack_framed(
        self, data: Any, limit_words: Optional[int], start: int, most_bytes: int
    ) -> Optional[tuple[bytes, int]]:
        return packing.unpack(data, limit_words, start, most_bytes)

    def read_packed(self, file: Any, limit_words: Optional[int]) -> Optional[list[memoryview]]:
        return packing.PackedReader(look_ahead(file, whole=False)).read_message(limit_words)

    def packed_reader(self, file: Any) -> packing.PackedReader:
        return packing.PackedReader.of_file(file)

    def incoming(self, limit_words: Optional[int], packed: bool) -> Incoming:
        return Incoming(limit_words, packing.expand if packed else None)


ReadShape.codec = BuildShape.codec = NativeCodec()
