"""Generic types: a module with them imports, and all that is not of a parameter's type is read."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any


def test_fields_that_do_not_depend_on_parameters(module: Any, capnp_tool: str) -> None:
    text = b"""(texts = (left = "l", count = 3, group = (number = 4)), inner = (number = 5), list = [(count = 6)],
                unbound = (count = 7))"""
    schema = str(Path(__file__).with_name("generics.capnp"))
    data = subprocess.run([capnp_tool, "encode", schema, "Uses"], input=text, check=True, capture_output=True).stdout
    uses = module.Uses.from_bytes(data)
    assert isinstance(uses.texts, module.Pair.Reader)
    assert (uses.texts.count, uses.texts.group.number, uses.inner.number) == (3, 4, 5)
    assert [pair.count for pair in uses.list] == [6]
    assert uses.unbound.count == 7
    assert uses.texts.swapped.count == 0


def test_nested_types(module: Any) -> None:
    assert module.Pair.Inner.schema.parameters == ("Third",)
    assert module.Pair.schema.parameters == ("Left", "Right")
    assert module.Pair.Service.CallParams.schema.is_generic


def test_a_constant(module: Any) -> None:
    assert module.pair.count == 3
