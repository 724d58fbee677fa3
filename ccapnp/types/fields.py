"""Fields: one `FieldAccess` for each field of a struct type, made when the field is first used.

It knows all that can be done with the field; the struct's classes get properties made from it.  The functions behind
these are specialised for the field's offset, width, default and union by `ccapnp.types.accessors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Optional

from ccapnp.errors import CapnpError, DecodeError, EncodeError, EncodeTypeError, UnionError, shown
from ccapnp.schema.names import attribute_name
from ccapnp.schema.value import WIDTH_BITS, Kind
from ccapnp.types import accessors, plans
from ccapnp.types.enums import enum_number
from ccapnp.types.orphan import Orphan, ValueOrphan, adopt_pointer, shape_of, value_of
from ccapnp.types.record import Record
from ccapnp.types.scalars import as_bool, bad_number
from ccapnp.types.struct_view import StructView

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Field
    from ccapnp.types.pointer_types import Place, PointerType
    from ccapnp.types.struct_type import StructType
    from ccapnp.wire.layout import FieldPlan

__all__ = ["FieldAccess", "LazyProperty", "copy_fields", "isolate_group", "make_access"]


class FieldAccess:
    """What can be done with one field of one struct type.

    ``view`` below is a reader or builder of that type, ``builder`` a builder.
    """

    def __init__(self, owner: StructType, field: Field) -> None:
        self.owner = owner
        self.field = field
        self.name = field.name
        self.attribute = attribute_name(field.name)
        self.discriminant = field.discriminant
        self.tag_index = owner._node.discriminant_offset

    def __repr__(self) -> str:
        return f"<field {self.owner.__qualname__}.{self.name}>"

    # ---- the union around the field

    def is_active(self, view: Any) -> bool:
        """Whether the field is not in a union, or is its active member."""
        return self.discriminant is None or read_tag(view, self.tag_index) == self.discriminant

    def refuse(self, view: Any) -> None:
        """Raise the error for a member of a union that is not the active one."""
        raise self.inactive(self.owner._which, view)

    def inactive(self, which: Callable[[Any], str], view: Any) -> UnionError:
        """That error; ``which(view)`` is the active member."""
        try:
            active = which(view)
        except UnionError:
            active = "none that is known"
        return UnionError(
            f"{self.owner.__qualname__}.{self.name} is not the active member of its union; that is {active}",
            field=self.name,
            type=self.owner.__qualname__,
        )

    def refuse_to_set(self, view: Any, value: Any) -> None:
        """Raise the error for setting the field of a reader."""
        raise AttributeError(
            f"{self.owner.__qualname__}.{self.name} cannot be set: this is a reader; "
            "as_builder() gives a copy that can be changed"
        )

    def activate(self, builder: Any) -> None:
        """Make the field the active member of its union, if it is in one."""
        if self.discriminant is not None:
            builder._c.u16[(builder._w << 2) + self.tag_index] = self.discriminant

    # ---- what each kind of field does its own way

    def getter(self) -> Callable[[Any], Any]:
        """The function that reads the field of a reader."""
        raise NotImplementedError

    def builder_getter(self) -> Callable[[Any], Any]:
        """The function that reads the field of a builder."""
        return self.getter()

    def setter(self) -> Callable[[Any, Any], None]:
        """The function that sets the field of a builder."""
        raise NotImplementedError

    def plan(self, *, is_builder: bool) -> Optional[FieldPlan]:
        """What a codec is told of the field; ``None`` if it has no way of its own to read or set it."""
        raise NotImplementedError

    def has(self, view: Any) -> bool:
        """Whether the field is active and, if it is a pointer, not null."""
        return self.is_active(view)

    def has_value(self, view: Any) -> bool:
        """Whether the field `has` something that is not its default."""
        return self.has(view)

    def init(self, builder: Any, size: Any) -> Any:
        raise EncodeTypeError("a plain value is assigned; there is nothing to init").inside(self.name)

    def reset(self, builder: Any) -> None:
        """Make the field's own memory zero, whatever union it is in."""
        raise NotImplementedError

    def copy(self, builder: Any, view: Any) -> None:
        """Set the field to what it is in ``view``, another struct of the same type."""
        raise NotImplementedError

    def disown(self, builder: Any) -> Orphan:
        """Make an orphan of the field, which has its default then; UnionError if it is not the active member."""
        raise NotImplementedError

    def adopt(self, builder: Any, orphan: Any) -> None:
        """Set the field to an orphan, which is none then."""
        raise NotImplementedError

    # ---- by name

    def get(self, view: Any) -> Any:
        return getattr(view, self.attribute)

    @cached_property
    def of_builder(self) -> Any:
        """The descriptor of the field in builders."""
        return self._descriptor(property(self.builder_getter(), self.setter()), is_builder=True)

    @cached_property
    def of_reader(self) -> Any:
        """The descriptor of the field in readers."""
        return self._descriptor(property(self.getter(), self.refuse_to_set), is_builder=False)

    def _descriptor(self, general: property, *, is_builder: bool) -> Any:
        return self.owner._registry.codec.field(general, self.plan(is_builder=is_builder))

    @cached_property
    def set(self) -> Callable[[Any, Any], None]:
        """The function that sets the field of a builder."""
        made: Any = self.of_builder
        setter: Callable[[Any, Any], None] = made.fset if isinstance(made, property) else made.__set__  # type: ignore[assignment]
        return setter

    @cached_property
    def fill(self) -> Callable[[Any, Any], None]:
        """The same for a new struct, which is thrown away if that fails."""
        return self.set


