"""What a null pointer is in a record: the schema's default, as a record or tuple, or what is empty.

A default may lead to itself, as that of ``struct A { a @0 :A = (); }`` does, where ``a`` is null.  A reader goes on
with it for as long as one reads; a record, which has an end, has ``None`` or an empty list for such a field.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Callable, Optional

from ccapnp.types.fields import PointerAccess
from ccapnp.types.list_types import ListType
from ccapnp.types.lists import ListReader
from ccapnp.types.struct_view import StructView, to_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccapnp.schema.nodes import Field
    from ccapnp.types.pointer_types import PointerType
    from ccapnp.types.struct_type import StructType
    from ccapnp.wire.layout import ValueLayout

__all__ = ["is_endless", "unset_later", "unset_value"]


def unset_value(
    owner: StructType, field: Field, pointer_type: PointerType, value: ValueLayout
) -> Optional[Callable[[], Any]]:
    """A function that gives what a field's null pointer is; ``None`` if that is what all of its kind are."""
    default = field.default.pointer
    if default is None:
        return value.absent and cache(value.absent)

    def unset() -> Any:
        if is_endless(owner._access(field.name)):
            return unset_later(pointer_type)
        return _item(value, pointer_type.read(*default))

    return cache(unset)


def unset_later(pointer_type: PointerType) -> Any:
    """What a null pointer to structs, or a list of them, is without a default."""
    return () if isinstance(pointer_type, ListType) else None


def is_endless(access: Any) -> bool:
    """Whether a pointer's default leads to itself."""
    pending: list[PointerAccess] = [access]
    seen: set[PointerAccess] = set()
    while pending:
        each = pending.pop()
        for found in _null_in(each.pointer_type.read_default(each.default)):
            if found is access:
                return True
            if found not in seen:
                seen.add(found)
                pending.append(found)
    return False


def _null_in(value: Any) -> Iterator[PointerAccess]:
    """The null pointers with a default, in a value that was read and all below it."""
    if isinstance(value, ListReader):
        for element in value:
            yield from _null_in(element)
    elif isinstance(value, StructView):
        for access in value._type._accesses():
            if not access.is_active(value):
                continue
            if not isinstance(access, PointerAccess) or access.has(value):
                yield from _null_in(access.get(value))
            elif access.default is not None:
                yield access


def _item(value: ValueLayout, read: Any) -> Any:
    """What a record has for a value that was read."""
    if isinstance(read, StructView):
        return to_record(read)
    if isinstance(read, ListReader) and value.form != "other":
        return tuple(_item(value, each) for each in read)
    return read
