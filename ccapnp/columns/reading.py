"""Reading columns: one field of every struct of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccapnp.columns.filling import as_items
from ccapnp.columns.np import U1, np
from ccapnp.columns.paths import bits_type, element_type, fields_of, is_number, number_type, path_of
from ccapnp.columns.places import Places, active, walk
from ccapnp.columns.pointers import follow
from ccapnp.errors import CapnpError, DecodeError
from ccapnp.schema.value import Kind
from ccapnp.types.fields import ScalarAccess
from ccapnp.types.lists import ListBuilder

if TYPE_CHECKING:
    from ccapnp.types.fields import FieldAccess

__all__ = ["column", "columns"]


def columns(structs: Any, paths: tuple[str, ...], fill: Any) -> dict[str, Any]:
    """The columns of those paths, or of all fields that every struct has and numpy has a type for."""
    named = paths or tuple(path for path, _ in fields_of(element_type(structs)))
    return {path: column(structs, path, fill) for path in named}


def column(structs: Any, path: str, fill: Any) -> Any:
    """See `ccapnp.types.lists.ListReader.column`."""
    *outer, access = path_of(structs, path)
    drops_others = fill is not ...
    found = active(walk(structs, outer, follow, drops_others=drops_others), access, drops_others=drops_others)
    if isinstance(access, ScalarAccess) and is_number(access):
        return _numbers(structs, access, found, fill)
    values = [fill] * len(structs)
    for places in found:
        _read_values(values, places, access)
    return values


def _numbers(structs: Any, access: ScalarAccess, found: list[Places], fill: Any) -> Any:
    """An array, which can be written to only where that changes the message."""
    is_masked = fill is np.ma.masked
    filled = 0 if fill is ... or is_masked else _fill_value(access, fill)
    if len(found) == 1 and found[0].are_all:
        array = _read_numbers(found[0], access, writable=isinstance(structs, ListBuilder))
    else:
        array = np.full(len(structs), filled, number_type(access))
        for places in found:
            array[places.positions] = _read_numbers(places, access, writable=False)
        array.flags.writeable = False
    return _masked(array, found) if is_masked else array


def _masked(array: Any, found: list[Places]) -> Any:
    mask = np.full(len(array), True)
    for places in found:
        mask[places.positions] = False
    return np.ma.MaskedArray(array, mask)


def _fill_value(access: ScalarAccess, fill: Any) -> Any:
    try:
        return as_items(access, [fill])
    except CapnpError as error:
        raise error.inside("fill") from None


def _read_numbers(places: Places, access: ScalarAccess, *, writable: bool) -> Any:
    """A view of the message's memory where there are such numbers in it, one after the other; else a copy."""
    offset, mask, dtype = access.field.offset, access.field.default.bits, number_type(access)
    if not places.has_data((offset + 1) * access.width):
        array = np.full(len(places), mask, bits_type(access)).view(dtype)
    elif access.kind == Kind.BOOL:
        array = (places.numbers(U1, offset >> 3) >> (offset & 7) & 1) != mask
    elif mask:
        bits = bits_type(access)
        array = (places.numbers(bits, offset) ^ mask).astype(bits, copy=False).view(dtype)
    else:
        array = places.numbers(dtype, offset, writable=writable)
        if isinstance(places.words, range):
            return array
    array.flags.writeable = False
    return array


def _read_values(values: list[Any], places: Places, access: FieldAccess) -> None:
    for position, view in places.views(access.owner.Reader):
        try:
            values[position] = access.get(view)
        except DecodeError as error:
            raise places.located(error, position) from None
