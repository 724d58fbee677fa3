"""Writes what the promise of a struct has before the struct is there: its fields that lead to capabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccapnp.plugin.pipelines import leads_to_capability
from ccapnp.plugin.pyi_layout import INDENT, wrapped
from ccapnp.plugin.pyi_types import ANY, TypeWriter
from ccapnp.schema import Field, Kind
from ccapnp.schema.names import attribute_name

__all__ = ["pipeline_class", "pipelined_names"]


def pipeline_class(types: TypeWriter, fields: Iterable[Field], indent: str) -> Iterator[str]:
    """The class ``Pipeline`` within the struct's, with an empty line behind it."""
    inner = indent + INDENT
    yield from wrapped(f"class Pipeline(_rpc.Pipeline{types.generic_base}):", indent)
    for attribute, read in _properties(types, fields):
        yield f"{inner}@_builtins.property"
        yield from wrapped(f"def {attribute}(self) -> {read}: ...", inner)
    yield ""


def pipelined_names(types: TypeWriter, fields: Iterable[Field]) -> set[str]:
    """What the class has."""
    return {attribute for attribute, _ in _properties(types, fields)}


def _properties(types: TypeWriter, fields: Iterable[Field]) -> Iterator[tuple[str, str]]:
    for field in fields:
        read = _read(types, field)
        if read is not None:
            yield attribute_name(field.name), read


def _read(types: TypeWriter, field: Field) -> str | None:
    """What the promise has for a field; ``None`` if it does not lead to capabilities."""
    type = field.type
    if field.is_group:
        return types.made_here(field.group_id, "Pipeline")
    if type.kind == Kind.STRUCT:
        return types.made(type.type_id, "Pipeline", type.brand)
    if type.kind == Kind.INTERFACE:
        return types.made(type.type_id, "Client", type.brand) or ANY
    if not leads_to_capability(type):
        return None
    if type.parameter is not None:
        return ANY
    return "_rpc.Client" if type.any_kind == "capability" else "_rpc.AnyPipeline"
