"""The codec itself: messages as of the pure codec, and libcapnp for what is done with a whole message."""

from __future__ import annotations

from ccapnp.native.shapes import BuildShape, ReadShape
from ccapnp.pure.codec import PureCodec

__all__ = ["NativeCodec"]


class NativeCodec(PureCodec):
    """Cap'n Proto on libcapnp; see `ccapnp.codec.Codec`."""

    name = "native"
    read_shape = ReadShape
    build_shape = BuildShape


ReadShape.codec = BuildShape.codec = NativeCodec()
