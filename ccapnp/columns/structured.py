"""A list of structs as a structured array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.columns.np import np
from ccapnp.columns.paths import element_type, fields_of, number_type
from ccapnp.columns.places import Places
from ccapnp.columns.reading import column
from ccapnp.schema.value import Kind
from ccapnp.types.kept import kept
from ccapnp.types.lists import ListBuilder

if TYPE_CHECKING:
    from ccapnp.types.struct_type import StructType

__all__ = ["as_array"]


def as_array(structs: Any, dtype: Any, copy: Optional[bool]) -> Any:
    """The numbers and enums of all structs; the arguments are those of numpy's ``__array__``.

    It is a view of the message where every field is there and has no default but zero, else a copy.  It can be written
    to where that changes the message, or where a copy was asked for.
    """
    array, is_view = _array(structs)
    if dtype is not None and array.dtype != dtype:
        array, is_view = array.astype(dtype), False
    if copy is False and not is_view:
        raise ValueError(
            "this array cannot be had without a copy: fields are missing, or have defaults, or another dtype"
        )
    return array.copy() if copy else array


def _array(structs: Any) -> tuple[Any, bool]:
    """The array, and whether it is a view."""
    dtype, has_defaults = _array_type(element_type(structs))
    shape, count = structs._c, len(structs)
    if count and dtype.names and not has_defaults and shape.data_bits >= dtype.itemsize << 3:
        return Places.of(structs).numbers(dtype, 0, writable=isinstance(structs, ListBuilder)), True
    array = np.zeros(count, dtype)
    for path in dtype.names:
        array[path] = column(structs, path, ...)
    array.flags.writeable = False
    return array, not count


@kept
def _array_type(struct_type: StructType) -> tuple[Any, bool]:
    """(dtype, whether any field has a default other than zero): the schema's data section, field by field."""
    fields = [(path, access) for path, access in fields_of(struct_type) if access.kind != Kind.BOOL]
    types = [number_type(access) for _, access in fields]
    return (
        np.dtype(
            {
                "names": [path for path, _ in fields],
                "formats": types,
                "offsets": [access.field.offset * each.itemsize for (_, access), each in zip(fields, types)],
                "itemsize": struct_type._node.data_words << 3,
            }
        ),
        any(access.field.default.bits for _, access in fields),
    )
