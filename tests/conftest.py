"""What all tests share: each behaviour is tested on every codec, and the official tool is the judge where it is."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

import ccapnp
from ccapnp.codec import default_codec
from tests.conformance.all_types import SCHEMA as ALL_TYPES_SCHEMA

pytest_plugins = ["pytester", "tests.conformance.coverage"]

ROOT = Path(__file__).resolve().parent.parent
TESTDATA = Path(os.environ.get("CCAPNP_TESTDATA", Path(__file__).parents[2] / "shared" / "testdata"))

# The same examples each time, so that a red run means a change; `make fuzz` looks for new ones.
settings.register_profile(
    "default", deadline=None, max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("fuzz", deadline=None, max_examples=int(os.environ.get("FUZZ_EXAMPLES", "20000")))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session", params=["pure", "native"])
def backend(request: pytest.FixtureRequest) -> str:
    """The name of each codec in turn, which is also the default codec while a test runs that asks for this.

    Tests on a native codec that is not built are skipped, but fail where CCAPNP_BUILD says that it must be.
    """
    if request.param == "native" and find_spec("ccapnp.native._shim") is None:
        if os.environ.get("CCAPNP_BUILD") == "require":
            pytest.fail("CCAPNP_BUILD is 'require', but the native extension is not built")
        pytest.skip("the native extension is not built")
    return str(request.param)


@pytest.fixture(autouse=True)
def _default_backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if "backend" not in request.fixturenames:
        yield
        return
    monkeypatch.setenv("CCAPNP_BACKEND", request.getfixturevalue("backend"))
    default_codec.cache_clear()
    yield
    default_codec.cache_clear()


@pytest.fixture(scope="session")
def capnp_tool() -> str:
    """The path of the official tool; tests that need it are skipped where it is missing."""
    path = shutil.which("capnp")
    if path is None:
        pytest.skip("the official capnp tool is not installed")
    return path


@pytest.fixture(scope="session")
def compile_schema(backend: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], ModuleType]:
    """A function from the text of a schema (its file id is added if it has none) to its module.

    The official tool compiles it where it is, so that only the compiler's own tests depend on ccapnp's.
    """
    tool = shutil.which("capnp")
    cache: dict[str, ModuleType] = {}

    def compile_text(text: str) -> ModuleType:
        if text not in cache:
            cache[text] = loaded(text)
        return cache[text]

    def loaded(text: str) -> ModuleType:
        if tool is None:
            return ccapnp.load_text(with_id(text), "test.capnp", backend=backend)
        folder = tmp_path_factory.mktemp("schema")
        return ccapnp.load_request(compile_to_request(tool, folder, text), backend=backend)

    return compile_text


def compile_to_request(tool: str, folder: Path, text: str, name: str = "test.capnp") -> bytes:
    """The CodeGeneratorRequest for a schema text."""
    (folder / name).write_text(with_id(text))
    done = subprocess.run(
        [tool, "compile", "-o-", f"--src-prefix={folder}", str(folder / name)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def with_id(text: str) -> str:
    """A schema text with a file id."""
    return text if text.lstrip().startswith("@0x") else f"@0x{hash_id(text):x};\n{text}"


def hash_id(text: str) -> int:
    """A file id that depends on the text alone, so that no two schemas share one."""
    return int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "big") | 1 << 63


@pytest.fixture(scope="session")
def testdata() -> Path:
    """The folder of the official golden messages; tests that need it are skipped where it is missing."""
    if not TESTDATA.is_dir():
        pytest.skip("the official golden messages are not here (CCAPNP_TESTDATA names their folder)")
    return TESTDATA


@pytest.fixture(scope="session")
def official(backend: str, testdata: Path) -> ModuleType:
    """The module for the official test.capnp."""
    return ccapnp.load_request((testdata / "test.request").read_bytes(), backend=backend)


@pytest.fixture(scope="session")
def all_types(compile_schema: Callable[[str], ModuleType]) -> ModuleType:
    """The module of structs that have the names and layout of those of the official test.capnp."""
    return compile_schema(ALL_TYPES_SCHEMA.read_text())


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of a program that is the checkout's plugin, run by the Python under test."""
    path = tmp_path_factory.mktemp("plugin") / "capnpc-ccapnp"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{ROOT / "bin" / "capnpc-ccapnp"}" "$@"\n')
    path.chmod(0o755)
    return path
