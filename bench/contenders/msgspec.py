"""msgspec, the fastest decoder of typed objects that Python has: its Structs, as MessagePack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bench.contenders.library import Library

__all__ = ["Msgspec"]


class Msgspec(Library):
    """Structs made of their fields."""

    styles = ("constructing plain", "constructing")

    def __init__(self) -> None:
        import msgspec

        self._encode = msgspec.msgpack.encode
        self._encoder, self._decoder = msgspec.msgpack.Encoder, msgspec.msgpack.Decoder

    def load(self, schema: str) -> Any:
        from bench.schemas import structs

        return structs

    def members(self, enum: Any) -> Sequence[Any]:
        return list(enum)

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        if not reuse:
            return self._encode
        encode_into, buffer = self._encoder().encode_into, bytearray()

        def encode(message: Any) -> bytearray:
            encode_into(message, buffer)
            return buffer

        return encode

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return self._decoder(struct).decode  # type: ignore[no-any-return]
