"""Modules of classes: made at once from a compiled schema, or piece by piece by a generated module."""

from __future__ import annotations

import importlib
from base64 import b64decode
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, Optional, TypeVar

from ccapnp.errors import SchemaError
from ccapnp.schema.names import module_name
from ccapnp.schema.nodes import Node
from ccapnp.schema.record import Record
from ccapnp.schema.request import Request
from ccapnp.types.registry import type_registry

if TYPE_CHECKING:
    from ccapnp.schema.request import RequestedFile
    from ccapnp.types.registry import TypeRegistry

__all__ = ["SchemaFile", "load_request"]

_T = TypeVar("_T")
_DEPTH = 2**31 - 1


def load_request(data: Any, file: Optional[str] = None, backend: Optional[str] = None) -> ModuleType:
    """The module for a compiled schema, a CodeGeneratorRequest as `capnp compile -o-` writes it.

    ``file`` says which of several requested files is meant, by the name that the compiler was given.  Raises
    DecodeError or SchemaError if ``data`` is no such request, or contradicts a schema loaded before.
    """
    registry = type_registry(backend)
    request = Request(registry.codec, data)
    chosen = _chosen(request, file)
    registry.add(request.nodes.values())
    for node_id, info in request.source_info.items():
        if info.doc:
            registry.docs.setdefault(node_id, info.doc.rstrip("\n"))
    module = ModuleType(module_name(chosen.name), registry.docs.get(chosen.id))
    module.__file__ = chosen.name
    registry.add_members(module, registry.node(chosen.id), module.__name__)
    return module


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
    place of the new one.
    """

    def __init__(self, module: str, imports: Mapping[str, tuple[int, ...]]) -> None:
        """``imports`` gives, per module that is imported, as a path relative to this one, the ids it is needed for."""
        self._module = module
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
        """A constant within a struct or interface, made when it is first asked for."""
        return _Constant(self._registry, node_id)

    def annotation(self, node_id: int) -> Any:
        """An annotation declared in the file."""
        return _Declaration(self._registry, node_id)

    def finish(self, namespace: dict[str, Any], nodes: Mapping[int, str]) -> None:
        """``nodes`` has each node that the module needs as a packed message in base64."""
        registry = self._registry
        registry.add_sources({node_id: (text, _Decoder(registry, text)) for node_id, text in nodes.items()})
        for path, node_ids in self._imports.items():
            for node_id in node_ids:
                registry.add_finder(node_id, lambda path=path: self._import(path))
        for node_id, made in self._classes:
            known = registry.adopt_class(node_id, made)
            if known is not made:
                _replace(namespace, made.__qualname__.split("."), known)

    def _import(self, path: str) -> None:
        """Import a module given as "sub.x_capnp", with a dot in front per folder to go up."""
        name = path.lstrip(".")
        up = len(path) - len(name)
        parents = self._module.split(".")[:-1]
        candidates = [name]
        if up <= len(parents):
            candidates.insert(0, ".".join([*parents[: len(parents) - up], name]))
        for candidate in candidates:
            try:
                importlib.import_module(candidate)
                return
            except ModuleNotFoundError as error:
                if error.name is None or not (candidate == error.name or candidate.startswith(f"{error.name}.")):
                    raise


def _replace(namespace: dict[str, Any], path: list[str], value: Any) -> None:
    if len(path) == 1:
        namespace[path[0]] = value
        return
    owner = namespace[path[0]]
    for name in path[1:-1]:
        owner = getattr(owner, name)
    setattr(owner, path[-1], value)


class _Decoder:
    """Makes a node from its packed message in base64."""

    __slots__ = ("_registry", "_text")

    def __init__(self, registry: TypeRegistry, text: str) -> None:
        self._registry = registry
        self._text = text

    def __call__(self) -> Node:
        codec = self._registry.codec
        segments, _ = codec.unpack_message(b64decode(self._text), None, 0)
        record = codec.open_segments(segments).read_struct(0, _DEPTH, Record)
        if record is None:
            raise SchemaError("a generated module has an empty node")
        return Node(record)


class _Constant:
    """A constant in a class body: gives its value when it is read from the class."""

    __slots__ = ("_node_id", "_registry")

    def __init__(self, registry: TypeRegistry, node_id: int) -> None:
        self._registry = registry
        self._node_id = node_id

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self._registry.constant(self._node_id)


class _Declaration(_Constant):
    """An annotation in a class body or module."""

    __slots__ = ()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self._registry.declaration(self._node_id)


