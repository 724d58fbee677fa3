"""Finding the files of a compilation: those named to the compiler, what they import, and what they embed."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, Optional, Protocol

from ccapnp.compiler.trees import DISK, Folder, Place, Resources, place_of

__all__ = ["Finder", "Found", "SearchPath"]


class Found(NamedTuple):
    """One file."""

    key: str
    """What tells two files apart, whatever route led there."""
    name: str
    """Its display name."""
    data: bytes
    place: Any = None
    """For the finder alone: where the file lies."""
    path: str = ""
    """What messages call it, where that is not its display name."""


class Finder(Protocol):
    """Where a compiler gets its files from; ``None`` stands for a file that is not there."""

    def open(self, name: str) -> Optional[Found]:
        """A file named to the compiler."""
        ...

    def find(self, importer: Found, path: str) -> Optional[Found]:
        """What ``import "path"`` in ``importer`` means."""
        ...

    def embed(self, importer: Found, path: str) -> Optional[bytes]:
        """What ``embed "path"`` in ``importer`` means."""
        ...

    def tried(self, importer: Found, path: str) -> list[str]:
        """The folders where `find` looks, for messages."""
        ...


_SYSTEM_FOLDERS = ("/usr/local/include", "/usr/include")
"""Where the `capnp` tool looks, too, unless it is told not to."""

_FOREIGN_FOLDERS = ("", "capnp", "std", "include")
"""The last folder in the imports by which schemas get at the annotations of other languages."""


class SearchPath:
    """The rules of the `capnp` tool.

    A relative import is relative to the importing file; one with a leading slash is looked up in each folder of
    ``imports``.  After those come the schemas that are part of ccapnp, and the folders of the system, unless
    ``standard`` is false.  Of an import that no folder has, such as "/java.capnp", the bundled file of that name with
    another language's annotations is taken.

    A file named to the compiler is displayed relative to the innermost of ``prefixes``, or else to the working folder;
    one that lies outside of all, by its path, without its leading slash if ``strip_root`` is true.  ``named`` are
    files that are found by name before any on disk is.
    """

    def __init__(
        self,
        imports: Iterable[Folder] = (),
        *,
        prefixes: Iterable[str] = (),
        standard: bool = True,
        strip_root: bool = False,
        named: Optional[Mapping[str, Place]] = None,
    ) -> None:
        self._folders = [place_of(folder) for folder in imports]
        self._foreign: Optional[Place] = None
        if standard:
            self._folders += [_bundled("standard"), *(Place(DISK, folder) for folder in _SYSTEM_FOLDERS)]
            self._foreign = _bundled("foreign")
        inner = [path for path in map(os.path.abspath, prefixes) if path != os.path.dirname(path)]  # "/" says nothing
        self._working_folder = os.getcwd()
        self._prefixes = [*sorted(inner, key=len, reverse=True), self._working_folder]
        self._strip_root = strip_root
        self._named = named or {}
        self._opened: dict[str, Optional[Found]] = {}  # a pipe can be read but once

    def open(self, name: str) -> Optional[Found]:
        if name not in self._opened:
            self._opened[name] = self._open(name)
        return self._opened[name]

    def _open(self, name: str) -> Optional[Found]:
        place = self._named.get(name)
        if place is not None:
            return self._found(place, name)
        folder, base = os.path.split(os.path.abspath(name))
        place = place_of(folder).join(base)
        if place is None:
            return None
        return self._found(place, self._display_name(place))

    def find(self, importer: Found, path: str) -> Optional[Found]:
        for place, name in self._candidates(importer, path):
            found = self._found(place, name)
            if found is not None:
                return found
        return None

    def embed(self, importer: Found, path: str) -> Optional[bytes]:
        found = self.find(importer, path)
        return None if found is None else found.data

    def tried(self, importer: Found, path: str) -> list[str]:
        if path.startswith("/"):
            return [_shown(folder) for folder in self._folders]
        return [str(place.folder) for place, _ in self._candidates(importer, path)]

    def _candidates(self, importer: Found, path: str) -> Iterable[tuple[Place, str]]:
        """The places where an import may lie, with the display name that it would have there."""
        if not path.startswith("/"):
            place = importer.place.folder.join(path)
            if place is not None:
                name = posixpath.normpath(posixpath.join(posixpath.dirname(importer.name), path))
                yield place, self._display_name(place) if name.startswith("../") else name
            return
        name = posixpath.normpath(path.lstrip("/"))
        if name.startswith("../"):
            return
        for folder in self._folders:
            place = folder.join(name)
            if place is not None:
                yield place, name
        folder_name, base = posixpath.split(name)
        if self._foreign is not None and posixpath.basename(folder_name) in _FOREIGN_FOLDERS:
            yield Place(self._foreign.tree, base), name

    def _found(self, place: Place, name: str) -> Optional[Found]:
        data = place.read()
        path = str(place)
        return (
            None if data is None else Found(place.key, name, data, place, _inside(self._working_folder, path) or path)
        )

    def _display_name(self, place: Place) -> str:
        path = str(place)
        for prefix in self._prefixes:
            inside = _inside(prefix, path)
            if inside:
                return inside.replace(os.sep, "/")
        path = path.replace(os.sep, "/")
        return path.lstrip("/") if self._strip_root else path


def _inside(folder: str, path: str) -> str:
    """A path relative to a folder; empty if it does not lie within."""
    inside = path[len(folder) :] if folder.endswith(os.sep) else path[len(folder) + 1 :]
    return inside if os.path.join(folder, inside) == path else ""


def _shown(folder: Place) -> str:
    missing = folder.tree is DISK and not os.path.isdir(folder.path)
    return f"{folder} (no such folder)" if missing else str(folder)


@cache
def _bundled(folder: str) -> Place:
    """A folder of this package's data."""
    return Place(Resources(resources.files("ccapnp.compiler").joinpath(folder), f"<{folder} schemas>"), "")
