"""Structs as dicts and back: what is in one, and that nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import DecodeError
from tests.types.reading import read
from tests.types.schema import DEFAULTS, FEWER, LIST_VALUES
from tests.types.values import EVERYTHING


@pytest.mark.parametrize("name", EVERYTHING)
@FEWER
@given(data=st.data())
@pytest.mark.conformance("PYC-09")
def test_a_dict_makes_the_struct_that_makes_the_dict(schema: Any, name: str, data: st.DataObject) -> None:
    values = data.draw(EVERYTHING[name])
    struct_type = getattr(schema, name)
    builder = struct_type.from_dict(values)
    for view in (builder, builder.as_reader(), read(builder)):
        assert view.to_dict() == values
        assert struct_type.from_dict(view.to_dict()) == builder
    assert struct_type.new_message(**values).to_bytes() == builder.to_bytes()


@pytest.mark.parametrize("name", EVERYTHING)
@FEWER
@given(data=st.data())
def test_a_verbose_dict_has_the_same_values_and_every_field(schema: Any, name: str, data: st.DataObject) -> None:
    """But for null pointers, which become what they read as; and then it is the same again."""
    struct_type = getattr(schema, name)
    builder = struct_type.from_dict(data.draw(EVERYTHING[name]))
    verbose = builder.to_dict(verbose=True)
    again = struct_type.from_dict(verbose)
    assert again.to_dict(verbose=True) == verbose == read(builder).to_dict(verbose=True)
    for field in struct_type.schema.fields_list:
        assert (field.name in verbose) is (field.discriminant is None or builder.which() == field.name)


@pytest.mark.conformance("PYC-09")
def test_pyc09_null_pointers_are_left_out(schema: Any) -> None:
    builder = schema.Node.new_message()
    assert builder.to_dict() == {"value": 0, "point": {"x": 0, "y": 0}}
    assert read(builder).to_dict() == builder.to_dict() and builder.to_dict() == ccapnp.to_dict(builder)
    builder.name, builder.children, builder.child = "", [], {}
    assert builder.to_dict() == {
        "name": "",
        "value": 0,
        "child": {"value": 0, "point": {"x": 0, "y": 0}},
        "children": [],
        "point": {"x": 0, "y": 0},
    }


@pytest.mark.conformance("PYC-09")
def test_pyc09_verbose_has_what_null_pointers_read_as(schema: Any) -> None:
    assert schema.Node.new_message().to_dict(verbose=True) == {
        "name": "",
        "value": 0,
        "child": None,
        "children": [],
        "any": None,
        "data": b"",
        "point": {"x": 0, "y": 0, "label": "", "sub": None},
        "preset": {"key": "preset", "value": 7},
        "numbers": [],
        "cap": None,
    }
    assert schema.Blobs.new_message().to_dict(True)["greeting"] == "hello"
    lists = schema.Lists.new_message().to_dict(verbose=True)
    assert lists.pop("preset") == [1, -2, 3] and lists.pop("presetStructs") == [{"key": "a", "value": 1}]
    assert set(lists) == {*LIST_VALUES, "caps"} and all(value == [] for value in lists.values())


@pytest.mark.conformance("PYC-09")
def test_pyc09_fields_are_in_the_order_of_their_ordinals(schema: Any) -> None:
    for view in (schema.Scalars.new_message(), read(schema.Scalars.new_message())):
        assert list(view.to_dict()) == list(schema.Scalars.schema.fieldnames)


@pytest.mark.conformance("PYC-09")
def test_pyc09_defaults_are_in_the_dict(schema: Any) -> None:
    assert schema.Defaults.new_message().to_dict() == {**DEFAULTS, "color": "blue"}
    assert schema.Defaults.from_segments([bytes(8)]).to_dict() == {**DEFAULTS, "color": "blue"}


def test_types_are_those_of_python(schema: Any) -> None:
    found = read(schema.Scalars.new_message(bool=True, color="red", float32=1, int8=1)).to_dict()
    assert [type(found[name]) for name in ("bool", "color", "float32", "int8")] == [bool, str, float, int]
    lists = read(schema.Lists.new_message(**LIST_VALUES)).to_dict()
    assert lists == {**LIST_VALUES, "colors": ["red", "blue", "green"]}
    assert all(type(value) is list for value in lists.values())
    assert {type(value) for value in lists["bools"]} == {bool} and {type(value) for value in lists["datas"]} == {bytes}


@pytest.mark.conformance("PYC-06")
def test_pyc06_an_unknown_enumerant_is_its_number(schema: Any) -> None:
    builder = schema.Scalars.new_message(color=77)
    assert builder.to_dict()["color"] == 77 and type(builder.to_dict()["color"]) is int
    assert schema.Scalars.from_dict(builder.to_dict()) == builder


@pytest.mark.conformance("PYC-09")
def test_data_as_base64_can_be_written_as_json(schema: Any) -> None:
    builder = schema.Blobs.new_message(data=b"\0\xff", chunk=b"abc")
    assert builder.to_dict()["data"] == b"\0\xff"
    assert (
        builder.to_dict(encode_bytes_as_base64=True)["data"] == "AP8="
        and builder.to_dict(False, True)["chunk"] == "YWJj"
    )
    lists = schema.Lists.new_message(datas=[b"", b"\0\xff"])
    lists.init("textLists", 1)
    assert lists.to_dict(encode_bytes_as_base64=True)["datas"] == ["", "AP8="]
    node = schema.Node.new_message(data=b"x", children=[{"data": b"y", "point": {"sub": {"data": b"z"}}}])
    for view in (builder, lists, node, read(node), schema.Lists.new_message(datas=[None]), schema.Blobs.new_message()):
        for verbose in (False, True):
            assert json.loads(json.dumps(view.to_dict(verbose, encode_bytes_as_base64=True)))
    assert schema.Blobs.new_message().to_dict(True, True)["bytes"] == "AP9B"


@pytest.mark.conformance("PYC-09")
@pytest.mark.parametrize("name", EVERYTHING)
@FEWER
@given(data=st.data())
def test_data_as_base64_comes_back(schema: Any, name: str, data: st.DataObject) -> None:
    builder = getattr(schema, name).from_dict(data.draw(EVERYTHING[name]))
    for verbose in (False, True):
        found = json.loads(json.dumps(builder.to_dict(verbose, encode_bytes_as_base64=True), default=str))
        again = getattr(schema, name).from_dict(found, decode_bytes_from_base64=True)
        assert again.to_dict(verbose, encode_bytes_as_base64=True) == found


def test_text_for_data_is_base64_only_where_that_is_said(schema: Any) -> None:
    values = {"data": "AP8=", "text": "AP8="}
    with pytest.raises(ccapnp.EncodeTypeError, match="^data: "):
        schema.Blobs.from_dict(values)
    assert schema.Blobs.from_dict(values, decode_bytes_from_base64=True).to_dict() == {
        "data": b"\0\xff", "text": "AP8=", "number": 0
    }  # fmt: skip
    assert schema.Blobs.from_dict({"data": b"raw"}, decode_bytes_from_base64=True).data == b"raw"
    wrong = {"children": [{}, {"point": {"sub": {"data": "no base64"}}}]}
    with pytest.raises(ccapnp.EncodeError, match=r"^children\[1\]\.point\.sub\.data: 'no base64' is not base64"):
        schema.Node.from_dict(wrong, decode_bytes_from_base64=True)
    endless: dict[str, Any] = {}
    endless["child"] = endless
    for odd in (None, 5, {"nope": 1}, {"children": 5}, {"data": 5}, {1: 2}, endless):
        with pytest.raises(ccapnp.CapnpError):
            schema.Node.from_dict(odd, decode_bytes_from_base64=True)


def test_a_union_has_its_active_member(schema: Any) -> None:
    for member, value in (
        ("empty", None),
        ("count", 0),
        ("label", ""),
        ("pair", {"value": 0}),
        ("circle", {"radius": 0.0}),
    ):
        builder = schema.Shapes.new_message(**{member: value})
        expected = {"before": 0, member: value, "named": {"first": None}}
        assert builder.to_dict() == read(builder).to_dict() == expected


@pytest.mark.parametrize("member", ["label", "pair", "list", "any"])
def test_a_union_member_that_is_null_is_none(schema: Any, member: str) -> None:
    builder = schema.Shapes.new_message(**{member: None})
    assert builder.to_dict() == {"before": 0, member: None, "named": {"first": None}}
    assert schema.Shapes.from_dict(builder.to_dict()).which() == member
    assert schema.Blobs.new_message(chunk=None).to_dict() == {"number": 0, "chunk": None}


def test_a_null_member_that_is_the_first_is_left_out(schema: Any) -> None:
    """It is the active one of a struct that has nothing set."""
    assert schema.Blobs.new_message().to_dict() == {"number": 0} == schema.Blobs.new_message(word=None).to_dict()
    assert schema.Blobs.new_message().to_dict(verbose=True)["word"] == ""
    assert schema.Blobs.from_dict({"number": 0}).which() == "word"


def test_null_elements_are_empty_or_none(schema: Any) -> None:
    builder = schema.Lists.new_message(texts=[None, "a"], datas=[None], lists=[None, [1]], caps=[None])
    assert builder.to_dict() == {"texts": ["", "a"], "datas": [b""], "lists": [None, [1]], "caps": [None]}
    assert [list(each) for each in builder.lists] == [[], [1]]
    assert schema.Lists.from_dict(builder.to_dict()).to_dict() == builder.to_dict()


def test_anypointers_are_given_as_they_are(schema: Any) -> None:
    """They have no plain value, but one makes a struct that is equal."""
    builder = schema.Node.new_message(any="text", children=[{"any": schema.Pair(key="k")}])
    for view in (builder, builder.as_reader(), read(builder)):
        found = view.to_dict()
        assert isinstance(found["any"], ccapnp.AnyPointerReader) and found["any"].as_text() == "text"
        assert found["children"][0]["any"].as_struct(schema.Pair).key == "k"
        again = schema.Node.from_dict(found)
        assert again.any.as_text() == "text" and again == builder and again.to_dict() == found
    builder = schema.Node.new_message(cap=ccapnp.Capability(3))
    assert builder.to_dict()["cap"] == ccapnp.Capability(3) == schema.Node.from_dict(builder.to_dict()).cap


def test_generic_fields_are_given_as_anypointers_or_values(schema: Any) -> None:
    builder = schema.Boxes.new_message()
    builder.text.value = "x"
    assert builder.to_dict() == {"text": {"value": "x"}}
    assert schema.Boxes.from_dict(builder.to_dict()) == builder
    unbound = schema.Box.new_message(value="x")
    assert isinstance(unbound.to_dict()["value"], ccapnp.AnyPointerReader)
    assert schema.Box.from_dict(unbound.to_dict()) == unbound


def test_a_group_and_a_list_are_plain_values_too(schema: Any) -> None:
    builder = schema.Node.new_message(children=[{"name": "a"}], point={"x": 1})
    for view in (builder, read(builder)):
        assert view.point.to_dict() == {"x": 1, "y": 0}
        assert view.children.to_list() == [{"name": "a", "value": 0, "point": {"x": 0, "y": 0}}]
    assert schema.Lists.new_message(colors=["red"]).colors.to_list() == ["red"]


def test_an_error_in_a_dict_names_the_whole_path(schema: Any) -> None:
    data = schema.Node.new_message(
        children=[{}, {"point": {"sub": {"children": [{"name": "good"}, {"name": "????"}]}}}]
    ).to_bytes()
    reader = schema.Node.from_bytes(data.replace(b"????", b"\xff???"))
    with pytest.raises(
        DecodeError, match=r"^children\[1\]\.point\.sub\.children\[1\]\.name: a text is not valid UTF-8"
    ) as caught:
        reader.to_dict()
    assert caught.value.field == "children[1].point.sub.children[1].name" and caught.value.type == "Node"
    reader = schema.Lists.from_bytes(
        schema.Lists.new_message(textLists=[["a"], ["b", "????"]]).to_bytes().replace(b"????", b"\xff???")
    )
    with pytest.raises(DecodeError, match=r"^textLists\[1\]\[1\]: a text is not valid UTF-8"):
        reader.to_dict()


def test_an_older_message_has_the_defaults_of_the_newer_schema(schema: Any) -> None:
    old = schema.HoldsOld.new_message(one={"name": "x", "value": 1}, many=[{"name": "y"}])
    new = schema.HoldsNew.from_bytes(old.to_bytes())
    assert new.to_dict() == {
        "one": {"name": "x", "value": 1, "more": 42},
        "many": [{"name": "y", "value": 0, "more": 42}],
    }
    verbose = new.to_dict(verbose=True)["many"][0]
    assert verbose == {"name": "y", "value": 0, "extra": "", "more": 42, "deep": None}
    wide = schema.Wide.from_bytes(schema.Bytes.new_message(values=b"\1\xff").to_bytes())
    assert wide.to_dict() == {"values": [{"a": 1, "b": 0}, {"a": 255, "b": 0}]}
    narrow = schema.Bytes.from_bytes(schema.Wide.new_message(values=[{"a": 1, "b": 5}, {"a": 2}]).to_bytes())
    assert narrow.to_dict() == {"values": [1, 2]}


def test_a_deep_tree_is_as_deep_as_the_nesting_limit_allows(schema: Any) -> None:
    values: dict[str, Any] = {}
    for _ in range(60):
        values = {"child": values}
    builder = schema.Node.from_dict(values)
    found = read(builder).to_dict()
    for _ in range(60):
        found = found["child"]
    assert found == {"value": 0, "point": {"x": 0, "y": 0}}
    for _ in range(5):
        values = {"child": values}
    with pytest.raises(ccapnp.LimitError, match="nesting_limit"):
        read(schema.Node.from_dict(values)).to_dict()


def test_from_dict_takes_only_mappings(schema: Any) -> None:
    for value in (None, [], "x", 5, [("key", "a")]):
        with pytest.raises(ccapnp.EncodeTypeError, match="a Pair is set from a mapping"):
            schema.Pair.from_dict(value)
