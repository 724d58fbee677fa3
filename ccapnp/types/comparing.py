"""Structural equality of whatever a message holds, with a third answer where capabilities are all that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.types import message
from ccapnp.types.any_struct import AnyStructReader
from ccapnp.types.any_view import AnyView
from ccapnp.types.lists import ListReader
from ccapnp.types.struct_view import StructView

if TYPE_CHECKING:
    from ccapnp.types.pointer_types import Place

__all__ = ["equal"]


def equal(one: Any, other: Any) -> Optional[bool]:
    """Whether two structs, lists, AnyPointers, AnyStructs or AnyLists of messages are structurally equal.

    ``None`` says that they hold capabilities and are equal but for these, of which nobody can tell; ``==`` raises
    CapnpError then.  Types do not matter, only what is in memory: data and pointers.  Zeros at a section's end do not
    count (``Person()`` is equal to an empty struct), but a list's element size does: a List(UInt8) is never equal to a
    List(UInt16).  What is read for it does not count against the readers' traversal limits.

    Raises TypeError if either is nothing of the kind, DecodeError for a message that cannot be read.
    """
    if isinstance(one, _STRUCTS) and isinstance(other, _STRUCTS):
        return message.compare(one, other)
    (shape, at), (there, there_at) = _pointer_to(one), _pointer_to(other)
    return message.compare_places(shape.pointer_alone(), at, there.pointer_alone(), there_at)


_STRUCTS = StructView, AnyStructReader


def _pointer_to(value: Any) -> Place:
    """The place of a pointer to ``value``, or to a copy of it."""
    if isinstance(value, (AnyView, ListReader)):
        return value._place()
    if isinstance(value, StructView):
        return message.copy_message(message.isolated(value), value._c.codec), 0
    raise TypeError(f"only what messages hold can be compared, not {type(value).__name__}")