def read_tag(view: Any, tag_index: int) -> int:
    """The discriminant of a struct's union."""
    shape = view._c
    return shape.u16[(view._w << 2) + tag_index] if shape.data_bits >= (tag_index + 1) << 4 else 0


class ScalarAccess(FieldAccess):
    """A field in the data section."""

    def __init__(self, owner: StructType, field: Field) -> None:
        super().__init__(owner, field)
        self.kind = field.type.kind
        self.width = WIDTH_BITS[self.kind]
        self.members = owner._registry.enum_members(field.type.type_id) if self.kind == Kind.ENUM else None

    def getter(self) -> Callable[[Any], Any]:
        return accessors.scalar_getter(self)

    def setter(self) -> Callable[[Any, Any], None]:
        return accessors.scalar_setter(self)

    def plan(self, *, is_builder: bool) -> FieldPlan:
        return plans.scalar_plan(self, is_builder=is_builder)

    def has_value(self, view: Any) -> bool:
        shape, offset, width = view._c, self.field.offset, self.width
        if (offset + 1) * width > shape.data_bits or not self.is_active(view):
            return False
        start = (view._w << 3) + (offset * width >> 3)
        if width == 1:
            return bool(shape.u8[start] >> (offset & 7) & 1)
        return any(shape.u8[start : start + (width >> 3)])  # as it lies there, a default is zero

    def encode(self, value: Any) -> Any:
        """What to write for ``value``, before the default is applied; an EncodeError that names the field."""
        try:
            if self.kind == Kind.BOOL:
                return as_bool(value)
            if self.kind == Kind.ENUM:
                return enum_number(self.owner._registry.enum(self.field.type.type_id), value)
            if self.kind == Kind.VOID:
                if value is not None:
                    raise EncodeTypeError(f"a Void is set from None, not {shown(value)}")
                return None
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        raise self.bad_number(value)

    def bad_number(self, value: Any) -> CapnpError:
        """The error for a value that is no number of the field's type."""
        name, low, high = accessors.NUMBER_RANGES[self.kind]
        return bad_number(value, name, low, high).inside(self.name, self.owner.__qualname__)

    def reset(self, builder: Any) -> None:
        offset = self.field.offset
        if self.width == 1:
            builder._c.u8[(builder._w << 3) + (offset >> 3)] &= ~(1 << (offset & 7)) & 0xFF
        elif self.width:
            size = self.width >> 3
            start = (builder._w << 3) + offset * size
            builder._c.u8[start : start + size] = bytes(size)

    def copy(self, builder: Any, view: Any) -> None:
        self.set(builder, self.get(view))

    def disown(self, builder: Any) -> Orphan:
        value = self.get(builder)
        self.reset(builder)
        return ValueOrphan._of_value(value)

    def adopt(self, builder: Any, orphan: Any) -> None:
        try:
            value = value_of(orphan)
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        self.set(builder, value)
        orphan.discard()


