"""The types and values that a command is told of: a schema file, and an expression that names one of them in it."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.codec import default_codec
from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.finder import Found, SearchPath
from ccapnp.errors import CapnpError, SchemaError, did_you_mean
from ccapnp.schema.nodes import NodeKind
from ccapnp.schema.request import Request
from ccapnp.types.lists import ListReader
from ccapnp.types.registry import TypeRegistry
from ccapnp.types.struct_view import StructView, get_field

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node
    from ccapnp.types.struct_type import StructType

__all__ = ["SchemaFile"]

_HOLDER = "CcapnpRoot"
_AN_ID = "\n@0xffffffffffffffff;\n"
_TYPE = re.compile(r"[\w\s.,()]+", re.ASCII)
_STEP = re.compile(r"\.?([A-Za-z]\w*)|\[(0[xX][0-9a-fA-F]+|\d+)\]", re.ASCII)


class SchemaFile:
    """One schema file, compiled for what a command has to do with it."""

    def __init__(self, path: str, options: argparse.Namespace) -> None:
        self._path = path
        self._options = options
        self._registry = TypeRegistry(default_codec())

    def struct(self, expression: str) -> StructType:
        """The type that an expression names within the file, as in "Person" or "Map(Text, Person).Entry"."""
        file = self._compiled("")
        if _TYPE.fullmatch(expression) is None:
            raise CapnpError(f"{expression!r} is not the name of a type")
        self._registry = TypeRegistry(default_codec())
        try:
            file = self._compiled(f"\nstruct {_HOLDER} {{ root @0 :{expression}; }}\n")
        except SchemaError as error:  # the file itself has no fault
            reason = str(error).partition("error: ")[2].partition("\n")[0]
            raise CapnpError(f"{expression} is not a type in {self._path}: {reason}") from None
        holder = next(self._registry.node(each.id) for each in file.nested if each.name == _HOLDER)
        found = self._registry.pointer_type(holder.fields[0].type) if holder.fields[0].type.kind.is_pointer else None
        struct_type: Optional[StructType] = getattr(found, "struct_type", None)
        if struct_type is None or expression.lstrip().startswith("List("):
            raise CapnpError(f"{expression} is not a struct type")
        return struct_type

    def value(self, expression: str) -> Any:
        """The value of a constant, a field's default, or something within, as in "Foo.bar.list[4].name"."""
        steps = _steps(expression)
        found: Any = self._compiled("")
        is_node, said = True, ""
        for step in steps:
            if isinstance(step, int):
                if is_node or not isinstance(found, ListReader):
                    raise CapnpError(f"{expression}: {said} is not a list")
                if step >= len(found):
                    raise CapnpError(f"{expression}: {said} has no element {step}: its length is {len(found)}")
                found = found[step]
            elif is_node:
                found, is_node = self._member(found, step, f"{expression}: {said or self._path}")
            else:
                if not isinstance(found, StructView):
                    raise CapnpError(f"{expression}: {said} is not a struct")
                found = get_field(found, step)
            said += f"[{step}]" if isinstance(step, int) else f".{step}" if said else step
        if is_node:
            raise CapnpError(f"{expression} has no value: it is neither a constant nor a field")
        return found

    def _member(self, node: Node, name: str, where: str) -> tuple[Any, bool]:
        """(a declaration's node, True), or (the value of a constant or field, False), within a node."""
        registry = self._registry
        nested = {each.name: each.id for each in node.nested}
        inner = registry.find(nested[name]) if name in nested else None
        if inner is not None:
            is_constant = inner.kind == NodeKind.CONST
            return (registry.constant(inner.id), False) if is_constant else (inner, True)
        fields = node.fields_by_name if node.kind == NodeKind.STRUCT else {}
        if name not in fields:
            raise CapnpError(f"{where} has no {name!r}{did_you_mean(name, [*nested, *fields])}")
        field = fields[name]
        if field.is_group:
            group = registry.struct(field.group_id)
            return group.Reader._at(*_nothing(registry.struct(node.id))), False
        return registry.value(field.type, field.default), False

    def _compiled(self, more: str) -> Node:
        """The node of the file, with ``more`` declared at its end, and with an id if it has none."""
        try:
            return self._added(more)
        except SchemaError as error:
            if "the file has no id" not in str(error):
                raise
        return self._added(more + _AN_ID)

    def _added(self, more: str) -> Node:
        finder = _Extended(self._path, more, self._options)
        if finder.open(self._path) is None:
            raise CapnpError(f"{self._path}: no such file")
        request = Request(self._registry.codec, compile_files([self._path], finder))
        self._registry.add(request.nodes.values())
        return self._registry.node(request.files[0].id)


def _nothing(struct_type: Any) -> tuple[Any, int]:
    """Where a struct is of which nothing is set."""
    empty = struct_type._pointer.absent()
    return empty._c, empty._w


def _steps(expression: str) -> list[Any]:
    """The names and indexes in an expression."""
    found: list[Any] = []
    position = 0
    while position < len(expression):
        step = _STEP.match(expression, position)
        if step is None or (step[0][0] == ".") != bool(found and step[1]):
            break
        found.append(step[1] or int(step[2], 0 if step[2][:2] in ("0x", "0X") else 10))
        position = step.end()
    if position < len(expression) or not found or not isinstance(found[0], str):
        raise CapnpError(f"{expression!r} does not name a value: it has to be as in Foo.bar.list[4].name")
    return found


class _Extended(SearchPath):
    """Finds one file with a text added to its end."""

    def __init__(self, path: str, more: str, options: argparse.Namespace) -> None:
        super().__init__(options.imports, standard=not options.no_standard_import)
        self._path = path
        self._more = more.encode()

    def open(self, name: str) -> Optional[Found]:
        found = super().open(name)
        if found is None or name != self._path:
            return found
        return found._replace(data=found.data + self._more)
