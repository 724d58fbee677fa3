"""``==`` and hash: the same values under the same pointers, wherever they lie in their messages."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import CapnpError, EncodeError
from tests.types.reading import read
from tests.types.schema import FEWER
from tests.types.values import EVERYTHING, NODES, PAIRS


@pytest.mark.parametrize("name", EVERYTHING)
@FEWER
@given(data=st.data())
def test_equal_values_are_equal_in_any_layout(schema: Any, name: str, data: st.DataObject) -> None:
    values = data.draw(EVERYTHING[name])
    struct_type = getattr(schema, name)
    one = struct_type.new_message(**values)
    backwards = struct_type.new_message(num_first_segment_words=1, **dict(reversed(list(values.items()))))
    views = (one, one.as_reader(), read(one), backwards, read(backwards), read(backwards).copy())
    for view in views:
        assert all(view == other and (view != other) is False for other in views)
    assert len({hash(view) for view in views if isinstance(view, ccapnp.StructReader)}) == 1
    assert len({ccapnp.canonicalize(view) for view in views}) == 1


@FEWER
@given(one=NODES, other=NODES)
def test_structs_are_as_equal_as_their_dicts(schema: Any, one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = read(schema.Node.from_dict(one)), read(schema.Node.from_dict(other))
    assert (first == second) is (one == other)
    assert one != other or hash(first) == hash(second)


def test_one_value_makes_the_difference(schema: Any) -> None:
    values = {
        "name": "n",
        "child": {"name": "c"},
        "children": [{"value": 1}],
        "point": {"x": 1, "sub": {}},
        "data": b"d",
    }
    base = schema.Node.new_message(**values)
    for change in (
        {"name": "m"}, {"name": ""}, {"name": None}, {"value": 1}, {"child": None}, {"child": {"name": "d"}},
        {"children": []}, {"children": None}, {"children": [{"value": 2}]}, {"children": [{"value": 1}, {}]},
        {"point": {"x": 1}}, {"point": {"x": 2, "sub": {}}}, {"data": b""}, {"data": b"d\0"}, {"numbers": []},
    ):  # fmt: skip
        other = schema.Node.new_message(**{**values, **change})
        assert base != other and read(base) != read(other) and (base == other) is False
        assert hash(read(base)) != hash(read(other))


def test_unset_is_not_the_same_as_empty(schema: Any) -> None:
    assert schema.Blobs() != schema.Blobs(text="") and schema.Blobs() != schema.Blobs(data=b"")
    assert schema.Blobs() != schema.Blobs(greeting="hello")  # nor as the default
    assert schema.Node() != schema.Node(child={}) and schema.Node() != schema.Node(children=[])
    assert schema.Defaults() == schema.Defaults(int8=-123, bool=True, color="blue", float32=1234.5)


def test_zeros_at_the_end_do_not_count(schema: Any) -> None:
    old = schema.HoldsOld.new_message(one={"name": "x"}, many=[{"name": "y"}, {}])
    grown = schema.HoldsNew.from_bytes(old.to_bytes()).as_builder()
    grown.one.extra = "now it is larger"
    grown.many[0].extra = "it too"
    grown.one.extra = grown.many[0].extra = None
    larger = schema.HoldsOld.from_bytes(grown.to_bytes())
    assert len(grown.one.to_bytes()) > len(old.one.to_bytes())
    assert larger == old == larger.copy() and hash(larger) == hash(read(old))
    grown.one.more = 1
    assert schema.HoldsOld.from_bytes(grown.to_bytes()) != old  # even if this schema does not know the field


def test_parts_are_compared_on_their_own(schema: Any) -> None:
    builder = schema.Node.new_message(child={"name": "x"}, children=[{"name": "x"}, {"name": "y"}])
    reader = read(builder)
    assert reader.child == reader.children[0] == builder.child and reader.child != reader.children[1]
    assert hash(reader.child) == hash(reader.children[0])
    assert reader.child in reader.children and reader.children.index(reader.children[1]) == 1
    assert reader.children == builder.children == list(reader.children) and reader.children != [{"name": "x"}]


def test_groups_are_compared_without_the_rest_of_their_struct(schema: Any) -> None:
    one = schema.Node.new_message(name="one", value=1, point={"x": 1, "label": "l", "sub": {"name": "s"}})
    other = schema.Node.new_message(name="other", value=2, point={"x": 1, "label": "l", "sub": {"name": "s"}})
    assert one != other and one.point == other.point and read(one).point == other.point
    assert hash(read(one).point) == hash(read(other).point)
    assert ccapnp.canonicalize(one.point) == ccapnp.canonicalize(other.point)
    other.point.sub.name = "t"
    assert one.point != other.point
    box = schema.Shapes.new_message(before=1, box={"name": "b"})
    assert box.box == schema.Shapes.new_message(before=2, box={"name": "b"}).box
    assert box.named == schema.Shapes.new_message(count=1).named != schema.Shapes.new_message(named={"third": ""}).named


def test_an_older_messages_group_is_compared_as_what_it_reads_as(schema: Any) -> None:
    nothing = schema.Node.from_segments([bytes(8)])
    assert nothing.point == schema.Node.new_message().point and hash(nothing.point) == hash(read(schema.Node()).point)


def test_other_types_are_never_equal(schema: Any) -> None:
    pair = schema.Pair.new_message(key="a", value=1)
    assert pair != schema.Old.new_message(name="a", value=1)  # the same bytes
    for other in (None, 5, "a", {"key": "a", "value": 1}, pair.to_bytes(), ("a", 1)):
        assert pair != other and other != pair and read(pair) != other


@FEWER
@given(values=st.lists(PAIRS, max_size=6))
def test_readers_are_keys(schema: Any, values: list[dict[str, Any]]) -> None:
    readers = [read(schema.Pair.from_dict(value)) for value in values]
    unique = {(value["value"], value.get("key")) for value in values}
    assert len(set(readers)) == len(dict.fromkeys(readers)) == len(unique)
    assert all(schema.Pair.from_dict(value).as_reader() in readers for value in values)


def test_builders_and_lists_have_no_hash(schema: Any) -> None:
    builder = schema.Node.new_message(children=[{}])
    for value in (builder, builder.child, builder.point, builder.children, builder.children[0], read(builder).children):
        with pytest.raises(TypeError, match="unhashable"):
            hash(value)


def test_nan_equals_the_nan_of_the_same_bits(schema: Any) -> None:
    """Structs are compared by their bits: a NaN is equal to itself, and -0.0 is not 0.0."""
    nan = schema.Scalars.new_message(float64=math.nan, float32=math.nan)
    assert nan == read(nan) and hash(read(nan)) == hash(read(nan.copy()))
    assert schema.Scalars.new_message(float64=0.0) != schema.Scalars.new_message(float64=-0.0)
    assert schema.Scalars.new_message(float64=0.0).float64 == schema.Scalars.new_message(float64=-0.0).float64


def test_capabilities_cannot_be_compared(schema: Any) -> None:
    builder = schema.Node.new_message(cap=ccapnp.Capability(0), value=1)
    with pytest.raises(CapnpError, match="capabilities, of which it cannot be said whether they are equal"):
        _ = builder == builder.copy()
    assert builder != schema.Node.new_message(cap=ccapnp.Capability(0), value=2)  # another value decides
    assert builder != schema.Node.new_message(value=1)
    with pytest.raises(EncodeError, match="capabilities has no canonical form"):
        hash(read(builder))


def test_what_an_inactive_member_left_behind_counts(schema: Any) -> None:
    """The bytes are compared, as by the C++ library; `to_dict` looks at the active members alone."""
    left = schema.Shapes.new_message(named={"second": 5})
    left.named.third = "x"
    assert left.to_dict() == schema.Shapes.new_message(named={"third": "x"}).to_dict()
    assert left != schema.Shapes.new_message(named={"third": "x"})


def test_comparing_a_broken_message_is_an_error(schema: Any) -> None:
    data = bytearray(schema.Pair.new_message(key="abcdefgh").to_bytes())
    data[8 + 8 + 8 + 1] = 0x7F  # the text's pointer leads far away
    broken = schema.Pair.from_bytes(data)
    for compare in (lambda: broken == schema.Pair.new_message(key="abcdefgh"), lambda: hash(broken)):
        with pytest.raises(ccapnp.DecodeError):
            compare()
