"""Fixtures of these tests: the schema's module, on each codec."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.records.schema import SCHEMA


@pytest.fixture(scope="session")
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module of the schema."""
    return compile_schema(SCHEMA)
