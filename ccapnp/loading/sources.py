"""From the text of a schema to a compiled request.  The compiler is imported when it is first needed."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

if TYPE_CHECKING:
    from ccapnp.compiler.finder import SearchPath
    from ccapnp.compiler.trees import Folder, Traversable

    Imports = Union[Folder, Iterable[Folder], None]
    SchemaPath = Union[str, os.PathLike[str], Traversable]

__all__ = ["CompiledFile", "compile_file", "compile_text", "folders_of"]


class CompiledFile(NamedTuple):
    """A request for one file, and the path that the file has."""

    request: bytes
    path: str


def folders_of(imports: Imports) -> list[Any]:
    """The import path as a list; a folder that stands alone is meant to be one of one."""
    if imports is None:
        return []
    if isinstance(imports, (str, Mapping)) or not isinstance(imports, Iterable):
        return [imports]
    return list(imports)


def compile_file(path: SchemaPath, imports: Imports) -> CompiledFile:
    """FileNotFoundError if there is no such file, SchemaError with all that is wrong in it and its imports."""
    from ccapnp.compiler.finder import SearchPath
    from ccapnp.compiler.trees import place_of

    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else str(path)
    named = {} if isinstance(path, (str, os.PathLike)) else {name: place_of(path)}
    finder = SearchPath(folders_of(imports), named=named)
    if finder.open(name) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return CompiledFile(_compile(name, finder), os.path.abspath(name))


def compile_text(source: Union[str, bytes], name: str, imports: Imports) -> CompiledFile:
    """SchemaError with all that is wrong in the text and its imports."""
    from ccapnp.compiler.finder import SearchPath
    from ccapnp.compiler.trees import place_of

    texts: dict[str, Union[str, bytes]] = {}
    folders = []
    for folder in folders_of(imports):
        if isinstance(folder, Mapping):
            texts = {**folder, **texts}
        else:
            folders.append(folder)
    texts[name] = source
    place = place_of(texts).join(name.lstrip("/"))
    if place is None or not place.path:
        raise ValueError(f"{name!r} cannot be the name of a schema")
    return CompiledFile(_compile(name, SearchPath([texts, *folders], named={name: place})), name)


def _compile(name: str, finder: SearchPath) -> bytes:
    from ccapnp.compiler.compile import compile_files

    return compile_files([name], finder)
