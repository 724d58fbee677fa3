"""The lists of each kind of element: numbers, enum members, bits, nothing, structs, and what pointers lead to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from ccapnp.errors import DecodeError, EncodeTypeError, shown
from ccapnp.types.buffer_export import BufferExport
from ccapnp.types.lists import ListBuilder, ListReader
from ccapnp.wire.shape import StructsAt
from ccapnp.wire.views import items

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, Codec, ReadShape
    from ccapnp.types.list_types import BoolListType, EnumListType, ListType, PointerListType, StructListType
    from ccapnp.types.number_lists import NumberListType

__all__ = [
    "BitList",
    "BitListBuilder",
    "EnumList",
    "EnumListBuilder",
    "NumberList",
    "NumberListBuilder",
    "PointerList",
    "PointerListBuilder",
    "StructList",
    "StructListBuilder",
    "VoidList",
    "VoidListBuilder",
    "struct_list",
]

_L = TypeVar("_L", bound="StructList")


class NumberList(BufferExport, ListReader[Any]):
    """Numbers; ``memoryview(x)`` and ``numpy.asarray(x)`` are views of the message without a copy."""

    __slots__ = ("_type", "_view")

    _type: NumberListType

    def __init__(self, type: NumberListType, view: Any) -> None:
        self._type = type
        self._view = view

    def __len__(self) -> int:
        return len(self._view)

    def __getitem__(self, index: Any) -> Any:
        if index.__class__ is not int:
            if isinstance(index, slice):
                return items(self._view, index)
            index = self._position(index)
        try:
            return self._view[index]
        except (IndexError, OverflowError):
            return self._view[self._position(index)]

    def _item(self, index: int) -> Any:
        return self._view[index]

    def __iter__(self) -> Iterator[Any]:
        view = self._view
        if len(view) <= _CHUNK:
            return iter(view.tolist())
        chunks = (slice(start, start + _CHUNK) for start in range(0, len(view), _CHUNK))
        return (item for chunk in chunks for item in items(view, chunk))

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._view.tolist()[::-1])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberList):
            return len(self) == len(other) and bool(self._view.tolist() == other._view.tolist())
        return bool(self._view.tolist() == other) if isinstance(other, list) else super().__eq__(other)

    __hash__ = None

    def view(self) -> memoryview:
        """The numbers as a `memoryview` of the message's memory; a reader's cannot be written to.

        BufferError on a big-endian host, where Python has no view of little-endian numbers.
        """
        view = self._view
        if not isinstance(view, memoryview):
            raise BufferError("the numbers of a message are little-endian, and this host is not")
        return view if isinstance(self, ListBuilder) else view.toreadonly()


_CHUNK = 1 << 16


class NumberListBuilder(NumberList, ListBuilder[Any]):
    __slots__ = ()

    def _set(self, index: int, value: Any) -> None:
        self._type.set_number(self._view, index, value)


class EnumList(ListReader[Any]):
    """Enum members."""

    __slots__ = ("_members", "_type", "_view")

    _type: EnumListType

    def __init__(self, type: EnumListType, view: Any, members: dict[int, Any]) -> None:
        self._type = type
        self._view = view
        self._members = members

    def __len__(self) -> int:
        return len(self._view)

    def _item(self, index: int) -> Any:
        return self._members[self._view[index]]

    def __iter__(self) -> Iterator[Any]:
        return map(self._members.__getitem__, self._view.tolist())


class EnumListBuilder(EnumList, ListBuilder[Any]):
    __slots__ = ()

    def _set(self, index: int, value: Any) -> None:
        self._view[index] = self._type.enum_number(value)


class BitList(ListReader[Any]):
    """Booleans, eight to a byte."""

    __slots__ = ("_bytes", "_count", "_type")

    _type: BoolListType

    def __init__(self, type: BoolListType, data: Any, count: int) -> None:
        self._type = type
        self._bytes = data
        self._count = count

    def __len__(self) -> int:
        return self._count

    def _item(self, index: int) -> bool:
        return bool(self._bytes[index >> 3] >> (index & 7) & 1)


class BitListBuilder(BitList, ListBuilder[Any]):
    __slots__ = ()

    def _set(self, index: int, value: Any) -> None:
        self._type.set_bit(self._bytes, index, value)


class VoidList(ListReader[Any]):
    """Nothing but a length."""

    __slots__ = ("_count", "_type")

    def __init__(self, type: ListType, count: int) -> None:
        self._type = type
        self._count = count

    def __len__(self) -> int:
        return self._count

    def _item(self, index: int) -> None:
        return None


class VoidListBuilder(VoidList, ListBuilder[Any]):
    __slots__ = ()

    def _set(self, index: int, value: Any) -> None:
        if value is not None:
            raise EncodeTypeError(f"a Void is set from None, not {shown(value)}")


class StructList(StructsAt, ListReader[Any]):
    """Structs, one after the other.  Made by `struct_list`, or in the same way: see `StructView` for why."""

    __slots__ = ()

    _type: StructListType
    _c: ReadShape

    @property
    def _view_class(self) -> Any:
        return self._type.reader

    def __len__(self) -> int:
        return self._count

    def _codec(self) -> Codec:
        return self._c.codec

    def _over(self, shape: Any) -> Any:
        return struct_list(self._type.reader_class, self._type, shape, self._w, self._count)

    def _item(self, index: int) -> Any:
        shape = self._c
        return self._view_class._at(shape, self._w + index * shape.words)

    def __iter__(self) -> Iterator[Any]:
        return self._c.views(self._view_class, self._w, self._count)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        """A structured array of the numbers and enums that are in no union, those of groups by dotted names."""
        from ccapnp.columns.structured import as_array

        return as_array(self, dtype, copy)


class StructListBuilder(StructList, ListBuilder[Any]):
    __slots__ = ()

    @property
    def _view_class(self) -> Any:
        return self._type.builder

    def _set(self, index: int, value: Any) -> None:
        self._type.set_struct(self._c, self._w + index * self._c.words, value)


def struct_list(list_class: type[_L], type: Any, shape: Any, word: int, count: int) -> _L:
    """A list of ``count`` structs, the first of which is at ``word``."""
    made = list_class()
    made._type = type
    made._c = shape
    made._w = word
    made._count = count
    return made


class PointerList(ListReader[Any]):
    """Texts, data, lists, and whatever else pointers lead to."""

    __slots__ = ("_c", "_count", "_step", "_type", "_w")

    _type: PointerListType

    def __init__(self, type: PointerListType, shape: ReadShape, word: int, count: int, step: int) -> None:
        self._type = type
        self._c = shape
        self._w = word
        self._count = count
        self._step = step

    def __len__(self) -> int:
        return self._count

    def _codec(self) -> Codec:
        return self._c.codec

    def __iter__(self) -> Iterator[Any]:
        if self._type.has_texts:
            return self._c.texts(self._w, self._step, self._count, self._item)
        return super().__iter__()

    def _over(self, shape: Any) -> Any:
        return PointerList(self._type, shape, self._w, self._count, self._step)

    def _item(self, index: int) -> Any:
        try:
            return self._type.read_element(self._c, self._w + index * self._step)
        except DecodeError as error:
            raise error.inside(f"[{index}]") from None


class PointerListBuilder(PointerList, ListBuilder[Any]):
    __slots__ = ()

    _c: BuildShape

    def _item(self, index: int) -> Any:
        try:
            return self._type.build_element(self._c, self._w + index * self._step)
        except DecodeError as error:
            raise error.inside(f"[{index}]") from None

    def _set(self, index: int, value: Any) -> None:
        self._type.write_element(self._c, self._w + index * self._step, value)

    def _take(self, index: int, source: Any, source_index: int) -> None:
        # The pointer itself, for a null one reads as an empty value.
        self._c.copy_pointer(self._w + index * self._step, source._c, source._w + source_index * source._step)
