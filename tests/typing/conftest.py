"""A folder of generated modules, code that uses them, and what the type checkers say of all that."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import ccapnp
from ccapnp.codec import default_codec
from ccapnp.plugin.emit_py import emit_py
from ccapnp.plugin.emit_pyi import emit_pyi
from ccapnp.plugin.model import build_model
from ccapnp.schema import Request
from tests.typing.checkers import Finding, mypy, pyright

HERE = Path(__file__).parent
REQUESTS = ("test", "schema", "rpc", "json-test")
"""The requests of the official test data whose stubs are checked."""

MATCHING = "matching.txt"
"""Code of which Python 3.9 does not know the syntax."""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of ccapnp alone: type checkers know nothing of how it may be installed."""
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(Path(ccapnp.__file__).parent, folder / "ccapnp", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="session")
def code(tmp_path_factory: pytest.TempPathFactory, capnp_tool: str) -> Path:
    """A folder with `accepted`, `refused` and the modules of `schemas`, on their own and once more as a package."""
    folder = tmp_path_factory.mktemp("code")
    sources = sorted((HERE / "schemas").rglob("*.capnp"))
    done = subprocess.run(
        [capnp_tool, "compile", "-o-", f"--src-prefix={HERE / 'schemas'}", f"-I{HERE / 'schemas'}", *map(str, sources)],
        check=True,
        stdout=subprocess.PIPE,
    )
    generate(done.stdout, folder)
    generate(done.stdout, folder / "packaged", is_package=True)
    for name in ("accepted", "refused"):
        shutil.copytree(HERE / name, folder / name)
    shutil.copy(HERE / MATCHING, folder / "accepted" / "matching.py")
    return folder


def generate(request_data: bytes, folder: Path, is_package: bool = False) -> None:
    """Write the modules and stubs for a request; with an ``__init__.py`` in every folder, if they are a package."""
    request = Request(default_codec(), request_data)
    for file in request.files:
        model = build_model(request, file)
        path = folder / f"{model.output_name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(emit_py(model))
        path.with_suffix(".pyi").write_text(emit_pyi(model, lambda folder: is_package))
        if is_package:
            for parent in (folder, path.parent):
                (parent / "__init__.py").touch()


@pytest.fixture(scope="session")
def official_code(tmp_path_factory: pytest.TempPathFactory, testdata: Path) -> Path:
    """A folder with the modules of the official test schemas."""
    folder = tmp_path_factory.mktemp("official")
    for name in REQUESTS:
        generate((testdata / f"{name}.request").read_bytes(), folder)
    return folder


@pytest.fixture(scope="session", params=[mypy, pyright], ids=["mypy", "pyright"])
def checker(request: pytest.FixtureRequest) -> object:
    """Each type checker in turn."""
    return request.param


@pytest.fixture(scope="session")
def findings(checker: object, code: Path, library: Path) -> list[Finding]:
    """What the checker says of `code`."""
    return checker(code, library)  # type: ignore[operator,no-any-return]
