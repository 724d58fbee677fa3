"""One sdist, and one wheel and one environment of each kind, for all tests of this folder."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.install.environments import REQUIRED, Environment, build_wheel, environ, make_environment, missing


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all that is built."""
    return tmp_path_factory.mktemp("install")


@pytest.fixture(scope="session")
def index(work: Path) -> None:
    """Tests that install something from elsewhere are skipped where pip cannot."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(work), "setuptools>=77"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        missing(f"pip reaches no package index: {done.stderr.strip()}")


@pytest.fixture(scope="session")
def toolchain() -> None:
    """Tests that build the extension are skipped where that is not possible, unless it is required."""
    pytest.importorskip("setuptools", minversion="77")
    reason = runpy.run_path(str(ROOT / "tools" / "native_build.py"))["what_is_missing"]()
    if reason is not None and not REQUIRED:
        pytest.skip(f"the extension cannot be built: {reason}")


@pytest.fixture(scope="session")
def sdist(work: Path) -> Path:
    """The sdist of this checkout."""
    pytest.importorskip("setuptools", minversion="77")
    code = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    command = [sys.executable, "-c", code, str(work)]
    subprocess.run(command, cwd=ROOT, env=environ(CCAPNP_BUILD="skip"), stdout=subprocess.DEVNULL, check=True)
    (path,) = work.glob("ccapnp-*.tar.gz")
    return path


@pytest.fixture(scope="session")
def unpacked(work: Path, sdist: Path) -> Path:
    """The sdist's files."""
    command = [sys.executable, "-m", "tarfile", "--extract", str(sdist), str(work / "unpacked")]
    subprocess.run(command, env=environ(), check=True)
    (path,) = (work / "unpacked").iterdir()
    return path


@pytest.fixture(scope="session")
def examples(unpacked: Path) -> Path:
    """The sdist's examples, far from any package."""
    return unpacked / "examples"


@pytest.fixture(scope="session")
def native_wheel(work: Path, sdist: Path, index: None, toolchain: None) -> Path:
    """The wheel with the extension, built apart from all that is installed here."""
    return build_wheel(sdist, work / "native", CCAPNP_BUILD="require").built()


@pytest.fixture(scope="session")
def pure_wheel(work: Path, sdist: Path) -> Path:
    """The wheel without it, built where there is nothing to build it with."""
    nowhere = str(work / "nowhere")
    return build_wheel(sdist, work / "pure", "--no-build-isolation", CCAPNP_BUILD="skip", PATH=nowhere).built()


@pytest.fixture(scope="session")
def native(work: Path, native_wheel: Path, index: None) -> Environment:
    """An environment with the native wheel and what it requires."""
    return make_environment(work / "native-venv", str(native_wheel))


@pytest.fixture(scope="session")
def pure(work: Path, pure_wheel: Path) -> Environment:
    """An environment with the pure wheel and nothing else."""
    return make_environment(work / "pure-venv", "--no-index", str(pure_wheel))
