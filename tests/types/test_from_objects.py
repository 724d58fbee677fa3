"""Structs from what is no dict: dataclasses, namedtuples and other objects; and names that no field has."""

from __future__ import annotations

import enum
from collections import ChainMap, OrderedDict, namedtuple
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar, NamedTuple, Optional

import pytest

import ccapnp


@dataclass
class Node:
    """As the schema's, but for what it lacks."""

    name: str
    value: int = 0
    data: bytes = b""
    children: list[Any] = field(default_factory=list)
    child: Optional[Any] = None
    count: ClassVar[int] = 3


@dataclass(frozen=True)
class Point:
    x: int
    y: int


class PointTuple(NamedTuple):
    x: int
    y: int


class Slotted:
    __slots__ = ("_hidden", "x", "y")

    def __init__(self, x: int) -> None:
        self.x = x
        self._hidden = 1


class Derived(Slotted):
    __slots__ = "label"  # noqa: PLC0205  # which Python allows

    def __init__(self, x: int, label: str) -> None:
        super().__init__(x)
        self.label = label


class Plain:
    kind = "of the class, not a field"

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)
        self._private = object()


POINTS: dict[str, Any] = {
    "mapping": MappingProxyType({"x": 1, "y": 2}),
    "chain map": ChainMap({"x": 1}, {"y": 2}),
    "ordered dict": OrderedDict(x=1, y=2),
    "dataclass": Point(1, 2),
    "namedtuple": PointTuple(1, 2),
    "collections.namedtuple": namedtuple("PointOf", "x y")(1, 2),
    "namespace": SimpleNamespace(x=1, y=2),
    "object": Plain(x=1, y=2),
}


@pytest.mark.parametrize("name", POINTS)
def test_a_struct_is_set_from_it(schema: Any, name: str) -> None:
    point = POINTS[name]
    expected = schema.Node.new_message(point={"x": 1, "y": 2}, children=[{"point": {"x": 1, "y": 2}}])
    values = {"point": point, "children": [{"point": point}]}
    for made in (schema.Node.from_dict(values), schema.Node.new_message(**values)):
        assert made == expected
    assigned = schema.Node.new_message(children=[{}])
    assigned.point = assigned.children[0].point = point
    assert assigned == expected


def test_dataclasses_within_dataclasses(schema: Any) -> None:
    made = schema.Node.from_dict(Node("a", 1, b"d", [Node("b"), {"name": "c"}], Node("e", children=[Node("f")])))
    assert made.to_dict(omit_defaults=True) == {
        "name": "a",
        "value": 1,
        "data": b"d",
        "children": [{"name": "b", "data": b"", "children": []}, {"name": "c"}],
        "child": {"name": "e", "data": b"", "children": [{"name": "f", "data": b"", "children": []}]},
    }


def test_attributes_in_slots(schema: Any) -> None:
    assert schema.Node.from_dict({"point": Derived(3, "l")}).to_dict(omit_defaults=True) == {
        "point": {"x": 3, "label": "l"}
    }


def test_classes_of_attrs(schema: Any) -> None:
    attrs = pytest.importorskip("attrs")
    made = attrs.make_class("Made", {"name": attrs.field(), "value": attrs.field(default=4)}, slots=True)
    assert schema.Node.from_dict({"child": made("n")}) == schema.Node.new_message(child={"name": "n", "value": 4})


def test_a_union_takes_the_one_attribute_that_is_not_none(schema: Any) -> None:
    made = schema.Shapes.from_dict(SimpleNamespace(before=1, empty=None, count=None, label="x", pair=None))
    assert (made.which(), made.label, made.before) == ("label", "x", 1)
    assert schema.Shapes.from_dict(SimpleNamespace(count=None, label=None)).which() == "empty"
    assert schema.Shapes.from_dict(SimpleNamespace(label=None)).which() == "label"
    with pytest.raises(ccapnp.EncodeError, match="members of one union"):
        schema.Shapes.from_dict(SimpleNamespace(count=1, label="x"))


class Number(int):
    x = 1


class Color(enum.Enum):
    x = 1


@pytest.mark.parametrize(
    "value",
    [5, "x", b"x", 1.5, True, [], (1, 2), {1}, Number(3), Color.x, int, Plain, len, pytest, object(), Path("x")],
    ids=repr,
)
def test_what_has_no_fields_is_refused(schema: Any, value: object) -> None:
    with pytest.raises(ccapnp.EncodeTypeError, match="is set from a mapping"):
        schema.Pair.from_dict(value)
    with pytest.raises(ccapnp.EncodeTypeError, match=r"^children\[1\]\.point: "):
        schema.Node.from_dict({"children": [{}, {"point": value}]})


def test_an_error_names_the_path(schema: Any) -> None:
    with pytest.raises(ccapnp.EncodeError) as caught:
        schema.Node.from_dict(Node("a", children=[Node("b"), Node("c", child=Node("d", value=2**70))]))
    assert caught.value.field == "children[1].child.value"


UNKNOWN: dict[str, Any] = {
    "name": "a",
    "nope": 1,
    "point": {"x": 1, "nope": object()},
    "child": {"nope": {"deep": 1}, "value": 2},
    "children": [Node("b"), {"nope": 1, "name": "c"}, SimpleNamespace(value=3, nope=4)],
}


def test_unknown_names_are_refused_or_passed_over(schema: Any) -> None:
    made = schema.Node.from_dict(UNKNOWN, ignore_unknown=True)
    assert made.to_dict(omit_defaults=True) == {
        "name": "a",
        "child": {"value": 2},
        "children": [{"name": "b", "data": b"", "children": []}, {"name": "c"}, {"value": 3}],
        "point": {"x": 1},
    }
    for name, path in (
        ("nope", "nope"),
        ("point", "point.nope"),
        ("child", "child.nope"),
        ("children", "children[1].nope"),
    ):
        with pytest.raises(ccapnp.UnknownFieldError) as caught:
            schema.Node.from_dict({name: UNKNOWN[name]})
        assert caught.value.field == path


def test_what_is_ignored_is_only_what_has_no_field(schema: Any) -> None:
    with pytest.raises(ccapnp.EncodeTypeError, match=r"^children\[1\]\.value: "):
        schema.Node.from_dict({"children": [{}, {"value": "x", "nope": 1}]}, ignore_unknown=True)
    with pytest.raises(ccapnp.EncodeTypeError, match="is set from a mapping"):
        schema.Node.from_dict(5, ignore_unknown=True)
    lists = {"structLists": [[{"key": "a", "nope": 1}]], "int8s": range(3), "texts": ("a",)}
    assert schema.Lists.from_dict(lists, ignore_unknown=True) == schema.Lists.new_message(
        structLists=[[{"key": "a"}]], int8s=[0, 1, 2], texts=["a"]
    )


def test_readers_stay_what_they_are(schema: Any) -> None:
    child = schema.Node.new_message(name="c", value=3)
    values = {"child": child.as_reader(), "children": schema.Node.new_message(children=[{"value": 1}]).children}
    assert schema.Node.from_dict({**values, "nope": 1}, ignore_unknown=True) == schema.Node.from_dict(values)


def test_what_contains_itself_is_a_clear_error(schema: Any) -> None:
    values: dict[str, Any] = {}
    values["child"] = values
    node = Node("x")
    node.child = node
    for value in (values, node):
        for options in ({}, {"ignore_unknown": True}):
            with pytest.raises(ccapnp.LimitError, match="nested deeper"):
                schema.Node.from_dict(value, **options)
