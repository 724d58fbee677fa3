"""Lists as a user holds them: sequences with Python's own rules, over the memory of their message.

An index may be negative, a slice gives a Python `list`, ``==`` compares with lists and with each other.  A builder's
elements can be set, one at a time or a slice of equal length, but its length is fixed when it is made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from operator import index as as_index
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union, overload

from ccapnp.errors import CapnpError, DecodeError, EncodeTypeError, shown
from ccapnp.types.buffer_export import BufferExport

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, Codec
    from ccapnp.types.list_types import (
        BoolListType,
        EnumListType,
        ListType,
        NumberListType,
        PointerListType,
        StructListType,
    )

__all__ = [
    "BitList",
    "EnumList",
    "ListBuilder",
    "ListReader",
    "NumberList",
    "PointerList",
    "StructList",
    "VoidList",
]

_T = TypeVar("_T")


class ListReader(Sequence[_T]):
    """A list that is read: an immutable sequence."""

    __slots__ = ()  # each kind of list has the slot for its type, so that one may have another base with a layout too

    _type: ListType

    def _item(self, index: int) -> Any:
        """The element at an index that is known to be in range."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> _T: ...

    @overload
    def __getitem__(self, index: slice) -> list[_T]: ...

    def __getitem__(self, index: Union[int, slice]) -> Any:
        if isinstance(index, slice):
            return [self._item(position) for position in range(len(self))[index]]
        return self._item(self._position(index))

    def _position(self, index: Any) -> int:
        """An index counted from the front; IndexError or TypeError as of a `list`."""
        count = len(self)
        try:
            position = as_index(index)
        except TypeError:
            raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}") from None
        if position < 0:
            position += count
        if not 0 <= position < count:
            raise IndexError(f"index {index} is out of range for a list of {count}")
        return position

    def __iter__(self) -> Iterator[_T]:
        return map(self._item, range(len(self)))

    def __reversed__(self) -> Iterator[_T]:
        return map(self._item, range(len(self) - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (list, ListReader)):
            return NotImplemented
        return len(self) == len(other) and all(map(_equal, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        from ccapnp.convert.text import list_repr

        return list_repr(self)

    def __str__(self) -> str:
        from ccapnp.convert.text import to_display

        return to_display(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        from ccapnp.types.pickling import reduce_list

        return reduce_list(self, protocol)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self._type.read(self._own_message(self), 0)

    def _codec(self) -> Codec:
        """The codec for messages with copies of the list."""
        from ccapnp.codec import default_codec

        return default_codec()

    def _own_message(self, values: Any) -> BuildShape:
        """The root pointer of a new message whose root is a list of ``values``, of the same type."""
        root = self._codec().new_message()
        self._type.write(root, 0, values)
        return root

    def to_text(self, pretty: bool = False) -> str:
        """The list in the text format; the errors are those of a struct's ``to_text``."""
        from ccapnp.convert.text import to_text

        return to_text(self, pretty)

    def to_list(self) -> list[Any]:
        """The elements as plain Python values: structs as dicts, enums as names, lists as lists."""
        from ccapnp.convert.dicts import list_to_python

        return list_to_python(self)


def _equal(one: Any, other: Any) -> bool:
    return one is other or one == other  # as `list` does: a NaN equals itself


class ListBuilder(ListReader[_T]):
    """A list that is being built: its elements can be set, its length cannot be changed."""

    __slots__ = ()

    def _set(self, index: int, value: Any) -> None:
        """Set the element at an index that is known to be in range."""
        raise NotImplementedError

    @overload
    def __setitem__(self, index: int, value: Any) -> None: ...

    @overload
    def __setitem__(self, index: slice, value: Iterable[Any]) -> None: ...

    def __setitem__(self, index: Union[int, slice], value: Any) -> None:
        if isinstance(index, slice):
            self._set_slice(range(len(self))[index], value)
            return
        position = self._position(index)
        try:
            self._set(position, value)
        except CapnpError as error:
            raise error.inside(f"[{position}]") from None

    def _set_slice(self, positions: range, values: Iterable[Any]) -> None:
        values = list(values)
        if len(values) != len(positions):
            raise ValueError(
                f"cannot assign {len(values)} values to {len(positions)} elements: a list's length is fixed; "
                "assign to the field, or use init_resizable_list"
            )
        trial = self._own_copy(values)  # a bad value is found here, before anything is changed
        for index, position in enumerate(positions):
            self._take(position, trial, index)

    def _take(self, index: int, source: Any, source_index: int) -> None:
        """Set an element to a copy of one of another list of the same type."""
        self._set(index, source._item(source_index))

    def _own_copy(self, values: Any) -> Any:
        """A builder of a list of ``values`` in a message of its own."""
        return self._type.build(self._own_message(values), 0, None)

    def __copy__(self) -> Any:
        return self._own_copy(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return self._own_copy(self)

    def init(self, index: int, size: Optional[int] = None) -> Any:
        """A new, empty element in place of the one at ``index``, to be filled."""
        position = self._position(index)
        try:
            return self._type.init_element(self, position, size)
        except CapnpError as error:
            raise error.inside(f"[{position}]") from None

    def append(self, *values: Any) -> None:
        """Not possible: a message's list has a fixed length.  Raises a TypeError that says what to use."""
        raise EncodeTypeError(
            "a list in a message has a fixed length: assign a whole list to the field, "
            "init(field, n), or use init_resizable_list(field)"
        )

    extend = insert = __delitem__ = append


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
                return _items(self._view, index)
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
        return (item for chunk in chunks for item in _items(view, chunk))

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

if sys.implementation.name == "pypy":  # where a slice of a view with steps has the wrong items (7.3.11)

    def _items(view: Any, index: slice) -> list[Any]:
        return [view[position] for position in range(len(view))[index]]

else:

    def _items(view: Any, index: slice) -> list[Any]:
        return view[index].tolist()  # type: ignore[no-any-return]


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


class StructList(ListReader[Any]):
    """Structs, one after the other."""

    __slots__ = ("_c", "_count", "_make", "_step", "_type", "_w")

    _type: StructListType

    def __init__(self, type: StructListType, make: Any, shape: Any, word: int, count: int, step: int) -> None:
        self._type = type
        self._make = make
        self._c = shape
        self._w = word
        self._count = count
        self._step = step

    def __len__(self) -> int:
        return self._count

    def _codec(self) -> Codec:
        return self._c.codec  # type: ignore[no-any-return]

    def _item(self, index: int) -> Any:
        return self._make(self._c, self._w + index * self._step)

    def __iter__(self) -> Iterator[Any]:
        step = self._step
        if not step:
            return map(self._make, repeat(self._c, self._count), repeat(self._w))
        return map(self._make, repeat(self._c), range(self._w, self._w + self._count * step, step))


class StructListBuilder(StructList, ListBuilder[Any]):
    __slots__ = ()

    def _set(self, index: int, value: Any) -> None:
        self._type.set_struct(self._c, self._w + index * self._step, value)


class PointerList(ListReader[Any]):
    """Texts, data, lists, and whatever else pointers lead to."""

    __slots__ = ("_c", "_count", "_step", "_type", "_w")

    _type: PointerListType

    def __init__(self, type: PointerListType, shape: Any, word: int, count: int, step: int) -> None:
        self._type = type
        self._c = shape
        self._w = word
        self._count = count
        self._step = step

    def __len__(self) -> int:
        return self._count

    def _codec(self) -> Codec:
        return self._c.codec  # type: ignore[no-any-return]

    def _item(self, index: int) -> Any:
        try:
            return self._type.read_element(self._c, self._w + index * self._step)
        except DecodeError as error:
            raise error.inside(f"[{index}]") from None


class PointerListBuilder(PointerList, ListBuilder[Any]):
    __slots__ = ()

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
