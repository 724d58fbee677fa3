"""Unions and groups: the active member, switching between members, and members that only a newer schema knows."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import DecodeError, EncodeError, EncodeTypeError, UnionError
from tests.types.reading import read

MEMBERS: dict[str, Any] = {
    "empty": None,
    "count": 7,
    "label": "text",
    "pair": {"key": "k", "value": 1},
    "box": {"width": 2.5, "name": "b", "corners": [1, -1]},
    "circle": {"radius": 3.0, "inner": {"key": "i", "value": 0}},
    "list": [{"key": "l", "value": 2}],
}
EVERY_MEMBER = pytest.mark.parametrize("member", MEMBERS)


def value_of(view: Any, member: str) -> Any:
    return view.to_dict().get(member)


@EVERY_MEMBER
@pytest.mark.conformance("ENC-07")
def test_setting_a_member_makes_it_the_active_one(schema: Any, member: str) -> None:
    builder = schema.Shapes.new_message(before=-1, after="after")
    assert builder.which() == "empty" and builder.named.which() == "first"
    setattr(builder, member, MEMBERS[member])
    for view in (builder, builder.as_reader(), read(builder), schema.Shapes.new_message(**{member: MEMBERS[member]})):
        assert view.which() == ccapnp.which(view) == member
        assert value_of(view, member) == MEMBERS[member]
        for other in (*MEMBERS, "any"):
            assert view.has(other) is (other == member)
            if other != member:
                with pytest.raises(
                    UnionError, match=rf"^Shapes\.{other} is not the active member.*; that is {member}$"
                ):
                    getattr(view, other)
                assert not hasattr(view, other)
    assert builder.before == -1 and builder.after == "after"


@pytest.mark.conformance("DYN-07")
@EVERY_MEMBER
def test_dyn07_members_are_switched_back_and_forth(schema: Any, member: str) -> None:
    builder = schema.Shapes.new_message(before=-1, after="after", named={"second": 5})
    for other, value in MEMBERS.items():
        setattr(builder, other, value)
        setattr(builder, member, MEMBERS[member])
        assert builder.which() == member and value_of(builder, member) == MEMBERS[member]
        assert read(builder) == builder
        assert (builder.before, builder.after, builder.named.second) == (-1, "after", 5)


@pytest.mark.conformance("DYN-06")
@given(st.lists(st.sampled_from([*MEMBERS]), min_size=1))
def test_dyn06_any_order_of_members_ends_as_the_last_one(schema: Any, members: list[str]) -> None:
    builder = schema.Shapes.new_message()
    for member in members:
        setattr(builder, member, MEMBERS[member])
    assert builder.to_dict() == schema.Shapes.new_message(**{members[-1]: MEMBERS[members[-1]]}).to_dict()


@pytest.mark.parametrize("member", ["pair", "box", "circle"])
def test_init_of_a_member_switches_to_it(schema: Any, member: str) -> None:
    for other, value in MEMBERS.items():
        builder = schema.Shapes.new_message(**{other: value})
        made = builder.init(member)
        assert builder.which() == member and made.to_dict() == getattr(schema.Shapes(**{member: {}}), member).to_dict()
    builder.init("list", 2)[1].key = "x"
    assert builder.which() == "list" and len(builder.list) == 2


@pytest.mark.parametrize("member", ["label", "pair", "list", "any"])
def test_none_makes_a_pointer_member_active_and_null(schema: Any, member: str) -> None:
    builder = schema.Shapes.new_message(count=1)
    setattr(builder, member, None)
    for view in (builder, read(builder)):
        assert view.which() == member and not view.has(member)
        assert getattr(view.as_reader(), member) is not None


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("count", -1),
        ("count", "1"),
        ("label", 1),
        ("pair", 5),
        ("box", {"nmae": 1}),
        ("box", 5),
        ("list", [1]),
        ("any", 1),
    ],
)
def test_a_failed_set_leaves_the_active_member(schema: Any, member: str, value: Any) -> None:
    for other, before in MEMBERS.items():
        builder = schema.Shapes.new_message(**{other: before})
        data = builder.to_bytes()
        with pytest.raises(ccapnp.CapnpError, match=f"^{member}"):
            setattr(builder, member, value)
        assert builder.which() == other and builder.to_bytes() == data


def test_two_members_at_once_are_refused(schema: Any) -> None:
    for values in ({"count": 1, "label": "x"}, {"empty": None, "box": {}}, {"label": None, "pair": None}):
        first, second = values
        message = f"'{first}' and '{second}' of Shapes are members of one union: only one of them can be set"
        for attempt in (partial(schema.Shapes.from_dict, values), partial(schema.Shapes.new_message, **values)):
            with pytest.raises(EncodeError, match=message) as caught:
                attempt()
            assert caught.value.field == second
    with pytest.raises(EncodeError, match="members of one union"):
        schema.Shapes.new_message(named={"second": 1, "third": "x"})
    assert schema.Shapes.new_message(count=1, named={"third": "x"}).named.third == "x"


@pytest.mark.conformance("ENC-07")
def test_members_of_all_widths_share_their_memory(schema: Any) -> None:
    builder = schema.Switches.new_message()
    size = len(builder.to_bytes())
    for member, value in (("bit", True), ("byte", 255), ("half", 65535), ("whole", 2**32 - 1), ("bit", False)):
        setattr(builder, member, value)
        assert builder.which() == member and getattr(read(builder), member) == value
        assert len(builder.to_bytes()) == size


# ---- groups in a union


@pytest.mark.conformance("ENC-10")
def test_switching_to_a_group_starts_it_anew(schema: Any) -> None:
    builder = schema.Shapes.new_message(box={"width": 9.0, "name": "secret", "corners": [1]})
    builder.init("circle")
    assert builder.circle.radius == 0 and not builder.circle.has("inner") and b"secret" not in builder.to_bytes()
    builder.circle.radius = 4.0
    box = builder.init("box")
    assert box.width == 1.5 and box.name == "" and list(box.corners) == []  # the default, not what the circle left


def test_a_group_is_written_through_its_view(schema: Any) -> None:
    builder = schema.Shapes.new_message(box={})
    box = builder.box
    box.width, box.name = 7.0, "box"
    box.init("corners", 2)[1] = 5
    assert read(builder).box.to_dict() == {"width": 7.0, "name": "box", "corners": [0, 5]}
    builder.box = {"name": "new"}  # replaces all of it
    assert builder.box.to_dict() == {"width": 1.5, "name": "new"} and builder.box.has("name")


@pytest.mark.conformance("DYN-15")
def test_dyn15_a_group_is_set_from_one_of_another_message(schema: Any) -> None:
    source = schema.Shapes.new_message(box=MEMBERS["box"], named={"third": "t"})
    for view in (source, source.as_reader(), read(source)):
        builder = schema.Shapes.new_message(count=3, named={"second": 2})
        builder.box, builder.named = view.box, view.named
        assert builder.to_dict() == source.to_dict() and builder.which() == "box" and builder.named.which() == "third"
        assert schema.Shapes.new_message(box=view.box).box == view.box
    builder.box.name = "changed"
    assert source.box.name == "b"


def test_a_group_set_to_itself_after_a_switch_is_active_again(schema: Any) -> None:
    builder = schema.Shapes.new_message(box={"name": "x"})
    box = builder.box
    builder.box = box
    assert builder.box.name == "x"
    builder.label = "y"
    builder.box = box
    assert builder.which() == "box"


# ---- named unions


@pytest.mark.conformance("DYN-06", "PYC-07")
def test_dyn06_a_named_union_is_a_group_with_a_union(schema: Any) -> None:
    builder = schema.Shapes.new_message(named={"second": -(2**63)})
    for view in (builder, read(builder)):
        assert view.named.which() == "second" and view.named.second == -(2**63)
        assert view.has("named") and view.named.has("second") and not view.named.has("third")
        with pytest.raises(UnionError, match=r"^Shapes\.Named\.third is not the active member"):
            view.named.third
        for member in ("first", "second", "third"):
            with pytest.raises(AttributeError):
                getattr(view, member)
            with pytest.raises(AttributeError):
                view.has(member)
    builder.named.third = "x"
    assert builder.named.which() == "third" and builder.named.third == "x"
    builder.init("named")
    assert builder.named.which() == "first" and builder.named.first is None
    with pytest.raises(AttributeError):
        builder.second = 1


@pytest.mark.conformance("PYC-07")
def test_which_of_a_struct_without_a_union_is_an_error(schema: Any) -> None:
    builder = schema.Pair.new_message()
    for view in (builder, read(builder), schema.Node().point):
        with pytest.raises(UnionError, match="has no unnamed union"):
            view.which()
        with pytest.raises(AttributeError):
            ccapnp.which(view)


@pytest.mark.conformance("ENC-11")
def test_a_group_keeps_its_neighbours(schema: Any) -> None:
    builder = schema.Node.new_message(name="n", value=5, child={"name": "c"}, point={"x": 1, "y": 2, "label": "l"})
    builder.init("point")
    assert builder.point.to_dict() == {"x": 0, "y": 0}
    assert (builder.name, builder.value, builder.child.name) == ("n", 5, "c")
    builder.point = {"y": 3}
    assert builder.point.to_dict() == {"x": 0, "y": 3}
    with pytest.raises(EncodeTypeError, match="^point: a group has no size"):
        builder.init("point", 1)


# ---- members that only a newer schema knows


def from_the_future(schema: Any) -> Any:
    """A reader whose union has a member set that its schema does not know, and the message."""
    data = schema.Shapes.new_message(before=4, box={"name": "new"}, after="x").to_bytes()
    return schema.OldShape.from_bytes(data)


def test_an_unknown_member_is_no_member(schema: Any) -> None:
    reader = from_the_future(schema)
    for view in (reader, reader.as_builder()):
        with pytest.raises(UnionError, match="has member 4 set, which this schema does not know"):
            view.which()
        for member in ("empty", "count"):
            assert not view.has(member)
            with pytest.raises(UnionError, match="is not the active member of its union; that is none that is known"):
                getattr(view, member)
        assert view.before == 4 and "before = 4" in str(view)
        with pytest.warns(ccapnp.UnknownMemberWarning, match="of OldShape has member 4 set"):
            assert view.to_dict() == {"before": 4}


def test_an_unknown_member_survives_copies_and_can_be_replaced(schema: Any) -> None:
    reader = from_the_future(schema)
    builder = reader.as_builder()
    again = schema.Shapes.from_bytes(builder.to_bytes())
    assert again.which() == "box" and again.box.name == "new"
    assert reader == builder == reader.copy()
    builder.count = 3
    assert builder.which() == "count" and schema.Shapes.from_bytes(builder.to_bytes()).count == 3


def test_a_group_with_an_unknown_member_is_not_copied_in_part(schema: Any) -> None:
    data = bytearray(schema.Shapes.new_message(named={"second": 3}).to_bytes())
    node = schema.Shapes.Named.schema
    at = 8 + 8 + 2 * node.discriminant_offset
    assert data[at] == 1
    data[at] = 77
    reader = schema.Shapes.from_bytes(data)
    builder = schema.Shapes.new_message(named={"third": "kept"})
    with pytest.raises(EncodeError, match=r"^named: the union of Shapes\.Named has no member 77"):
        builder.named = reader.named
    assert builder.named.third == "kept"
    assert reader.named == reader.named and reader.named != schema.Shapes.from_bytes(data).named
    with pytest.warns(ccapnp.UnknownMemberWarning, match=r"of Shapes\.Named has member 77 set"):
        assert reader.to_dict()["named"] == {}


def test_a_message_cut_short_reads_as_the_first_member(schema: Any) -> None:
    for reader in (schema.Shapes.from_segments([bytes(8)]), schema.Old.new_message().as_reader().as_builder()):
        if isinstance(reader, schema.Shapes):
            assert reader.which() == "empty" and reader.empty is None and reader.named.which() == "first"
    with pytest.raises(DecodeError):
        schema.Shapes.from_bytes(b"")


def test_a_group_is_no_message(schema: Any) -> None:
    """It is a part of its struct; written alone, it would write all of that."""
    group = schema.Shapes.new_message(circle={"radius": 1.0}).circle
    attempts = (
        group.to_bytes,
        group.to_bytes_packed,
        group.to_segments,
        partial(ccapnp.MessageBuilder().set_root, group),
        partial(schema.Shapes.new_message().init("any").set, group),
    )
    for attempt in attempts:
        with pytest.raises(EncodeTypeError, match=r"Shapes\.Circle is a group: it exists only within its struct"):
            attempt()
