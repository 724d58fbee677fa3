"""Compiled schemas kept beside bytecode, so that a schema is compiled once and not by every program that imports it.

A cache file has what the compiler asked for (which file, which import, and what the answer contained) and the request
that it made of the answers.  It holds as long as the same questions get the same answers.  It is never required: what
cannot be read, or written, is compiled again the next time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
import threading
from contextlib import suppress
from functools import cache
from typing import Any, Optional

import ccapnp.compiler
from ccapnp._version import __version__
from ccapnp.compiler.finder import Finder, Found, SearchPath
from ccapnp.compiler.trees import DISK, Place

__all__ = ["compiled"]


def compiled(place: Place, imports: list[Any]) -> bytes:
    """The request for a schema file."""
    name = str(place)
    finder = SearchPath(imports, named={name: place})
    path = _cache_path(place)
    kept = path and _read(path, finder)
    if kept:
        return kept
    from ccapnp.compiler.compile import compile_files

    recorder = _Recorder(finder)
    request = compile_files([name], recorder)
    if path and not sys.dont_write_bytecode:
        _write(path, recorder, request)
    return request


def _cache_path(place: Place) -> Optional[str]:
    """Where the request for a file is kept; ``None`` if there is no place for it."""
    tag = sys.implementation.cache_tag
    if place.tree is not DISK or tag is None:
        return None
    folder, name = os.path.split(place.path)
    beside = os.path.dirname(importlib.util.cache_from_source(os.path.join(folder, "_.py")))
    return os.path.join(beside, f"{name}-{tag}.request")


@cache
def _compiler() -> str:
    """What tells compilers apart: the version, and the sources, which change more often in a checkout."""
    digest = hashlib.sha256()
    for folder in ccapnp.compiler.__path__:
        with suppress(OSError):  # in an archive, or installed without sources
            for name in sorted(os.listdir(folder)):
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), "rb") as file:
                        digest.update(file.read())
    return f"{__version__} {digest.hexdigest()}"


def _digest(data: Optional[bytes]) -> Optional[str]:
    return None if data is None else hashlib.sha256(data).hexdigest()


class _Recorder:
    """A finder that notes each question once, with what identifies the answer.

    A question is (kind, number of the importing file among the answers, name or path).
    """

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._numbers: dict[str, int] = {}
        self.answers: dict[tuple[str, Optional[int], str], list[Optional[str]]] = {}

    def open(self, name: str) -> Optional[Found]:
        return self._note_file(("open", None, name), self._finder.open(name))

    def find(self, importer: Found, path: str) -> Optional[Found]:
        return self._note_file(("find", self._numbers[importer.key], path), self._finder.find(importer, path))

    def embed(self, importer: Found, path: str) -> Optional[bytes]:
        data = self._finder.embed(importer, path)
        self.answers["embed", self._numbers[importer.key], path] = [_digest(data)]
        return data

    def tried(self, importer: Found, path: str) -> list[str]:
        return self._finder.tried(importer, path)

    def _note_file(self, question: tuple[str, Optional[int], str], found: Optional[Found]) -> Optional[Found]:
        self.answers[question] = [found and found.key, _digest(found and found.data)]
        if found is not None:
            self._numbers.setdefault(found.key, len(self._numbers))
        return found


def _replay(finder: Finder, questions: list[Any]) -> bool:
    """Whether all questions get the answers that are noted with them."""
    recorder = _Recorder(finder)
    files: dict[str, Found] = {}
    for (kind, importer, path), answer in questions:
        if kind == "embed":
            recorder.embed(list(files.values())[importer], path)
        else:
            found = recorder.open(path) if kind == "open" else recorder.find(list(files.values())[importer], path)
            if found is not None:
                files.setdefault(found.key, found)
        if recorder.answers[kind, importer, path] != answer:
            return False
    return True


def _read(path: str, finder: Finder) -> Optional[bytes]:
    """The request in a cache file, if it still holds."""
    try:
        with open(path, "rb") as file:
            header, _, request = file.read().partition(b"\n")
        kept = json.loads(header)
        if kept["compiler"] == _compiler() and kept["digest"] == _digest(request):
            return request if _replay(finder, kept["questions"]) else None
    except (OSError, ValueError, LookupError, TypeError):  # unreadable, cut short, or of some other version
        pass
    return None


def _write(path: str, recorder: _Recorder, request: bytes) -> None:
    """Write a cache file whole, or not at all."""
    kept = {"compiler": _compiler(), "digest": _digest(request), "questions": list(recorder.answers.items())}
    temporary = f"{path}.{os.getpid()}-{threading.get_ident()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "xb") as file:
            file.write(json.dumps(kept).encode() + b"\n" + request)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
