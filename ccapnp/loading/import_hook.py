"""The import hook: ``import addressbook_capnp`` finds ``addressbook.capnp`` where it would find a module.

Nothing is hooked before `install_import_hook` is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ccapnp.loading.sources import folders_of
from ccapnp.schema.names import module_name
from ccapnp.types.module import fill_module
from ccapnp.types.registry import type_registry

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from ccapnp.compiler.trees import Place
    from ccapnp.loading.sources import Imports

__all__ = ["install_import_hook", "remove_import_hook"]

_SUFFIX = "_capnp"


def install_import_hook(imports: Imports = ()) -> None:
    """From now on, ``import x_capnp`` and ``from package import x_capnp`` compile ``x.capnp``.

    The file is looked for in the folders where a module ``x_capnp`` would be: those of ``sys.path``, or the package's.
    It may have a dash, space or another such character where the module's name has an underscore.  A Python module of
    that name, such as a generated one, goes first.  ``import "/y.capnp"`` in a schema is looked up in the folders
    ``imports``, and then in those of ``sys.path``.

    What was compiled is kept in ``__pycache__``, as Python does with bytecode.  A second call replaces ``imports``.
    """
    remove_import_hook()
    sys.meta_path.append(_SchemaFinder(folders_of(imports)))


def remove_import_hook() -> None:
    """Undo `install_import_hook`; modules that were imported stay."""
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, _SchemaFinder)]


class _SchemaFinder:
    """Stands last in ``sys.meta_path``: what it is asked for, nobody else has found."""

    def __init__(self, imports: list[Any]) -> None:
        self._imports = imports

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]] = None, target: Any = None
    ) -> Optional[ModuleSpec]:
        from importlib.util import spec_from_file_location

        name = fullname.rpartition(".")[2]
        if not name.endswith(_SUFFIX):
            return None
        folders = _folders(sys.path if path is None else path)
        for folder in folders:
            place = _schema_in(folder, name)
            if place is not None:
                loader: Any = _SchemaLoader(place, self._imports)
                return spec_from_file_location(fullname, str(place), loader=loader)
        raise ModuleNotFoundError(
            f"No module named {fullname!r}, and no {name[: -len(_SUFFIX)]}.capnp in any of {', '.join(folders)}",
            name=fullname,
        )


def _folders(path: Iterable[Any]) -> list[str]:
    """The entries of a module search path that Python itself heeds; an empty one is the working folder."""
    return [folder or os.getcwd() for folder in path if isinstance(folder, str)]


def _schema_in(folder: str, module: str) -> Optional[Place]:
    """The schema file in a folder that a module stands for; ImportError if there are two."""
    from ccapnp.compiler.trees import place_of

    place = place_of(folder)
    found = sorted(name for name in place.names if name.endswith(".capnp") and module_name(name) == module)
    if len(found) > 1:
        raise ImportError(f"{' and '.join(found)} in {folder} would both be the module {module}", name=module)
    return place.join(found[0]) if found else None


class _SchemaLoader:
    """Makes the module of one schema file."""

    def __init__(self, place: Place, imports: list[Any]) -> None:
        self._place = place
        self._imports = imports

    def create_module(self, spec: ModuleSpec) -> Optional[ModuleType]:
        return None

    def exec_module(self, module: ModuleType) -> None:
        from ccapnp.loading.request_cache import compiled

        fill_module(module, type_registry(), compiled(self._place, [*self._imports, *_folders(sys.path)]))
