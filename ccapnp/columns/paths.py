"""Which field a dotted path leads to, through groups and structs; and which fields are numbers to numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.columns.np import BITS, np
from ccapnp.errors import EncodeTypeError, UnknownFieldError, shown
from ccapnp.schema.value import NUMBER_VIEWS, Kind
from ccapnp.types.fields import GroupAccess, PointerAccess, ScalarAccess
from ccapnp.types.struct_pointer import StructPointer

if TYPE_CHECKING:
    from ccapnp.types.fields import FieldAccess
    from ccapnp.types.struct_type import StructType

__all__ = ["bits_type", "element_type", "fields_of", "is_number", "number_type", "path_of"]

# Little-endian, as they lie in a message, on every host.
_TYPES = {kind: np.dtype(f"<{view[0]}{int(view[1:]) >> 3}") for kind, view in NUMBER_VIEWS.items()}
_TYPES[Kind.BOOL] = np.dtype(bool)


def is_number(access: FieldAccess) -> bool:
    """Whether numpy has a type for the field: it is a number, an enum, or a Bool."""
    return isinstance(access, ScalarAccess) and access.kind in _TYPES


def number_type(access: FieldAccess) -> Any:
    """The dtype of such a field; an enum's is that of its numbers."""
    return _TYPES[access.field.type.kind]


def bits_type(access: ScalarAccess) -> Any:
    """The unsigned integer that the field lies in: of a Bool, the byte that has its bit."""
    return BITS[max(access.width >> 3, 1).bit_length() - 1]


def path_of(structs: Any, path: str) -> list[FieldAccess]:
    """The fields on a path such as "engine.horsepower" from the elements of a list of structs."""
    if not isinstance(path, str):
        raise TypeError(f"a column is named by a str, not {shown(path)}")
    inner: Optional[StructType] = element_type(structs)
    accesses: list[FieldAccess] = []
    for name in path.split("."):
        if inner is None:
            last = accesses[-1]
            raise UnknownFieldError(
                f"{last.owner.__qualname__}.{last.name} is neither a struct nor a group, and has no field {name!r}",
                field=name,
                type=last.owner.__qualname__,
            )
        access = inner._access(name)
        accesses.append(access)
        inner = _struct_of(access)
    return accesses


def _struct_of(access: FieldAccess) -> Optional[StructType]:
    """The type of the group or struct that the field is, if it is one."""
    if isinstance(access, GroupAccess):
        return access.group
    pointer_type = access.pointer_type if isinstance(access, PointerAccess) else None
    return pointer_type.struct_type if isinstance(pointer_type, StructPointer) else None


def element_type(structs: Any) -> StructType:
    """The type of the elements of a list of structs; EncodeTypeError for any other list."""
    found: Optional[StructType] = getattr(structs._type, "struct_type", None)
    if found is None:
        raise EncodeTypeError(f"a {structs._type.name} has no columns: its elements are not structs")
    return found


def fields_of(struct_type: StructType) -> Iterator[tuple[str, ScalarAccess]]:
    """(path, field) of the numbers, enums and Bools that every struct of the type has, those of groups included.

    Members of unions are left out: a struct may have another one.
    """
    for access in struct_type._accesses():
        if access.discriminant is not None:
            continue
        if isinstance(access, GroupAccess):
            for path, inner in fields_of(access.group):
                yield f"{access.name}.{path}", inner
        elif isinstance(access, ScalarAccess) and is_number(access):
            yield access.name, access
