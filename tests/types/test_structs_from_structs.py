"""Structs set from each other: from parts of themselves, and from messages of other versions of the schema."""

from __future__ import annotations

from typing import Any

import pytest


def node(schema: Any) -> Any:
    return schema.Node.new_message(
        name="root",
        value=1,
        child={"name": "child", "child": {"name": "grandchild", "value": 3}},
        children=[{"name": "a"}, {"name": "b", "children": [{"name": "ba"}]}],
        point={"x": 1, "y": -1, "label": "p", "sub": {"name": "sub"}},
    )


def test_a_struct_may_be_set_to_itself(schema: Any) -> None:
    builder = node(schema)
    before = builder.copy()
    builder.child = builder.child
    builder.children = builder.children
    builder.point = builder.point
    builder.children[1] = builder.children[1]
    builder.preset = builder.preset
    before.preset = before.preset
    assert builder == before


def test_a_struct_may_be_set_from_what_is_below_it(schema: Any) -> None:
    builder = node(schema)
    builder.child = builder.child.child
    assert builder.child.name == "grandchild" and not builder.child.has("child")
    builder = node(schema)
    builder.children = builder.children[1].children
    assert [each.name for each in builder.children] == ["ba"]
    builder = node(schema)
    builder.children[1] = builder.children[1].children[0]
    assert [each.name for each in builder.children] == ["a", "ba"] and not builder.children[1].has("children")


@pytest.mark.parametrize("as_reader", [False, True], ids=["builder", "reader"])
def test_a_struct_may_be_set_from_what_is_around_it(schema: Any, as_reader: bool) -> None:
    """The value is what it was before, with the part that is being replaced."""

    def view(builder: Any) -> Any:
        return builder.as_reader() if as_reader else builder

    before = node(schema)
    builder = node(schema)
    builder.child = view(builder)
    assert builder.child == before and builder.name == "root"
    builder = node(schema)
    builder.child = {"name": "made", "child": view(builder)}
    assert builder.child.child == before
    builder = node(schema)
    builder.children = [view(builder), {"children": [view(builder)]}]
    assert builder.children[0] == before and builder.children[1].children[0] == before
    builder = node(schema)
    builder.child.child = view(builder.child)
    assert builder.child.child == before.child
    builder = node(schema)
    builder.children[0] = view(builder)
    assert builder.children[0] == before
    builder = node(schema)
    builder.children[:] = [view(builder), view(builder)]
    assert list(builder.children) == [before, before]


def test_a_group_may_be_set_from_what_is_below_it(schema: Any) -> None:
    builder = node(schema)
    builder.point.sub.point = {"x": 9, "label": "inner", "sub": {"name": "deepest"}}
    builder.point = builder.point.sub.point
    assert (builder.point.x, builder.point.y, builder.point.label) == (9, 0, "inner")
    assert builder.point.sub.name == "deepest" and builder.name == "root"


def test_replaced_parts_are_gone(schema: Any) -> None:
    builder = node(schema)
    builder.child, builder.children, builder.point = {}, [], {}
    builder.name = None
    for gone in (b"grandchild", b"ba", b"sub", b"root"):
        assert gone not in builder.to_bytes()


# ---- other versions of the schema


@pytest.mark.conformance("CPY-06")
def test_unknown_data_survives_being_copied(schema: Any) -> None:
    new = schema.HoldsNew.new_message(
        one={"name": "x", "value": 1, "extra": "kept", "more": 7, "deep": {"key": "k"}},
        many=[{"name": "y", "value": 2, "extra": "kept too", "more": 8}],
    )
    old = schema.HoldsOld.from_bytes(new.to_bytes())
    assert old.one.name == "x" and old.many[0].value == 2
    copies = (
        old.as_builder(),
        schema.HoldsOld.new_message(one=old.one, many=old.many),
        schema.HoldsOld.new_message(one=old.one, many=list(old.many)),
        schema.HoldsOld.new_message(one=old.one.as_builder(), many=[each.copy() for each in old.many]),
    )
    for copy in copies:
        again = schema.HoldsNew.from_bytes(copy.to_bytes())
        assert again == new, copy
        copy.one.value = 5
        copy.many[0].name = "changed"
        again = schema.HoldsNew.from_bytes(copy.to_bytes())
        assert (again.one.value, again.one.extra, again.many[0].extra, again.many[0].more) == (5, "kept", "kept too", 8)


@pytest.mark.conformance("CPY-06")
def test_an_older_struct_reads_the_defaults_and_grows_when_it_is_built_on(schema: Any) -> None:
    old = schema.HoldsOld.new_message(one={"name": "x", "value": 1}, many=[{"name": "y"}, {"name": "z"}])
    new = schema.HoldsNew.from_bytes(old.to_bytes())
    for view in (new.one, new.many[1]):
        assert (
            view.extra == ""
            and view.more == 42
            and not view.has("extra")
            and view.deep.key == ""
            and not view.has("deep")
        )
    builder = new.as_builder()
    builder.one.more = 1
    builder.many[1].extra = "set"
    builder.many[1].deep.key = "deep"
    again = schema.HoldsNew.from_bytes(builder.to_bytes())
    assert (again.one.name, again.one.more, again.many[1].name, again.many[1].extra) == ("x", 1, "z", "set")
    assert again.many[1].deep.key == "deep" and again.many[0].more == 42
    narrow = schema.HoldsNew.new_message(one=new.one, many=new.many)
    narrow.many[0].more = 3
    assert narrow.many[0].name == "y" and narrow.many[0].more == 3 and narrow.one.more == 42
