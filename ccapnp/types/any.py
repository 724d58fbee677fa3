"""Pointers to anything: AnyPointer fields and list elements, and roots whose type is not yet known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import CapnpError, EncodeTypeError
from ccapnp.types.lists import ListReader
from ccapnp.types.message import afresh, require_struct
from ccapnp.types.pointer_types import DATA, TEXT, Place, PointerType
from ccapnp.types.struct_pointer import null_pointer, pointer_to
from ccapnp.types.struct_view import StructView

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape

__all__ = ["ANY_POINTER", "CAPABILITY", "AnyPointerBuilder", "AnyPointerReader", "Capability"]


class AnyPointerReader:
    """A pointer whose type the schema leaves open; ``as_struct(T)`` and its like read it as one."""

    __slots__ = ("_at", "_c")

    def __init__(self, shape: ReadShape, at: int) -> None:
        self._c = shape
        self._at = at

    @property
    def kind(self) -> str:
        """ "null", "struct", "list" or "capability"; DecodeError for a pointer of no known kind."""
        return self._c.read_kind(self._at)

    def as_struct(self, struct_type: Any) -> Any:
        """A reader of type ``struct_type``; DecodeError if the pointer leads to something else."""
        return self._read(pointer_to(struct_type))

    def as_text(self) -> str:
        """The text."""
        return self._read(TEXT)  # type: ignore[no-any-return]

    def as_data(self) -> bytes:
        """The data."""
        return self._read(DATA)  # type: ignore[no-any-return]

    def as_list(self, list_type: Any) -> Any:
        """A list of type ``list_type``, as `ccapnp.List` makes them."""
        return self._read(list_type)

    def _read(self, pointer_type: PointerType) -> Any:
        value = pointer_type.read(self._c, self._at)
        return pointer_type.absent() if value is None else value

    def __eq__(self, other: object) -> bool:
        """Structural equality of what the pointers lead to; CapnpError if only capabilities could tell."""
        if not isinstance(other, AnyPointerReader):
            return NotImplemented
        # A pointer is a struct that has nothing but this pointer.
        shape, there = (afresh(each._c.child(each._c.segment, 1 << 16)) for each in (self, other))
        verdict: Optional[bool] = shape.codec.equal(shape, self._at, there, other._at)
        if verdict is None:
            raise CapnpError("these pointers lead to capabilities, of which it cannot be said whether they are equal")
        return verdict

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        from ccapnp.convert.any_pointer import describe_pointer

        role = "builder" if isinstance(self, AnyPointerBuilder) else "reader"
        return f"<AnyPointer {role} {describe_pointer(self._c, self._at)}>"


class AnyPointerBuilder(AnyPointerReader):
    """A pointer to anything in a message that is being built."""

    __slots__ = ()

    _c: BuildShape

    def _read(self, pointer_type: PointerType) -> Any:
        return pointer_type.build(self._c, self._at, None)

    def init_struct(self, struct_type: Any) -> Any:
        """The builder of a new struct of that type."""
        return pointer_to(struct_type).init(self._c, self._at, None)

    def init_list(self, list_type: Any, size: int) -> Any:
        """The builder of a new list of ``size`` elements."""
        return list_type.init(self._c, self._at, size)

    def set(self, value: Any) -> None:
        """Replace what the pointer leads to: by text, data, a copy of a struct, list or pointer, or ``None``."""
        ANY_POINTER.write(self._c, self._at, value)


class AnyPointerType(PointerType):
    """AnyPointer."""

    def read(self, shape: ReadShape, at: int) -> Any:
        return None if shape.is_null(at) else AnyPointerReader(shape, at)

    def absent(self) -> AnyPointerReader:
        return AnyPointerReader(*null_pointer())

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        if default is not None and shape.is_null(at):
            shape.copy_pointer(at, *default)
        return AnyPointerBuilder(shape, at)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if value is None:
            shape.clear(at)
        elif isinstance(value, AnyPointerReader):
            shape.copy_pointer(at, value._c, value._at)
        elif isinstance(value, StructView):
            require_struct(value)
            value._type._pointer.write(shape, at, value)
        elif isinstance(value, ListReader):
            value._type.write(shape, at, value)
        elif isinstance(value, str):
            TEXT.write(shape, at, value)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            DATA.write(shape, at, value)
        else:
            raise EncodeTypeError(
                f"an AnyPointer is set from str, bytes, or a struct or list of a message, not {type(value).__name__}"
            )

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        shape.clear(at)
        return AnyPointerBuilder(shape, at)


class Capability:
    """A capability as a message holds it: its index in the message's capability table."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def __repr__(self) -> str:
        return f"<capability {self.index}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Capability) and other.index == self.index

    def __hash__(self) -> int:
        return hash((Capability, self.index))


class CapabilityType(PointerType):
    """Capabilities, of whatever interface; null is ``None``."""

    name = "Capability"

    def read(self, shape: ReadShape, at: int) -> Optional[Capability]:
        index = shape.read_capability(at)
        return None if index is None else Capability(index)

    def absent(self) -> None:
        return None

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Optional[Capability]:
        return self.read(shape, at)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if not isinstance(value, Capability):
            raise EncodeTypeError(f"a capability is set from a Capability, not {type(value).__name__}")
        shape.set_capability(at, value.index)

    def init(self, shape: BuildShape, at: int, size: Optional[int]) -> Any:
        raise EncodeTypeError("a capability is assigned; there is nothing to init")


ANY_POINTER = AnyPointerType()
CAPABILITY = CapabilityType()