class PointerAccess(FieldAccess):
    """A field in the pointer section."""

    def __init__(self, owner: StructType, field: Field, pointer_type: PointerType) -> None:
        super().__init__(owner, field)
        self.pointer_type = pointer_type
        self.default: Optional[Place] = field.default.pointer

    def place(self, builder: Any) -> tuple[Any, int]:
        """(shape, word) of the field's pointer."""
        shape = builder._c
        return shape, builder._w + shape.data_words + self.field.offset

    def getter(self) -> Callable[[Any], Any]:
        return accessors.pointer_getter(self)

    def builder_getter(self) -> Callable[[Any], Any]:
        return accessors.pointer_builder_getter(self)

    def setter(self) -> Callable[[Any, Any], None]:
        return accessors.pointer_setter(self)

    def plan(self, *, is_builder: bool) -> Optional[FieldPlan]:
        return plans.pointer_plan(self, is_builder=is_builder)

    def located(self, error: DecodeError) -> DecodeError:
        """A decoding error, with the field's name in it."""
        return error.inside(self.name, self.owner.__qualname__)

    def has(self, view: Any) -> bool:
        shape = view._c
        index = self.field.offset
        if index >= shape.pointers or not self.is_active(view):
            return False
        return not shape.is_null(view._w + shape.data_words + index)

    def init(self, builder: Any, size: Any) -> Any:
        try:
            value = self.pointer_type.init(*self.place(builder), size)
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        self.activate(builder)
        return value

    def reset(self, builder: Any) -> None:
        shape, at = self.place(builder)
        shape.clear(at)

    def copy(self, builder: Any, view: Any) -> None:
        source, (shape, at) = view._c, self.place(builder)
        index = self.field.offset
        if index < source.pointers:
            shape.copy_pointer(at, source, view._w + source.data_words + index)
        else:
            shape.clear(at)
        self.activate(builder)

    def disown(self, builder: Any) -> Orphan:
        if not self.is_active(builder):
            self.refuse(builder)
        shape, at = self.place(builder)
        return Orphan._of(self.pointer_type, shape.disown(at))

    def adopt(self, builder: Any, orphan: Any) -> None:
        try:
            adopt_pointer(*self.place(builder), self.pointer_type, orphan)
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        self.activate(builder)


class GroupAccess(FieldAccess):
    """A group: fields of the same struct under a name of their own."""

    def __init__(self, owner: StructType, field: Field) -> None:
        super().__init__(owner, field)
        self.group = owner._registry.group(owner, field)

    def getter(self) -> Callable[[Any], Any]:
        return accessors.group_getter(self, self.group.Reader._at)

    def builder_getter(self) -> Callable[[Any], Any]:
        return accessors.group_getter(self, self.group.Builder._at)

    def setter(self) -> Callable[[Any, Any], None]:
        return self._assign

    def plan(self, *, is_builder: bool) -> FieldPlan:
        return plans.group_plan(self, is_builder=is_builder)

    def has_value(self, view: Any) -> bool:
        """Whether a field of it has, or its union has another member active than the first."""
        node = self.group._node
        if not self.is_active(view):
            return False
        if node.discriminant_count and read_tag(view, node.discriminant_offset):
            return True
        return any(access.has_value(view) for access in self.group._accesses())

    def init(self, builder: Any, size: Any) -> Any:
        if size is not None:
            raise EncodeTypeError("a group has no size").inside(self.name, self.owner.__qualname__)
        self.reset(builder)
        self.activate(builder)
        return self.group.Builder._at(builder._c, builder._w)

    def reset(self, builder: Any) -> None:
        for access in self.group._accesses():
            access.reset(builder)
        _reset_union(self.group, builder)

    def copy(self, builder: Any, view: Any) -> None:
        self.reset(builder)
        copy_fields(self.group, builder, view)
        self.activate(builder)

    def disown(self, builder: Any) -> Orphan:
        """A struct of its own, of the group's type, takes over the group's fields; its union gets its first member."""
        if not self.is_active(builder):
            self.refuse(builder)
        orphan = Orphan._of(self.group._pointer, builder._c.new_orphan())
        move_fields(self.group, orphan.get(), builder)
        return orphan

    def adopt(self, builder: Any, orphan: Any) -> None:
        try:
            builder._c.require_adoptable(builder._w, shape_of(orphan, self.group._pointer))
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        self.reset(builder)
        move_fields(self.group, builder, orphan.get())
        orphan.discard()
        self.activate(builder)

    @cached_property
    def fill(self) -> Callable[[Any, Any], None]:
        return self._fill_new

    def _fill_new(self, builder: Any, value: Any) -> None:
        if not isinstance(value, (Mapping, Record)):
            self._assign(builder, value)
            return
        try:
            self.group._fill(self.group.Builder._at(builder._c, builder._w), value)
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        self.activate(builder)

    def _assign(self, builder: Any, value: Any) -> None:
        """Replace the whole group; ``value`` is a mapping, or a reader or builder of the group."""
        # A bad value is found here, before anything is changed; and ``value`` may be part of what will be.
        scratch = self.group._new_group(builder._c.codec)
        try:
            if isinstance(value, StructView):
                self.group._require_match(value._type)
                copy_fields(self.group, scratch, value)
            else:
                self.group._fill(scratch, value)
        except CapnpError as error:
            raise error.inside(self.name, self.owner.__qualname__) from None
        self.copy(builder, scratch)


