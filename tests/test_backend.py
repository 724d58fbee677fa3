"""The choice of a codec: by argument, by CCAPNP_BACKEND, and what is said of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

import ccapnp
from ccapnp import codec
from tests.conftest import ROOT


def in_process(expression: str, **changes: str) -> str:
    """What an expression with ccapnp gives in a process of its own, or the last line of its error."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT), **changes}
    command = [sys.executable, "-c", f"import ccapnp; print({expression})"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().splitlines()[-1]


def test_a_codec_by_name(backend: str) -> None:
    assert codec.get_codec(backend).name == backend
    assert codec.get_codec(backend) is codec.get_codec(backend)


def test_the_environment_chooses(backend: str) -> None:
    assert in_process("ccapnp.backend, ccapnp.backend_info().name", CCAPNP_BACKEND=backend) == f"{backend} {backend}"


def test_auto_is_native_where_it_was_built() -> None:
    assert in_process("ccapnp.backend", CCAPNP_BACKEND="auto") == ("native" if codec._has_extension() else "pure")


def test_an_unknown_value_is_an_error_that_lists_the_allowed_ones() -> None:
    with pytest.raises(ValueError, match="backend is 'cython', but must be one of auto, native, pure"):
        codec.get_codec("cython")
    error = "ValueError: CCAPNP_BACKEND is '0', but must be one of auto, native, pure"
    assert in_process("ccapnp.backend", CCAPNP_BACKEND="0") == error


@pytest.mark.conformance("COM-01")
def test_the_version_of_libcapnp_is_one_number(backend: str) -> None:
    info = ccapnp.backend_info()
    assert info.name == backend
    if backend == "pure":
        assert info.libcapnp_version is None
        return
    from ccapnp.native._lib import lib

    major, minor, micro = map(int, str(info.libcapnp_version).split("."))
    assert lib.ccp_libcapnp_version() == major * 1_000_000 + minor * 1_000 + micro >= 9_002


def test_info_of_native_tells_the_version_of_libcapnp() -> None:
    info = in_process("*ccapnp.backend_info()", CCAPNP_BACKEND="native")
    assert re.fullmatch(r"native \d+\.\d+\.\d+ None", info)


def test_info_of_pure_tells_why() -> None:
    info = in_process("*ccapnp.backend_info()", CCAPNP_BACKEND="pure")
    assert info.startswith("pure None ")
    assert info.endswith("CCAPNP_BACKEND is 'pure'") or "CCAPNP_BUILD=require pip install" in info


def test_without_the_extension_native_is_an_error_and_auto_is_pure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "_has_extension", lambda: False)
    monkeypatch.delenv("CCAPNP_BACKEND", raising=False)
    assert codec.get_codec().name == "pure"
    codec._native.cache_clear()
    with pytest.raises(ccapnp.BackendError, match="there is no native codec: .*CCAPNP_BUILD=require"):
        codec.get_codec("native")
