"""The whole request: the nodes of the files that were asked for, and those of imports that they use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ccapnp.compiler.files import SchemaFile
from ccapnp.compiler.nodes import STREAM, Compiled, Nodes
from ccapnp.language import syntax

__all__ = ["make_request"]

_VERSION = {"major": 0, "minor": 9, "micro": 2}
"""The version of the official compiler that gives the same request."""


def make_request(files: Sequence[SchemaFile]) -> dict[str, Any]:
    """A `CodeGeneratorRequest` of schema.capnp; faults are reported to the diagnostics of the files."""
    requested = [{"id": file.root.id, "filename": file.name, "imports": _imports(file)} for file in files]
    compiled = list(_compiled(Nodes(), dict.fromkeys(files)))
    return {
        "capnpVersion": _VERSION,
        "nodes": [node for each in compiled for node in each.nodes],
        "sourceInfo": [info for each in compiled for info in each.infos],
        "requestedFiles": requested,
    }


def _compiled(nodes: Nodes, files: Iterable[SchemaFile]) -> Iterator[Compiled]:
    """All declarations of the files, then what they use, in the order in which it was met."""
    waiting = [definition for file in files for definition in file.root.all_nested()]
    for definition in waiting:
        nodes.check_aliases(definition)
    known = set(waiting)
    for definition in waiting:
        compiled = nodes.compiled(definition)
        yield compiled
        parents = [definition.parent] if definition.parent else []
        for each in [*compiled.used, *parents]:
            if each not in known:
                known.add(each)
                waiting.append(each)


def _imports(file: SchemaFile) -> list[dict[str, Any]]:
    """All imports of a file, in the order of their names."""
    found: dict[str, int] = {}
    for part in _parts(file.tree):
        if isinstance(part, syntax.Import):
            path, span = part.path, part.span
        elif isinstance(part, syntax.ParameterList) and part.is_stream:
            path, span = STREAM, part.span
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
