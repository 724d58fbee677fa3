"""Structs as a user holds them: what readers and builders of every type have in common.

A field wins over a method of the same name, so nothing in the library calls ``view.which()``, ``view.copy()`` and so
on: it calls the functions of this module, which are also public as ``ccapnp.which(view)`` and the like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional

from ccapnp.errors import DecodeError, EncodeError, EncodeTypeError
from ccapnp.types import message, record
from ccapnp.types.class_schema import ViewSchema
from ccapnp.wire.limits import segment_size_argument
from ccapnp.wire.shape import StructAt

if TYPE_CHECKING:
    from ccapnp.types.orphan import Orphan
    from ccapnp.types.struct_type import StructType

__all__ = [
    "StructBuilder",
    "StructReader",
    "StructView",
    "adopt",
    "as_builder",
    "as_reader",
    "copy",
    "disown",
    "get_data_as_view",
    "get_field",
    "has",
    "init",
    "init_resizable_list",
    "set_field",
    "to_dict",
    "to_json",
    "to_record",
    "to_text",
    "total_size",
    "view_maker",
    "which",
]


def which(view: Any) -> str:
    """The name of the active member of the struct's unnamed union; UnionError if it has none, or an unknown one.

    ``view`` is a reader, builder or record.
    """
    return record.which(view) if isinstance(view, record.Record) else _which(view)


def _which(view: Any) -> str:
    """As `which`, of a reader or builder."""
    return view._type._which(view)  # type: ignore[no-any-return]


def has(view: Any, name: str, *, non_default: bool = False) -> bool:
    """Whether a field is set: an active union member, and not a null pointer.  Plain values are always set.

    If ``non_default``, a plain value is set only where it is not the schema's default, and a group only where
    something in it is.
    """
    access = view._type._access(name)
    return access.has_value(view) if non_default else access.has(view)  # type: ignore[no-any-return]


def get_field(view: Any, name: str) -> Any:
    """The field of that name in the schema; UnknownFieldError if there is none."""
    return view._type._access(name).get(view)


def set_field(builder: Any, name: str, value: Any) -> None:
    """Set the field of that name in the schema, as by assignment."""
    _require_builder(builder)
    builder._type._access(name).set(builder, value)


def init(builder: Any, name: str, size: Any = None) -> Any:
    """A new, empty value for a field, to be filled; what was there is gone.

    Gives the builder of a struct or group, of a list of ``size`` elements, or a writable `memoryview` of ``size`` bytes
    of Data.  The ``size`` of an AnyStruct is (data words, pointers), that of an AnyList (element, number of elements),
    as of `AnyPointerBuilder.init_any_list`.
    """
    _require_builder(builder)
    return builder._type._access(name).init(builder, size)


def disown(builder: Any, name: str) -> Orphan:
    """Make an orphan of a field, which is null, or has its default, then; UnionError for an inactive union member.

    It keeps its memory, and can be adopted anywhere in the same message without a copy.  A group moves with the state
    of its union, whose first member is active then.
    """
    _require_builder(builder)
    return builder._type._access(name).disown(builder)  # type: ignore[no-any-return]


def adopt(builder: Any, name: str, orphan: Orphan) -> None:
    """Set a field to an orphan of the same message, which is none then; a null one clears the field.

    EncodeError, and no change, if the orphan is of another message or type, was adopted before, or holds the builder.
    """
    _require_builder(builder)
    builder._type._access(name).adopt(builder, orphan)


def init_resizable_list(builder: Any, name: str) -> Any:
    """A list for a field whose length is not yet known: ``add()`` or ``append(value)``, then ``finish()``."""
    from ccapnp.types.resizable_list import ResizableList

    _require_builder(builder)
    return ResizableList(builder, builder._type._access(name))


def as_reader(view: Any) -> Any:
    """A reader of the same struct; of a builder, it sees what the builder goes on to write."""
    return view._type.Reader._at(view._c, view._w)


def as_builder(view: Any, num_first_segment_words: Optional[int] = None) -> Any:
    """A builder of a new message with a copy of the struct; the argument is the size of its first segment."""
    struct_type = view._type
    words = num_first_segment_words
    if words is not None:
        words = segment_size_argument(words)
    root = message.copy_message(view, struct_type._registry.codec, words)
    node = struct_type._node
    return root.get_struct(0, node.data_words, node.pointer_count, None, struct_type.Builder._at)


def copy(view: Any) -> Any:
    """A copy in a message of its own: a builder of a builder, a reader of a reader."""
    made = as_builder(view)
    return made if isinstance(view, StructBuilder) else as_reader(made)


def to_dict(view: Any, verbose: bool = False, encode_bytes_as_base64: bool = False, omit_defaults: bool = False) -> Any:
    """The struct as a dict: nested structs as dicts, lists as lists, enums as names, Data as bytes; a list as a list.

    Null pointers are left out; with ``verbose`` they are given as what they read as, and with ``omit_defaults``
    whatever has its default is left out.  Of a union, the active member is given, but its first one may be left out as
    any other field.  Warns with UnknownMemberWarning of a member that the schema does not know, which is left out.
    """
    from ccapnp.convert.dicts import to_plain

    return to_plain(view, verbose, encode_bytes_as_base64, omit_defaults)


def to_record(view: Any) -> Any:
    """The struct and all below it as a record, an immutable tuple: `ccapnp.Record` says of what.

    Raises the DecodeError that to read each field would raise.
    """
    return view._type._decode(view._c, view._w)


def to_text(view: Any, pretty: bool = False) -> str:
    """The struct or list in the text format, as ``capnp decode --short`` prints it; if ``pretty``, without ``--short``.

    Null pointers are left out, and AnyPointers and capabilities have no readable form.  Raises DecodeError for a
    message that cannot be read, where `str` marks what is wrong and goes on, and LimitError if the text would be longer
    than the bytes that may be traversed (or 64 Mi, if that is more).
    """
    from ccapnp.convert.text import to_text

    return to_text(view, pretty)


def to_json(view: Any, pretty: bool = False, omit_defaults: bool = False) -> str:
    """The struct or list as JSON, as the official codec writes it, by the annotations of /capnp/compat/json.capnp.

    64-bit integers, NaN and infinities are strings, Data is an array of numbers.  Null pointers are left out, and with
    ``omit_defaults`` all that has its default.  Raises DecodeError for a message that cannot be read, and EncodeError
    for an AnyPointer or a capability, which JSON has no form for; `ccapnp.JsonCodec` can be given one.
    """
    from ccapnp.convert.json.codec import to_json

    return to_json(view, pretty, omit_defaults)


def total_size(view: Any) -> message.MessageSize:
    """The words that the struct and all below it take, and how many capabilities they hold."""
    return message.MessageSize(*view._c.codec.total_size(view._c, view._w))


def get_data_as_view(view: Any, name: str) -> memoryview:
    """The bytes of a Data or Text field without a copy; a builder's Data can be written to through it.

    Of a field that is null, it is one of its default, and cannot be written to.  The view keeps the message alive.
    """
    from ccapnp.types.fields import PointerAccess
    from ccapnp.types.pointer_types import DATA, TEXT

    access = view._type._access(name)
    if not isinstance(access, PointerAccess) or access.pointer_type not in (DATA, TEXT):
        raise EncodeTypeError(f"{name} is neither Data nor Text")
    if not access.is_active(view):
        access.refuse(view)
    is_set, is_data = access.has(view), access.pointer_type is DATA
    place = access.place(view) if is_set else access.default
    if place is None:
        return memoryview(b"")
    shape, at = place
    try:
        found: Any = shape.read_data(at) if is_data else shape.read_text_bytes(at)
    except DecodeError as error:
        raise access.located(error) from None
    may_write = is_set and is_data and isinstance(view, StructBuilder)
    if may_write and found.readonly:
        raise EncodeError(f"{name} is external data, which cannot be written; a view of a reader can be had")
    return found if may_write else found.toreadonly()  # type: ignore[no-any-return]


def view_maker(view_class: Any) -> Callable[[Any, int], Any]:
    """The function ``_at`` of a class of views."""

    def make(shape: Any, word: int) -> Any:
        view = view_class()
        view._c = shape
        view._w = word
        return view

    return make


def _require_builder(view: Any) -> None:
    if not isinstance(view, StructBuilder):
        raise EncodeTypeError("this is a reader and cannot be changed; as_builder() gives a copy that can")


class StructView(StructAt):  # noqa: PLW1641  # a reader has a hash, a builder none
    """A struct in a message.

    It is made by ``_at(shape, word)`` of its class, or in the same way.  For a class with an ``__init__``, Python would
    take twice as long to make an instance.
    """

    __slots__ = ()

    _type: StructType
    _is_group: bool
    _at: Callable[[Any, int], Any]
    """A struct of the class: its shape, and the index of its first word."""

    schema = ViewSchema()
    which = _which
    has = has
    to_dict = to_dict
    to_json = to_json
    to_record = to_record
    to_text = to_text
    as_reader = as_reader
    as_builder = as_builder
    copy = copy
    total_size = property(total_size)
    get_data_as_view = get_data_as_view
    to_bytes = message.to_bytes
    to_bytes_packed = message.to_bytes_packed
    to_segments = message.to_segments
    framed_size = property(message.framed_size)
    write = message.write
    write_into = message.write_into
    write_packed = message.write_packed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructView) or other._type._node.id != self._type._node.id:
            return NotImplemented
        return message.decided(message.compare(self, other))

    def __dir__(self) -> list[str]:
        """The fields and methods, without what is the library's own."""
        return [name for name in super().__dir__() if name[0] != "_" or name.startswith("__")]

    def __repr__(self) -> str:
        from ccapnp.convert.text import struct_repr

        return struct_repr(self)

    def __str__(self) -> str:
        from ccapnp.convert.text import to_display

        return to_display(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        from ccapnp.types.pickling import reduce_struct

        return reduce_struct(self, protocol)

    def __enter__(self: Any) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        return None


class StructReader(StructView):
    """A struct that is read: immutable, safe to use from many threads; it keeps its message's memory alive."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash((self._type._node.id, message.canonical_struct(self)))

    def __copy__(self: Any) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return copy(self)


class StructBuilder(StructView):
    """A struct that is being built; every assignment goes straight into the message."""

    __slots__ = ()

    init = init
    init_resizable_list = init_resizable_list
    disown = disown
    adopt = adopt

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Any:
        return copy(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return copy(self)
