"""ccapnp: messages read in place and set field by field, on each of its codecs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any

import ccapnp
from bench.contenders.library import SCHEMAS, Library

__all__ = ["Lazy"]


class Lazy(Library):
    """Readers and builders."""

    styles = ("setting",)
    packs = True
    hand_over = staticmethod(methodcaller("as_reader"))

    def __init__(self, backend: str) -> None:
        ccapnp.codec.get_codec(backend)
        self._backend = backend

    def load(self, schema: str) -> Any:
        return ccapnp.load(SCHEMAS / f"{schema}.capnp", backend=self._backend)

    def members(self, enum: Any) -> Sequence[Any]:
        return list(enum)

    def maker(self, struct: Any, reuse: bool) -> Callable[..., Any]:
        if not reuse:
            return struct.new_message  # type: ignore[no-any-return]
        message = ccapnp.MessageBuilder(backend=self._backend)
        reset, init_root = message.reset, message.init_root

        def again() -> Any:
            reset()
            return init_root(struct)

        return again

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return methodcaller("to_bytes_packed" if packed else "to_bytes")

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return struct.from_bytes_packed if packed else struct.from_bytes  # type: ignore[no-any-return]

    def sender(self, struct: Any, file: Any, packed: bool) -> Callable[[Any], object]:
        write, flush = ccapnp.write_packed if packed else ccapnp.write, file.flush

        def send(message: Any) -> None:
            write(message, file)
            flush()

        return send

    def receiver(self, struct: Any, file: Any, packed: bool) -> Callable[[], Any]:
        read = struct.read_packed if packed else struct.read
        return lambda: read(file)
