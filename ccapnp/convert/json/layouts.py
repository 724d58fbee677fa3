"""Layouts by which a codec writes or reads JSON in one go: those of the types, with the names that JSON has."""

from __future__ import annotations

from json.encoder import encode_basestring as quote
from typing import TYPE_CHECKING, Optional

from ccapnp.convert.json.forms import BYTES_FORMS, EnumForm, Form, LaterStructForm, ListForm, StructForm
from ccapnp.convert.layouts import struct_layout
from ccapnp.wire.layout import FieldLayout, StructLayout, ValueLayout

if TYPE_CHECKING:
    from ccapnp.convert.json.plan import JsonField, JsonStruct
    from ccapnp.convert.json.writer import Writer

__all__ = ["JsonLayouts"]


class _NotPlain(Exception):
    """There is more to a type's JSON than a layout can say."""


class JsonLayouts:
    """The layouts of plans, for reading, or for writing what ``writer`` would write."""

    def __init__(self, writer: Optional[Writer] = None) -> None:
        self._writer = writer
        self._found: dict[JsonStruct, Optional[StructLayout]] = {}

    def struct(self, plan: JsonStruct) -> Optional[StructLayout]:
        """The layout of a type; ``None`` if it, or one that it leads to, has members that are not its own fields."""
        if plan not in self._found:
            made: dict[JsonStruct, StructLayout] = {}
            try:
                self._struct(plan, made)
                self._found.update(made)
            except _NotPlain:
                self._found[plan] = None
        return self._found[plan]

    def _struct(self, plan: JsonStruct, made: dict[JsonStruct, StructLayout]) -> StructLayout:
        layout = made.get(plan) or self._found.get(plan)
        if layout is not None:
            return layout
        if plan.tag_name is not None or plan.value_name is not None:
            raise _NotPlain
        base = struct_layout(plan.struct_type)
        layout = made[plan] = StructLayout(base.name, base.data_words, base.pointers)
        layout.tag_index = base.tag_index
        fields = {each.name: each for each in base.fields}
        layout.fields = tuple(self._field(each, fields[each.key], made) for each in (*plan.fields, *plan.variants))
        return layout

    def _field(self, field: JsonField, base: FieldLayout, made: dict[JsonStruct, StructLayout]) -> FieldLayout:
        if field.prefix is not None:
            raise _NotPlain
        value = self._value(field.form, base.value, made)
        if self._writer is None:
            return base._replace(name=field.name, value=value)
        absent = ""
        if field.is_union_member and field.is_pointer:
            empty = field.plain_default
            absent = f"{'null' if empty is None else field.form.text(self._writer, empty, 0, True)},"
        return base._replace(name=f"{quote(field.name)}:", value=value, absent=absent.encode())

    def _value(self, form: Form, base: ValueLayout, made: dict[JsonStruct, StructLayout]) -> ValueLayout:
        if isinstance(form, LaterStructForm):
            return ValueLayout("other")
        if isinstance(form, StructForm):
            return ValueLayout(base.form, struct=self._struct(form.plan, made))
        if isinstance(form, ListForm) and base.element is not None:
            return ValueLayout("list", element=self._value(form.element, base.element, made))
        if isinstance(form, EnumForm):
            names = {number: form.names[name] for number, name in (base.names or {}).items()}
            return ValueLayout("enum", base.view, names=names if self._writer is None else _quoted(names))
        if form in BYTES_FORMS.values() or not form.is_standard:
            raise _NotPlain
        return base


def _quoted(names: dict[int, str]) -> dict[int, str]:
    return {number: quote(name) for number, name in names.items()}
