"""protobuf, whose upb parses a whole message into C structs, and makes Python objects of what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from types import SimpleNamespace
from typing import Any

from bench.contenders.library import SCHEMAS, Library
from bench.contenders.proto_schema import file_descriptor

__all__ = ["Protobuf"]


class Protobuf(Library):
    """Messages that are set field by field."""

    styles = ("adding",)

    def __init__(self) -> None:
        from google.protobuf.descriptor_pool import DescriptorPool
        from google.protobuf.internal import api_implementation
        from google.protobuf.message_factory import GetMessageClass

        if api_implementation.Type() != "upb":
            raise ImportError(f"protobuf runs on {api_implementation.Type()}, and not on upb")
        pool = DescriptorPool()
        pool.Add(file_descriptor(SCHEMAS / "bench.proto"))
        file = pool.FindFileByName("bench.proto")
        self._types = SimpleNamespace(
            **{name: GetMessageClass(message) for name, message in file.message_types_by_name.items()},
            **file.enum_types_by_name,
        )

    def load(self, schema: str) -> Any:
        return self._types

    def members(self, enum: Any) -> Sequence[Any]:
        return range(len(enum.values))  # a name takes longer to set

    def maker(self, struct: Any, reuse: bool) -> Callable[..., Any]:
        if not reuse:
            return super().maker(struct, reuse)
        message = struct()
        clear = message.Clear

        def again() -> Any:
            clear()
            return message

        return again

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return methodcaller("SerializeToString")

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        if not reuse:
            return struct.FromString  # type: ignore[no-any-return]
        message = struct()
        parse = message.ParseFromString

        def decode(data: bytes) -> Any:
            parse(data)
            return message

        return decode

    def namespace(self) -> dict[str, Any]:
        return {"ParkingLot": self._types.ParkingLot, "read": lambda struct, data: None}

    own_rows_only = True
    statements: Mapping[str, Any] = {}
