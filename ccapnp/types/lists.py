"""Lists as a user holds them: sequences with Python's own rules, over the memory of their message.

An index may be negative, a slice gives a Python `list`, ``==`` compares with lists and with each other.  A builder's
elements can be set, one at a time or a slice of equal length, but its length is fixed when it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index as as_index
from typing import TYPE_CHECKING, Any, Optional, TypeVar, Union, overload

from ccapnp.codec import default_codec
from ccapnp.errors import CapnpError, EncodeTypeError
from ccapnp.types.message import afresh

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, Codec
    from ccapnp.types.list_types import ListType
    from ccapnp.types.orphan import Orphan

__all__ = ["ListBuilder", "ListReader"]

_T = TypeVar("_T")
_L = TypeVar("_L", bound="ListReader[Any]")

_NOTHING: Mapping[str, Any] = {}


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
        return default_codec()

    def _own_message(self, values: Any) -> BuildShape:
        """The root pointer of a new message whose root is a list of ``values``, of the same type."""
        root = self._codec().new_message()
        self._type.write(root, 0, values)
        return root

    def _over(self: _L, shape: Any) -> _L:
        """The same list, reached through another shape of the same place; itself if it leads no further."""
        return self

    def _place(self) -> tuple[BuildShape, int]:
        """The place of a pointer to a copy of the list, which does not count as reading it."""
        shape = getattr(self, "_c", None)
        return self._own_message(self if shape is None else self._over(afresh(shape))), 0

    def to_json(self, pretty: bool = False, omit_defaults: bool = False) -> str:
        """As of a struct."""
        from ccapnp.convert.json.codec import to_json

        return to_json(self, pretty, omit_defaults)

    def to_text(self, pretty: bool = False) -> str:
        """The list in the text format; the errors are those of a struct's ``to_text``."""
        from ccapnp.convert.text import to_text

        return to_text(self, pretty)

    def to_list(
        self, verbose: bool = False, encode_bytes_as_base64: bool = False, omit_defaults: bool = False
    ) -> list[Any]:
        """The elements as plain Python values: structs as dicts, enums as names, lists as lists.

        The arguments are those of a struct's ``to_dict``.
        """
        from ccapnp.convert.dicts import to_plain

        return to_plain(self, verbose, encode_bytes_as_base64, omit_defaults)  # type: ignore[no-any-return]

    def column(self, path: str, fill: Any = ...) -> Any:
        """One field of every struct of the list, as a numpy array; of a field that is no number, as a `list`.

        ``path`` is a field's name, or leads through groups and structs: "engine.horsepower".  Enums are their numbers;
        a null pointer reads as its default.  The array is a view of the message where it can be, that is for a field
        of the structs themselves, other than a Bool, with the default zero, and a copy elsewhere; it can be written to
        where that changes the message.

        ``fill`` stands for the field where it is in a member of a union that is not active, and `numpy.ma.masked` makes
        it a masked array; without, that is a UnionError.  Raises UnknownFieldError, DecodeError and LimitError as
        reading the fields one by one does, EncodeTypeError for a list that is not of structs, ImportError without numpy
        (the extra ``ccapnp[numpy]``).
        """
        from ccapnp.columns.reading import column

        return column(self, path, fill)

    def columns(self, *paths: str, fill: Any = ...) -> dict[str, Any]:
        """Several columns, by path; without paths those of all numbers, enums and Bools that are in no union."""
        from ccapnp.columns.reading import columns

        return columns(self, paths, fill)


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

    def disown(self, index: int) -> Orphan:
        """Make an orphan of the element at ``index``, which is null, or zero, then.

        Of a list of structs, it is their contents that move.
        """
        position = self._position(index)
        try:
            return self._type.disown_element(self, position)
        except CapnpError as error:
            raise error.inside(f"[{position}]") from None

    def adopt(self, index: int, orphan: Orphan) -> None:
        """Replace the element at ``index`` by an orphan, which is none then.

        Of a list of structs, the element takes over the contents; what has no room in it is lost.  EncodeError, and no
        change, if the orphan is of another message or type, or no more.
        """
        position = self._position(index)
        try:
            self._type.adopt_element(self, position, orphan)
        except CapnpError as error:
            raise error.inside(f"[{position}]") from None

    def set_columns(self, columns: Mapping[str, Any] = _NOTHING, /, **by_name: Any) -> None:
        """Set fields of every struct of the list, each from as many values as there are structs: an array or iterable.

        Paths lead through groups and structs, ``{"engine.horsepower": power}``; null pointers to structs lead to new
        ones then.  The fields are numbers, enums or Bools, and are set as by assignment: a union's member becomes the
        active one, and a path does not lead through one that is not.  EncodeError, before anything is set, if a value
        does not fit or a length differs.  ImportError without numpy (the extra ``ccapnp[numpy]``).
        """
        from ccapnp.columns.filling import set_columns

        set_columns(self, {**columns, **by_name})

    def append(self, *values: Any) -> None:
        """Not possible: a message's list has a fixed length.  Raises a TypeError that says what to use."""
        raise EncodeTypeError(
            "a list in a message has a fixed length: assign a whole list to the field, "
            "init(field, n), or use init_resizable_list(field)"
        )

    extend = insert = pop = remove = clear = __delitem__ = __iadd__ = append
