"""ccapnp's records: whole messages become tuples with names, and are made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import EnumMeta
from functools import partial
from types import SimpleNamespace
from typing import Any

import ccapnp
from bench.contenders.library import SCHEMAS, Library

__all__ = ["Records"]


class Records(Library):
    """What is decoded are records; what is encoded, too, or dicts, where these are faster."""

    packs = True

    def __init__(self, backend: str) -> None:
        if not hasattr(ccapnp, "Record"):
            raise ImportError("this version of ccapnp has no records")
        ccapnp.codec.get_codec(backend)
        self._backend = backend
        self.styles = ("naming", "constructing") if backend == "native" else ("constructing",)

    def load(self, schema: str) -> Any:
        module = ccapnp.load(SCHEMAS / f"{schema}.capnp", backend=self._backend)
        structs = {name: each for name, each in vars(module).items() if isinstance(each, ccapnp.StructType)}
        if "Expression" in structs:
            structs.update(ExpressionLeft=module.Expression.Left, ExpressionRight=module.Expression.Right)
        self._structs = {each.Record: each for each in structs.values()}
        enums = {name: each for name, each in vars(module).items() if isinstance(each, EnumMeta)}
        return SimpleNamespace(**{name: each.Record for name, each in structs.items()}, **enums)

    def members(self, enum: Any) -> Sequence[Any]:
        return list(enum)

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        encode = self._structs[struct].encode
        return partial(encode, packed=True) if packed else encode

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        decode = self._structs[struct].decode
        return partial(decode, packed=True) if packed else decode
