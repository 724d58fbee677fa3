"""Struct types: the classes that stand for a schema's structs, and make the classes of their readers and builders.

A schema's struct ``Person`` is a class whose metaclass is `StructType`.  It is never instantiated: ``Person.Reader``
and ``Person.Builder`` are, and both are made when they are first used.  An instance is two slots: the shape it shares
with its like in one segment (`ccapnp.wire.shape`), and the index of its first word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Optional, TypeVar, Union

from ccapnp.errors import (
    DecodeError,
    EncodeError,
    EncodeTypeError,
    LimitError,
    SchemaError,
    UnionError,
    UnknownFieldError,
    a,
)
from ccapnp.schema.compatible import compare
from ccapnp.schema.names import attribute_name
from ccapnp.types import message
from ccapnp.types.attributes import attributes_of
from ccapnp.types.class_schema import ClassSchema
from ccapnp.types.fields import FieldAccess, LazyProperty, PointerAccess, copy_fields, make_access, read_tag
from ccapnp.types.generic import BoundType, GenericType, do_match, picklable
from ccapnp.types.made_once import Hidable, MadeOnce
from ccapnp.types.methods import add_methods
from ccapnp.types.record import Record, active_fields, make_record
from ccapnp.types.rpc_classes import rpc_classes
from ccapnp.types.struct_pointer import StructPointer, empty_shape
from ccapnp.types.struct_view import StructBuilder, StructReader, StructView, view_maker
from ccapnp.wire.limits import DEFAULT_NESTING_LIMIT as _DEPTH
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS as _WORDS
from ccapnp.wire.limits import segment_size_argument

if TYPE_CHECKING:
    from ccapnp.codec import Codec, ReadShape
    from ccapnp.reflection.schemas import StructSchema
    from ccapnp.schema.nodes import Field, Node
    from ccapnp.wire.layout import StructLayout

__all__ = ["Struct", "StructType", "fill_from_record", "fill_struct"]

_T = TypeVar("_T")


def _layout_of(cls: StructType) -> Union[StructLayout, Literal[False]]:
    """The layout; False if a type that is reached is not to be had, which need not matter."""
    from ccapnp.convert.layouts import struct_layout

    try:
        return struct_layout(cls)
    except SchemaError:
        return False


class StructType(GenericType):
    """The type of a schema struct: makes messages and reads them.

    ``Person(...)`` is short for ``Person.new_message(...)``.  ``isinstance(x, Person)`` holds for its readers and
    builders.
    """

    _by_name: dict[str, FieldAccess]
    _pointer: StructPointer

    def _begin(cls) -> None:
        cls._by_name = {}
        cls._pointer = StructPointer(cls)

    # ---- the classes of instances

    _node: Node = MadeOnce(lambda cls: cls._registry.node(cls._node_id))  # type: ignore[assignment]
    _layout: Union[StructLayout, Literal[False]] = MadeOnce(_layout_of)  # type: ignore[assignment]
    Reader: Any = MadeOnce(lambda cls: cls._make_view(StructReader, "Reader", builder=False))
    Builder: Any = MadeOnce(lambda cls: cls._make_view(StructBuilder, "Builder", builder=True))
    Record: Any = Hidable(lambda cls: cls._record)
    _record: Any = MadeOnce(make_record)
    Pipeline: Any = Hidable(lambda cls: cls._pipeline)
    _pipeline: Any = MadeOnce(lambda cls: rpc_classes().pipeline_class(cls))
    _unset_record: Any = MadeOnce(lambda cls: cls._decode(empty_shape(cls._registry.codec), 0))

    def __dir__(cls) -> list[str]:
        """The class's own attributes, and what all struct types have, which Python does not list by itself."""
        return sorted({*super().__dir__(), *(name for name in vars(StructType) if not name.startswith("_"))})

    def _make_view(cls, base: type, name: str, *, builder: bool) -> type:
        """A class of views; those of a bound type have the methods that users gave to its generic type."""
        namespace: dict[str, Any] = {
            "__slots__": (),
            "__module__": cls.__module__,
            "__qualname__": f"{cls.__qualname__}.{name}",
            "__doc__": cls.__doc__,
            "_type": cls,
            "_is_group": cls._node.is_group,
            "_union": cls._union_names(),
        }
        if cls._node.is_generic:
            namespace["__class_getitem__"] = classmethod(lambda view, arguments: getattr(cls[arguments], name))
        for field in cls._node.fields:
            namespace[attribute_name(field.name)] = LazyProperty(cls, field.name, builder)
        made: Any = type(name, (base,), namespace)
        if cls._origin is not cls:
            # Not at once: Python would take the room for a __dict__, which a class of methods says it has, as given.
            made.__bases__ = (getattr(cls._origin, name),)
        made._at = staticmethod(view_maker(made))
        cls._registry.codec.hasten_view(made)
        return made  # type: ignore[no-any-return]

    def _union_names(cls) -> Optional[tuple[int, tuple[str, ...]]]:
        """The unnamed union's tag, and its members by number; ``None`` unless each number has one."""
        members = cls._node.union_fields
        if not members or any(member.discriminant != number for number, member in enumerate(members)):
            return None
        return cls._node.discriminant_offset, tuple(member.name for member in members)

    def __instancecheck__(cls, instance: Any) -> bool:
        if not isinstance(instance, StructView):
            return False
        return cls is Struct or instance._type is cls or instance._type._origin is cls

    def __subclasscheck__(cls, subclass: Any) -> bool:
        if type.__subclasscheck__(cls, subclass):
            return True
        if not type.__subclasscheck__(StructView, subclass):
            return False
        view_type = getattr(subclass, "_type", None)
        return cls is Struct or view_type is cls or getattr(view_type, "_origin", None) is cls

    # ---- the schema

    schema: ClassSchema[StructSchema] = ClassSchema()

    def _access(cls, name: str) -> FieldAccess:
        """The access to the field of that name, the schema's or the attribute's; UnknownFieldError if there is none."""
        try:
            return cls._by_name[name]
        except KeyError:
            pass
        field = cls._find(name)
        if field is None:
            raise UnknownFieldError.of(cls.__qualname__, name, cls._node.fields_by_name)
        access = cls._by_name.get(field.name)
        if access is None:
            access = cls._by_name.setdefault(field.name, make_access(cls, field))
        cls._by_name[name] = access
        return access

    def _find(cls, name: str) -> Optional[Field]:
        """The field of that name, the schema's or the attribute's; ``None`` if there is none."""
        field = cls._node.fields_by_name.get(name)
        return field or next((each for each in cls._node.fields if attribute_name(each.name) == name), None)

    def _accesses(cls) -> list[FieldAccess]:
        return [cls._access(field.name) for field in cls._node.fields]

    def _which(cls, view: Any) -> str:
        """The name of the active member of the unnamed union."""
        node = cls._node
        if not node.discriminant_count:
            raise cls._no_member(None)
        tag = read_tag(view, node.discriminant_offset)
        members = node.union_fields
        if tag < len(members) and members[tag].discriminant == tag:
            return members[tag].name
        raise cls._no_member(tag)

    def _no_member(cls, tag: Optional[int]) -> UnionError:
        """The error for asking which member is active where it is none that the schema knows, or there is no union."""
        if tag is None:
            return UnionError(f"{cls.__qualname__} has no unnamed union", type=cls.__qualname__)
        return UnionError(
            f"the union of {cls.__qualname__} has member {tag} set, which this schema does not know",
            type=cls.__qualname__,
        )

    def _two_members(cls, one: str, other: str) -> EncodeError:
        """The error for setting two members of the unnamed union."""
        return EncodeError(
            f"{one!r} and {other!r} of {cls.__qualname__} are members of one union: only one of them can be set",
            field=other,
            type=cls.__qualname__,
        )

    # ---- methods of a user's own

    def add_methods(cls, methods: type[_T]) -> type[_T]:
        """Give the readers and builders of the type what a class defines: methods, properties and the like.

        It can be called, or stand over the class as a decorator; what it gives is the class.  TypeError if the class
        has state, or something of the name of a field or of a method of the library.
        """
        add_methods((cls.Reader, cls.Builder), methods)
        return methods

    def add_reader_methods(cls, methods: type[_T]) -> type[_T]:
        """As `add_methods`, for readers alone."""
        add_methods((cls.Reader,), methods)
        return methods

    def add_builder_methods(cls, methods: type[_T]) -> type[_T]:
        """As `add_methods`, for builders alone."""
        add_methods((cls.Builder,), methods)
        return methods

    # ---- values

    def _as_view(cls, value: Any) -> Any:
        """A reader or builder of this type for ``value``: itself, or one filled from a mapping."""
        if isinstance(value, StructView):
            cls._require_match(value._type)
            return value
        return cls._filled(value)

    def _matches(cls, other: StructType) -> bool:
        """Whether it is the same struct, or a version that messages can be exchanged with, with the same bound."""
        return other is cls or (cls._is_version(other) and do_match(cls._environment, other._environment))

    def _is_version(cls, other: StructType) -> bool:
        """Whether another type is of the same struct, such as another parser's, and messages can be exchanged."""
        if other._node is cls._node:
            return True
        if other._node.id != cls._node.id:
            return False
        try:
            compare(cls._node, other._node)
        except SchemaError:
            return False
        return True

    def _require_match(cls, other: StructType) -> None:
        """EncodeTypeError if a view of the type ``other`` is not one of this type."""
        if not cls._matches(other):
            is_other = other._node.id == cls._node.id and not cls._is_version(other)
            there = " of another schema" if is_other else ""
            raise EncodeTypeError(f"{a(cls.__qualname__)} cannot be set from {a(other.__qualname__)}{there}")

    def _filled(cls, value: Any, first_segment_words: int = 1024) -> Any:
        """The builder of a new message with this struct as its root, filled from a mapping."""
        cls._require_struct()
        codec = cls._registry.codec
        if cls._pointer.layout_of(value, codec.build_shape.encodes_from):
            return cls._pointer.fill(codec.new_message(first_segment_words), 0, value)
        return cls._fill(cls._new(first_segment_words), value)

    def _fill(cls, builder: Any, value: Any) -> Any:
        if isinstance(value, Record):
            return cls._fill_from_record(builder, value)
        fields = value if type(value) is dict or isinstance(value, Mapping) else attributes_of(value, cls)
        if fields is None:
            raise EncodeTypeError(
                f"{a(cls.__qualname__)} is set from a mapping or another {cls.__qualname__}, not {type(value).__name__}"
            )
        try:
            fill_struct(builder, fields)
        except RecursionError:
            raise LimitError.of_stack() from None
        return builder

    def _fill_from_record(cls, builder: Any, record: Record) -> Any:
        if record._type is not cls:
            cls._require_match(record._type)
            copy_fields(cls, builder, record._type._build(record))
            return builder
        try:
            fill_from_record(builder, record)
        except RecursionError:
            raise LimitError.of_stack() from None
        return builder

    def _build(cls, record: Record) -> Any:
        """The builder of a message of its own with what a record has, also one of a group."""
        if cls._node.is_group:
            return cls._fill(cls._new_group(cls._registry.codec), record)
        return cls._filled(record)

    def _new_group(cls, codec: Codec) -> Any:
        """The builder of a group that is on its own, for values on their way to a real one."""
        node = cls._node
        root = codec.new_message(node.data_words + node.pointer_count + 64)
        return root.init_struct(0, node.data_words, node.pointer_count, cls.Builder._at)

    def _new(cls, first_segment_words: int = 1024) -> Any:
        cls._require_struct()
        node = cls._node
        return cls._registry.codec.new_struct(first_segment_words, node.data_words, node.pointer_count, cls.Builder)

    def _require_struct(cls) -> None:
        if cls._node.is_group:
            raise EncodeTypeError(f"{cls.__qualname__} is a group: it exists only within its struct")

    def __call__(cls, /, **fields: Any) -> Any:
        return cls.new_message(**fields)

    def new_message(cls, /, num_first_segment_words: Optional[int] = None, **fields: Any) -> Any:
        """A builder of a new message with this struct as its root.

        ``fields`` are set as by assignment: nested structs from mappings, lists from lists.  The first segment gets
        ``num_first_segment_words`` (1024 unless said).  Raises EncodeError, which names the field, or
        UnknownFieldError.
        """
        words = 1024
        if num_first_segment_words is not None:
            words = segment_size_argument(num_first_segment_words)
        return cls._filled(fields, words) if fields else cls._new(words)

    def from_dict(cls, value: Any, ignore_unknown: bool = False, decode_bytes_from_base64: bool = False) -> Any:
        """A builder of a new message with what `to_dict` gives.

        ``value`` is a mapping, or an object with attributes, as a dataclass or a namedtuple is; so are structs in it.
        With ``ignore_unknown``, names that no field has are passed over; with ``decode_bytes_from_base64``, a str for
        Data is base64.  Raises EncodeError, which names the field, or UnknownFieldError.
        """
        if ignore_unknown or decode_bytes_from_base64:
            from ccapnp.convert.dict_input import prepared

            value = prepared(value, cls, ignore_unknown=ignore_unknown, from_base64=decode_bytes_from_base64)
        return cls._filled(value)

    def from_text(cls, text: Any) -> Any:
        """A builder of a new message from the text format, as `capnp encode` reads it: ``(id = 1, name = "Alice")``.

        ``text`` is str, or bytes of UTF-8.  Raises ParseError with all that is wrong, and where.
        """
        from ccapnp.convert.text_input import from_text

        return from_text(text, cls)

    def from_json(cls, source: Any, *, reject_unknown_fields: bool = False, max_nesting_depth: int = 64) -> Any:
        """A builder of a new message from JSON: str, bytes of UTF-8, or what `json.loads` gave for one.

        It is read as the official codec does, and a pointer field may be null, which leaves it out.  Members that no
        field has are passed over unless they are to be rejected.  Raises ParseError for what is not JSON, EncodeError
        or UnknownFieldError, which name the place, for what does not fit, and LimitError for too many levels.
        """
        from ccapnp.convert.json.codec import from_json

        return from_json(source, cls, reject_unknown_fields, max_nesting_depth)

    # ---- records

    def _require_layout(cls) -> StructLayout:
        """The layout; SchemaError if a type that is reached is not to be had."""
        from ccapnp.convert.layouts import struct_layout

        return cls._layout or struct_layout(cls)

    def _decode(cls, shape: ReadShape, word: int) -> Any:
        """The record of the struct at a place."""
        try:
            return shape.codec.decode_record(cls._layout or cls._require_layout(), shape, word)
        except DecodeError as error:
            error.type = cls.__qualname__
            raise
        except RecursionError:
            raise LimitError.of_stack() from None

    def decode(
        cls,
        data: Any,
        packed: bool = False,
        traversal_limit_in_words: Optional[int] = _WORDS,
        nesting_limit: int = _DEPTH,
    ) -> Any:
        """The one message in ``data``, any buffer, as a record: a `Record` with all that is in it, decoded at once.

        Raises the errors of `from_bytes`, and those that reading each field would raise.
        """
        return message.decode(cls, data, packed, traversal_limit_in_words, nesting_limit)

    def decode_many(
        cls,
        source: Any,
        packed: bool = False,
        traversal_limit_in_words: Optional[int] = _WORDS,
        nesting_limit: int = _DEPTH,
    ) -> Any:
        """An iterator over the records of many messages; the limits are for each one.

        ``source`` is a buffer in which they lie one after the other, any object with ``read``, or an iterable of
        buffers with one message each.
        """
        return message.decode_many(cls, source, packed, traversal_limit_in_words, nesting_limit)

    def encode(cls, value: Any, packed: bool = False) -> bytes:
        """A framed message with this struct as its root: from a record, a mapping as of `new_message`, or a view.

        Of a record, null pointers and empty texts, data and lists take no room.  Raises EncodeError, which names the
        field, or UnknownFieldError.
        """
        return message.encode(cls, value, packed)

    def encode_many(cls, values: Iterable[Any], packed: bool = False) -> bytes:
        """The messages of many values, as of `encode`, one after the other."""
        return message.encode_many(cls, values, packed)

    # ---- messages

    from_bytes = message.from_bytes

    def from_bytes_packed(
        cls, data: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """As `from_bytes`, for a packed message."""
        return message.open_packed(cls, data, traversal_limit_in_words, nesting_limit)

    def from_segments(
        cls, segments: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """A reader of a message whose segments are given as a sequence of buffers."""
        return message.open_segments(cls, segments, traversal_limit_in_words, nesting_limit)

    def read(cls, file: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH) -> Any:
        """A reader of the next message of ``file``, any object with ``read``; ``None`` at a clean end of file."""
        return message.read(cls, file, traversal_limit_in_words, nesting_limit, packed=False)

    def read_packed(
        cls, file: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """As `read`, for a packed message."""
        return message.read(cls, file, traversal_limit_in_words, nesting_limit, packed=True)

    def read_multiple(
        cls, file: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """An iterator over the messages of ``file``; the limits are for each one."""
        return message.read_multiple(cls, file, traversal_limit_in_words, nesting_limit, packed=False)

    def read_multiple_packed(
        cls, file: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """As `read_multiple`, for packed messages."""
        return message.read_multiple(cls, file, traversal_limit_in_words, nesting_limit, packed=True)

    def read_multiple_bytes(
        cls, data: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """An iterator over the framed messages that lie one after the other in a buffer."""
        return message.read_multiple_bytes(cls, data, traversal_limit_in_words, nesting_limit, packed=False)

    def read_multiple_bytes_packed(
        cls, data: Any, traversal_limit_in_words: Optional[int] = _WORDS, nesting_limit: int = _DEPTH
    ) -> Any:
        """As `read_multiple_bytes`, for packed messages."""
        return message.read_multiple_bytes(cls, data, traversal_limit_in_words, nesting_limit, packed=True)


class BoundStructType(BoundType, StructType):
    """The type of a schema struct with parameters bound."""


StructType._bound_class = BoundStructType
picklable(BoundStructType)


class Struct(metaclass=StructType):
    """The base of all schema structs' types."""

    __slots__ = ()


def fill_struct(builder: Any, values: Mapping[str, Any]) -> None:
    """Set the fields of a new struct; what is set before an error stays set, so the struct must be thrown away then."""
    struct_type = builder._type
    accesses = struct_type._by_name
    chosen: Optional[FieldAccess] = None
    for name, value in values.items():
        access = accesses.get(name) or struct_type._access(name)
        if access.discriminant is not None:
            if chosen is not None and chosen is not access:
                raise struct_type._two_members(chosen.name, access.name)
            chosen = access
        access.fill(builder, value)


def fill_from_record(builder: Any, record: Any) -> None:
    """Set the fields of a new struct to those of a record of its own type; what is ``None`` or empty stays null."""
    struct_type = builder._type
    for name, value in active_fields(record):
        access = struct_type._access(name)
        if isinstance(access, PointerAccess) and access.default is None and _is_empty(value):
            access.activate(builder)
        else:
            access.fill(builder, value)
    tag_index = struct_type._node.discriminant_offset
    if struct_type._node.discriminant_count and record[record._tag_at].__class__ is int:  # a member that is not known
        builder._c.u16[(builder._w << 2) + tag_index] = record[record._tag_at]


def _is_empty(value: Any) -> bool:
    return value is None or (value.__class__ in (str, bytes, tuple) and not value)
