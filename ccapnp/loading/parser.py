"""`SchemaParser`: schemas apart from those of the rest of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Union

from ccapnp.codec import get_codec
from ccapnp.loading.load import module_of
from ccapnp.loading.sources import compile_file, compile_text, folders_of
from ccapnp.types.registry import TypeRegistry

if TYPE_CHECKING:
    from types import ModuleType

    from ccapnp.loading.sources import Imports, SchemaPath

__all__ = ["SchemaParser"]


class SchemaParser:
    """Loads schemas whose types are its own.

    What it loads shares types with what it loaded before, but not with `ccapnp.load`, with generated modules, or with
    another parser: so two versions of a schema can be used side by side.  Its types cannot be unpickled.
    """

    def __init__(self, imports: Imports = (), backend: Optional[str] = None) -> None:
        """``imports`` are searched after those that are given with a file."""
        self._imports = folders_of(imports)
        self._registry = TypeRegistry(get_codec(backend))

    def load(self, path: SchemaPath, *, imports: Imports = ()) -> ModuleType:
        """As `ccapnp.load`."""
        return module_of(self._registry, compile_file(path, [*folders_of(imports), *self._imports]))

    def load_text(self, source: Union[str, bytes], name: str = "text.capnp", *, imports: Imports = ()) -> ModuleType:
        """As `ccapnp.load_text`."""
        return module_of(self._registry, compile_text(source, name, [*folders_of(imports), *self._imports]))
