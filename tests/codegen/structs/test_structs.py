"""Structs, groups, unions, enums, and types within types."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import ccapnp

TEXT = """(number = -1, text = "é", inner = (flag = true, outer = (number = 5)), inners = [(), (flag = true)],
 color = green, colors = [red, blue], nested = [[1], [], [2, 3]], some = 9,
 place = (x = 1, deep = (y = 2, z = "z")), shape = (box = (width = 3, height = 4)))"""


def test_reads_what_the_official_tool_writes(module: Any, capnp_tool: str) -> None:
    schema = Path(__file__).with_name("structs.capnp")
    command = [capnp_tool, "encode", str(schema), "Outer"]
    outer = module.Outer.from_bytes(
        subprocess.run(command, input=TEXT.encode(), check=True, capture_output=True).stdout
    )
    color = module.Outer.Inner.Color
    assert (outer.number, outer.text, outer.inner.flag, outer.inner.outer.number) == (-1, "é", True, 5)
    assert [inner.flag for inner in outer.inners] == [False, True]
    assert outer.color is color.green
    assert list(outer.colors) == [color.red, color.blue]
    assert [list(each) for each in outer.nested] == [[1], [], [2, 3]]
    assert (outer.which(), outer.some) == ("some", 9)
    assert (outer.place.x, outer.place.deep.y, outer.place.deep.z) == (1, 2, "z")
    assert (outer.shape.which(), outer.shape.box.width, outer.shape.box.height) == ("box", 3, 4)


def test_the_official_tool_reads_what_is_written(module: Any, capnp_tool: str) -> None:
    outer = module.Outer.new_message(color="red", inners=[{"flag": True}], some=3, place={"deep": {"z": "z"}})
    outer.shape.init("box").width = 2
    schema = Path(__file__).with_name("structs.capnp")
    command = [capnp_tool, "decode", "--short", str(schema), "Outer"]
    text = subprocess.run(command, input=outer.to_bytes(), check=True, capture_output=True).stdout.decode()
    assert text == (
        "(number = 7, inners = [(flag = true)], color = red, some = 3, "
        'place = (x = 0, deep = (y = 0, z = "z")), shape = (box = (width = 2, height = 0)))\n'
    )


def test_classes_are_nested_and_named_as_in_the_schema(module: Any) -> None:
    assert module.Outer.Inner.Color.__qualname__ == "Outer.Inner.Color"
    assert module.Outer.Place.Deep.__qualname__ == "Outer.Place.Deep"
    assert isinstance(module.Outer.new_message().place.deep, module.Outer.Place.Deep)
    assert module.Outer.__module__ == "structs_capnp"
    assert module.__all__ == ["Outer", "Empty"]


def test_enums_are_numbered_by_ordinal(module: Any) -> None:
    color = module.Outer.Inner.Color
    assert [(each.name, each.value) for each in color] == [("green", 0), ("red", 1), ("blue", 2)]
    assert issubclass(color, ccapnp.Enum)


def test_an_empty_struct(module: Any) -> None:
    assert module.Empty.from_bytes(module.Empty.new_message().to_bytes()).to_dict() == {}


def test_fields_that_are_not_there_are_named(module: Any) -> None:
    with pytest.raises(ccapnp.UnknownFieldError, match="did you mean 'number'"):
        module.Outer.new_message(nummer=1)
