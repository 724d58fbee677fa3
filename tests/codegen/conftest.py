"""Each folder here is a case: schemas, and tests of the modules that `capnp compile` makes of them with the plugin."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def compile_case(capnp_tool: str, plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """A function from the folder of a case to one with its generated modules."""
    done: dict[Path, Path] = {}

    def compile_folder(case: Path) -> Path:
        if case not in done:
            out = done[case] = tmp_path_factory.mktemp(case.name)
            schemas = sorted(map(str, case.rglob("*.capnp")))
            command = [capnp_tool, "compile", f"-o{plugin}:{out}", f"--src-prefix={case}", f"-I{case}", *schemas]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            assert result.returncode == 0, result.stderr
            assert not result.stdout and not result.stderr
        return done[case]

    return compile_folder


@pytest.fixture
def generated(request: pytest.FixtureRequest, compile_case: Callable[[Path], Path]) -> Path:
    """The folder with the modules of the test's own case."""
    return compile_case(request.path.parent)


@pytest.fixture
def module(request: pytest.FixtureRequest, generated: Path) -> ModuleType:
    """The module of a case that has one schema, named like its folder."""
    name = f"{request.path.parent.name}_capnp"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, generated / f"{name}.py")
        assert spec is not None and spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        sys.modules[name] = made
    return sys.modules[name]
