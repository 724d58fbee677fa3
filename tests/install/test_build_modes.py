"""What CCAPNP_BUILD does where something is missing that the extension is built from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.install.environments import build_wheel, path_with

NOTICE = "ccapnp is installed without its native codec"


def no_pkg_config(folder: Path) -> dict[str, str]:
    return {"PATH": path_with(folder)}


def no_compiler(folder: Path) -> dict[str, str]:
    return {"PATH": path_with(folder, "pkg-config")}


def no_libcapnp(folder: Path) -> dict[str, str]:
    return {"PKG_CONFIG_LIBDIR": str(folder)}


def old_libcapnp(folder: Path) -> dict[str, str]:
    return described(folder, "Version: 0.8.0")


def libcapnp_without_headers(folder: Path) -> dict[str, str]:
    return described(folder, "Version: 1.1.0\nCflags: -nostdinc")


def libcapnp_without_symbols(folder: Path) -> dict[str, str]:
    """A library of another version than the headers looks so: what uses it links, and does not load."""
    return described(folder, "Version: 1.1.0\nLibs:")


def no_cffi(folder: Path) -> dict[str, str]:
    folder.mkdir()
    (folder / "cffi.py").write_text("raise ImportError('there is none')")
    return {"PYTHONPATH": str(folder)}


def described(folder: Path, text: str) -> dict[str, str]:
    """A libcapnp of which pkg-config says this."""
    folder.mkdir()
    (folder / "capnp.pc").write_text(f"Name: capnp\nDescription: for a test\n{text}\n")
    return {"PKG_CONFIG_LIBDIR": str(folder)}


SITUATIONS = {
    no_pkg_config: "there is no pkg-config",
    no_compiler: "no C++ compiler builds a library that uses libcapnp",
    no_libcapnp: "pkg-config finds no libcapnp 0.9 or newer",
    old_libcapnp: "pkg-config finds no libcapnp 0.9 or newer",
    libcapnp_without_headers: "no C++ compiler builds a library that uses libcapnp",
    libcapnp_without_symbols: "a library that uses libcapnp does not load (",
    no_cffi: "cffi is not installed here (there is none)",
}
situations = pytest.mark.parametrize(
    ("situation", "reason"), SITUATIONS.items(), ids=[situation.__name__ for situation in SITUATIONS]
)


def framed_text(output: str) -> str:
    """The text in the one box of what pip printed."""
    lines = [line.strip() for line in output.splitlines()]
    assert sum(line.startswith("+--") for line in lines) == 2, output
    return " ".join(line.strip("| ") for line in lines if line.startswith("| "))


@situations
def test_auto_installs_the_pure_package_and_says_why(
    sdist: Path, tmp_path: Path, toolchain: None, situation: Callable[[Path], dict[str, str]], reason: str
) -> None:
    build = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation", **situation(tmp_path / "situation"))
    assert build.built().name.endswith("-py3-none-any.whl")
    text = framed_text(build.output)
    assert NOTICE in text and reason in text and "libcapnp-dev" in text


@situations
def test_require_fails_and_says_what_to_install(
    sdist: Path, tmp_path: Path, toolchain: None, situation: Callable[[Path], dict[str, str]], reason: str
) -> None:
    changes = {"CCAPNP_BUILD": "require", **situation(tmp_path / "situation")}
    build = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation", **changes)
    assert build.wheel is None
    text = framed_text(build.output)
    assert f"the native codec cannot be built: {reason}" in text
    headers = "pypy3-dev" if sys.implementation.name == "pypy" else "python3-dev"
    assert f"apt-get install g++ libcapnp-dev pkg-config {headers}" in text


def test_auto_builds_the_extension_where_it_can_without_a_word(sdist: Path, tmp_path: Path, toolchain: None) -> None:
    build = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation")
    assert not build.built().name.endswith("-any.whl")
    assert NOTICE not in build.output
    assert "[-W" not in build.output, "the compiler warns"


def test_skip_says_nothing_and_needs_no_cffi(sdist: Path, tmp_path: Path) -> None:
    changes = {"CCAPNP_BUILD": "skip", **no_cffi(tmp_path / "situation")}
    build = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation", **changes)
    assert build.built().name.endswith("-py3-none-any.whl")
    assert NOTICE not in build.output and "UserWarning" not in build.output


def test_another_value_is_an_error_that_lists_these(sdist: Path, tmp_path: Path) -> None:
    build = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation", CCAPNP_BUILD="0")
    assert build.wheel is None
    assert "CCAPNP_BUILD is '0', but must be one of auto, require, skip" in build.output
