"""The layouts of a schema's types, for codecs that decode whole trees."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ccapnp.convert.unset import unset_later, unset_value
from ccapnp.schema.value import NUMBER_VIEWS, Kind
from ccapnp.types.enums import schema_name
from ccapnp.types.list_types import BOOL_LIST, VOID_LIST, EnumListType, ListType, PointerListType, StructListType
from ccapnp.types.number_lists import NumberListType
from ccapnp.types.pointer_types import DATA, TEXT
from ccapnp.types.struct_pointer import StructPointer
from ccapnp.wire.layout import FieldLayout, StructLayout, TreeMode, ValueLayout

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Field
    from ccapnp.types.enums import Enum, EnumMembers
    from ccapnp.types.pointer_types import PointerType
    from ccapnp.types.registry import TypeRegistry
    from ccapnp.types.struct_type import StructType

__all__ = ["struct_layout"]

_NESTED = ("list", "struct", "group", "later", "other")
_PLAIN: dict[PointerType, ValueLayout] = {
    TEXT: ValueLayout("text"),
    DATA: ValueLayout("data"),
    BOOL_LIST: ValueLayout("list", element=ValueLayout("bool")),
    VOID_LIST: ValueLayout("list", element=ValueLayout("void")),
}
_MOST_LEVELS, _MOST_BOUND = 16, 256
"""How many more levels of parameters the types may have that a type leads to, and how many with parameters there may
be: a type that uses itself with larger ones, as ``struct A(T) { next @0 :A(A(T)); }``, leads to types without end."""


def struct_layout(struct_type: StructType) -> StructLayout:
    """The layout of a struct or group, with all that it leads to."""
    registry = struct_type._registry
    layout = registry.layouts.get(struct_type)
    if layout is None:
        layouts = _Layouts(registry, struct_type._nesting)
        layout = layouts.struct(struct_type)
        layouts.finish()
    return layout


def _pointer_layout(registry: TypeRegistry, pointer_type: PointerType) -> ValueLayout:
    """What a pointer leads to, for which there was no room among the layouts of the type that it is in."""
    layouts = _Layouts(registry, pointer_type.nesting)
    layout = layouts.pointer(pointer_type)
    layouts.finish()
    return layout


class _Layouts:
    """Layouts while they are made, one type after the other: types may lead further than Python's stack reaches."""

    def __init__(self, registry: TypeRegistry, nesting: int) -> None:
        self.registry = registry
        self.most_levels = nesting + _MOST_LEVELS
        self.bound = 0
        self.made: dict[StructType, StructLayout] = {}
        self.types: list[StructType] = []

    def finish(self) -> None:
        """Complete all layouts that were asked for and that they lead to, and keep them."""
        for each in self.types:  # which grows meanwhile
            layout = self.made[each]
            layout.fields = tuple(self.field(each, field) for field in each._node.fields)
            layout.nested = frozenset(field.name for field in layout.fields if field.value.form in _NESTED)
        self.registry.layouts.update(self.made)  # only now that all are complete: another thread may be waiting

    def struct(self, struct_type: StructType) -> StructLayout:
        """The layout of a struct or group, whose fields may still have to follow."""
        layout = self.made.get(struct_type) or self.registry.layouts.get(struct_type)
        if layout is None:
            node = struct_type._node
            layout = StructLayout(struct_type.__qualname__, node.data_words, node.pointer_count)
            layout.tag_index = node.discriminant_offset if node.discriminant_count else None
            layout.record = lambda: struct_type._record
            self.made[struct_type] = layout
            self.types.append(struct_type)
            self.bound += bool(struct_type._nesting)
        return layout

    def has_room(self, struct_type: StructType) -> bool:
        return not struct_type._nesting or (
            struct_type._nesting <= self.most_levels
            and (self.bound < _MOST_BOUND or struct_type in self.made or struct_type in self.registry.layouts)
        )

    def field(self, owner: StructType, field: Field) -> FieldLayout:
        kind = field.type.kind
        if field.is_group:
            struct = self.struct(self.registry.group(owner, field))
            return FieldLayout(field.name, ValueLayout("group", struct=struct), 0, 0, _nothing, field.discriminant)
        if kind.is_pointer:
            pointer_type = self.registry.pointer_type(field.type, owner._environment)
            value = self.pointer(pointer_type)
            default = partial(_default, pointer_type, field)
            unset = unset_value(owner, field, pointer_type, value)
            return FieldLayout(field.name, value, field.offset, 0, default, field.discriminant, unset=unset)
        if kind == Kind.ENUM:
            value = _enum(self.registry.enum(field.type.type_id), self.registry.enum_members(field.type.type_id))
        elif kind in NUMBER_VIEWS:
            value = ValueLayout("number", NUMBER_VIEWS[kind])
        else:
            value = ValueLayout(kind.name.lower())
        return FieldLayout(field.name, value, field.offset, field.default.bits, _nothing, field.discriminant)

    def pointer(self, pointer_type: PointerType) -> ValueLayout:
        if pointer_type in _PLAIN:
            return _PLAIN[pointer_type]
        if isinstance(pointer_type, (StructPointer, StructListType)):
            struct_type = pointer_type.struct_type
            if not self.has_room(struct_type):
                make = partial(_pointer_layout, self.registry, pointer_type)
                return ValueLayout("later", make=make, absent=partial(unset_later, pointer_type))
            struct = ValueLayout("struct", struct=self.struct(struct_type))
            return struct if isinstance(pointer_type, StructPointer) else ValueLayout("list", element=struct)
        if isinstance(pointer_type, NumberListType):
            return ValueLayout("list", element=ValueLayout("number", pointer_type.view_name))
        if isinstance(pointer_type, EnumListType):
            return ValueLayout("list", element=_enum(pointer_type.enum, pointer_type.members))
        if isinstance(pointer_type, PointerListType):
            return ValueLayout("list", element=self.pointer(pointer_type.pointer_type))
        return ValueLayout("other", read=pointer_type.read, absent=pointer_type.absent)


def _enum(enum: type[Enum], members: EnumMembers) -> ValueLayout:
    names = {int(member): schema_name(member) for member in enum}
    return ValueLayout("enum", NUMBER_VIEWS[Kind.ENUM], names=names, members=members)


def _nothing(verbose: bool, base64: bool) -> None:
    return None


def _default(pointer_type: PointerType, field: Field, verbose: bool, base64: bool) -> Any:
    """A null pointer's value in a verbose dict: the schema's default, or what is empty; no struct is made up."""
    from ccapnp.convert.dicts import to_python

    if field.default.pointer is None and not (pointer_type in (TEXT, DATA) or isinstance(pointer_type, ListType)):
        return None
    return to_python(pointer_type.read_default(field.default.pointer), TreeMode(verbose, base64))
