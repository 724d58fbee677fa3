"""Fixtures of these tests: numpy, without which all of them are skipped, and the schema's module, on each codec."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.columns.schema import SCHEMA


@pytest.fixture(autouse=True)
def numpy() -> Any:
    """numpy; a test that needs it is skipped where it is not installed."""
    return pytest.importorskip("numpy")


@pytest.fixture(scope="session")
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module of the schema."""
    return compile_schema(SCHEMA)
