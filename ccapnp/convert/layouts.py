"""The layouts of a schema's types, for codecs that decode whole trees."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ccapnp.schema.value import NUMBER_VIEWS, Kind, Type
from ccapnp.types.enums import schema_name
from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Field
    from ccapnp.types.registry import TypeRegistry
    from ccapnp.types.struct_type import StructType

__all__ = ["struct_layout"]

_NESTED = ("list", "struct", "group", "other")
_FORMS = {Kind.VOID: "void", Kind.BOOL: "bool", Kind.TEXT: "text", Kind.DATA: "data"}


def struct_layout(struct_type: StructType) -> StructLayout:
    """The layout of a struct or group, with all that it leads to."""
    registry = struct_type._registry
    layout = registry.layouts.get(struct_type._node_id)
    if layout is None:
        made = _Layouts(registry).of_all(struct_type)
        registry.layouts.update(made)  # only now that all are complete: another thread may be waiting to use them
        layout = made[struct_type._node_id]
    return layout


class _Layouts:
    """Layouts while they are made, one type after the other: types may lead further than Python's stack reaches."""

    def __init__(self, registry: TypeRegistry) -> None:
        self.registry = registry
        self.made: dict[int, StructLayout] = {}
        self.types: list[StructType] = []

    def of_all(self, struct_type: StructType) -> dict[int, StructLayout]:
        """The layouts of a type and of all that it leads to, by the ids of their nodes."""
        self.struct(struct_type)
        for each in self.types:  # which grows meanwhile
            layout = self.made[each._node_id]
            layout.fields = tuple(self.field(each, field) for field in each._node.fields)
            layout.nested = frozenset(field.name for field in layout.fields if field.value.form in _NESTED)
        return self.made

    def struct(self, struct_type: StructType) -> StructLayout:
        """The layout of a struct or group, whose fields may still have to follow."""
        layout = self.made.get(struct_type._node_id)
        if layout is None:
            node = struct_type._node
            layout = StructLayout(struct_type.__qualname__, node.data_words, node.pointer_count)
            layout.tag_index = node.discriminant_offset if node.discriminant_count else None
            self.made[struct_type._node_id] = layout
            self.types.append(struct_type)
        return layout

    def field(self, owner: StructType, field: Field) -> FieldLayout:
        if field.is_group:
            group = ValueLayout("group", struct=self.struct(self.registry.group(owner._node, field)))
            return FieldLayout(field.name, group, 0, 0, _nothing, field.discriminant)
        default = partial(_default, owner, field)
        return FieldLayout(
            field.name, self.value(field.type), field.offset, field.default.bits, default, field.discriminant
        )

    def value(self, type: Type) -> ValueLayout:
        kind = type.kind
        if kind in _FORMS:
            return ValueLayout(_FORMS[kind])
        if kind == Kind.ENUM:
            names = {int(member): schema_name(member) for member in self.registry.enum(type.type_id)}
            return ValueLayout("enum", NUMBER_VIEWS[kind], names=names)
        if kind in NUMBER_VIEWS:
            return ValueLayout("number", NUMBER_VIEWS[kind])
        if kind == Kind.STRUCT:
            return ValueLayout("struct", struct=self.struct(self.registry.struct(type.type_id)))
        if kind == Kind.LIST and type.element is not None:
            return ValueLayout("list", element=self.value(type.element))
        return ValueLayout("other", read=self.registry.pointer_type(type).read)


def _nothing(verbose: bool, base64: bool) -> None:
    return None


def _default(owner: StructType, field: Field, verbose: bool, base64: bool) -> Any:
    """A null pointer's value in a verbose dict: the schema's default, or what is empty; no struct is made up."""
    from ccapnp.convert.dicts import to_python

    if field.default.pointer is None and field.type.kind in (Kind.STRUCT, Kind.ANY_POINTER, Kind.INTERFACE):
        return None
    return to_python(owner._registry.value(field.type, field.default), verbose, base64)
