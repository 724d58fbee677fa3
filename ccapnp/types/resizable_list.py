"""A list whose length is found out while it is filled."""

from __future__ import annotations

from typing import Any

from ccapnp.errors import EncodeTypeError
from ccapnp.types.fields import FieldAccess, PointerAccess
from ccapnp.types.list_types import ListType, StructListType

__all__ = ["ResizableList"]


class ResizableList:
    """Gathers elements outside the message; `finish` writes them into the field, as often as it is called.

    As a context manager it finishes at the end, unless there was an error.
    """

    def __init__(self, builder: Any, access: FieldAccess) -> None:
        if not isinstance(access, PointerAccess) or not isinstance(access.pointer_type, ListType):
            raise EncodeTypeError(f"{access.name} is not a list").inside(access.name)
        self._builder = builder
        self._access = access
        self._type = access.pointer_type
        self._elements: list[Any] = []

    def add(self) -> Any:
        """The builder of a new struct at the end of the list."""
        if not isinstance(self._type, StructListType):
            raise EncodeTypeError(f"elements of {self._type.name} are not structs: use append(value)")
        element = self._type.struct_type._new(32)
        self._elements.append(element)
        return element

    def append(self, value: Any) -> None:
        """Put ``value`` at the end of the list."""
        self._elements.append(value)

    def finish(self) -> None:
        """Write all elements so far into the field; the list may still grow and be finished again."""
        self._access.set(self._builder, self._elements)

    def __len__(self) -> int:
        return len(self._elements)

    def __enter__(self) -> ResizableList:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.finish()
