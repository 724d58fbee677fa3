"""The files of a compilation: each read and parsed once, whatever name it is reached by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Optional

from ccapnp.compiler.ids import random_id
from ccapnp.compiler.scopes import Definition, collect, declared_span
from ccapnp.errors import SchemaError
from ccapnp.language.diagnostics import Diagnostics, Source
from ccapnp.language.parser import parse
from ccapnp.language.syntax import Import, Span

if TYPE_CHECKING:
    from ccapnp.compiler.finder import Finder, Found

__all__ = ["Files", "SchemaFile"]

_START = Span(0, 0)


class SchemaFile:
    """A file that was read: its source, its syntax tree, and as ``root`` its outermost scope."""

    def __init__(self, found: Found, files: Files) -> None:
        self.found = found
        self.name = found.name
        self.files = files
        self.source = Source(found.path or found.name, found.data)
        self.tree = parse(self.source, files.diagnostics)
        self._imports: dict[str, Optional[SchemaFile]] = {}
        self.root = Definition(self, "file", self.tree, None, "", self._file_id())
        collect(self.root)

    def report(self, span: Span, message: str) -> None:
        """Note a fault in this file."""
        self.files.diagnostics.report(self.source, span, message)

    def imported(self, path: str, span: Span) -> Optional[SchemaFile]:
        """The file that ``import "path"`` means here; ``None`` if it is not there, which is reported at ``span``."""
        file = self.find(path)
        if file is None:
            self.report(span, f"there is no file {path!r} to import{self._tried(path)}")
        return file

    def find(self, path: str) -> Optional[SchemaFile]:
        """The same, without a report."""
        if path not in self._imports:
            found = self.files.finder.find(self.found, path)
            self._imports[path] = None if found is None else self.files.load(found)
        return self._imports[path]

    def embedded(self, path: str, span: Span) -> Optional[bytes]:
        """The contents that ``embed "path"`` means here; ``None`` if they are not there, which is reported."""
        data = self.files.finder.embed(self.found, path)
        if data is None:
            self.report(span, f"there is no file {path!r} to embed{self._tried(path)}")
        return data

    def _tried(self, path: str) -> str:
        tried = self.files.finder.tried(self.found, path)
        return f"; looked in {', '.join(tried)}" if tried else ""

    def _file_id(self) -> int:
        if self.tree.id is not None:
            return self.tree.id.value
        new = random_id()
        if not any(each.source is self.source for each in self.files.diagnostics.found):
            self.report(_START, f"the file has no id; add this line, or one that `ccapnp id` prints: @{new:#x};")
        return new


class Files:
    """All files of a compilation, by what tells them apart."""

    def __init__(self, finder: Finder, diagnostics: Diagnostics) -> None:
        self.finder = finder
        self.diagnostics = diagnostics
        self._loaded: dict[str, SchemaFile] = {}
        self._ids: dict[int, Definition] = {}

    def open(self, name: str) -> SchemaFile:
        """A file named to the compiler; SchemaError if it is not there."""
        found = self.finder.open(name)
        if found is None:
            raise SchemaError(f"there is no schema file {name!r}", file=name)
        file = self.load(found)
        self._load_imports(file)
        return file

    def _load_imports(self, file: SchemaFile) -> None:
        """Load all that a file imports, before the next one is opened: it decides the names that files keep."""
        pending = [file]
        for each in pending:
            for path in imported_paths(each.tree):
                known = len(self._loaded)
                imported = each.find(path)
                if imported is not None and len(self._loaded) > known:
                    pending.append(imported)

    def load(self, found: Found) -> SchemaFile:
        """A file that was found; it keeps the name it was first found by."""
        file = self._loaded.get(found.key)
        if file is None:
            file = SchemaFile(found, self)
            self._loaded[found.key] = file
            self._check_ids(file)
        return file

    def _check_ids(self, file: SchemaFile) -> None:
        other = self._ids.setdefault(file.root.id, file.root)
        if other is not file.root:
            _report_same_id(file.root, other)
            return
        for definition in file.root.all_nested():
            other = self._ids.setdefault(definition.id, definition)
            # Of two of one name in one scope, the name is reported when they are compiled.
            if other is not definition and (other.parent, other.name) != (definition.parent, definition.name):
                _report_same_id(definition, other)


def imported_paths(part: object) -> Iterator[str]:
    """The paths of all imports in a syntax tree."""
    if isinstance(part, Import):
        yield part.path
    elif isinstance(part, (list, tuple)):
        for each in part:
            yield from imported_paths(each)
    elif is_dataclass(part):
        for each in vars(part).values():
            yield from imported_paths(each)


def _report_same_id(definition: Definition, other: Definition) -> None:
    source = other.file.source
    line, _ = source.position(_place_of_id(other).start)
    definition.report(
        _place_of_id(definition),
        f"the id {definition.id:#x} is also that of {other.display_name} ({source.name}:{line}); an id must be "
        "unique: give one of them another, which `ccapnp id` makes",
    )


def _place_of_id(definition: Definition) -> Span:
    declared = definition.declaration
    return declared.id.span if declared.id else declared_span(declared)
