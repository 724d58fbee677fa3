"""Constants of every type: plain ones stand in the module, others are made when they are asked for."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import pytest


def test_plain_constants(module: Any) -> None:
    assert module.nothing is None
    assert module.yes is True
    assert (module.int8, module.int64, module.uint64) == (-128, -(2**63), 2**64 - 1)
    assert module.float32 == struct.unpack("f", struct.pack("f", 0.1))[0]
    assert module.float64 == -123e45
    assert math.isnan(module.notANumber)
    assert module.infinite == -math.inf
    assert module.text == 'quotes " \' and \\ and\nlines, \x01, é, ♫ and """'
    assert module.noText == ""
    assert module.data == b"\x00\xff\x22\x27\x5c"
    assert type(module.data) is bytes
    assert module.copied == module.text


def test_plain_constants_are_literals(generated: Path) -> None:
    lines = (generated / "constants_capnp.py").read_text(encoding="utf-8").splitlines()
    for line in ("int8 = -128", "yes = True", "infinite = -_generated.inf", "noText = ''", "    usual = 12"):
        assert line in lines


def test_enum_members(module: Any) -> None:
    assert module.color is module.Color.green
    assert module.Shape.favourite is module.Color.green
    assert list(module.colors) == [module.Color.red, module.Color.green]


def test_lists(module: Any) -> None:
    assert list(module.numbers) == [1, -2]
    assert list(module.bools) == [True, False, True]
    assert list(module.floats)[:2] == [1.5, math.inf]
    assert math.isnan(module.floats[2])
    assert list(module.texts) == ["a", "é"]
    assert [list(each) for each in module.deep] == [[1], [], [2, 3]]
    assert [shape.name for shape in module.shapes] == ["a", "b"]


def test_structs(module: Any) -> None:
    assert isinstance(module.shape, module.Shape.Reader)
    assert (module.shape.name, module.shape.size, module.shape.next.name) == ("s", 12, "n")
    assert module.any.as_struct(module.Shape).name == "s"


def test_constants_within_types(module: Any) -> None:
    assert module.Shape.usual == 12
    assert module.Shape.first.name == "first"
    assert list(module.Shape.few) == [1, 2]
    assert module.Service.port == 80
    assert module.Service.host.name == "host"


def test_a_constant_can_be_used_as_a_value(module: Any) -> None:
    shape = module.Shape.new_message(next=module.shape, color=module.color)
    assert shape.next.next.name == "n"


def test_constants_are_kept_once_made(module: Any) -> None:
    assert module.shape is module.shape


def test_unknown_names_are_attribute_errors(module: Any) -> None:
    with pytest.raises(AttributeError, match="module 'constants_capnp' has no attribute 'other'"):
        module.other


def test_all_names_can_be_imported(module: Any) -> None:
    assert {name: getattr(module, name) for name in module.__all__}.keys() >= {"shape", "Shape", "nothing"}
