"""pycapnp, the Cython binding of the C++ library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any

from bench.contenders.library import SCHEMAS, Library

__all__ = ["Pycapnp"]


class Pycapnp(Library):
    """Readers and builders."""

    styles = ("setting raw", "setting")
    packs = True
    hand_over = staticmethod(methodcaller("as_reader"))

    def __init__(self) -> None:
        import capnp

        capnp.remove_import_hook()
        self._capnp = capnp

    def load(self, schema: str) -> Any:
        return self._capnp.load(str(SCHEMAS / f"{schema}.capnp"))

    def members(self, enum: Any) -> Sequence[Any]:
        return range(len(enum.schema.enumerants))  # a name takes longer to set

    def maker(self, struct: Any, reuse: bool) -> Callable[..., Any]:
        return struct.new_message  # type: ignore[no-any-return]

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return methodcaller("to_bytes_packed" if packed else "to_bytes")

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        if packed:
            return struct.from_bytes_packed  # type: ignore[no-any-return]
        opened = None

        def decode(data: bytes) -> Any:
            nonlocal opened
            opened = struct.from_bytes(data)  # closes the one before
            return opened.__enter__()

        return decode

    def sender(self, struct: Any, file: Any, packed: bool) -> Callable[[Any], object]:
        return methodcaller("write_packed" if packed else "write", file)

    def receiver(self, struct: Any, file: Any, packed: bool) -> Callable[[], Any]:
        read = struct.read_packed if packed else struct.read
        return lambda: read(file)
