"""Schema files for the compiler's tests, in a folder or in memory."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Optional

from ccapnp.compiler.finder import Found


class FolderFinder:
    """Finds files as the official tool does that runs in ``root``, with ``-I`` for the other folders."""

    def __init__(self, root: Path, *imports: Path) -> None:
        self._root = root
        self._imports = imports

    def open(self, name: str) -> Optional[Found]:
        return self._found(self._root / name, name)

    def find(self, importer: Found, path: str) -> Optional[Found]:
        if path.startswith("/"):
            found = (self._found(folder / path[1:], path[1:]) for folder in self._imports)
            return next((each for each in found if each is not None), None)
        folder = posixpath.dirname(importer.name)
        return self._found(
            Path(os.path.dirname(importer.key)) / path, posixpath.normpath(f"{folder}/{path}".lstrip("/"))
        )

    def embed(self, importer: Found, path: str) -> Optional[bytes]:
        found = self.find(importer, path)
        return found.data if found else None

    def tried(self, importer: Found, path: str) -> list[str]:
        return [str(each) for each in self._imports] if path.startswith("/") else [os.path.dirname(importer.key)]

    @staticmethod
    def _found(path: Path, name: str) -> Optional[Found]:
        return Found(os.path.realpath(path), name, path.read_bytes()) if path.is_file() else None


class TextFinder:
    """Finds files by name among texts, whoever imports them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def open(self, name: str) -> Optional[Found]:
        return Found(name, name, self._texts[name].encode()) if name in self._texts else None

    def find(self, importer: Found, path: str) -> Optional[Found]:
        return self.open(path.lstrip("/"))

    def embed(self, importer: Found, path: str) -> Optional[bytes]:
        found = self.find(importer, path)
        return found.data if found else None

    def tried(self, importer: Found, path: str) -> list[str]:
        return ["memory"]
