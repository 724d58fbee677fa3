"""The model of one output file: what the writers of `emit_py` and `emit_pyi` turn into text.

A schema file becomes a `FileModel` with a tree of `Declaration`s, each under its final Python name.  Types are named in
the nodes by id; `FileModel.place` says where the class of such an id is found.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional

from ccapnp.errors import SchemaError
from ccapnp.plugin.paths import STANDARD_MODULES, module_path, output_name
from ccapnp.plugin.reach import reachable
from ccapnp.plugin.scopes import Scopes, require_identifier, scopes_of
from ccapnp.schema import Node, NodeKind, Request
from ccapnp.schema.request import RequestedFile, SourceInfo
from ccapnp.schema.scope import TYPE_KINDS

__all__ = ["Declaration", "DeclarationKind", "FileModel", "ImportedModule", "Place", "build_model"]


class DeclarationKind(Enum):
    """What a declaration is."""

    STRUCT = "struct"
    GROUP = "group"
    """A group or a named union of a struct."""
    METHOD_STRUCT = "method struct"
    """The parameters or results of a method that were written as a list of fields."""
    ENUM = "enum"
    INTERFACE = "interface"
    CONST = "const"
    ANNOTATION = "annotation"


@dataclass(frozen=True)
class Declaration:
    """One declaration, and those in it: nested ones in the order of the source, then groups or method structs."""

    kind: DeclarationKind
    name: str
    """The Python name, unique in its scope."""
    node: Node
    """The compiled node: ``fields``, ``enumerants``, ``methods``, ``type``, ``value``, ``parameters``, ..."""
    doc: str
    """The comment, without a newline at the end; empty if there is none."""
    member_docs: tuple[str, ...]
    """The comments of the fields, enumerants or methods, one for each in the node's order."""
    nested: tuple[Declaration, ...]

    @property
    def is_struct(self) -> bool:
        """Whether the class is one with a reader and a builder."""
        return self.node.kind == NodeKind.STRUCT


@dataclass(frozen=True)
class ImportedModule:
    """The module of another schema file, and the types in it that this file needs."""

    module: str
    """As in an import statement: ".bar_capnp" for a sibling, "..x.bar_capnp" one folder up, or an absolute name."""
    type_ids: tuple[int, ...]
    """The ids of structs, enums and interfaces, sorted."""


@dataclass(frozen=True)
class Place:
    """Where the class of a type is."""

    module: Optional[str]
    """The `ImportedModule.module`; ``None`` for this file's own; "" for a file for which no module is made."""
    path: str
    """The dotted Python name there."""


@dataclass(frozen=True)
class FileModel:
    """One schema file that was asked for."""

    file_name: str
    """The schema file as the compiler names it, as in "people/addressbook.capnp"."""
    file_id: int
    output_name: str
    """The file to write, without its suffix, as in "people/addressbook_capnp"."""
    doc: str
    declarations: tuple[Declaration, ...]
    imports: tuple[ImportedModule, ...]
    """Sorted by module."""
    nodes: dict[int, Node]
    """Every node that the module needs, its own and others', by ascending id."""
    places: dict[int, Place]
    """Where the types among ``nodes`` are."""

    def place(self, node_id: int) -> Place:
        """Where the class of a struct, group, enum or interface is; SchemaError if the request did not have it."""
        try:
            return self.places[node_id]
        except KeyError:
            raise SchemaError(f"{self.file_name} uses the type {node_id:#018x}, which the request lacks") from None


def build_model(request: Request, file: RequestedFile) -> FileModel:
    """The model of one of the request's files; SchemaError if nodes are missing or contradict each other."""
    scopes = scopes_of(request)
    node = request.nodes.get(file.id)
    if node is None or node.kind != NodeKind.FILE:
        raise SchemaError(f"the request has no node for the file {file.name}")
    declarations = _Builder(request, scopes).declared_in(node)
    nodes = reachable(request, node, _declared_ids(node, declarations))
    places = _places(request, scopes, file, nodes)
    return FileModel(
        file_name=file.name,
        file_id=file.id,
        output_name=output_name(file.name),
        doc=_info(request, node).doc.rstrip("\n"),
        declarations=declarations,
        imports=_imports(places),
        nodes=nodes,
        places=places,
    )


def _declared_ids(node: Node, declarations: tuple[Declaration, ...]) -> list[int]:
    """The ids of a file and of all that is declared in it."""
    found = [node.id]
    for declaration in declarations:
        found += _declared_ids(declaration.node, declaration.nested)
    return found


_NO_INFO = SourceInfo("", ())


def _info(request: Request, node: Node) -> SourceInfo:
    return request.source_info.get(node.id, _NO_INFO)


_KINDS = {
    NodeKind.STRUCT: DeclarationKind.STRUCT,
    NodeKind.ENUM: DeclarationKind.ENUM,
    NodeKind.INTERFACE: DeclarationKind.INTERFACE,
    NodeKind.CONST: DeclarationKind.CONST,
    NodeKind.ANNOTATION: DeclarationKind.ANNOTATION,
}


def _kind(node: Node, schema_name: str) -> DeclarationKind:
    if node.kind not in _KINDS:
        raise SchemaError(f"{node.display_name} is nested in another node, but is a file")
    if node.is_group and node.kind == NodeKind.STRUCT:
        return DeclarationKind.GROUP
    return DeclarationKind.METHOD_STRUCT if "$" in schema_name else _KINDS[node.kind]


class _Builder:
    """Makes the tree of declarations, each node once."""

    def __init__(self, request: Request, scopes: Scopes) -> None:
        self._request = request
        self._scopes = scopes
        self._seen: set[int] = set()

    def declared_in(self, node: Node) -> tuple[Declaration, ...]:
        if node.id in self._seen:
            raise SchemaError(f"{node.display_name} is declared in two places")
        self._seen.add(node.id)
        return tuple(
            self._declaration(each.name, each.schema_name, each.node) for each in self._scopes.declared_in(node.id)
        )

    def _declaration(self, name: str, schema_name: str, node: Node) -> Declaration:
        info = _info(self._request, node)
        members = (*node.fields, *node.enumerants, *node.methods)
        for member in members:
            require_identifier(member.name)
        docs = [doc.rstrip("\n") for doc in info.members[: len(members)]]
        return Declaration(
            kind=_kind(node, schema_name),
            name=name,
            node=node,
            doc=info.doc.rstrip("\n"),
            member_docs=(*docs, *[""] * (len(members) - len(docs))),
            nested=self.declared_in(node),
        )


def _places(request: Request, scopes: Scopes, file: RequestedFile, nodes: dict[int, Node]) -> dict[int, Place]:
    places = {}
    for node in nodes.values():
        if node.kind in TYPE_KINDS:
            file_id, path = scopes.locate(node)
            places[node.id] = Place(_module(request, file, file_id), path)
    return places


def _module(request: Request, file: RequestedFile, file_id: int) -> Optional[str]:
    """How ``file`` imports the module of another file; see `Place.module`."""
    if file_id == file.id:
        return None
    requested = {each.id: each.name for each in request.files}
    if file_id in STANDARD_MODULES and (STANDARD_MODULES[file_id] or file_id not in requested):
        return STANDARD_MODULES[file_id]
    return module_path(file.name, requested.get(file_id) or request.nodes[file_id].display_name)


def _imports(places: dict[int, Place]) -> tuple[ImportedModule, ...]:
    found: dict[str, list[int]] = {}
    for node_id, place in places.items():
        if place.module:
            found.setdefault(place.module, []).append(node_id)
    return tuple(ImportedModule(module, tuple(sorted(type_ids))) for module, type_ids in sorted(found.items()))
