"""Lists of any type: AnyList fields, and lists seen as what their elements are in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.errors import DecodeError, EncodeTypeError, shown
from ccapnp.schema.value import Kind
from ccapnp.types.any_struct import ANY_STRUCTS
from ccapnp.types.any_view import AnyView
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, ListType
from ccapnp.types.lists import ListReader
from ccapnp.types.number_lists import NUMBER_LISTS
from ccapnp.types.pointer_types import Place, PointerType
from ccapnp.types.struct_pointer import null_pointer
from ccapnp.wire.limits import Limits
from ccapnp.wire.pointers import ElementSize

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, ReadShape

__all__ = ["ANY_LIST", "AnyListBuilder", "AnyListReader"]


def _element_list(element: ElementSize) -> ListType:
    """The type of lists of what is known of elements of that size."""
    from ccapnp.types.any import ANY_POINTERS

    return (
        VOID_LIST,
        BOOL_LIST,
        NUMBER_LISTS[Kind.UINT8],
        NUMBER_LISTS[Kind.UINT16],
        NUMBER_LISTS[Kind.UINT32],
        NUMBER_LISTS[Kind.UINT64],
        ANY_POINTERS,
        ANY_STRUCTS,
    )[element]


class AnyListReader(AnyView, Sequence[Any]):
    """A list of any type.

    Its elements are what can be told without a type: AnyStructs, AnyPointers, bools, numbers without a sign, or
    ``None`` where they have no size.  A null pointer is an empty list of the last.
    """

    __slots__ = ("_at", "_c", "_elements", "element_size")

    kind = "list"
    element_size: ElementSize
    """How large the elements are."""

    def __init__(self, shape: Any, at: int) -> None:
        self._c = shape
        self._at = at
        self._look()

    def _look(self) -> None:
        """Find the elements."""
        self.element_size = ElementSize.VOID
        if not self._c.is_null(self._at):
            self.element_size = ElementSize(self._uncounted().read_element_size(self._at))
        self._elements: Any = self._read(_element_list(self.element_size))

    def _uncounted(self) -> ReadShape:
        """The shape for a second look at what is counted as read once."""
        return self._c.reopen(Limits(None, self._c.depth))  # type: ignore[no-any-return]

    def _read(self, list_type: ListType) -> Any:
        return list_type.read_or_absent(self._c, self._at)

    def __len__(self) -> int:
        return len(self._elements)

    def __getitem__(self, index: Any) -> Any:
        return self._elements[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._elements)

    @property
    def data(self) -> memoryview:
        """The bytes of the elements, without a copy; those of a builder can be written to.

        Of bits, the last byte may hold some that are no elements.  DecodeError for a list with pointers.
        """
        view = self._structs() if self.element_size == ElementSize.COMPOSITE else self._numbers()
        return view if self._is_builder else view.toreadonly()

    def _structs(self) -> memoryview:
        shape, start = self._elements._c, self._elements._w << 3
        if shape.pointers:
            raise _with_pointers()
        return shape.u8[start : start + (len(self) * shape.words << 3)]  # type: ignore[no-any-return]

    def _numbers(self) -> memoryview:
        if self.element_size == ElementSize.POINTER:
            raise _with_pointers()
        found = self._uncounted().read_list(self._at, self.element_size)
        if found is None:
            return memoryview(b"")
        segment, start, count, bits = found
        return segment.u8[start << 3 : (start << 3) + (count * bits + 7 >> 3)]  # type: ignore[no-any-return]

    def as_list(self, list_type: Any) -> Any:
        """The same list as one of that type, as `ccapnp.List` makes them; DecodeError if it cannot be one."""
        return self._read(checked_list_type(list_type))

    def as_reader(self) -> Any:
        """A reader of the same; of a builder, it sees what the builder goes on to write."""
        return AnyListReader(self._c, self._at)

    def _copy_to(self, shape: BuildShape, at: int) -> None:
        shape.copy_pointer(at, self._c, self._at)

    def _place(self) -> Place:
        return self._c, self._at

    def __hash__(self) -> int:
        return self._hash()


class AnyListBuilder(AnyListReader):
    """A list of any type in a message that is being built; its elements can be set."""

    __slots__ = ()

    _is_builder = True

    def _read(self, list_type: ListType) -> Any:
        return list_type.build(self._c, self._at, None)

    def as_list(self, list_type: Any) -> Any:
        """The builder of the list as one of that type; structs with too little room are moved to another place."""
        found = super().as_list(list_type)
        self._look()
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        self._elements[index] = value

    __hash__ = None  # type: ignore[assignment]


def _with_pointers() -> DecodeError:
    return DecodeError("a list with pointers is more than its bytes")


def checked_list_type(name: Any) -> ListType:
    """``name``, if it is the type of a list; TypeError if it is not."""
    if not isinstance(name, ListType):
        raise TypeError(f"{shown(name)} is not the type of a list, as ccapnp.List[...] makes them")
    return name


class AnyListType(PointerType):
    """AnyList."""

    name = "AnyList"

    def read(self, shape: ReadShape, at: int) -> Any:
        return None if shape.is_null(at) else AnyListReader(shape, at)

    def absent(self) -> AnyListReader:
        return AnyListReader(*null_pointer())

    def build(self, shape: BuildShape, at: int, default: Optional[Place]) -> Any:
        if default is not None and shape.is_null(at):
            shape.copy_pointer(at, *default)
        return AnyListBuilder(shape, at)

    def write(self, shape: BuildShape, at: int, value: Any) -> None:
        if isinstance(value, ListReader):
            value._type.write(shape, at, value)
        elif isinstance(value, AnyView) and value.kind in ("list", "null"):
            value._copy_to(shape, at)
        else:
            raise EncodeTypeError(f"an AnyList is set from a list of a message, not {type(value).__name__}")

    def accepts(self, other: PointerType) -> bool:
        return other is self or isinstance(other, ListType)

    def init(self, shape: BuildShape, at: int, size: Any) -> Any:
        """A new list; ``size`` is (element, count), where the element is as of `AnyPointerBuilder.init_any_list`."""
        if not isinstance(size, tuple) or len(size) != 2:
            raise EncodeTypeError(f"init of an AnyList needs (element size, number of elements), not {shown(size)}")
        element, count = size
        if isinstance(element, tuple):
            ANY_STRUCTS.init(shape, at, size)
        elif isinstance(element, ElementSize) and element != ElementSize.COMPOSITE:
            _element_list(element).init(shape, at, count)
        else:
            raise EncodeTypeError(
                "the elements of an AnyList are given as an ElementSize or, for structs, (data words, pointers), not "
                + shown(element)
            )
        return AnyListBuilder(shape, at)


ANY_LIST = AnyListReader._type = AnyListType()
