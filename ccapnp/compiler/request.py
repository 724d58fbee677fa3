"""The whole request: the nodes of the files that were asked for, and those of imports that they use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ccapnp.compiler import syntax
from ccapnp.compiler.files import SchemaFile
from ccapnp.compiler.nodes import Nodes

__all__ = ["make_request"]

_VERSION = {"major": 0, "minor": 9, "micro": 2}
"""The version of the official compiler that gives the same request."""

_STREAM = "/capnp/stream.capnp"


def make_request(files: Sequence[SchemaFile]) -> dict[str, Any]:
    """A `CodeGeneratorRequest` of schema.capnp; faults are reported to the diagnostics of the files."""
    imports = [_imports(file) for file in files]
    nodes: list[dict[str, Any]] = []
    infos: list[dict[str, Any]] = []
    compiler = Nodes()
    waiting = [definition for file in files for definition in file.root.all_nested()]
    known = set(waiting)
    for definition in waiting:
        compiled = compiler.compiled(definition)
        nodes += compiled.nodes
        infos += compiled.infos
        parents = [definition.parent] if definition.parent else []
        for each in [*compiled.used, *parents]:
            if each not in known:
                known.add(each)
                waiting.append(each)
    for file in files:
        for definition in file.root.all_nested():
            for declaration in definition.declaration.nested:
                if isinstance(declaration, syntax.Using):
                    compiler.check_alias(declaration, definition)
    return {
        "capnpVersion": _VERSION,
        "nodes": nodes,
        "sourceInfo": infos,
        "requestedFiles": [
            {"id": file.root.id, "filename": file.name, "imports": found} for file, found in zip(files, imports)
        ],
    }


def _imports(file: SchemaFile) -> list[dict[str, Any]]:
    """All imports of a file, in the order of their names."""
    found: dict[str, int] = {}
    for part in _parts(file.tree):
        if isinstance(part, syntax.Import):
            path, span = part.path, part.span
        elif isinstance(part, syntax.ParameterList) and part.is_stream:
            path, span = _STREAM, part.span
        else:
            continue
        imported = file.imported(path, span)
        if imported is not None:
            found[path] = imported.root.id
    return [{"id": found[path], "name": path} for path in sorted(found)]


def _parts(tree: object) -> Iterator[object]:
    """All parts of a syntax tree; without recursion, for expressions can be deep."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (tuple, list)):
            waiting += part
        elif type(part).__module__ == syntax.__name__:
            yield part
            waiting += vars(part).values()
