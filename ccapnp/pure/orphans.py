"""Orphans: objects that belong to a message but to no pointer of it; how they leave the message's tree, and return.

An orphan is a shape here, of which word 0 is the pointer to it, beside the message (`ccapnp.pure.arena`).
Source: capnp/orphan.h.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from ccapnp.errors import EncodeError
from ccapnp.pure.follow import follow
from ccapnp.pure.locate import A_CAPABILITY, POINTERS, locate, pointer_words
from ccapnp.pure.relocate import move_object, move_pointer
from ccapnp.pure.upgrade import move_struct
from ccapnp.pure.zero import whole_object, zero_object, zero_sections
from ccapnp.wire.pointers import LIST
from ccapnp.wire.shape import new_shape

if TYPE_CHECKING:
    from ccapnp.pure.arena import BuildSegment
    from ccapnp.pure.building import BuildShape

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

_FEW = 16
"""How many of the other orphans, the newest, are looked at before the one that is to be adopted is looked through."""


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
    place = shape.segment, at
    if not _is_elsewhere(orphan, *place) and _holds(orphan, *place):
        raise EncodeError("an orphan cannot be adopted by itself, or by what is in it")


def _is_elsewhere(orphan: BuildShape, segment: BuildSegment, word: int) -> bool:
    """Whether a word is surely not in an orphan, being in the root or another orphan itself, or the pointer to it.

    That is where one adopts mostly: who builds a tree from its leaves on need not have each branch looked through.
    """
    arena = orphan.arena
    if segment.is_anchor or (segment is arena.segments[0] and word == 0):
        return segment is not orphan.segment
    root, start, low, high = follow(arena, arena.segments[0], 0)
    tops: list[tuple[Any, int, int]] = [(root, start, high << 32 | low & 3)]
    own = orphan.u64[0] >> 32
    for pad in islice(reversed(arena.beside.pads.values()), _FEW) if arena.beside else ():
        if pad.index != own:
            far = pad.u64[0]
            tops.append((arena.segment(far >> 32), (far & 0xFFFFFFFF) >> 3, pad.u64[1]))
    for target, first, tag in tops:
        if target is segment and first <= word < first + whole_object(target, first, tag)[2]:
            return True
    return False


def _holds(orphan: BuildShape, segment: BuildSegment, word: int) -> bool:
    """Whether a word of a struct, or of a list of structs or pointers, is in an orphan or below it, or its pointer."""
    if segment is orphan.segment:
        return True
    arena = orphan.arena
    stack: list[Any] = [(iter((0,)), orphan.segment)]
    while stack:
        places, inside = stack[-1]
        u64 = inside.u64
        for at in places:
            if not u64[at]:
                continue
            kind, target, first, count, data_words, pointers = locate(arena, inside, at, orphan.depth)
            if kind < POINTERS or kind == A_CAPABILITY:
                continue
            step = data_words + pointers
            if target is segment and first <= word < first + count * step:
                return True
            if pointers:
                stack.append((iter(pointer_words(first, count, step, data_words, pointers)), target))
                break
        else:
            stack.pop()
    return False
