"""Types, brands and values, as schema.capnp's structs of these names hold them."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, Optional

from ccapnp.wire.limits import UNLIMITED
from ccapnp.wire.views import number_of_bits

if TYPE_CHECKING:
    from ccapnp.codec import ReadShape
    from ccapnp.schema.record import Record

__all__ = ["NUMBER_VIEWS", "WIDTH_BITS", "Brand", "Kind", "Parameter", "Type", "Value"]


class Kind(IntEnum):
    """The members of schema.capnp's ``Type`` (and ``Value``), by discriminant."""

    VOID = 0
    BOOL = 1
    INT8 = 2
    INT16 = 3
    INT32 = 4
    INT64 = 5
    UINT8 = 6
    UINT16 = 7
    UINT32 = 8
    UINT64 = 9
    FLOAT32 = 10
    FLOAT64 = 11
    TEXT = 12
    DATA = 13
    LIST = 14
    ENUM = 15
    STRUCT = 16
    INTERFACE = 17
    ANY_POINTER = 18

    @property
    def is_pointer(self) -> bool:
        """Whether values of this kind lie in the pointer section."""
        return self in _POINTERS


_POINTERS = frozenset((Kind.TEXT, Kind.DATA, Kind.LIST, Kind.STRUCT, Kind.INTERFACE, Kind.ANY_POINTER))

WIDTH_BITS = {
    Kind.VOID: 0,
    Kind.BOOL: 1,
    Kind.INT8: 8,
    Kind.INT16: 16,
    Kind.INT32: 32,
    Kind.INT64: 64,
    Kind.UINT8: 8,
    Kind.UINT16: 16,
    Kind.UINT32: 32,
    Kind.UINT64: 64,
    Kind.FLOAT32: 32,
    Kind.FLOAT64: 64,
    Kind.ENUM: 16,
}
"""How many bits a value of each kind takes in the data section."""

NUMBER_VIEWS = {
    Kind.INT8: "i8",
    Kind.INT16: "i16",
    Kind.INT32: "i32",
    Kind.INT64: "i64",
    Kind.UINT8: "u8",
    Kind.UINT16: "u16",
    Kind.UINT32: "u32",
    Kind.UINT64: "u64",
    Kind.FLOAT32: "f32",
    Kind.FLOAT64: "f64",
    Kind.ENUM: "u16",
}
"""The view of a segment (`ccapnp.wire.views`) through which numbers of each kind are read."""

_ANY_KINDS = ("any", "struct", "list", "capability")


class Parameter(NamedTuple):
    """A generic parameter: the one at ``position`` of the node ``scope_id``, or of the method if that is ``None``."""

    scope_id: Optional[int]
    position: int


class Brand:
    """What the parameters of generic scopes are bound to: per scope id a list of types, or ``None`` to inherit them."""

    __slots__ = ("scopes",)

    def __init__(self, record: Optional[Record]) -> None:
        self.scopes: dict[int, Optional[tuple[Optional[Type], ...]]] = {}
        for scope in record.structs(0) if record else ():
            bindings: Optional[tuple[Optional[Type], ...]] = None
            if scope.u16(4) == 0:
                bindings = tuple(
                    Type(binding.struct(0)) if binding.u16(0) == 1 else None for binding in scope.structs(0)
                )
            self.scopes[scope.u64(0)] = bindings


class Type:
    """The type of a field, element, constant or annotation.

    ``element`` is a list's element type.  ``type_id`` and ``brand`` name an enum, struct or interface.  Of an
    ``ANY_POINTER``, ``parameter`` is the generic parameter that it stands for, and else ``any_kind`` tells how far it
    is constrained: "any", "struct", "list" or "capability".  A kind from a newer schema.capnp reads as ``VOID``.
    """

    __slots__ = ("any_kind", "brand", "element", "kind", "parameter", "type_id")

    def __init__(self, record: Optional[Record]) -> None:
        number = record.u16(0) if record else 0
        self.kind = Kind(number) if number <= Kind.ANY_POINTER else Kind.VOID
        self.element: Optional[Type] = None
        self.type_id = 0
        self.brand: Optional[Brand] = None
        self.parameter: Optional[Parameter] = None
        self.any_kind = "any"
        if record is None:
            return
        if self.kind == Kind.LIST:
            self.element = Type(record.struct(0))
        elif self.kind in (Kind.ENUM, Kind.STRUCT, Kind.INTERFACE):
            self.type_id = record.u64(1)
            inner = record.struct(0)
            self.brand = Brand(inner) if inner else None
        elif self.kind == Kind.ANY_POINTER:
            constraint = record.u16(4)
            if constraint == 1:
                self.parameter = Parameter(record.u64(2), record.u16(5))
            elif constraint == 2:
                self.parameter = Parameter(None, record.u16(5))
            elif record.u16(5) < len(_ANY_KINDS):
                self.any_kind = _ANY_KINDS[record.u16(5)]

    @classmethod
    def of(
        cls,
        kind: Kind,
        element: Optional[Type] = None,
        type_id: int = 0,
        any_kind: str = "any",
        brand: Optional[Brand] = None,
    ) -> Type:
        """A type that no schema has written down."""
        made = cls(None)
        made.kind, made.element, made.type_id, made.any_kind, made.brand = kind, element, type_id, any_kind, brand
        return made


class Value:
    """A default, constant or annotation value.

    ``number`` is a scalar (a bool, int or float; ``None`` for Void); ``bits`` is the scalar as it lies in the data
    section, the mask that a default is.
    """

    __slots__ = ("_is_checked", "_pointer", "bits", "kind", "number")

    def __init__(self, record: Optional[Record]) -> None:
        discriminant = record.u16(0) if record else 0
        self.kind = Kind(discriminant) if discriminant <= Kind.ANY_POINTER else Kind.VOID
        self.number: Optional[float] = None
        self.bits = 0
        self._pointer: Optional[tuple[ReadShape, int]] = None
        self._is_checked = False
        if record is None:
            return
        if self.kind.is_pointer:
            self._pointer = record.pointer(0)
            return
        width = WIDTH_BITS[self.kind]
        if width == 1:
            self.bits = int(record.bit(16))
            self.number = bool(self.bits)
        elif width:
            self.bits = getattr(record, f"u{width}")({8: 2, 16: 1, 32: 1, 64: 1}[width])
            self.number = number_of_bits(NUMBER_VIEWS[self.kind], self.bits)

    @property
    def pointer(self) -> Optional[tuple[ReadShape, int]]:
        """The place of a value that is no scalar; ``None`` where that is null.

        Programs read defaults and constants without end.  So one is copied once, under the limits of its schema, and
        then read without any.
        """
        if self._pointer is not None and not self._is_checked:
            shape, at = self._pointer
            shape.codec.new_message(1).copy_pointer(0, shape, at)
            self._pointer, self._is_checked = (shape.reopen(UNLIMITED), at), True
        return self._pointer
