"""A stream takes no more memory the longer it is."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.scale.streams import SCHEMA, SOURCES, total
from tests.wire.memory_use import peak_bytes


@pytest.fixture
def tick(compile_schema: Callable[[str], ModuleType], backend: str) -> type:
    tick: type = compile_schema(SCHEMA).Tick
    return tick


@pytest.mark.parametrize("name", SOURCES)
def test_ten_times_as_many_messages_take_no_more_memory(tick: type, name: str) -> None:
    total(tick, SOURCES[name], 1)  # makes what is made once
    sums: list[int] = []
    few = peak_bytes(lambda: sums.append(total(tick, SOURCES[name], 1)))
    many = peak_bytes(lambda: sums.append(total(tick, SOURCES[name], 10)))
    assert sums == [499_500, 4_995_000]
    assert many <= few + 50_000
