"""Pointers to anything: AnyPointer fields and list elements, and roots whose type is not yet known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import EncodeTypeError
from ccapnp.types import message
from ccapnp.types.any_list import ANY_LIST, checked_list_type
from ccapnp.types.any_struct import ANY_STRUCT
from ccapnp.types.any_view import AnyView
from ccapnp.types.capability import CAPABILITY, Capability, CapabilityType, Holder
from ccapnp.types.list_types import PointerListType
from ccapnp.types.lists import ListReader
from ccapnp.types.orphan import Orphan, adopt_pointer
from ccapnp.types.pointer_types import DATA, TEXT, Place, PointerType
from ccapnp.types.record import Record
from ccapnp.types.struct_pointer import StructPointer, null_pointer, pointer_to
from ccapnp.types.struct_view import StructView

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape

__all__ = ["ANY_POINTER", "ANY_POINTERS", "AnyPointerBuilder", "AnyPointerReader", "type_of"]


class AnyPointerReader(AnyView):
    """A pointer whose type the schema leaves open; ``as_struct(T)`` and its like read it as one.

    Each raises DecodeError if the pointer leads to something else; of a null one, they give what an unset field is.
    """

    __slots__ = ("_at", "_c")

    def __init__(self, shape: Any, at: int) -> None:
        self._c = shape
        self._at = at

    @property
    def kind(self) -> str:
        """ "null", "struct", "list" or "capability"; DecodeError for a pointer of no known kind."""
        return self._c.read_kind(self._at)  # type: ignore[no-any-return]

    def get(self, type_name: Any) -> Any:
        """What it leads to, as of any type: ``Person``, ``ccapnp.Text``, ``ccapnp.List[Person]``, ..."""
        return self._read(named_type(type_name))

    def as_struct(self, struct_type: Any) -> Any:
        """A struct of type ``struct_type``."""
        return self._read(pointer_to(struct_type))

    def as_any_struct(self) -> Any:
        """A struct of any type."""
        return self._read(ANY_STRUCT)

    def as_text(self) -> str:
        """The text."""
        return self._read(TEXT)  # type: ignore[no-any-return]

    def as_data(self) -> bytes:
        """The data."""
        return self._read(DATA)  # type: ignore[no-any-return]

    def as_list(self, list_type: Any) -> Any:
        """A list of type ``list_type``, as `ccapnp.List` makes them."""
        return self._read(checked_list_type(list_type))

    def as_any_list(self) -> Any:
        """A list of any type; text and data are lists of bytes."""
        return self._read(ANY_LIST)

    def as_capability(self) -> Any:
        """The capability; ``None`` if the pointer is null."""
        return self._read(CAPABILITY)

    def as_interface(self, interface: Any) -> Any:
        """The same, as one of that interface."""
        pointer_type = named_type(interface)
        if not isinstance(pointer_type, CapabilityType):
            raise TypeError(f"{interface!r} is not an interface")
        return self._read(pointer_type)

    def as_reader(self) -> AnyPointerReader:
        """A reader of the same pointer; of a builder, it sees what the builder goes on to write."""
        return AnyPointerReader(self._c, self._at)

    def _read(self, pointer_type: PointerType) -> Any:
        return pointer_type.read_or_absent(self._c, self._at)

    def _copy_to(self, shape: BuildShape, at: int) -> None:
        shape.copy_pointer(at, self._c, self._at)

    def _place(self) -> Place:
        return self._c, self._at

    def __hash__(self) -> int:
        return self._hash()


class AnyPointerBuilder(AnyPointerReader):
    """A pointer to anything in a message that is being built."""

    __slots__ = ()

    _is_builder = True

    def _read(self, pointer_type: PointerType) -> Any:
        return pointer_type.build(self._c, self._at, None)

    def init(self, type_name: Any, size: Any = None) -> Any:
        """A new, empty value of any type, to be filled; ``size`` is what the type needs, as for a field's ``init``."""
        return named_type(type_name).init(self._c, self._at, size)

    def init_struct(self, struct_type: Any) -> Any:
        """The builder of a new struct of that type."""
        return pointer_to(struct_type).init(self._c, self._at, None)

    def init_any_struct(self, data_words: int, pointers: int) -> Any:
        """The builder of a new struct with sections of these sizes."""
        return ANY_STRUCT.init(self._c, self._at, (data_words, pointers))

    def init_list(self, list_type: Any, size: int) -> Any:
        """The builder of a new list of ``size`` elements."""
        return checked_list_type(list_type).init(self._c, self._at, size)

    init_as_list = init_list

    def init_any_list(self, element: Any, size: int) -> Any:
        """The builder of a new list of ``size`` elements.

        ``element`` is the size of each: a `ccapnp.ElementSize` or, of structs, (data words, pointers).
        """
        return ANY_LIST.init(self._c, self._at, (element, size))

    def init_data(self, size: int) -> memoryview:
        """A writable view of ``size`` new bytes of Data, all zero."""
        return DATA.init(self._c, self._at, size)

    def set(self, value: Any) -> None:
        """Replace what the pointer leads to.

        ``value`` is text, data, a capability, a struct, list or pointer of any message, which is copied, or ``None``.
        """
        ANY_POINTER.write(self._c, self._at, value)

    def set_as_text(self, text: str) -> None:
        """The same with text alone."""
        TEXT.write(self._c, self._at, text)

    def disown(self) -> Orphan:
        """Make the pointer null, and what it led to an orphan."""
        return Orphan._of(ANY_POINTER, self._c.disown(self._at))

    def adopt(self, orphan: Orphan) -> None:
        """Make the pointer lead to an orphan of any type; EncodeError if it is of another message, or no more."""
        adopt_pointer(self._c, self._at, ANY_POINTER, orphan)

    __hash__ = None  # type: ignore[assignment]


def named_type(name: Any) -> PointerType:
    """The type of pointers that a user named."""
    from ccapnp.types.type_names import pointer_type

    return pointer_type(name)


class AnyPointerType(PointerType):
    """AnyPointer."""

    name = "AnyPointer"
    is_any = True

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
        elif isinstance(value, AnyView):
            value._copy_to(shape, at)
        else:
            type_of(value).write(shape, at, value)

    def init(self, shape: BuildShape, at: int, size: Any) -> Any:
        if size is not None:
            raise EncodeTypeError("an AnyPointer has no size")
        shape.clear(at)
        return AnyPointerBuilder(shape, at)

    def accepts(self, other: PointerType) -> bool:
        return not (isinstance(other, StructPointer) and other.struct_type._node.is_group)


def type_of(value: Any, what: str = "an AnyPointer") -> PointerType:
    """The type of pointers to what has a type of its own; EncodeTypeError for all else, of which ``what`` is set."""
    if isinstance(value, str):
        return TEXT
    if isinstance(value, (bytes, bytearray, memoryview)):
        return DATA
    if isinstance(value, StructView):
        message.require_struct(value)
        return value._type._pointer
    if isinstance(value, Record):
        return pointer_to(value._type)
    if isinstance(value, (AnyView, ListReader)):
        return value._type
    if isinstance(value, (Capability, Holder)):
        return CAPABILITY
    raise EncodeTypeError(
        f"{what} is set from str, bytes, a capability, or a struct or list of a message, not {type(value).__name__}"
    )


ANY_POINTER = AnyPointerReader._type = AnyPointerType()
ANY_POINTERS = ANY_POINTER.list_type = PointerListType(ANY_POINTER)
