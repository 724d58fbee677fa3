"""Where schema files lie: on disk, in an archive or another package, or in memory.

A path within a tree has slashes; that of the disk is absolute.  ``..`` is resolved by the text of the path alone, as
the `capnp` tool does it.
"""

from __future__ import annotations

import os
import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple, Optional, Protocol, Union

__all__ = ["DISK", "Folder", "Memory", "Place", "Resources", "Texts", "Traversable", "Tree", "place_of"]


class Traversable(Protocol):
    """A folder or file as `importlib.resources.files` gives it, in whatever way a package was loaded."""

    @property
    def name(self) -> str: ...
    def iterdir(self) -> Iterator[Any]: ...
    def joinpath(self, child: str, /) -> Any: ...
    def read_bytes(self) -> bytes: ...


Texts = Mapping[str, Union[str, bytes]]
"""Sources by name."""

Folder = Union[str, "os.PathLike[str]", Traversable, Texts]
"""What may be on the import path: a folder on disk, one in an archive or a package, or texts by name."""


class Tree(Protocol):
    """Files by path."""

    def join(self, folder: str, path: str) -> Optional[str]:
        """The path of ``path`` in ``folder``; ``None`` if it leads out of the tree."""
        ...

    def read(self, path: str) -> Optional[bytes]:
        """The contents of a file; ``None`` if there is none.  OSError if there is, but it cannot be read."""
        ...

    def names(self, path: str) -> list[str]:
        """What is in a folder; nothing if there is none."""
        ...

    def key(self, path: str) -> str:
        """What is the same for two paths of one file."""
        ...

    def shown(self, path: str) -> str:
        """How messages name a file or folder."""
        ...


class Place(NamedTuple):
    """A file or folder in a tree."""

    tree: Tree
    path: str

    @property
    def folder(self) -> Place:
        """The folder that a file is in."""
        return Place(self.tree, os.path.dirname(self.path))

    def join(self, path: str) -> Optional[Place]:
        """The place of ``path``, relative to this folder; ``None`` if it leads out of the tree."""
        joined = self.tree.join(self.path, path)
        return None if joined is None else Place(self.tree, joined)

    def read(self) -> Optional[bytes]:
        return self.tree.read(self.path)

    @property
    def names(self) -> list[str]:
        """What is in this folder."""
        return self.tree.names(self.path)

    @property
    def key(self) -> str:
        return self.tree.key(self.path)

    def __str__(self) -> str:
        return self.tree.shown(self.path)


class _Disk:
    def join(self, folder: str, path: str) -> Optional[str]:
        return os.path.normpath(os.path.join(folder, path))

    def read(self, path: str) -> Optional[bytes]:
        try:
            with open(path, "rb") as file:
                return file.read()
        except PermissionError:
            raise
        except (OSError, ValueError):  # missing, or no name that a file could have
            return None

    def names(self, path: str) -> list[str]:
        try:
            return os.listdir(path)
        except OSError:
            return []

    def key(self, path: str) -> str:
        return os.path.normcase(os.path.realpath(path))

    def shown(self, path: str) -> str:
        return path


DISK = _Disk()
"""All files of the file system."""


class _Inner:
    """A tree with a root of its own, out of which no path leads."""

    def join(self, folder: str, path: str) -> Optional[str]:
        joined = posixpath.normpath(posixpath.join(folder, path))
        return None if joined == ".." or joined.startswith("../") else "" if joined == "." else joined


class Resources(_Inner):
    """What is below a `Traversable`; ``name`` tells it from others."""

    def __init__(self, root: Traversable, name: str) -> None:
        self._root = root
        self._name = name

    def read(self, path: str) -> Optional[bytes]:
        try:
            data: bytes = self._at(path).read_bytes()
        except (OSError, KeyError, ValueError):
            return None
        return data

    def names(self, path: str) -> list[str]:
        try:
            return [each.name for each in self._at(path).iterdir()]
        except (OSError, ValueError):
            return []

    def _at(self, path: str) -> Any:
        return reduce(lambda folder, name: folder.joinpath(name), filter(None, path.split("/")), self._root)

    def key(self, path: str) -> str:
        found = self._at(path)
        return DISK.key(os.fspath(found)) if isinstance(found, os.PathLike) else self.shown(path)

    def shown(self, path: str) -> str:
        return f"{self._name}/{path}" if path else self._name


class Memory(_Inner):
    """Texts by name."""

    def __init__(self, texts: Texts) -> None:
        self._texts = {posixpath.normpath(name).lstrip("/"): text for name, text in texts.items()}
        self._given = texts

    def read(self, path: str) -> Optional[bytes]:
        text = self._texts.get(path)
        return text.encode() if isinstance(text, str) else text

    def names(self, path: str) -> list[str]:
        return [posixpath.basename(name) for name in self._texts if posixpath.dirname(name) == path]

    def key(self, path: str) -> str:
        return f"{id(self._given):#x}:{path}"

    def shown(self, path: str) -> str:
        return path or "the given texts"


def place_of(folder: Folder) -> Place:
    """The place of a folder that may be on the import path; TypeError for what is none.

    A path may lead into a zip archive, as those of ``sys.path`` do.
    """
    if isinstance(folder, Mapping):
        return Place(Memory(folder), "")
    if isinstance(folder, (str, os.PathLike)):
        return _place_of_path(os.path.abspath(os.fspath(folder)))
    if isinstance(folder, zipfile.Path):
        archive = folder.root
        name = os.path.abspath(archive.filename) if archive.filename else f"archive {id(archive):#x}"
        return Place(Resources(zipfile.Path(archive), name), folder.at.rstrip("/"))
    if hasattr(folder, "joinpath"):
        return Place(Resources(folder, str(folder)), "")
    raise TypeError(f"a folder is a path, a resource of a package, or texts by name, not {type(folder).__name__}")


def _place_of_path(path: str) -> Place:
    above, inner = path, ""
    while not os.path.exists(above):
        up, name = os.path.split(above)
        if up == above:
            return Place(DISK, path)
        above, inner = up, posixpath.join(name, inner) if inner else name
    if os.path.isfile(above) and zipfile.is_zipfile(above):
        return Place(Resources(zipfile.Path(above), above), inner)
    return Place(DISK, path)
