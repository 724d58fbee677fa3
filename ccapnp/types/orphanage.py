"""New orphans: values made in a message before it is known where they go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeError, EncodeTypeError, a
from ccapnp.types.any import AnyPointerBuilder, type_of
from ccapnp.types.any_list import AnyListBuilder
from ccapnp.types.any_struct import AnyStructBuilder
from ccapnp.types.list_types import ListType
from ccapnp.types.lists import ListBuilder, ListReader
from ccapnp.types.orphan import Orphan
from ccapnp.types.pointer_types import DATA
from ccapnp.types.struct_pointer import StructPointer, pointer_to
from ccapnp.types.struct_view import StructBuilder
from ccapnp.types.type_names import pointer_type
from ccapnp.wire.framing import byte_view
from ccapnp.wire.pointers import MAX_LIST_ELEMENTS

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape

__all__ = ["Orphanage", "orphanage"]


class Orphanage:
    """Makes orphans in one message.  Source: capnp/orphan.h."""

    __slots__ = ("_c",)

    def __init__(self, shape: BuildShape) -> None:
        self._c = shape

    def new(self, type_name: Any, size: Optional[int] = None) -> Orphan:
        """A new orphan of a type: a struct, or a list, Data or Text of ``size`` elements or bytes, all zero."""
        made = pointer_type(type_name)
        orphan = self._c.new_orphan()
        if isinstance(made, StructPointer):
            pointer_to(made.struct_type).init(orphan, 0, size)
        else:
            made.resize(orphan, 0, size)
        return Orphan._of(made, orphan)

    def copy(self, value: Any) -> Orphan:
        """A copy of a struct or list of any message, or of a `str` or bytes, with the type of that."""
        made, orphan = type_of(value, "an orphan"), self._c.new_orphan()
        with orphan.replacing(0):
            made.write(orphan, 0, value)
        return Orphan._of(made, orphan)

    def concatenate(self, lists: Iterable[Any]) -> Orphan:
        """A new list of all elements of some lists of one type, one list after the other.

        Structs get the room of the largest among them, so that nothing is lost of what a newer schema wrote.
        """
        lists = list(lists)
        if not lists:
            raise EncodeError("there are no lists to concatenate")
        for each in lists:
            if not isinstance(each, ListReader):
                raise EncodeTypeError(f"only lists of messages can be concatenated, not {a(type(each).__name__)}")
        list_type: ListType = lists[0]._type
        for each in lists:
            if not list_type.accepts(each._type):
                raise EncodeTypeError(f"{a(each._type.name)} cannot be concatenated with {a(list_type.name)}")
        orphan = self._c.new_orphan()
        with orphan.replacing(0):
            list_type.concatenate(orphan, 0, lists)
        return Orphan._of(list_type, orphan)

    def reference(self, data: Any) -> Orphan:
        """Data that is in a buffer of its own, which becomes a segment of the message without a copy.

        The message keeps the buffer, and never writes to it: builders refuse to, readers see it.  The segment stays
        even if the orphan is not adopted.  EncodeError unless the buffer is a whole number of words (8 bytes).
        """
        try:
            view = memoryview(data)
        except (TypeError, ValueError, BufferError):  # no buffer, or one that says it cannot be one
            raise EncodeTypeError(f"external data is a buffer, not {a(type(data).__name__)}") from None
        if not view.c_contiguous:
            raise EncodeError("external data must be contiguous")
        if view.nbytes & 7:
            raise EncodeError(f"external data must be a whole number of words of 8 bytes; {view.nbytes} bytes are none")
        if view.nbytes > MAX_LIST_ELEMENTS:
            raise EncodeError(f"{view.nbytes} bytes are too many for one list; it may have {MAX_LIST_ELEMENTS}")
        return Orphan._of(DATA, self._c.reference(byte_view(view).toreadonly()))


_BUILDERS = (StructBuilder, ListBuilder, AnyPointerBuilder, AnyStructBuilder, AnyListBuilder)


def orphanage(builder: Any) -> Orphanage:
    """What makes orphans in the message of a builder: of a struct, a list of structs or pointers, or anything."""
    shape: Any = getattr(builder, "_c", None)
    if isinstance(builder, _BUILDERS) and hasattr(shape, "new_orphan"):
        return Orphanage(shape)
    raise EncodeTypeError(
        f"{a(type(builder).__name__)} does not know a message that can be changed: pass the builder of a struct, or of"
        " a list of structs or pointers that is not null"
    )
