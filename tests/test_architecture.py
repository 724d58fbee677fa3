"""Imports run downward only: the folders of the package are floors, and no file knows of a floor above its own."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# From the ground up; what shares a floor may import each other.
FLOORS = (
    {"errors", "_version", "_build"},
    {"language"},
    {"wire"},
    {"pure"},
    {"native"},
    {"codec"},
    {"schema"},
    {"types", "convert", "reflection", "columns"},
    {"aio"},
    {"generated"},
    {"compiler"},
    {"rpc"},
    {"loading"},
    {"__init__"},
    {"plugin"},
    {"cli", "__main__"},
)
FLOOR_OF = {name: floor for floor, names in enumerate(FLOORS) for name in names}
FILES = sorted([*(ROOT / "ccapnp").rglob("*.py"), *(ROOT / "plugin").rglob("*.py")])

GENERATED = {"schema_capnp.py"}


def room_of(module: str) -> str:
    """The part of ``ccapnp.x.y`` that has a floor."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules of this package that a file imports, in functions too, but not for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ccapnp":
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from inner if node.module == "ccapnp" else [str(node.module)]
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "ccapnp")
        yield from imports(node)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_downward(path: Path) -> None:
    relative = path.relative_to(ROOT)
    own = "plugin" if relative.parts[0] == "plugin" else relative.with_suffix("").parts[1]
    upward = [
        name
        for name in imports(ast.parse(path.read_text()))
        if path.name not in GENERATED and FLOOR_OF[room_of(name)] > FLOOR_OF[own]
    ]
    assert upward == []


def test_every_folder_has_a_floor() -> None:
    rooms = [path for path in (ROOT / "ccapnp").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert {path.stem for path in rooms} <= set(FLOOR_OF)


def test_only_the_standard_library_is_needed() -> None:
    """The core has no runtime dependency; what builds the extension is no part of it."""
    if not hasattr(sys, "stdlib_module_names"):
        pytest.skip("this Python does not say which modules are its own")
    known = set(sys.stdlib_module_names) | {"ccapnp", "__pypy__"}
    for path in FILES:
        if path.name == "_build.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            drawn_with = {"rich", "shtab"} if path.parent.name == "cli" else set()
            assert {name.split(".")[0] for name in names} <= known | drawn_with, path
