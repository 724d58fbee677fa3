"""Orphans: objects that belong to a message but to no pointer of it; how they leave the message's tree, and return.

An orphan is a shape here, of which word 0 is the pointer to it, beside the message (`ccapnp.pure.arena`).
Source: capnp/orphan.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.errors import EncodeError
from ccapnp.pure.locate import A_CAPABILITY, POINTERS, locate, pointer_words
from ccapnp.pure.relocate import move_object, move_pointer
from ccapnp.pure.upgrade import move_struct
from ccapnp.pure.zero import zero_object, zero_sections
from ccapnp.wire.pointers import LIST, STRUCT
from ccapnp.wire.shape import new_shape

if TYPE_CHECKING:
    from ccapnp.pure.building import BuildShape
    from ccapnp.pure.segment import Segment

__all__ = [
    "adopt",
    "adopt_struct",
    "discard",
    "disown",
    "disown_struct",
    "new_orphan",
    "reference",
    "require_adoptable",
]


def new_orphan(shape: BuildShape) -> BuildShape:
    """The null pointer to a new orphan of the message."""
    return new_shape(type(shape), shape.arena.anchor(), shape.arena, 0, 1, shape.depth)


def disown(shape: BuildShape, at: int) -> BuildShape:
    """Make the pointer null and what it led to an orphan."""
    arena = shape.arena
    orphan = new_orphan(shape)
    arena.keep_memory()
    move_object(arena, orphan.segment, 0, shape.segment, at)
    return orphan


def disown_struct(shape: BuildShape, word: int) -> BuildShape:
    """Move the contents of a struct where it is, an element of a list, to an orphan; all of it is zero then."""
    arena = shape.arena
    arena.keep_memory()
    orphan = new_orphan(shape)
    made, start = orphan.init_struct(0, shape.data_words, shape.pointers, lambda made, start: (made, start))
    move_struct(arena, made.segment, start, made.data_words, shape.segment, word, shape.data_words, shape.pointers)
    return orphan


def adopt(shape: BuildShape, at: int, orphan: BuildShape) -> None:
    """Make the pointer lead to an orphan, which is none then; what it led to becomes zero."""
    arena = shape.arena
    require_adoptable(shape, at, orphan)
    arena.keep_memory()
    old = shape.u64[at]
    shape.u64[at] = 0
    move_object(arena, shape.segment, at, orphan.segment, 0)
    orphan.segment.spent = True
    if old:
        zero_object(arena, shape.segment, at, old)


def adopt_struct(shape: BuildShape, word: int, orphan: BuildShape) -> None:
    """Overwrite the struct at ``word``, where it is, with an orphan; what has no room here is lost."""
    arena = shape.arena
    require_adoptable(shape, word, orphan)
    arena.keep_memory()
    zero_sections(shape, word)
    if orphan.u64[0]:
        orphan.read_struct(0, lambda source, start: _move_sections(shape, word, source, start))
    discard(orphan)


def _move_sections(shape: BuildShape, word: int, source: BuildShape, start: int) -> None:
    size = min(shape.data_words, source.data_words) << 3
    shape.u8[word << 3 : (word << 3) + size] = source.u8[start << 3 : (start << 3) + size]
    for index in range(min(shape.pointers, source.pointers)):
        move_pointer(
            shape.arena,
            shape.segment,
            word + shape.data_words + index,
            source.segment,
            start + source.data_words + index,
        )


def discard(orphan: BuildShape) -> None:
    """End an orphan: it becomes zero, and nothing can be made of it any more."""
    orphan.clear(0)
    orphan.segment.spent = True


def reference(shape: BuildShape, data: memoryview) -> BuildShape:
    """An orphan that is these very bytes, a whole number of words, as a list of bytes; nobody may write to them."""
    orphan = new_orphan(shape)
    if data:
        segment = shape.arena.add_external(data)
        shape.arena.link_anchor(orphan.segment, segment, 0, len(data) << 35 | 2 << 32 | LIST)
    else:
        orphan.set_bytes(0, b"", 0, 0)
    return orphan


def require_adoptable(shape: BuildShape, at: int, orphan: BuildShape) -> None:
    """EncodeError if the orphan cannot go to ``at``, a pointer or the first word of a struct."""
    if orphan.arena.segments is not shape.arena.segments:
        raise EncodeError("an orphan can only be adopted in its own message; set copies from another one")
    if orphan.segment.spent or shape.segment.spent:
        raise EncodeError("this orphan is no more: it was adopted or discarded")
    if shape.segment is orphan.segment or (not _is_in_root(shape, at) and _holds(orphan, shape.segment, at)):
        raise EncodeError("an orphan cannot be adopted by itself, or by what is in it")


def _is_in_root(shape: BuildShape, word: int) -> bool:
    """Whether a word of a message is surely in its root struct: the usual place to adopt, and found at once."""
    first = shape.arena.segments[0]
    low, high = first.i32[0], first.u32[1]
    start = 1 + (low >> 2)
    return shape.segment is first and low & 3 == STRUCT and 0 <= word - start < (high & 0xFFFF) + (high >> 16)


def _holds(orphan: BuildShape, segment: Segment, word: int) -> bool:
    """Whether a word of a struct, or of a list of structs or pointers, is in an orphan or below it."""
    arena = orphan.arena
    stack: list[Any] = [(iter((0,)), orphan.segment)]
    while stack:
        places, inside = stack[-1]
        u64 = inside.u64
        for at in places:
            if not u64[at]:
                continue
            kind, target, first, count, data_words, pointers = locate(arena, inside, at, orphan.depth)
            if kind < POINTERS or kind == A_CAPABILITY or not pointers:
                continue
            step = data_words + pointers
            if target is segment and first <= word < first + count * step:
                return True
            stack.append((iter(pointer_words(first, count, step, data_words, pointers)), target))
            break
        else:
            stack.pop()
    return False
