"""Fixtures of these tests: the schema's module, on each codec."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.types.schema import SCHEMA


@pytest.fixture(scope="session")
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module of the schema."""
    return compile_schema(SCHEMA)


@pytest.fixture
def numpy() -> Any:
    """numpy; a test that needs it is skipped where it is not installed."""
    return pytest.importorskip("numpy")


@pytest.fixture
def cpython() -> None:
    """Skips a test of what only CPython promises: that an object goes as soon as nothing refers to it."""
    if sys.implementation.name != "cpython":
        pytest.skip("needs the reference counts of CPython")
