"""What is done with a struct and all below it, in one crossing; each gives ``None`` where that is not for the shim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.native._lib import ffi, lib
from ccapnp.native.source import place
from ccapnp.native.target import build

if TYPE_CHECKING:
    from ccapnp.native.shapes import BuildShape
    from ccapnp.pure.reading import ReadShape

__all__ = [
    "A_POINTER",
    "A_STRUCT",
    "STRUCTS",
    "VERDICTS",
    "canonical_form",
    "copy",
    "equality",
    "is_small",
    "total_size",
]

A_STRUCT, A_POINTER, STRUCTS = lib.CCP_A_STRUCT, lib.CCP_A_POINTER, lib.CCP_STRUCTS
"""What is copied: the struct, the pointer, or the structs at a place."""

VERDICTS = {lib.CCP_NOT_EQUAL: False, lib.CCP_EQUAL: True, lib.CCP_EQUAL_BUT_CAPABILITIES: None}
"""What `equality` gives, as `ccapnp.codec.Codec.equal` has it."""

_SMALL_WORDS = 24
_new = ffi.new
_SIZE, _EQUALITY = ffi.typeof("ccp_size *"), ffi.typeof("ccp_equality *")
_CANONICAL, _COUNT = ffi.typeof("ccp_canonical *"), ffi.typeof("uint64_t *")
_copy, _equal = lib.ccp_copy, lib.ccp_equal


def is_small(shape: ReadShape) -> bool:
    """Whether a message is so small that Python has read it before the shim has been called."""
    return shape.segment.size < _SMALL_WORDS and len(shape.arena.segments) == 1


def total_size(shape: ReadShape, word: int) -> Optional[tuple[int, int]]:
    """(words, capabilities) of a struct."""
    source = place(shape, word)
    size = _new(_SIZE)
    if source is None or lib.ccp_total_size(*source, size):
        return None
    shape.arena.budget -= size.traversed
    return size.words, size.capabilities


def copy(target: BuildShape, at: int, source: ReadShape, word: int, subject: int = A_STRUCT, count: int = 1) -> bool:
    """Make the null pointer at ``at`` lead to a copy from another message; whether that was done."""
    where = place(source, word)
    if where is None:
        return False
    traversed = _new(_COUNT)
    if not build(target, at, _copy, *where, subject, count, traversed):
        return False
    source.arena.budget -= traversed[0]
    return True


def equality(shape: ReadShape, word: int, other: ReadShape, other_word: int) -> Optional[int]:
    """What of ``ccp_equality`` two structs are.  What is read for it does not count against their limits."""
    one, another = place(shape, word), place(other, other_word)
    verdict = _new(_EQUALITY)
    if one is None or another is None or _equal(*one, *another, verdict):
        return None
    return verdict[0]  # type: ignore[no-any-return]


def canonical_form(shape: ReadShape, word: int) -> Optional[bytes]:
    """The canonical form of a struct."""
    source = place(shape, word)
    canonical: Any = _new(_CANONICAL)
    if source is None or lib.ccp_canonicalize(*source, canonical):
        return None
    try:
        form = bytes(ffi.buffer(canonical.words, canonical.size << 3))
    finally:
        lib.ccp_free(canonical.words)
    shape.arena.budget -= canonical.traversed
    return form
