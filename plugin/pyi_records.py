"""Writes the class of a struct's records: its fields, which are read, and how one is made and changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccapnp.plugin.pyi_clashes import record_mark
from ccapnp.plugin.pyi_layout import INDENT, wrapped
from ccapnp.plugin.pyi_types import ANY, TypeWriter
from ccapnp.schema import Field, Kind, Node, Type
from ccapnp.schema.names import attribute_name

__all__ = ["record_class"]


def record_class(types: TypeWriter, node: Node, fields: Sequence[Field], indent: str) -> Iterator[str]:
    """The class ``Record`` within the struct's."""
    inner = indent + INDENT
    attributes = {attribute_name(field.name): field for field in fields}
    yield f"{indent}class Record(_ccapnp.Record):"
    if node.discriminant_count and "which" not in attributes:
        names = ", ".join(f'"{field.name}"' for field in node.union_fields)
        yield from wrapped(f"def which(self) -> _typing.Literal[{names}]: ...", inner)
    for attribute, field in attributes.items():
        yield f"{inner}@_builtins.property"
        lines = wrapped(f"def {attribute}(self) -> {_read(types, field)}: ...", inner)
        yield from [lines[0] + record_mark(attribute), *lines[1:]]
    values = [f"{attribute}: {_set(types, field)} = ..." for attribute, field in attributes.items()]
    keywords = ", ".join(["*", *values]) if values else ""
    this = "_cls" if "cls" in attributes else "cls"
    own = "_typing_extensions.Self"
    yield from wrapped(f"def __new__({', '.join(filter(None, [this, keywords]))}) -> {own}: ...", inner)
    this = "_self" if "self" in attributes else "self"
    yield from wrapped(f"def _replace({', '.join(filter(None, [this, keywords]))}) -> {own}: ...", inner)


def _read(types: TypeWriter, field: Field) -> str:
    if field.is_group:
        return types.record_of(field.group_id)
    found = types.record(field.type)
    is_optional = field.type.kind == Kind.STRUCT and field.default.pointer is None and found != ANY
    return f"{found} | None" if is_optional else found


def _set(types: TypeWriter, field: Field) -> str:
    """What a field can be given as: besides what it reads as, lists for tuples, and dicts for records."""
    if field.is_group:
        return f"{types.record_of(field.group_id)} | _ccapnp.Fields"
    return _given(types, field.type) + (" | None" if field.type.kind.is_pointer else "")


def _given(types: TypeWriter, kind: Type) -> str:
    if kind.kind == Kind.LIST:
        element = kind.element or Type(None)
        clear = " | None" if element.kind.is_pointer and element.kind != Kind.STRUCT else ""
        return f"_abc.Sequence[{_given(types, element)}{clear}]"
    if kind.kind == Kind.STRUCT:
        return f"{types.record(kind)} | _ccapnp.Fields"
    return (types.set if kind.kind == Kind.ENUM else types.record)(kind).removesuffix(" | None")
