"""By which expressions a stub refers to classes, its own and those of other modules.

No schema name has an underscore, so all that a stub needs for itself has a name that begins with one, and whatever a
field, type or constant is called hides nothing.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from typing import Callable

from ccapnp.plugin.model import Declaration, FileModel
from ccapnp.plugin.pipelines import pipelined
from ccapnp.schema import Node, NodeKind
from ccapnp.schema.names import type_name
from ccapnp.schema.scope import TYPE_KINDS, declared_in

__all__ = ["Names", "Parameter"]

_MADE = {"Client", "Pipeline", "Record", "Server"}
"""The names of classes in those of a schema's types, which a type of the schema can have as well."""

Parameter = tuple[int, int]
"""A generic parameter: the id of its scope, and its number there."""


class Names:
    """The references within the stub of one file."""

    def __init__(self, model: FileModel, is_package: Callable[[str], bool]) -> None:
        """``is_package`` says of a folder within the output folder, "" for that itself, whether it is a package."""
        self._model = model
        nested = {name for declaration in model.declarations for name in _nested_names(declaration)} | _MADE
        self._hidden = [
            each.name for each in model.declarations if each.node.kind in TYPE_KINDS and each.name in nested
        ]
        self._pipelined = pipelined(model.nodes)
        self._declared: dict[int, set[str]] = {}
        self._imports: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._enum_values: dict[str, int] = {}
        self._variables: dict[str, None] = {}
        self._parameters: dict[int, dict[Parameter, str]] = {}
        self._add_parameters(model.declarations, {})
        for each in model.imports:
            statement = _import(model.output_name, each.module, is_package)
            if statement is not None:
                start, name = statement
                alias = f"_{name.replace('.', '_')}"
                while alias in self._imports:
                    alias += "_"
                self._imports[alias] = f"{start} as {alias}"
                self._aliases[each.module] = alias

    def reference(self, node_id: int) -> str | None:
        """The expression for the class of a type; ``None`` if it is in a module that cannot be imported."""
        place = self._model.place(node_id)
        if place.module is None:
            return f"_{place.path}" if place.path.partition(".")[0] in self._hidden else place.path
        module = self._aliases.get(place.module)
        return f"{module}.{place.path}" if module else None

    @property
    def nodes(self) -> dict[int, Node]:
        """All nodes that the stub needs."""
        return self._model.nodes

    def made(self, node_id: int, name: str) -> str | None:
        """The expression for a class that each type of a kind has; ``None`` if the schema has a type of that name."""
        reference = self.reference(node_id)
        is_there = name not in self._declared_in(node_id) and (name != "Pipeline" or node_id in self._pipelined)
        return f"{reference}.{name}" if reference and is_there else None

    def _declared_in(self, node_id: int) -> set[str]:
        """The names of what the schema has in a type, also of what this stub does not need."""
        found = self._declared.get(node_id)
        if found is None:
            node = self.nodes[node_id]
            found = self._declared[node_id] = {type_name(each.name) for each in node.nested}
            found.update(each.name for each in declared_in(node, self.nodes.get))
        return found

    # ---- generic types

    def _add_parameters(self, declarations: tuple[Declaration, ...], outer: dict[Parameter, str]) -> None:
        for each in declarations:
            found = {} if each.node.kind == NodeKind.ENUM else {**_own_parameters(each.node), **outer}
            self._parameters[each.node.id] = found
            self._add_parameters(each.nested, found)

    def parameters(self, node_id: int) -> dict[Parameter, str]:
        """The parameters of a type and their names: its own, and then those of the types around it, outwards.

        The class of a type in a generic scope has that scope's parameters as well: to a type checker, it knows nothing
        of those of the class around it.  Behind its own they may be left out, as at run time.
        """
        found = self._parameters.get(node_id)
        if found is None:
            node = self._model.nodes.get(node_id)
            outer = self.parameters(node.scope_id) if node is not None else {}
            found = self._parameters[node_id] = {**(_own_parameters(node) if node is not None else {}), **outer}
        return found

    def variables(self, node_id: int, view: str = "") -> dict[Parameter, str]:
        """The type variables of a class, or of a view in it: a class must not use those of the classes around it."""
        depth = f"{self._model.place(node_id).path}{view}".count(".")
        found: dict[Parameter, str] = {}
        for parameter, name in self.parameters(node_id).items():
            variable = f"_T_{name}_{depth}" if depth else f"_T_{name}"
            while variable in found.values():  # a parameter of the same name of a scope further out
                variable += "_"
            found[parameter] = variable
        self._variables.update(dict.fromkeys(found.values()))
        return found

    def type_variables(self) -> Iterator[str]:
        """The definitions of the type variables that were asked for."""
        for each in self._variables:
            options = "bound=_ccapnp.TypeName, default=_ccapnp.AnyPointer, covariant=True"
            yield f'{each} = _typing_extensions.TypeVar("{each}", {options})'

    def enum_value(self, node_id: int) -> str | None:
        """The name for what a field of an enum can be set from; ``None`` as for `reference`."""
        reference = self.reference(node_id)
        if reference is None:
            return None
        alias = f"_{reference.lstrip('_').replace('.', '_')}_value"
        self._enum_values[alias] = node_id
        return alias

    def enum_value_aliases(self) -> Iterator[str]:
        """The definitions, for the module's end, of those names that were asked for."""
        for alias, node_id in self._enum_values.items():
            names = ", ".join(f'"{each.name}"' for each in self._model.nodes[node_id].enumerants)
            literal = f" | _typing.Literal[{names}]" if names else ""
            yield f"{alias}: _typing_extensions.TypeAlias = {self.reference(node_id)}{literal} | _builtins.int"

    def import_statements(self, text: str) -> list[str]:
        """The statements for those modules of other schemas that occur in ``text``."""
        return sorted(statement for alias, statement in self._imports.items() if f"{alias}." in text)

    def root_aliases(self) -> list[str]:
        """The second names, for the module's end, of types whose own is also that of a nested type."""
        return [f"_{name} = {name}" for name in self._hidden]


def _own_parameters(node: Node) -> dict[Parameter, str]:
    return {(node.id, number): name for number, name in enumerate(node.parameters)}


def _nested_names(declaration: Declaration) -> Iterator[str]:
    for nested in declaration.nested:
        yield nested.name
        yield from _nested_names(nested)


def _import(importer: str, module: str, is_package: Callable[[str], bool]) -> tuple[str, str] | None:
    """(statement, absolute name); ``None`` if a folder's name cannot stand in an import."""
    name = module.lstrip(".")
    up = len(module) - len(name)
    here = importer.split("/")[:-1]
    if not up or up > len(here) + 1:
        return (f"import {name}", name) if _is_importable(name) else None
    shared = here[: len(here) - up + 1]
    absolute = ".".join([*shared, name])
    folders = ["/".join(here[:depth]) for depth in range(len(shared), len(here) + 1)]
    if all(map(is_package, folders)):
        folder, _, last = name.rpartition(".")
        return (f"from {'.' * up}{folder} import {last}", absolute) if _is_importable(name) else None
    return (f"import {absolute}", absolute) if _is_importable(absolute) else None


def _is_importable(name: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split("."))