def copy_fields(struct_type: StructType, builder: Any, view: Any) -> None:
    """Copy every field that is not in a union, and the active member of the union; EncodeError if that is not known."""
    builder, view = struct_type.Builder._at(builder._c, builder._w), struct_type.Reader._at(view._c, view._w)
    for access in _fields_in_use(struct_type, view):
        access.copy(builder, view)


def _fields_in_use(struct_type: StructType, view: Any) -> list[FieldAccess]:
    node = struct_type._node
    tag = read_tag(view, node.discriminant_offset) if node.discriminant_count else 0
    if node.discriminant_count and tag >= node.discriminant_count:
        raise EncodeError(f"the union of {struct_type.__qualname__} has no member {tag}; a newer schema may know it")
    return [each for each in struct_type._accesses() if each.discriminant is None or each.discriminant == tag]


def move_fields(struct_type: StructType, builder: Any, source: Any) -> None:
    """Move every field that is not in a union, and the active member of the union, whose first one is active then."""
    builder, source = struct_type.Builder._at(builder._c, builder._w), struct_type.Builder._at(source._c, source._w)
    for access in _fields_in_use(struct_type, source):
        access.adopt(builder, access.disown(source))
    _reset_union(struct_type, source)


def _reset_union(struct_type: StructType, builder: Any) -> None:
    node = struct_type._node
    if node.discriminant_count:
        builder._c.u16[(builder._w << 2) + node.discriminant_offset] = 0


def isolate_group(view: Any) -> Any:
    """A copy of a group that is on its own, without the rest of its struct."""
    group = view._type
    alone = group._new_group(view._c.codec)
    copy_fields(group, alone, view)
    return alone


def make_access(owner: StructType, field: Field) -> FieldAccess:
    """The access to ``field`` of the struct type ``owner``."""
    if field.is_group:
        return GroupAccess(owner, field)
    if field.type.kind.is_pointer:
        return PointerAccess(owner, field, owner._registry.pointer_type(field.type, owner._environment))
    return ScalarAccess(owner, field)


class LazyProperty:
    """Stands for a field until it is first used, and then puts the field's property in its own place."""

    __slots__ = ("_builder", "_field_name", "_owner", "_struct_type")

    def __init__(self, struct_type: StructType, field_name: str, builder: bool) -> None:
        self._struct_type = struct_type
        self._field_name = field_name
        self._builder = builder

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner

    def _install(self) -> Any:
        access = self._struct_type._access(self._field_name)
        made = access.of_builder if self._builder else access.of_reader
        setattr(self._owner, access.attribute, made)
        return made

    def __get__(self, view: Any, owner: Any = None) -> Any:
        made = self._install()
        return made if view is None else made.__get__(view, owner)

    def __set__(self, view: Any, value: Any) -> None:
        self._install().__set__(view, value)
