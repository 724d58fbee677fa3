"""The ``schema`` attribute of types and views, which gives way to a field, constant or enumerant of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ccapnp.reflection.schemas import Schema

__all__ = ["ClassSchema", "ViewSchema"]

_S = TypeVar("_S", bound="Schema")


class ClassSchema(Generic[_S]):
    """In a metaclass, what the schema says of the class.  (A property would come before the class's own attributes.)"""

    def __get__(self, cls: Any, metaclass: Any = None) -> _S:
        # Before Python 3.11, the members of an enum are not among the attributes of its class.
        members = vars(cls).get("_member_map_", {})
        return members["schema"] if "schema" in members else _schema_of(cls)  # type: ignore[no-any-return]


class ViewSchema:
    """In the base of readers and builders, what the schema says of their type."""

    def __get__(self, view: Any, view_class: Any = None) -> Any:
        return _schema_of(view_class)


def _schema_of(thing: Any) -> Any:
    from ccapnp.reflection.of import schema_of

    try:
        return schema_of(thing)
    except TypeError:
        raise AttributeError(f"{thing.__qualname__} is of no schema: it is the base of those that are") from None
