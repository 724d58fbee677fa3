"""Defaults of every kind of field."""

from __future__ import annotations

import math
from typing import Any

import pytest


@pytest.fixture(params=["reader", "builder"])
def defaults(request: pytest.FixtureRequest, module: Any) -> Any:
    builder = module.Defaults.new_message()
    return builder if request.param == "builder" else module.Defaults.from_bytes(bytes([0, 0, 0, 0, 1, *[0] * 11]))


def test_scalars(defaults: Any, module: Any) -> None:
    assert (defaults.yes, defaults.int16, defaults.color) == (True, -5, module.Defaults.Color.green)
    assert math.isnan(defaults.float64)


def test_texts_and_data(defaults: Any) -> None:
    assert (defaults.text, defaults.data, defaults.group.name) == ("é", b"\x01\x02", "group")


def test_structs(defaults: Any, module: Any) -> None:
    assert isinstance(defaults.inner, module.Defaults.Inner)
    assert (defaults.inner.name, defaults.inner.list[0].name, defaults.inner.number) == ("n", "m", 0)


def test_lists(defaults: Any) -> None:
    assert list(defaults.numbers) == [1, 2]
    assert list(defaults.texts) == ["a"]
    assert [(inner.name, inner.number) for inner in defaults.inners] == [("x", 0), ("", 3)]


def test_a_builder_can_change_a_default(module: Any) -> None:
    defaults = module.Defaults.new_message()
    defaults.inner.list[0].number = 9
    defaults.inners[1].list = [{"name": "new"}]
    assert defaults.as_reader().inner.list[0].to_dict() == {"name": "m", "number": 9}
    assert defaults.as_reader().inners[1].list[0].name == "new"
    assert module.Defaults.new_message().inner.list[0].number == 0


def test_a_union_member(module: Any) -> None:
    defaults = module.Defaults.new_message()
    defaults.some = 0
    assert defaults.some == 0
