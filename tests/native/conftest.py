"""Fixtures of these tests: the schema's module on both codecs, native skipped where the extension is not built."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ccapnp
from tests.conftest import compile_to_request
from tests.types.schema import SCHEMA


class Codecs(NamedTuple):
    """One schema on each codec."""

    native: Any
    pure: Any


@pytest.fixture(scope="session")
def codecs(capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> Codecs:
    """The schema's modules."""
    request = compile_to_request(capnp_tool, Path(tmp_path_factory.mktemp("schema")), SCHEMA)
    return Codecs(*(ccapnp.load_request(request, backend=name) for name in ("native", "pure")))


@pytest.fixture(scope="session")
def load_both(capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Codecs]:
    """A function from a schema's text to its modules."""

    def load(text: str) -> Codecs:
        request = compile_to_request(capnp_tool, Path(tmp_path_factory.mktemp("schema")), text)
        return Codecs(*(ccapnp.load_request(request, backend=name) for name in ("native", "pure")))

    return load
