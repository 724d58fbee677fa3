"""What programs written for capnpy rely on.

Its constructors take fields by their place, its groups are tuples, and its structs are compared by a key: in ccapnp
fields are named, groups are dicts, and structs are equal when their values are.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Callable

import pytest

import ccapnp

SCHEMA = """
struct Point { x @0 :Int64; y @1 :Int64; label @2 :Text; }

struct Node {
  value @0 :Int32 = 42;
  point @1 :Point;
  voids @2 :List(Void);
  rows @3 :List(List(Int16));
  points @4 :List(Point);
  position :group { x @5 :Int32; y @6 :Int32; }
  optional :group { isNull @7 :UInt8; value @8 :Int64; }
  import @9 :Text;
  fromFoo @10 :Int8;
  toBytes @11 :Text;
  isOpen @12 :Bool;
  name @13 :Text;
  raw @14 :Data;
}

struct Shape { area @0 :Float64; union { circle @1 :Int64; square @2 :Point; nothing @3 :Void; } }
"""


@pytest.fixture
def module(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


def read(builder: Any) -> Any:
    return type(builder)._type.from_bytes(builder.to_bytes())


@pytest.mark.conformance("CPY-03")
def test_structs_are_equal_when_their_values_are(module: Any) -> None:
    one, same = read(module.Point(x=1, label="a")), module.Point.new_message(5, x=1, label="a")
    assert one == same and one == read(same) and one != module.Point(x=2, label="a")
    assert hash(one) == hash(read(same)) and {one: "found"}[read(same)] == "found"
    with pytest.raises(TypeError, match="unhashable"):
        hash(same)
    with pytest.raises(TypeError):
        _ = one < one
    for other in ((1, 0, "a"), {"x": 1, "y": 0, "label": "a"}):
        assert one != other


@pytest.mark.conformance("CPY-03")
def test_a_null_pointer_is_told_by_has(module: Any) -> None:
    node = read(module.Node.new_message())
    assert not node.has("point") and node.point.x == 0 and not node.has("name") and node.name == ""
    node = read(module.Node.new_message(point={}, name=""))
    assert node.has("point") and node.has("name") and node.point.label == ""
    assert read(module.Node.new_message(optional={"isNull": 1})).optional.isNull == 1


@pytest.mark.conformance("CPY-04")
def test_fields_are_given_by_name_and_others_have_their_defaults(module: Any) -> None:
    node = read(
        module.Node(point=module.Point(x=3), position={"x": 1, "y": 2}, voids=[None] * 3, rows=[[1], [], [2, 3]])
    )
    assert node.value == 42 and node.point.x == 3 and (node.position.x, node.position.y) == (1, 2)
    assert list(node.voids) == [None] * 3 and [list(row) for row in node.rows] == [[1], [], [2, 3]]
    with pytest.raises(TypeError):
        module.Point(1, 2, "by place")
    with pytest.raises(ccapnp.EncodeTypeError, match="^position: "):
        module.Node(position=(1, 2))


@pytest.mark.conformance("CPY-04")
def test_a_union_is_given_by_one_member(module: Any) -> None:
    assert read(module.Shape(area=1.5, circle=3)).which() == "circle"
    assert read(module.Shape(square={"x": 1})).square.x == 1
    assert read(module.Shape(nothing=None)).which() == "nothing"
    assert module.Shape(area=1.5).which() == "circle"  # the first, as in a message that sets none
    with pytest.raises(ccapnp.EncodeError, match="only one of them can be set"):
        module.Shape(circle=3, nothing=None)
    with pytest.raises(ccapnp.UnknownFieldError):
        module.Shape(triangle=3)


@pytest.mark.conformance("CPY-05")
def test_names_are_the_schemas_and_keywords_get_an_underscore(module: Any) -> None:
    node = module.Node(import_="a", fromFoo=1, toBytes="b", isOpen=True)
    for view in (node, read(node)):
        assert view.import_ == "a" and view.fromFoo == 1 and view.isOpen is True
        assert view.toBytes == "b" and isinstance(view.to_bytes(), bytes)
        assert view.to_dict()["import"] == "a"
    assert module.Node(**{"import": "a"}).import_ == "a"


@pytest.mark.conformance("CPY-05")
def test_text_is_str_and_data_is_bytes(module: Any) -> None:
    node = read(module.Node(name="\u2603", raw=b"\xff"))
    assert node.name == "\u2603" and node.raw == b"\xff"
    with pytest.raises(ccapnp.EncodeTypeError, match="^name: "):
        module.Node(name=b"bytes")


@pytest.mark.conformance("CPY-08")
@pytest.mark.parametrize("words", [1, 1024])
def test_lists_are_sequences_in_one_segment_or_many(module: Any, words: int) -> None:
    builder = module.Node.new_message(words, points=[{"x": x, "label": str(x)} for x in range(5)], rows=[[1, 2], [3]])
    assert (len(builder.to_segments()) > 1) is (words == 1)
    for view in (builder, read(builder)):
        points = view.points
        assert isinstance(points, Sequence) and [point.x for point in points[1:4:2]] == [1, 3] and points[-1].x == 4
        assert points == list(points) and points == view.points and points != points[:4]
        assert view.rows[0] == [1, 2] and view.rows[0] != (1, 2) and view.rows == [[1, 2], [3]]
        with pytest.raises(TypeError):
            _ = points < points
        with pytest.raises(TypeError):
            _ = view.rows[0] < [5]
