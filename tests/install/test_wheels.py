"""The wheels: what they are called, what they hold and require, and that the example runs on each."""

from __future__ import annotations

import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from tests.conftest import ROOT
from tests.install.environments import Environment
from tests.test_example import PRINTED


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def requirements(wheel: Path) -> list[str]:
    """What a wheel needs at run time."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode().partition("\n\n")[0].splitlines()
    return [line for line in lines if line.startswith("Requires-Dist:") and "extra ==" not in line]


def test_the_native_wheel_runs_the_example(native: Environment, examples: Path) -> None:
    assert native.evaluate("ccapnp.backend_info().name") == "native"
    assert native.example(examples) == PRINTED.decode()


def test_the_pure_wheel_runs_the_example_with_nothing_else_installed(pure: Environment, examples: Path) -> None:
    nowhere = str(pure.folder / "nowhere")
    if pure.evaluate("__import__('sys').implementation.name") == "cpython":
        assert pure.evaluate("__import__('importlib.util').util.find_spec('_cffi_backend')") == "None"
    assert pure.evaluate("ccapnp.backend_info().name", PATH=nowhere) == "pure"
    assert pure.example(examples, PATH=nowhere) == PRINTED.decode()


def test_the_pure_wheel_says_how_to_get_the_native_codec(pure: Environment) -> None:
    reason = pure.evaluate("ccapnp.backend_info().reason")
    assert "CCAPNP_BUILD=require pip install" in reason
    code = "import ccapnp\ntry: ccapnp.MessageBuilder(backend='native')\nexcept ccapnp.BackendError as e: print(e)"
    assert pure.run("-c", code).decode().strip().endswith(reason)


def test_the_native_wheel_is_for_every_later_python(native_wheel: Path) -> None:
    assert ("-cp39-abi3-" in native_wheel.name) == any(name.endswith("_shim.abi3.so") for name in names(native_wheel))


def test_the_native_wheel_holds_the_declarations_but_no_source(native_wheel: Path) -> None:
    held = names(native_wheel)
    assert "ccapnp/native/shim.h" in held
    assert [name for name in held if name.endswith((".cc", ".cpp", ".hpp"))] == []


def test_the_pure_wheel_holds_python_alone(pure_wheel: Path) -> None:
    assert pure_wheel.name.endswith("-py3-none-any.whl")
    suffixes = {PurePosixPath(name).suffix for name in names(pure_wheel) if ".dist-info/" not in name}
    assert suffixes <= {".py", ".pyi", ".typed", ".capnp", ""}


def test_only_the_native_wheel_requires_something(native_wheel: Path, pure_wheel: Path) -> None:
    (requirement,) = requirements(native_wheel)
    assert re.match(r"Requires-Dist: cffi>=1.15; implementation_name != .pypy.$", requirement)
    assert requirements(pure_wheel) == []


def test_the_sdist_holds_what_the_extension_is_built_from(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "ccapnp" / "native").glob("*.[ch]*")}
    assert sources | {"setup.py", "pyproject.toml", "tools/native_build.py", "ccapnp/_build.py"} <= held
    assert [name for name in held if name.endswith((".so", ".o", "_shim.cpp"))] == []
