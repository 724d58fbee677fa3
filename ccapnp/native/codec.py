"""The codec itself: messages as of the pure codec, and libcapnp for what is done with a whole message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.native.shapes import BuildShape, ReadShape
from ccapnp.native.tree import decode
from ccapnp.pure import reading
from ccapnp.pure.codec import PureCodec

if TYPE_CHECKING:
    from ccapnp.wire.layout import StructLayout

__all__ = ["NativeCodec"]


class NativeCodec(PureCodec):
    """Cap'n Proto on libcapnp; see `ccapnp.codec.Codec`."""

    name = "native"
    read_shape = ReadShape
    build_shape = BuildShape

    def decode_tree(
        self, layout: StructLayout, verbose: bool, base64: bool, shape: reading.ReadShape, word: int
    ) -> dict[str, Any]:
        value = None if base64 else decode(layout, verbose, shape, word)
        return super().decode_tree(layout, verbose, base64, shape, word) if value is None else value


ReadShape.codec = BuildShape.codec = NativeCodec()
