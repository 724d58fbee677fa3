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

_Layouts = dict[int, StructLayout]
_FORMS = {Kind.VOID: "void", Kind.BOOL: "bool", Kind.TEXT: "text", Kind.DATA: "data"}


def struct_layout(struct_type: StructType) -> StructLayout:
    """The layout of a struct or group, with all that it leads to."""
    layouts = struct_type._registry.layouts
    layout = layouts.get(struct_type._node_id)
    if layout is None:
        made: _Layouts = {}
        layout = _layout(struct_type, made)
        layouts.update(made)  # only now that all are complete: another thread may be waiting to use them
    return layout


def _layout(struct_type: StructType, made: _Layouts) -> StructLayout:
    """The layout of a struct or group; all that are ``made`` on the way refer to each other."""
    layout = made.get(struct_type._node_id)
    if layout is None:
        node = struct_type._node
        layout = made[struct_type._node_id] = StructLayout(
            struct_type.__qualname__, node.data_words, node.pointer_count
        )
        layout.tag_index = node.discriminant_offset if node.discriminant_count else None
        layout.fields = tuple(_field(struct_type, field, made) for field in node.fields)
    return layout


def _field(owner: StructType, field: Field, made: _Layouts) -> FieldLayout:
    if field.is_group:
        group = ValueLayout("group", struct=_layout(owner._registry.struct(field.group_id), made))
        return FieldLayout(field.name, group, 0, 0, _nothing, field.discriminant)
    value = _value(owner._registry, field.type, made)
    default = partial(_default, owner, field)
    return FieldLayout(field.name, value, field.offset, field.default.bits, default, field.discriminant)


def _value(registry: TypeRegistry, type: Type, made: _Layouts) -> ValueLayout:
    kind = type.kind
    if kind in _FORMS:
        return ValueLayout(_FORMS[kind])
    if kind == Kind.ENUM:
        names = {int(member): schema_name(member) for member in registry.enum(type.type_id)}
        return ValueLayout("enum", NUMBER_VIEWS[kind], names=names)
    if kind in NUMBER_VIEWS:
        return ValueLayout("number", NUMBER_VIEWS[kind])
    if kind == Kind.STRUCT:
        return ValueLayout("struct", struct=_layout(registry.struct(type.type_id), made))
    if kind == Kind.LIST and type.element is not None:
        return ValueLayout("list", element=_value(registry, type.element, made))
    return ValueLayout("other", read=registry.pointer_type(type).read)


def _nothing(verbose: bool, base64: bool) -> None:
    return None


def _default(owner: StructType, field: Field, verbose: bool, base64: bool) -> Any:
    """A null pointer's value in a verbose dict: the schema's default, or what is empty; no struct is made up."""
    from ccapnp.convert.dicts import to_python

    if field.default.pointer is None and field.type.kind in (Kind.STRUCT, Kind.ANY_POINTER, Kind.INTERFACE):
        return None
    return to_python(owner._registry.value(field.type, field.default), verbose, base64)
