"""Whole trees in one crossing: the shim writes what `marshal` reads, and reads what it writes."""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native._lib import ffi, lib
from ccapnp.native.bytes_only import all_of
from ccapnp.native.layouts import compiled_layout
from ccapnp.native.source import place
from ccapnp.native.target import build

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape
    from ccapnp.pure.reading import ReadShape
    from ccapnp.wire.layout import StructLayout, TreeMode

__all__ = ["FEW_WORDS", "SOME_FIELDS", "decode", "encode", "write_json"]

FEW_WORDS = 10
SOME_FIELDS = 40
"""A message of fewer words, and a struct of up to so many fields without structs or lists, Python has decoded before
the shim has been called: what that is good at is many structs, whose fields' names it gives but once."""

_new = ffi.new
_DECODED = ffi.typeof("ccp_decoded *")
_PRESENCE = {
    (False, False, False): lib.CCP_SET,
    (False, True, False): lib.CCP_SET_OR_ACTIVE,
    (True, False, False): lib.CCP_ALL,
    (False, False, True): lib.CCP_NOT_DEFAULT,
}
"""By a mode's ``verbose``, ``active`` and ``omit_defaults``."""


def decode(layout: StructLayout, mode: TreeMode, shape: ReadShape, word: int) -> Optional[dict[str, Any]]:
    """A struct and all below it as plain Python values; ``None`` if that is not for the shim to do."""
    source = place(shape, word)
    if source is None:
        return None
    tables, number = compiled_layout(layout, mode.verbose)[:2]
    decoded = _new(_DECODED)
    if lib.ccp_decode(*source, tables, number, _PRESENCE[mode.verbose, mode.active, mode.omit_defaults], decoded):
        return None
    try:
        value: dict[str, Any] = marshal.loads(ffi.buffer(decoded.data, decoded.size))
    finally:
        lib.ccp_free(decoded.data)
    shape.arena.budget -= decoded.words
    return value


def write_json(layout: StructLayout, shape: ReadShape, word: int) -> Optional[str]:
    """A struct and all below it as JSON; ``None`` if that is not for the shim to do."""
    source = place(shape, word)
    if source is None:
        return None
    tables, number = compiled_layout(layout, False)[:2]
    decoded = _new(_DECODED)
    if lib.ccp_write_json(*source, tables, number, decoded):
        return None
    try:
        text = str(ffi.buffer(decoded.data, decoded.size), "utf-8")
    finally:
        lib.ccp_free(decoded.data)
    shape.arena.budget -= decoded.words
    return text


def encode(layout: StructLayout, value: Any, shape: BuildShape, at: int, *, is_list: bool, json_depth: int = 0) -> bool:
    """Make the null pointer at ``at`` lead to a struct made from a dict, or structs made from a list of dicts.

    False, and nothing is changed, if that is not for the shim to do: if any value is not a plain one of a fitting type.
    """
    tables, number, check = compiled_layout(layout, False)[:3]
    try:
        # What JSON was parsed to is plain.
        if not json_depth and check is not None and not (all_of(check, value) if is_list else check(value)):
            return False
        data = marshal.dumps(value, 4)
    except (ValueError, RecursionError):  # what cannot be marshalled; a dict that contains itself
        return False
    return build(shape, at, lib.ccp_encode, tables, number, is_list, json_depth, data, len(data))
