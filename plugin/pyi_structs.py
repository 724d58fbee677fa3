"""Writes a struct: its fields as both views have them, its reader, its builder, and how a message is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ccapnp.plugin.model import Declaration, DeclarationKind
from ccapnp.plugin.pyi_clashes import CLASS_NAMES, builder_mark, marks, reader_mark
from ccapnp.plugin.pyi_layout import INDENT, wrapped
from ccapnp.plugin.pyi_pipelines import pipeline_class
from ccapnp.plugin.pyi_records import record_class
from ccapnp.plugin.pyi_types import ANY, BOOL, STR, TypeWriter, View
from ccapnp.plugin.text import docstring
from ccapnp.schema import Field, Kind, Node
from ccapnp.schema.names import attribute_name

__all__ = ["StructWriter"]

_BY_DEFAULT = " = ..."


class _Member(NamedTuple):
    """A field with its attribute and comment."""

    field: Field
    attribute: str
    doc: str


class _Init(NamedTuple):
    """What ``init`` makes of a field."""

    result: str
    size: str


class StructWriter:
    """Writes the body of a struct or group."""

    def __init__(self, types: TypeWriter, node_id: int) -> None:
        self._types = {view: types.within(node_id, view) for view in View}

    def body(self, declaration: Declaration, indent: str) -> Iterator[str]:
        """What stands in the class before the declarations nested in it."""
        node = declaration.node
        members = sorted(
            (
                _Member(field, attribute_name(field.name), doc)
                for field, doc in zip(node.fields, declaration.member_docs)
            ),
            key=lambda member: member.field.code_order,
        )
        types = self._types
        constants = {nested.name for nested in declaration.nested}
        yield from self._queries(node, members, constants, indent)
        for member in members:
            if member.attribute not in CLASS_NAMES:
                yield from self._getter(member, View.EITHER, indent)
        yield ""
        head = f"class Reader({self._bases(View.READER)}):"
        yield from _class(head, reader_mark(constants), self._reader(members, indent + INDENT), indent)
        yield ""
        head = f"class Builder({self._bases(View.BUILDER)}):"
        yield from _class(head, builder_mark(constants), self._builder(members, indent + INDENT), indent)
        yield ""
        if "Record" not in constants:
            yield from record_class(types[View.EITHER], node, [member.field for member in members], indent)
            yield ""
        if types[View.EITHER].made_here(node.id, "Pipeline"):
            yield from pipeline_class(types[View.READER], [member.field for member in members], indent)
        reader, builder = (types[View.EITHER].own(view) for view in (View.READER, View.BUILDER))
        yield from wrapped(f"def _reader(self) -> {reader}: ...", indent)
        yield from wrapped(f"def _builder(self) -> {builder}: ...", indent)
        if "Record" not in constants:
            yield from wrapped(f"def _record(self) -> {types[View.EITHER].record_of(node.id)}: ...", indent)
        if declaration.kind != DeclarationKind.GROUP:
            own = types[View.EITHER].own(View.EITHER)
            yield from wrapped(f"def _set(self, value: {own} | _ccapnp.Fields | None, /) -> None: ...", indent)
            yield from self._makers(builder, members, indent)

    def _bases(self, view: View) -> str:
        """The bases of a view's class."""
        types = self._types[view]
        return f"{types.own(View.EITHER)}, _ccapnp.Struct{view.name.capitalize()}{types.generic_base}"

    # ---- what can be asked of a view

    def _queries(self, node: Node, members: list[_Member], constants: set[str], indent: str) -> Iterator[str]:
        taken = constants.union(member.attribute for member in members)
        if node.discriminant_count and "which" not in taken:
            names = _literal(field.name for field in node.union_fields)
            yield from wrapped(f"def which(self) -> {names}: ...", indent)
        if members and "has" not in taken:
            names = _literal(member.field.name for member in members)
            mode = f"non_default: {BOOL}{_BY_DEFAULT}"
            yield from wrapped(f"def has(self, name: {names} | {STR}, *, {mode}) -> {BOOL}: ...", indent)

    # ---- fields

    def _read(self, field: Field, view: View) -> str:
        types = self._types[view]
        return types.group(field.group_id, view) if field.is_group else types.read(field.type, view)

    def _set(self, field: Field, view: View) -> str:
        types = self._types[view]
        return (
            f"{types.group(field.group_id, View.EITHER)} | _ccapnp.Fields" if field.is_group else types.set(field.type)
        )

    def _setter(self, field: Field) -> tuple[str, str]:
        """The type of ``self``, and what the field is set from."""
        if field.is_group:
            return "", self._set(field, View.BUILDER)
        return self._types[View.BUILDER].setter(field.type)

    def _getter(self, member: _Member, view: View, indent: str) -> Iterator[str]:
        mark = marks(member.attribute, view)
        yield f"{indent}@_builtins.property{mark.decorator}"
        self_type = self._types[view].getter_self(member.field.type)
        start = f"def {member.attribute}(self{self_type}) -> {self._read(member.field, view)}:"
        is_documented = view == View.EITHER or member.attribute in CLASS_NAMES
        doc = docstring(member.doc, indent + INDENT) if is_documented else []
        yield from _marked(wrapped(start if doc else f"{start} ...", indent), mark.getter)
        yield from doc

    def _reader(self, members: list[_Member], indent: str) -> Iterator[str]:
        """The fields that a reader gives as more than either view does."""
        for member in members:
            field = member.field
            is_narrower = self._read(field, View.READER) != self._read(field, View.EITHER)
            if is_narrower or member.attribute in CLASS_NAMES:
                yield from self._getter(member, View.READER, indent)

    def _builder(self, members: list[_Member], indent: str) -> Iterator[str]:
        for member in members:
            name, field = member.attribute, member.field
            yield from self._getter(member, View.BUILDER, indent)
            yield f"{indent}@{name}.setter"
            self_type, value = self._setter(field)
            setter = wrapped(f"def {name}(self{self_type}, value: {value}) -> None: ...", indent)
            yield from _marked(setter, marks(name, View.BUILDER).setter)
        taken = {member.attribute for member in members}
        if "init" not in taken:
            yield from self._inits(members, indent)
        yield from self._orphans(members, taken, indent)
        yield from self._resizable_lists(members, indent)

    # ---- methods that are told a field's name

    def _inits(self, members: list[_Member], indent: str) -> Iterator[str]:
        found: dict[_Init, list[str]] = {}
        for member in members:
            init = self._init(member.field)
            if init is not None:
                found.setdefault(init, []).append(member.field.name)
        yield from _overloads(
            [
                f"def init(self, name: {_literal(names)}{init.size}) -> {init.result}: ..."
                for init, names in found.items()
            ],
            indent,
        )

    def _init(self, field: Field) -> _Init | None:
        kind = field.type.kind
        if kind == Kind.DATA:
            return _Init("_builtins.memoryview", _SIZE)
        if self._types[View.BUILDER].getter_self(field.type):
            return _Init(ANY, "")
        is_view = field.is_group or kind in (Kind.STRUCT, Kind.LIST)
        if is_view or (kind == Kind.ANY_POINTER and field.type.any_kind != "capability"):
            size = _SIZE if kind == Kind.LIST else _ANY_SIZES.get(field.type.any_kind, "")
            return _Init(self._read(field, View.BUILDER), size)
        return None

    def _orphans(self, members: list[_Member], taken: set[str], indent: str) -> Iterator[str]:
        found: dict[str, list[str]] = {}
        for member in members:
            found.setdefault(self._orphan(member.field), []).append(member.field.name)
        names = [(orphan, _literal(names)) for orphan, names in found.items()]
        if "disown" not in taken:
            yield from _overloads(
                [f"def disown(self, name: {name}) -> {orphan}: ..." for orphan, name in names], indent
            )
        if "adopt" not in taken:
            yield from _overloads(
                [f"def adopt(self, name: {name}, orphan: {orphan}) -> None: ..." for orphan, name in names], indent
            )

    def _orphan(self, field: Field) -> str:
        """What ``disown`` makes of a field."""
        if self._types[View.BUILDER].getter_self(field.type):
            return f"_ccapnp.Orphan[{ANY}, {ANY}]"
        reader = self._read(field, View.READER)
        builder = "_builtins.memoryview" if field.type.kind == Kind.DATA else self._read(field, View.BUILDER)
        return f"_ccapnp.Orphan[{builder}]" if builder == reader else f"_ccapnp.Orphan[{builder}, {reader}]"

    def _resizable_lists(self, members: list[_Member], indent: str) -> Iterator[str]:
        found: dict[str, list[str]] = {}
        for member in members:
            if member.field.type.element is not None:
                made = self._types[View.BUILDER].resizable_list(member.field.type.element)
                found.setdefault(made, []).append(member.field.name)
        yield from _overloads(
            [f"def init_resizable_list(self, name: {_literal(names)}) -> {made}: ..." for made, names in found.items()],
            indent,
        )

    # ---- making messages

    def _makers(self, builder: str, members: list[_Member], indent: str) -> Iterator[str]:
        fields = [f"{member.attribute}: {self._set(member.field, View.EITHER)}{_BY_DEFAULT}" for member in members]
        this = "_cls" if any(member.attribute == "cls" for member in members) else "cls"
        keywords = ["*", *fields] if fields else []
        yield from wrapped(f"def __new__({', '.join([this, *keywords])}) -> {builder}: ...", indent)
        words = f"num_first_segment_words: _builtins.int | None{_BY_DEFAULT}"
        yield f"{indent}@_builtins.classmethod"
        yield from wrapped(f"def new_message({', '.join([this, words, *keywords])}) -> {builder}: ...", indent)


_SIZE = ", size: _builtins.int"
_SECTIONS = "_builtins.tuple[_builtins.int, _builtins.int]"
_ANY_SIZES = {
    "struct": f", size: {_SECTIONS}",
    "list": f", size: _builtins.tuple[_ccapnp.ElementSize | {_SECTIONS}, _builtins.int]",
}


def _literal(names: Iterable[str]) -> str:
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"_typing.Literal[{quoted}]"


def _overloads(definitions: list[str], indent: str) -> Iterator[str]:
    for definition in definitions:
        if len(definitions) > 1:
            yield f"{indent}@_typing.overload"
        yield from wrapped(definition, indent)


def _marked(lines: list[str], mark: str) -> list[str]:
    """The lines, with a comment where a type checker looks for it."""
    return [lines[0] + mark, *lines[1:]]


def _class(head: str, mark: str, lines: Iterator[str], indent: str) -> Iterator[str]:
    body = list(lines)
    yield from _marked(wrapped(head + ("" if body else " ..."), indent), mark)
    yield from body
