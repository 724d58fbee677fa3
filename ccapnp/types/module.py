"""Modules of classes: made at once from a compiled schema, or piece by piece by a generated module."""

from __future__ import annotations

import importlib
from base64 import b64decode
from collections.abc import Callable, Mapping
from enum import EnumMeta
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from ccapnp.errors import LimitError, SchemaError
from ccapnp.schema.names import module_name
from ccapnp.schema.nodes import Node, NodeKind
from ccapnp.schema.record import Record
from ccapnp.schema.request import Request
from ccapnp.types.registry import type_registry
from ccapnp.wire.limits import UNLIMITED

if TYPE_CHECKING:
    from ccapnp.schema.request import RequestedFile
    from ccapnp.types.registry import TypeRegistry

__all__ = ["SchemaFile", "add_nodes", "fill_module", "load_request", "make_module"]

_T = TypeVar("_T")


def load_request(data: Any, file: Optional[str] = None, backend: Optional[str] = None) -> ModuleType:
    """The module for a compiled schema, a CodeGeneratorRequest as `capnp compile -o-` writes it.

    ``file`` says which of several requested files is meant, by the name that the compiler was given.  Raises
    DecodeError or SchemaError if ``data`` is no such request, or contradicts a schema loaded before.
    """
    return make_module(type_registry(backend), data, file)


def make_module(registry: TypeRegistry, data: Any, file: Optional[str] = None) -> ModuleType:
    """`load_request` with a registry of one's own."""
    request = Request(registry.codec, data)
    chosen = _chosen(request, file)
    module = ModuleType(module_name(chosen.name))
    module.__file__ = chosen.name
    _fill(module, registry, request, chosen)
    return module


def fill_module(module: ModuleType, registry: TypeRegistry, data: Any) -> None:
    """Give a module that exists the classes of a request for one file."""
    request = Request(registry.codec, data)
    _fill(module, registry, request, _chosen(request, None))


def _fill(module: ModuleType, registry: TypeRegistry, request: Request, file: RequestedFile) -> None:
    requested = {each.id for each in request.files}
    registry.add(node for node in request.nodes.values() if node.kind != NodeKind.FILE or node.id in requested)
    for node_id, info in request.source_info.items():
        if info.doc:
            registry.docs.setdefault(node_id, info.doc.rstrip("\n"))
        if any(info.members):
            registry.member_docs.setdefault(node_id, tuple(doc.rstrip("\n") for doc in info.members))
    module.__doc__ = registry.docs.get(file.id)
    vars(module).update(_registry=registry, _node_id=file.id)
    try:
        registry.add_members(module, registry.node(file.id), module.__name__)
    except RecursionError:
        raise LimitError.of_stack() from None


def _chosen(request: Request, name: Optional[str]) -> RequestedFile:
    names = [file.name for file in request.files]
    if name is None and len(names) != 1:
        raise SchemaError(f"the request is for {len(names)} files, say which one is meant: {', '.join(names)}")
    for file in request.files:
        if name is None or file.name == name:
            return file
    raise SchemaError(f"the request is not for {name!r} but for {', '.join(names)}")


