"""The codec itself: messages as of the pure codec, and libcapnp for what is done with a whole message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native import objects, packing, records
from ccapnp.native.shapes import BuildShape, ReadShape
from ccapnp.native.tree import FEW_WORDS, SOME_FIELDS, decode, write_json
from ccapnp.native.whole import VERDICTS, canonical_form, equality, is_small, total_size
from ccapnp.pure import reading
from ccapnp.pure.arena import BuildSegment
from ccapnp.pure.codec import PureCodec
from ccapnp.pure.incoming import Incoming
from ccapnp.pure.measure import total_words
from ccapnp.pure.tree import decode_struct
from ccapnp.wire.limits import UNLIMITED
from ccapnp.wire.lookahead import look_ahead
from ccapnp.wire.pointers import MAX_OBJECT_WORDS

if TYPE_CHECKING:
    from ccapnp.wire.layout import FieldPlan, StructLayout, TreeMode
    from ccapnp.wire.limits import Limits

__all__ = ["NativeCodec"]


class NativeCodec(PureCodec):
    """Cap'n Proto on libcapnp; see `ccapnp.codec.Codec`."""

    name = "native"
    read_shape = ReadShape
    build_shape = BuildShape

    def field(self, general: property, plan: Optional[FieldPlan]) -> Any:
        return objects.field(general, plan)

    def hasten_view(self, view_class: Any) -> None:
        own = vars(view_class)  # a field of that name wins
        if hasattr(view_class, "init_resizable_list") and "init" not in own:
            objects.hasten(view_class, "init")
        if view_class._union and "which" not in own:
            objects.hasten(view_class, "which")

    def hasten_list(self, list_class: Any) -> Any:
        derived = type(list_class.__name__, (list_class,), {"__slots__": ()})
        objects.hasten(derived, "__getitem__")
        return derived

    if objects.HAS_OBJECTS:

        def near_root(self, data: Any, start: int, limits: Limits, view_class: Any) -> Optional[tuple[Any, int]]:
            return objects.near_root(data, start, limits, view_class)  # type: ignore[no-any-return]

        def new_struct(self, first_segment_words: int, data_words: int, pointers: int, view_class: Any) -> Any:
            words = max(1, min(first_segment_words, MAX_OBJECT_WORDS))
            depth = UNLIMITED.nesting_limit
            made = objects.new_struct(words, data_words, pointers, depth, UNLIMITED, view_class)
            if made is None or not data_words + pointers:
                return super().new_struct(first_segment_words, data_words, pointers, view_class)
            return made

        def new_message(self, first_segment_words: int = 1024) -> BuildShape:
            words = max(1, min(first_segment_words, MAX_OBJECT_WORDS))
            return objects.new_struct(words, 0, 0, UNLIMITED.nesting_limit, UNLIMITED, None)  # type: ignore[no-any-return]

        def decode_record(self, layout: StructLayout, shape: reading.ReadShape, word: int) -> Any:
            found = records.decode(layout, shape, word) if shape.segment.size >= FEW_WORDS else None
            return super().decode_record(layout, shape, word) if found is None else found

        def near_record(self, layout: StructLayout, data: Any, start: int, limits: Limits) -> Optional[tuple[Any, int]]:
            return records.decode_flat(layout, data, start, limits) if data.__class__ is bytes else None

        def frame_record(self, layout: StructLayout, record: Any) -> Optional[bytes]:
            return records.frame(layout, record)

    def total_size(self, shape: reading.ReadShape, word: int) -> tuple[int, int]:
        if not shape.pointers or is_small(shape):
            return total_words(shape, word)
        return total_size(shape, word) or super().total_size(shape, word)

    def equal(self, shape: reading.ReadShape, word: int, other: reading.ReadShape, other_word: int) -> Optional[bool]:
        is_for_python = isinstance(shape.segment, BuildSegment) and is_small(
            shape
        )  # of which a copy must be made first
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
