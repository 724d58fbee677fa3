"""Open enums: an `enum.IntEnum` for each schema enum, in which a number without a name stays that number."""

from __future__ import annotations

from enum import EnumMeta, IntEnum
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar

from ccapnp.errors import EncodeError, EncodeTypeError, a, did_you_mean, shown
from ccapnp.types.class_schema import ClassSchema
from ccapnp.types.kept import kept

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import EnumSchema
    from ccapnp.types.registry import TypeRegistry

__all__ = ["Enum", "EnumMembers", "enum_number", "numbers_by_name", "schema_name"]

_E = TypeVar("_E", bound="Enum")
_NUMBER_FORMATS = (*"bcdeEfFgGnoxX%",)


class EnumType(EnumMeta):
    """The type of schema enums."""

    schema: ClassSchema[EnumSchema] = ClassSchema()


class Enum(IntEnum, metaclass=EnumType):
    """The base of all schema enums.

    A number that the schema does not name, 0 to 65535, makes a member that is in no list of members, whose ``name`` is
    the number in parentheses: data from a newer schema is read and written back without loss.
    """

    _node_id: int
    _registry: TypeRegistry

    @classmethod
    def _missing_(cls, value: object) -> Any:
        try:
            number = index(value)  # type: ignore[arg-type]
        except TypeError:
            return None
        if not 0 <= number <= 0xFFFF:
            return None
        member = int.__new__(cls, number)
        member._name_ = f"({number})"
        member._value_ = number
        return cls._value2member_map_.setdefault(number, member)

    def __str__(self) -> str:
        return self._name_

    def __format__(self, spec: str) -> str:
        """As of the name, or of the number if ``spec`` is for numbers, on every Python: `IntEnum` is of two minds."""
        return format(int(self) if spec[-1:] in _NUMBER_FORMATS else self._name_, spec)

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__}.{self._name_}: {int(self)}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        from ccapnp.types.pickling import reduce_enum

        return reduce_enum(self)


class EnumMembers(dict[int, Any]):
    """All members of one enum by number; a number without a name gets its member when it is first met."""

    __slots__ = ("_enum",)

    def __init__(self, enum: type[Enum]) -> None:
        super().__init__((int(member), member) for member in enum)
        self._enum = enum

    def __missing__(self, number: int) -> Enum:
        member = self[number] = self._enum._missing_(number)  # not by a call, which an enum without names refuses
        return member  # type: ignore[no-any-return]


def schema_name(member: Enum) -> str:
    """The member's name in the schema, where no name has an underscore; a number in parentheses if it has none."""
    return member._name_.rstrip("_")


@kept
def numbers_by_name(enum: type[Enum]) -> dict[str, int]:
    """An enum's numbers by the names that the schema has for them."""
    return {schema_name(member): int(member) for member in enum}


def enum_number(enum: type[Enum], value: Any) -> int:
    """The number to write for ``value``: a member, a schema name or a number from 0 to 65535."""
    if isinstance(value, str):
        numbers = numbers_by_name(enum)
        if value not in numbers:
            raise EncodeError(f"{enum.__qualname__} has no {shown(value)}{did_you_mean(value, numbers)}")
        return numbers[value]
    # The classes of two codecs stand for one enum.
    if isinstance(value, Enum) and not isinstance(value, enum) and type(value)._node_id != enum._node_id:
        raise EncodeTypeError(f"{a(type(value).__qualname__)} is not {a(enum.__qualname__)}")
    try:
        number = index(value)
    except TypeError:
        raise EncodeTypeError(
            f"{a(enum.__qualname__)} is set from a member, its name or its number, not {shown(value)}"
        ) from None
    if not 0 <= number <= 0xFFFF:
        raise EncodeError(f"{shown(number)} is not a number of an enum; they go from 0 to 65535")
    return number
