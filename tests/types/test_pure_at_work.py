"""pure builds plain values by its compiled functions: were these to decline, nobody would see it but the clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ccapnp
from ccapnp.convert.json.plan import JsonStruct
from ccapnp.types import struct_type

SCHEMA = """@0xc3d5a1b2e4f60718;
enum Color { red @0; green @1; }
struct All {
  void @0 :Void; bool @1 :Bool; on @2 :Bool = true; i8 @3 :Int8 = -5; u16 @4 :UInt16; i32 @5 :Int32; i64 @6 :Int64;
  u64 @7 :UInt64 = 3; f32 @8 :Float32; f64 @9 :Float64 = 1.5; color @10 :Color; text @11 :Text; data @12 :Data;
  point :group { x @13 :Int16; union { name @14 :Text; number @15 :UInt8; } }
  leaf @16 :Leaf; leaves @17 :List(Leaf); texts @18 :List(Text); i64s @19 :List(Int64); f32s @20 :List(Float32);
  bools @21 :List(Bool); colors @22 :List(Color); voids @23 :List(Void); lists @24 :List(List(UInt8));
  datas @25 :List(Data);
}
struct Leaf { a @0 :Int32; b @1 :Text; }
"""
VALUES: dict[str, Any] = {
    "void": None, "bool": True, "on": False, "i8": -128, "u16": 65535, "i32": -1, "i64": -(2**63), "u64": 2**64 - 1,
    "f32": 0.5, "f64": -2.25, "color": "green", "text": "snow\u2603", "data": b"\0\xff",
    "point": {"x": -3, "number": 7},
    "leaf": {"a": 1, "b": "x"}, "leaves": [{"a": 2}, {"b": "y"}, {}], "texts": ["", "z"], "i64s": [-1, 2**62],
    "f32s": [1, 2.5], "bools": [True, False, True], "colors": ["red", 1, "green"], "voids": [None, None],
    "lists": [[1, 2], []], "datas": [b"", b"d"],
}  # fmt: skip


@pytest.fixture
def all_type(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The type, of which no value can be set but by the compiled functions."""
    found = ccapnp.load_text(SCHEMA, backend="pure").All

    def refuse(*arguments: Any) -> Any:
        raise AssertionError("this was built value by value")

    monkeypatch.setattr(struct_type, "fill_struct", refuse)
    monkeypatch.setattr(JsonStruct, "parse", refuse)
    return found


def test_a_dict_is_built_in_one_go(all_type: Any) -> None:
    made = all_type.from_dict(VALUES)
    expected = {**VALUES, "colors": ["red", "green", "green"], "leaves": [{"a": 2}, {"a": 0, "b": "y"}, {"a": 0}]}
    assert made.to_dict() == expected


def test_json_is_built_in_one_go(all_type: Any) -> None:
    made = all_type.from_dict(VALUES)
    again = all_type.from_json(made.to_json())
    assert again.to_dict() == made.to_dict()
    assert all_type.from_json(json.loads(made.to_json())).to_dict() == made.to_dict()


@pytest.mark.parametrize("wrong", [{"i8": 128}, {"i8": True}, {"text": 5}, {"leaf": {"c": 1}}, {"f32s": [1e39]}])
def test_what_does_not_fit_is_left_to_others(all_type: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="value by value"):
        all_type.from_dict({**VALUES, **wrong})
