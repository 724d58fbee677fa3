"""The types that a command is told of: a schema file, and an expression that names a type in it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.codec import default_codec
from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.finder import Found, SearchPath
from ccapnp.errors import CapnpError
from ccapnp.schema.nodes import NodeKind
from ccapnp.schema.request import Request
from ccapnp.types.registry import TypeRegistry

if TYPE_CHECKING:
    from ccapnp.schema.nodes import Node
    from ccapnp.types.struct_type import StructType

__all__ = ["SchemaFile", "add_import_options"]

_HOLDER = "CcapnpRoot"


def add_import_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where imports are looked for."""
    parser.add_argument(
        "-I",
        "--import-path",
        action="append",
        dest="imports",
        default=[],
        metavar="FOLDER",
        help="where to look for imports with a leading slash; may be given several times",
    )
    parser.add_argument(
        "--no-standard-import",
        action="store_true",
        help="look for them nowhere else: not among the standard schemas, nor in the folders of the system",
    )


class SchemaFile:
    """One schema file, compiled for what a command has to do with it."""

    def __init__(self, path: str, options: argparse.Namespace) -> None:
        self._path = path
        self._options = options
        self._registry = TypeRegistry(default_codec())

    def struct(self, expression: str) -> StructType:
        """The type that an expression names within the file, as in "Person" or "Map(Text, Person).Entry"."""
        module = self._compiled(f"\nstruct {_HOLDER} {{ root @0 :{expression}; }}\n")
        holder = next(self._registry.node(each.id) for each in module.nested if each.name == _HOLDER)
        found = self._registry.pointer_type(holder.fields[0].type)
        struct_type: Optional[StructType] = getattr(found, "struct_type", None)
        if struct_type is None:
            raise CapnpError(f"{expression} is not a struct type")
        return struct_type

    def value(self, expression: str) -> Any:
        """The value of a constant, a field's default, or something within, as in "Foo.bar.list[4].name"."""
        node = self._compiled("")
        names = expression.replace("[", ".[").split(".")
        value: Any = None
        found: Optional[Node] = node
        for name in names:
            if found is None:
                value = _inside(value, name, expression)
                continue
            inner = next((self._registry.find(each.id) for each in found.nested if each.name == name), None)
            if inner is None:
                field = found.fields_by_name.get(name) if found.kind == NodeKind.STRUCT else None
                if field is None:
                    raise CapnpError(f"{expression}: {found.display_name} has no {name!r}")
                value = self._registry.value(field.type, field.default)
                found = None
            elif inner.kind == NodeKind.CONST:
                value = self._registry.constant(inner.id)
                found = None
            else:
                found = inner
        if found is not None:
            raise CapnpError(f"{expression} is neither a constant nor a field")
        return value

    def _compiled(self, more: str) -> Node:
        """The node of the file, with ``more`` declared at its end."""
        finder = _Extended(self._path, more, self._options)
        if finder.open(self._path) is None:
            raise CapnpError(f"{self._path}: no such file")
        request = Request(self._registry.codec, compile_files([self._path], finder))
        self._registry.add(request.nodes.values())
        return self._registry.node(request.files[0].id)


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


def _inside(value: Any, name: str, expression: str) -> Any:
    """The field or element of a value."""
    from ccapnp.types.lists import ListReader
    from ccapnp.types.struct_view import StructView, get_field

    if name.startswith("[") and name.endswith("]") and name[1:-1].isdigit() and isinstance(value, ListReader):
        index = int(name[1:-1])
        if index >= len(value):
            raise CapnpError(f"{expression}: there is no element {index} in a list of {len(value)}")
        return value[index]
    if isinstance(value, StructView) and not name.startswith("["):
        return get_field(value, name)
    raise CapnpError(f"{expression}: there is nothing that {name} could be of")
