"""Objects with attributes in the place of a mapping: what a struct can be set from besides dicts."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ccapnp.types.struct_type import StructType

__all__ = ["attributes_of"]

_OTHER_VALUES = (str, bytes, bytearray, int, float, complex, list, dict, set, frozenset, Enum)
_NO_RECORDS = (*_OTHER_VALUES, type, FunctionType, ModuleType, BaseException)
"""What may have attributes, but not as a record has fields."""


def attributes_of(value: Any, struct_type: StructType) -> Optional[dict[str, Any]]:
    """The public attributes of a dataclass, a namedtuple or another object, as fields of a struct type.

    ``None`` for what has none, and for numbers, strings, lists and the like, whatever their class.  An object has all
    attributes of its class, also those of a union's members that are not meant: of several, those are left out that are
    ``None``.
    """
    names = _names(value)
    if names is None:
        return None
    values = {name: getattr(value, name) for name in names}
    members = [name for name in values if _is_member(struct_type, name)]
    if len(members) > 1:
        for name in members:
            if values[name] is None:
                del values[name]
    return values


def _is_member(struct_type: StructType, name: str) -> bool:
    field = struct_type._find(name)
    return field is not None and field.discriminant is not None


def _names(value: Any) -> Optional[Iterable[str]]:
    cls = type(value)
    if isinstance(value, tuple):
        return getattr(cls, "_fields", None)  # of a namedtuple
    if isinstance(value, _NO_RECORDS) or cls.__module__.startswith("ccapnp."):  # as capabilities are
        return None
    if hasattr(cls, "__dataclass_fields__"):
        from dataclasses import fields

        return [field.name for field in fields(value)]
    if hasattr(cls, "__attrs_attrs__"):
        return [attribute.name for attribute in cls.__attrs_attrs__]
    slots = (name for base in reversed(cls.__mro__) for name in _slots(base))
    names = dict.fromkeys([*slots, *getattr(value, "__dict__", ())])
    return [name for name in names if not name.startswith("_") and hasattr(value, name)] or None


def _slots(cls: type) -> Iterable[str]:
    slots: Any = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else slots