class SchemaFile:
    """What a generated module makes its classes with.

    The decorators `struct`, `enum` and `interface` note which class stands for which node; `finish`, at the module's
    end, makes the nodes known and puts a class that exists already, of the same schema loaded some other way, in the
    place of the new one.  No node is decoded before it is needed.
    """

    def __init__(self, module: str, file_id: int, imports: Mapping[str, tuple[int, ...]]) -> None:
        """``imports`` gives, per module of another schema file, as in an import statement, the ids of its types."""
        self._module = module
        self._file_id = file_id
        self._imports = imports
        self._registry: TypeRegistry = type_registry()
        self._classes: list[tuple[int, Any]] = []

    def struct(self, node_id: int) -> Callable[[_T], _T]:
        """The class below is the type of the struct or group with that id."""

        def note(made: _T) -> _T:
            self._classes.append((node_id, made))
            return made

        return note

    enum = interface = struct

    def constant(self, node_id: int) -> Any:
        """A constant or annotation within a struct or interface, made when it is first asked for."""
        return _Declaration(self._registry, node_id)

    annotation = constant

    def late(self, namespace: dict[str, Any], node_ids: Mapping[str, int]) -> Callable[[str], Any]:
        """A module's ``__getattr__``, for constants and annotations that are made when they are first asked for."""

        def get(name: str) -> Any:
            if name not in node_ids:
                raise AttributeError(f"module {self._module!r} has no attribute {name!r}")
            value = namespace[name] = self._registry.declaration(node_ids[name])
            return value

        return get

    def finish(self, namespace: dict[str, Any], nodes: Mapping[int, str]) -> None:
        """``nodes`` has each node that the module needs as a packed message in base64."""
        registry = self._registry
        namespace.update(_registry=registry, _node_id=self._file_id)
        origin = namespace.get("__file__", self._module)
        add_nodes(registry, nodes, origin)
        for path, node_ids in self._imports.items():
            find = partial(self._import, path)
            for node_id in node_ids:
                registry.add_finder(node_id, find)
        known = {made: registry.adopt_class(node_id, made) for node_id, made in self._classes}
        replaced = {made: found for made, found in known.items() if found is not made}
        if replaced:
            _replace(namespace, replaced)
            for made, found in known.items():
                _complete(found, made, replaced)

    def _import(self, path: str) -> None:
        """Import the module of another schema file, if there is one."""
        for candidate in _candidates(path, self._module):
            try:
                importlib.import_module(candidate)
                return
            except ModuleNotFoundError as error:
                if error.name is None or not (candidate == error.name or candidate.startswith(f"{error.name}.")):
                    raise


def _candidates(path: str, importer: str) -> list[str]:
    """The full names that a module, given as "..x.bar_capnp", may have: one dot is the folder of the importing module.

    The last is for folders that are each on the module search path themselves.
    """
    name = path.lstrip(".")
    up = len(path) - len(name)
    folders = importer.split(".")[:-1]
    if not up or up > len(folders) + 1:
        return [name]
    relative = ".".join([*folders[: len(folders) + 1 - up], name])
    return [relative] if relative == name else [relative, name]


def _replace(namespace: dict[str, Any], replaced: Mapping[Any, Any]) -> None:
    """Put the classes that exist already in the place of those that were just made."""
    for name, value in namespace.items():
        if isinstance(value, type) and value in replaced:
            namespace[name] = replaced[value]


def _complete(known: Any, made: Any, replaced: Mapping[Any, Any]) -> None:
    """Give a class what is declared in its generated form: it may have been made with fewer nodes known."""
    if known.__doc__ is None:
        known.__doc__ = made.__doc__
    if isinstance(made, EnumMeta):
        return
    for name, value in list(vars(made).items()):
        if isinstance(value, type) and value in replaced:
            setattr(known, name, replaced[value])
        elif known is not made and not name.startswith("_") and name not in vars(known):
            setattr(known, name, value)


def add_nodes(registry: TypeRegistry, nodes: Mapping[int, str], origin: str) -> None:
    """Make the nodes of a generated module known, each of which is decoded when it is needed."""
    registry.add_sources({node_id: (text, _Decoder(registry, text, origin)) for node_id, text in nodes.items()})


class _Decoder:
    """Makes a node from its packed message in base64."""

    __slots__ = ("_origin", "_registry", "_text")

    def __init__(self, registry: TypeRegistry, text: str, origin: str) -> None:
        self._registry = registry
        self._text = text
        self._origin = origin

    def __call__(self) -> Node:
        codec = self._registry.codec
        segments, _ = codec.unpack_message(b64decode(self._text), None, 0)
        record = codec.open_segments(segments, UNLIMITED).read_struct(0, Record)
        if record is None:
            raise SchemaError("a generated module has an empty node")
        node = Node(record)
        node.origin = self._origin
        return node


class _Declaration:
    """A constant or annotation in a class body: gives its value when it is read from the class."""

    __slots__ = ("_node_id", "_registry")

    def __init__(self, registry: TypeRegistry, node_id: int) -> None:
        self._registry = registry
        self._node_id = node_id

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self._registry.declaration(self._node_id)
