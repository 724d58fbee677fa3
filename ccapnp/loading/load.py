"""`load` and `load_text`: a module of classes for a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Union

from ccapnp.loading.sources import CompiledFile, compile_file, compile_text
from ccapnp.types.module import make_module
from ccapnp.types.registry import type_registry

if TYPE_CHECKING:
    from types import ModuleType

    from ccapnp.loading.sources import Imports, SchemaPath
    from ccapnp.types.registry import TypeRegistry

__all__ = ["load", "load_text", "module_of"]


def load(path: SchemaPath, *, imports: Imports = (), backend: Optional[str] = None) -> ModuleType:
    """The module for a schema file, on disk or in a zip archive.

    Imports within it follow the rules of the `capnp` tool: ``import "x.capnp"`` is relative to the importing file,
    ``import "/x.capnp"`` is looked up in the folders ``imports``, and then among the standard schemas.

    A schema that is loaded twice, by whatever path, gives the same types.  Raises FileNotFoundError if there is no such
    file, and SchemaError, with all faults and their places, if it is wrong, or contradicts a schema loaded before.
    """
    return module_of(type_registry(backend), compile_file(path, imports))


def load_text(
    source: Union[str, bytes], name: str = "text.capnp", *, imports: Imports = (), backend: Optional[str] = None
) -> ModuleType:
    """The module for the text of a schema, called ``name`` in messages.

    ``imports`` may have texts by name among its folders: ``imports={"b.capnp": "..."}`` for what the text means by
    ``import "b.capnp"``, or "/b.capnp".  Raises SchemaError as `load` does.
    """
    return module_of(type_registry(backend), compile_text(source, name, imports))


def module_of(registry: TypeRegistry, compiled: CompiledFile) -> ModuleType:
    """The module for what was compiled, with types of ``registry``."""
    module = make_module(registry, compiled.request)
    module.__file__ = compiled.path
    return module
