"""Records: whole structs as immutable tuples, decoded at once and encoded at once.

``Person.Record`` is a class for each struct type, made when it is first used.  Its items are what the fields outside
the struct's union are, in the schema's order, and behind them, if it has an unnamed union, the name of the active
member (its number, if the schema does not know it) and what that is.  So a codec makes a record with one call of
`tuple.__new__`, and reads one by its indexes.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]  # what a namedtuple's fields are, in C on CPython
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ccapnp.errors import CapnpError, UnknownFieldError
from ccapnp.schema.names import attribute_name
from ccapnp.types.kept import kept
from ccapnp.types.record_new import compile_new

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Field
    from ccapnp.types.struct_type import StructType
    from ccapnp.wire.layout import FieldLayout, ValueLayout

__all__ = ["Record", "active_fields", "make_record", "new_record", "which"]


class Record(tuple):  # type: ignore[type-arg]
    """A struct as a tuple of its fields, which are its attributes, too; `ccapnp.types.record` says which items it has.

    Texts are `str`, Data is `bytes`, a list is a tuple, a struct is a record, or ``None`` where a null pointer has no
    default.  A member of a union that is not the active one raises UnionError.  ``Person.Record(id=1)`` makes one:
    what is not named has its default, and whether the values fit is seen when the record is encoded.
    """

    __slots__ = ()

    _type: StructType
    _fields: tuple[str, ...] = ()
    """The attributes for all fields, those of the union's members included."""
    _tag_at: int
    """The index of the active member's name, if there is a union: behind all fields outside of it."""

    def __new__(cls, /, **fields: Any) -> Any:
        if not hasattr(cls, "_type"):
            raise TypeError(f"{cls.__qualname__} is the base of all records; Person.Record(...) makes one of a Person")
        own = cls._type._record
        own.__new__ = made = compile_new(own, _field_item, changed)  # in the place of this one, from now on
        return made(cls, **fields)

    def which(self) -> str:
        """The name of the active member of the struct's unnamed union; UnionError if it has none, or an unknown one."""
        return which(self)

    def _replace(self, /, **changes: Any) -> Any:
        """A record with other values for some fields; to name a union's member makes it the active one."""
        return changed(self.__class__, self, changes)

    def _asdict(self) -> dict[str, Any]:
        """The fields by their attributes, without the members of the union that are not active."""
        return {attribute_name(name): value for name, value in active_fields(self)}

    def __repr__(self) -> str:
        fields = ", ".join(f"{attribute_name(name)}={value!r}" for name, value in active_fields(self))
        return f"{type(self).__qualname__}({fields})"

    def __reduce_ex__(self, protocol: Any) -> Any:
        from ccapnp.types.pickling import reduce_record

        return reduce_record(self, protocol)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


new_record: Callable[[Any, Any], Any] = tuple.__new__
"""``new_record(Person.Record, items)``, of items that are all there."""


# ---- the functions behind the methods, which a field may hide


def which(record: Any) -> str:
    """As `Record.which`."""
    tag_at = record._tag_at
    tag: Any = record[tag_at] if len(record) > tag_at else None
    if tag.__class__ is not str:
        raise record._type._no_member(tag)
    return tag


def active_fields(record: Any) -> list[tuple[str, Any]]:
    """(name in the schema, value) of all fields but the members of the union that are not active."""
    node, tag_at = record._type._node, record._tag_at
    names = [field.name for field in node.fields if field.discriminant is None]
    if node.discriminant_count and record[tag_at].__class__ is str:
        return [*zip(names, record), record[tag_at:]]
    return list(zip(names, record))


def changed(record_class: Any, record: Any, changes: dict[str, Any]) -> Any:
    """The record with other values for fields, given by their names in the schema or as attributes."""
    items, tag_at = list(record), record._tag_at
    places = _places(record._type._record)
    chosen: Optional[str] = None
    for name, value in changes.items():
        place = places.get(name)
        if place is None:
            raise UnknownFieldError.of(record._type.__qualname__, name, record._type._node.fields_by_name)
        try:
            item = _field_item(place.field, value)
        except CapnpError as error:
            raise error.inside(place.field.name, record._type.__qualname__) from None
        if place.position is not None:
            items[place.position] = item
            continue
        if chosen is not None and chosen != place.field.name:
            raise record._type._two_members(chosen, place.field.name)
        chosen = place.field.name
        items[tag_at:] = chosen, item
    return new_record(record_class, items)


class _Place(NamedTuple):
    """Where a field is among the items, ``None`` for a union's member, and what it is."""

    position: Optional[int]
    field: FieldLayout


@kept
def _places(record_class: Any) -> dict[str, _Place]:
    """The fields by their names in the schema, and as attributes."""
    struct_type = record_class._type
    found: dict[str, _Place] = {}
    position = 0
    for field in struct_type._require_layout().fields:
        place = _Place(position if field.discriminant is None else None, field)
        position += field.discriminant is None
        found[attribute_name(field.name)] = place
        found.setdefault(field.name, place)
    return found


_EMPTY = {"text": "", "data": b"", "list": ()}
"""What null pointers are where no default says more; of a struct, it is ``None``."""


def _field_item(field: FieldLayout, given: Any) -> Any:
    return _item(field.value, field.unset, given)


def _item(value: ValueLayout, unset: Optional[Callable[[], Any]], given: Any) -> Any:
    """What a record has for a value that a user gave: a tuple for a list, and so on; it need not fit."""
    if given is None:
        return unset() if unset is not None else _EMPTY.get(value.form)
    kind, form = given.__class__, value.form
    if form == "later" and value.make is not None and (kind is list or kind is dict):
        return _item(value.make(), None, given)
    if kind is list and value.element is not None:
        element = value.element
        if element.form in ("bool", "number", "void"):
            return tuple(given)
        return tuple([_item(element, element.absent, each) for each in given])
    if kind is dict and value.struct is not None:
        record_class = value.struct.record()
        return changed(record_class, record_class._type._unset_record, given)
    if kind is str and value.names is not None and value.members is not None:
        return next((value.members[number] for number, name in value.names.items() if name == given), given)
    return given


# ---- the classes


def make_record(struct_type: StructType) -> type[Record]:
    """The class of a struct type's records; that of a bound type derives from that of its generic type."""
    node = struct_type._node
    outside = [field for field in node.fields if field.discriminant is None]
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__module__": struct_type.__module__,
        "__qualname__": f"{struct_type.__qualname__}.Record",
        "__doc__": struct_type.__doc__,
        "_type": struct_type,
        "_fields": tuple(attribute_name(field.name) for field in node.fields),
        "_tag_at": len(outside),
    }
    if node.is_generic:
        namespace["__class_getitem__"] = classmethod(lambda record, arguments: struct_type[arguments]._record)
    for index, field in enumerate(outside):
        namespace[attribute_name(field.name)] = _tuplegetter(index, None)
    for field in node.fields:
        if field.discriminant is not None:
            namespace[attribute_name(field.name)] = property(_member_getter(struct_type, field, len(outside)))
    base: Any = Record if struct_type._origin is struct_type else struct_type._origin._record
    made: Any = type("Record", (base,), namespace)
    return made  # type: ignore[no-any-return]


def _member_getter(struct_type: StructType, field: Field, tag_at: int) -> Callable[[Any], Any]:
    name, value_at = field.name, tag_at + 1

    def get(record: Any) -> Any:
        if record[tag_at] == name:
            return record[value_at]
        raise struct_type._access(name).inactive(which, record)

    return get
