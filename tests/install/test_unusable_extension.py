"""An extension that is there and cannot be used is an error that says so, and never a silent fallback."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Callable

import pytest

from tests.install.environments import Environment

IMPORT = "try: import ccapnp\nexcept ImportError as error: print(type(error).__name__, error, sep=': ')"


def stale(package: Path) -> None:
    """Python code that is newer than the extension."""
    with (package / "native" / "shim.h").open("a") as file:
        file.write("/* one function more */\n")


def broken(package: Path) -> None:
    """An extension that is no library."""
    (extension,) = (package / "native").glob("_shim*.so")
    extension.write_text("not a library")


FAULTS = {
    stale: "BackendError: the native extension was built from other sources than these: reinstall ccapnp",
    broken: "BackendError: the native extension does not load: ",
}


@pytest.fixture(params=FAULTS, ids=lambda fault: fault.__name__)
def fault(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    return request.param


@pytest.fixture
def path(native: Environment, tmp_path: Path, fault: Callable[[Path], None]) -> str:
    """A PYTHONPATH with an installed package that has a fault."""
    installed = Path(native.evaluate("ccapnp.__file__")).parent
    shutil.copytree(installed, tmp_path / "ccapnp")
    fault(tmp_path / "ccapnp")
    return str(tmp_path)


@pytest.mark.parametrize("backend", ["auto", "native"])
def test_it_is_an_error(native: Environment, path: str, fault: Callable[[Path], None], backend: str) -> None:
    printed = native.run("-c", IMPORT, PYTHONPATH=path, CCAPNP_BACKEND=backend).decode()
    assert printed.startswith(FAULTS[fault])


def test_pure_works(native: Environment, path: str, examples: Path) -> None:
    assert native.evaluate("ccapnp.backend", PYTHONPATH=path, CCAPNP_BACKEND="pure") == "pure"
    assert native.example(examples, PYTHONPATH=path, CCAPNP_BACKEND="pure").startswith("Alice: ")
