"""The classes of records: tuples with attributes, made with keywords, that nothing can change."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import ccapnp
from ccapnp import CapnpError, EncodeError, Record, UnionError, UnknownFieldError


def test_a_record_is_a_tuple_of_its_fields(schema: Any) -> None:
    pair = schema.Pair.Record(key="a", value=3)
    assert pair == ("a", 3) and tuple(pair) == ("a", 3) and len(pair) == 2 and hash(pair) == hash(("a", 3))
    key, value = pair
    assert (key, value) == (pair.key, pair.value) == (pair[0], pair[1])
    assert sorted([schema.Pair.Record(key="b"), pair])[0] is pair
    assert isinstance(pair, Record) and isinstance(pair, schema.Pair.Record)


def test_a_class_has_its_name_and_is_made_once(schema: Any) -> None:
    made = schema.Shapes.Record
    assert made is schema.Shapes.Record and made.__qualname__ == "Shapes.Record"
    assert made._fields == (
        *("before", "empty", "count", "label", "pair", "box", "circle", "any", "list", "named", "after"),
    )
    assert schema.Shapes.Box.Record.__qualname__ == "Shapes.Box.Record"
    assert type(schema.Shapes.Record(box={"width": 2}).box) is schema.Shapes.Box.Record


def test_what_is_not_named_has_its_default(schema: Any) -> None:
    made = schema.Defaults.Record()
    assert made == schema.Defaults.decode(schema.Defaults.new_message().to_bytes())
    assert (made.bool, made.int8, made.float32, made.color) == (True, -123, 1234.5, schema.Color.blue)
    node = schema.Node.Record()
    assert (node.name, node.child, node.children, node.data) == ("", None, (), b"")
    assert node.preset == schema.Pair.Record(key="preset", value=7)
    assert schema.Lists.Record().preset == (1, -2, 3)


def test_none_is_the_default_of_a_pointer(schema: Any) -> None:
    made = schema.Node.Record(name=None, child=None, children=None, data=None, preset=None, numbers=None)
    assert made == schema.Node.Record()
    assert schema.Shapes.Record(label=None).label == ""


def test_values_become_what_decoding_gives(schema: Any) -> None:
    node = schema.Node.Record(
        children=[{"name": "a"}, schema.Node.Record(name="b")], point={"x": 3}, numbers=[1, 2], child={"children": [{}]}
    )
    assert isinstance(node.children, tuple) and [each.name for each in node.children] == ["a", "b"]
    assert isinstance(node.point, schema.Node.Point.Record) and node.point.x == 3
    assert node.numbers == (1, 2) and len(node.child.children) == 1
    lists = schema.Lists.Record(
        lists=[[1], []], textLists=[["a", None]], colors=["red", 77], structLists=[[{"value": 1}]]
    )
    assert lists.lists == ((1,), ()) and lists.textLists == (("a", ""),)
    assert lists.colors == (schema.Color.red, 77) and lists.structLists[0][0].value == 1
    assert schema.Scalars.Record(color="lightGrey").color is schema.Color.lightGrey


def test_a_name_that_no_field_has_is_refused(schema: Any) -> None:
    with pytest.raises(UnknownFieldError, match="Pair has no field 'kye'; did you mean 'key'"):
        schema.Pair.Record(kye="a")
    with pytest.raises(UnknownFieldError, match="no field 'valeu'"):
        schema.Pair.Record()._replace(valeu=1)
    with pytest.raises(UnknownFieldError) as caught:
        schema.Node.Record(preset={"kye": 1})
    assert caught.value.field == "preset.kye"
    with pytest.raises(TypeError):
        schema.Pair.Record("a", 1)


def test_the_base_makes_no_records() -> None:
    with pytest.raises(TypeError, match=r"Person\.Record"):
        Record()
    with pytest.raises(AttributeError):
        ccapnp.Struct.Record  # type: ignore[attr-defined]


def test_a_record_is_immutable(schema: Any) -> None:
    shapes = schema.Shapes.Record(count=1)
    for name in ("before", "count", "named", "nope"):
        with pytest.raises(AttributeError):
            setattr(shapes, name, 1)
    assert not hasattr(shapes, "__dict__")
    assert copy.copy(shapes) is shapes and copy.deepcopy(shapes) is shapes


def test_replace_gives_another(schema: Any) -> None:
    shapes = schema.Shapes.Record(before=1, count=2, named={"second": 3})
    assert shapes._replace(before=5) == schema.Shapes.Record(before=5, count=2, named={"second": 3})
    other = shapes._replace(label="x")
    assert other.which() == "label" and other.label == "x" and shapes.which() == "count"
    assert shapes._replace() == shapes and type(other) is type(shapes)


def test_only_one_member_of_a_union_can_be_set(schema: Any) -> None:
    for attempt in (schema.Shapes.Record, schema.Shapes.Record()._replace, schema.Shapes.new_message):
        with pytest.raises(EncodeError, match="'count' and 'label' of Shapes are members of one union"):
            attempt(count=1, label="x")


def test_members_that_are_not_active_are_refused_as_by_a_reader(schema: Any) -> None:
    builder = schema.Shapes.new_message(count=2, named={"third": "x"})
    record = builder.to_record()
    for name in schema.Shapes.Record._fields:
        found = []
        for view in (builder.as_reader(), record):
            try:
                getattr(view, name)
                found.append(None)
            except CapnpError as error:
                found.append((type(error), str(error), error.field, error.type))
        assert found[0] == found[1]
    with pytest.raises(UnionError):
        record.named.first


def test_which_member_is_active(schema: Any) -> None:
    record = schema.Shapes.Record(circle={"radius": 1}, named={"third": "x"})
    assert record.which() == ccapnp.which(record) == "circle"
    assert record.named.which() == "third" and record.circle.radius == 1
    assert record[-2:] == ("circle", record.circle)
    with pytest.raises(UnionError, match="Pair has no unnamed union"):
        schema.Pair.Record().which()


def test_asdict_has_the_active_members(schema: Any) -> None:
    assert schema.Shapes.Record(before=1, count=2)._asdict() == {
        "before": 1,
        "named": schema.Shapes.Named.Record(first=None),
        "after": "",
        "count": 2,
    }


def test_repr_names_the_fields(schema: Any) -> None:
    record = schema.Shapes.Record(before=1, pair={"key": "k"})
    assert repr(record) == (
        "Shapes.Record(before=1, named=Shapes.Named.Record(first=None), after='', pair=Pair.Record(key='k', value=0))"
    )


def test_names_that_python_or_a_tuple_has(schema: Any) -> None:
    data = schema.Names.new_message(
        which="w", count=1, index=2, type="t", fields="f", items="i", **{"class": True, "from": 9}
    ).to_bytes()
    record = schema.Names.decode(data)
    assert (record.which, record.count, record.index, record.class_, record.type) == ("w", 1, 2, True, "t")
    assert (record.fields, record.items, record.from_) == ("f", "i", 9)
    assert ccapnp.which(record) == "from" and record._asdict()["class_"] is True
    with pytest.raises(UnionError, match=r"Names\.replace is not the active member of its union; that is from"):
        record.replace
    assert schema.Names.Record(class_=True, from_=9) == schema.Names.Record(**{"class": True, "from": 9})
    assert schema.Names.encode(record) == schema.Names.encode(record._replace(class_=True))
    assert schema.Names.decode(schema.Names.encode(record)) == record


def test_a_declared_type_of_that_name_wins(schema: Any) -> None:
    assert issubclass(schema.Owner.Record, ccapnp.Struct)
    record = schema.Owner.decode(schema.Owner.new_message(record={"id": 5}).to_bytes())
    assert record.record.id == 5 and isinstance(record, Record)
    assert schema.Owner.decode(schema.Owner.encode(record)) == record


def test_bound_types_have_records_of_their_own(schema: Any) -> None:
    box = schema.Box[ccapnp.Text]
    record = box.Record(value="x")
    assert record.value == "x" and isinstance(record, schema.Box.Record) and box.Record is not schema.Box.Record
    assert schema.Box.Record[ccapnp.Text] is box.Record and box.Record.__qualname__ == "Box[Text].Record"
    boxes = schema.Boxes.Record(text=record, pair={"value": {"key": "k"}}, list={"value": [1, 2]})
    assert schema.Boxes.decode(schema.Boxes.encode(boxes)) == boxes
    assert boxes.pair.value.key == "k" and boxes.list.value == (1, 2)


def test_records_are_matched_by_attributes(schema: Any) -> None:
    assert not hasattr(Record, "__match_args__")
    scope: dict[str, Any] = {"Pair": schema.Pair, "record": schema.Pair.Record(key="k", value=3)}
    try:
        code = compile("match record:\n  case Pair.Record(key='k', value=found): pass\n", "match", "exec")
    except SyntaxError:
        pytest.skip("this Python has no match statement")
    exec(code, scope)
    assert scope["found"] == 3
