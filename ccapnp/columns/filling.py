"""Setting columns: one field of every struct of a list that is being built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.columns.np import U1, U2, np
from ccapnp.columns.paths import bits_type, is_number, number_type, path_of
from ccapnp.columns.places import Places, by_shape, walk
from ccapnp.errors import CapnpError, DecodeError, EncodeError, EncodeTypeError
from ccapnp.schema.value import Kind
from ccapnp.types.accessors import NUMBER_RANGES
from ccapnp.types.fields import PointerAccess, ScalarAccess
from ccapnp.types.list_types import has_buffer

if TYPE_CHECKING:
    from ccapnp.types.fields import FieldAccess

__all__ = ["as_items", "set_columns"]


def set_columns(builders: Any, columns: Mapping[str, Any]) -> None:
    """See `ccapnp.types.lists.ListBuilder.set_columns`."""
    paths = [path_of(builders, path) for path in columns]
    _require_one_member(paths)
    new = [_checked(path[-1], name, values, len(builders)) for path, (name, values) in zip(paths, columns.items())]
    found = [walk(builders, path[:-1], _built, drops_others=False) for path in paths]
    for path, items, all_places in zip(paths, new, found):
        for places in all_places:
            _write(places, path[-1], items if places.are_all else items[places.positions])


def _require_one_member(paths: list[list[FieldAccess]]) -> None:
    """EncodeError if two paths lead into two members of one union."""
    members: dict[tuple[str, ...], str] = {}
    for path in paths:
        for depth, access in enumerate(path):
            if access.discriminant is not None:
                union = tuple(each.name for each in path[:depth])
                if members.setdefault(union, access.name) != access.name:
                    raise access.owner._two_members(members[union], access.name)


def _checked(access: FieldAccess, path: str, values: Any, count: int) -> Any:
    try:
        if not is_number(access):
            raise EncodeTypeError("numbers, enums and Bools are set as columns; set this one by one")
        items = as_items(access, values)
        if len(items) != count:
            raise EncodeError(f"{len(items)} values cannot be set in a list of {count} structs")
    except CapnpError as error:
        raise error.inside(path, access.owner.__qualname__) from None
    return items


def _built(places: Places, access: PointerAccess) -> list[Places]:
    """The structs that a field of each struct leads to, as by reading the field of a builder."""

    def each() -> Iterator[tuple[int, Any]]:
        for position, builder in places.views(access.owner.Builder):
            try:
                inner = access.get(builder)
            except DecodeError as error:
                raise places.located(error, position) from None
            yield position, (inner._c, inner._w)

    return by_shape(each(), f"{places.path}.{access.name}")


def _write(places: Places, access: Any, items: Any) -> None:
    offset, mask, bits_of = access.field.offset, access.field.default.bits, bits_type(access)
    if access.discriminant is not None:
        places.put(U2, access.tag_index, access.discriminant)
    if access.kind == Kind.BOOL:
        bit = offset & 7
        others = places.numbers(U1, offset >> 3) & (~(1 << bit) & 0xFF)
        places.put(U1, offset >> 3, others | (items ^ bool(mask)).astype(U1) << bit)
        return
    if mask and access.kind in _NANS:
        items = np.where(np.isnan(items), _NANS[access.kind].view(items.dtype), items)
    bits = items.view(bits_of)
    places.put(bits_of, offset, bits ^ mask if mask else bits)


# Under a default, every NaN is the same one (capnp/layout.h, `mask`).
_NANS = {
    Kind.FLOAT32: np.array(0x7FC00000, "<u4"),
    Kind.FLOAT64: np.array(0x7FF8000000000000, "<u8"),
}


def as_items(access: Any, values: Any) -> Any:
    """A copy of ``values``, as of a list of the field's type: they may be a buffer or any iterable.

    Raises EncodeError, with the index, for a value that does not fit.
    """
    array = np.asarray(values) if hasattr(values, "__array__") or has_buffer(values) else None
    items = None if array is None or array.ndim != 1 else _converted(array, access)
    if items is not None:
        return items
    registry = access.owner._registry
    list_type = registry.list_type(access.field.type)
    root = registry.codec.new_message()
    list_type.write(root, 0, values)
    return np.array(list(list_type.read(root, 0)), number_type(access))


def _converted(array: Any, access: ScalarAccess) -> Optional[Any]:
    """A copy of an array whose values all fit, and are of the right kind; for any other ``None``."""
    kind, dtype, source = access.kind, number_type(access), array.dtype
    if kind == Kind.BOOL:
        return array.copy() if source == dtype else None
    if dtype.kind == "f":
        if source.kind not in "biuf" or source.itemsize > 8:
            return None
        doubles = array.astype("<f8")
        with np.errstate(over="ignore"):
            items = doubles.astype(dtype)
        return None if (np.isinf(items) & np.isfinite(doubles)).any() else items
    if source.kind not in "biu":
        return None
    low, high = (0, 0xFFFF) if kind == Kind.ENUM else NUMBER_RANGES[kind][1:]
    if len(array) and not low <= int(array.min()) <= int(array.max()) <= high:
        return None
    return array.astype(dtype)
