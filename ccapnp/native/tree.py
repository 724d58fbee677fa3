"""Whole trees in one crossing: the shim writes what `marshal` reads, and reads what it writes."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native._lib import ffi, lib
from ccapnp.native.layouts import compiled_layout
from ccapnp.native.source import place

if TYPE_CHECKING:
    from ccapnp.pure.reading import ReadShape
    from ccapnp.wire.layout import StructLayout

__all__ = ["decode"]

_new = ffi.new
_DECODED = ffi.typeof("ccp_decoded *")


def decode(layout: StructLayout, verbose: bool, shape: ReadShape, word: int) -> Optional[dict[str, Any]]:
    """A struct and all below it as plain Python values; ``None`` if that is not for the shim to do."""
    source = place(shape, word)
    if source is None:
        return None
    tables, number = compiled_layout(layout, verbose)
    decoded = _new(_DECODED)
    if lib.ccp_decode(*source, tables, number, verbose, decoded):
        return None
    try:
        value: dict[str, Any] = marshal.loads(ffi.buffer(decoded.data, decoded.size))
    finally:
        lib.ccp_free(decoded.data)
    shape.arena.budget -= decoded.words
    return value
