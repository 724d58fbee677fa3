"""Unions and groups: which member is active, where members lie, and what switching leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from ccapnp import MessageBuilder, UnionError
from tests.wire.raw import frame, segments_of, words


@pytest.mark.conformance("ENC-07")
def test_the_first_member_is_active_at_first(all_types: Any) -> None:
    for view in (all_types.TestUnion.new_message(), all_types.TestUnion.from_bytes(frame(words(0)))):
        assert (view.union0.which(), view.union0.u0f0s0) == ("u0f0s0", None)
        with pytest.raises(UnionError, match="u0f0s1"):
            view.union0.u0f0s1


@pytest.mark.conformance("ENC-07")
def test_a_setter_switches_and_the_others_are_refused(all_types: Any) -> None:
    union = all_types.TestUnion.new_message().union0
    union.u0f0s1 = True
    assert union.which() == "u0f0s1" and union.u0f0s1 is True
    union.u0f0s8 = 123
    assert union.which() == "u0f0s8" and union.u0f0s8 == 123
    for name in ("u0f0s0", "u0f0s1", "u0f0s16", "u0f0sp"):
        with pytest.raises(UnionError):
            getattr(union, name)
    assert not union.has("u0f0s1") and union.has("u0f0s8")


def place_of(all_types: Any, union: str, member: str, value: Any) -> tuple[int, int]:
    """(discriminant, first bit after the four discriminants that is set), as encoding-test.c++ looks for it."""
    root = all_types.TestUnion.new_message()
    group = getattr(root, union)
    setattr(group, member, value)
    segment = segments_of(root)[0]
    discriminant = int.from_bytes(segment[8 + 2 * int(union[-1]) :][:2], "little")
    rest = int.from_bytes(segment[16:88], "little")
    return discriminant, (rest & -rest).bit_length() - 1


@pytest.mark.conformance("ENC-08")
def test_where_the_members_lie(all_types: Any) -> None:
    ones = {"s1": True, "s8": 1, "s16": 1, "s32": 1, "s64": 1, "sp": "1"}
    expected = {
        "u0f0": (0, 0, 0, 0, 0, 448),
        "u0f1": (0, 0, 0, 0, 0, 448),
        "u1f0": (65, 72, 80, 96, 128, 512),
        "u1f1": (65, 72, 80, 96, 128, 512),
        "u2f0": (192, 200, 224, 256, 320),
        "u3f0": (193, 208, 240, 288, 384),
    }
    for bank, offsets in expected.items():
        for (size, one), offset in zip(ones.items(), offsets):
            found = place_of(all_types, f"union{bank[1]}", bank + size, one)[1]
            assert found == offset, f"{bank}{size}"
    first_bank = [("s0", None), *ones.items()]
    numbers = [place_of(all_types, "union0", f"u0f{b}{s}", one)[0] for b in "01" for s, one in first_bank]
    assert numbers == list(range(14))
    # The members of the first two banks of union1 take turns, and those of the third bank come after them.
    turns = [("u1f0s0", None), *((f"u1f{b}{s}", one) for s, one in ones.items() for b in "01")]
    turns += [(f"u1f2{s}", one) for s, one in first_bank]
    assert [place_of(all_types, "union1", *each)[0] for each in turns] == list(range(20))


@pytest.mark.conformance("ENC-09")
def test_an_unnamed_union(all_types: Any) -> None:
    root = all_types.TestUnnamedUnion.new_message()
    assert root.which() == "foo" and root.foo == 0
    with pytest.raises(UnionError):
        root.bar
    root.bar = 321
    assert root.which() == "bar" and root.bar == 321
    for view in (root, root.as_reader()):
        with pytest.raises(UnionError, match="bar"):
            view.foo
    root.foo = 123
    assert root.as_reader().which() == "foo" and root.as_reader().foo == 123
    node = all_types.TestUnnamedUnion._node
    offsets = [node.fields_by_name[name].offset for name in ("foo", "bar")]
    assert (node.discriminant_offset, offsets) == (2, [0, 2])


@pytest.mark.conformance("ENC-10")
def test_groups_within_a_union(all_types: Any) -> None:
    root = all_types.TestGroups.new_message()
    groups = root.groups
    foo = groups.init("foo")
    foo.corge, foo.grault, foo.garply = 12345678, 123456789012345, "foobar"
    assert (groups.foo.corge, groups.foo.grault, groups.foo.garply) == (12345678, 123456789012345, "foobar")
    bar = groups.init("bar")
    assert (bar.corge, bar.grault, bar.garply) == (0, "", 0)
    bar.corge, bar.grault, bar.garply = 23456789, "barbaz", 234567890123456
    baz = groups.init("baz")
    baz.corge, baz.grault, baz.garply = 34567890, "bazqux", "quxquux"
    reader = all_types.TestGroups.from_bytes(root.to_bytes()).groups
    assert (reader.which(), reader.baz.corge, reader.baz.grault, reader.baz.garply) == (
        *("baz", 34567890),
        *("bazqux", "quxquux"),
    )
    with pytest.raises(UnionError):
        reader.foo


def fill_interleaved(group: Any, base: int) -> None:
    group.foo, group.bar, group.waldo = base, base + 1, f"waldo {base}"
    corge = group.init("corge")
    corge.grault, corge.garply, corge.plugh, corge.xyzzy = base + 2, base + 3, f"plugh {base}", f"xyzzy {base}"


def check_interleaved(group: Any, base: int) -> None:
    assert (group.foo, group.bar, group.waldo, group.which()) == (base, base + 1, f"waldo {base}", "corge")
    corge = group.corge
    assert (corge.grault, corge.garply) == (base + 2, base + 3)
    assert (corge.plugh, corge.xyzzy) == (f"plugh {base}", f"xyzzy {base}")


@pytest.mark.conformance("ENC-11")
def test_interleaved_groups_do_not_touch_each_other(all_types: Any) -> None:
    root = MessageBuilder().init_root(all_types.TestInterleavedGroups)
    fill_interleaved(root.group1, 100)
    fill_interleaved(root.group2, 200)
    check_interleaved(root.as_reader().group1, 100)
    check_interleaved(root.as_reader().group2, 200)
    fresh = root.init("group1")
    assert (fresh.foo, fresh.bar, fresh.waldo, fresh.which(), fresh.qux) == (0, 0, "", "qux", 0)
    assert not fresh.has("waldo")
    check_interleaved(root.as_reader().group2, 200)
    fresh.init("corge")
    assert (fresh.corge.grault, fresh.corge.plugh, fresh.corge.xyzzy) == (0, "", "")
    fill_interleaved(fresh, 300)
    root.group1 = all_types.TestInterleavedGroups.new_message().group1
    assert root.group1.which() == "qux" and b"300" not in b"".join(segments_of(root))
    check_interleaved(root.group2, 200)


@pytest.mark.conformance("ENC-07")
def test_an_unknown_member_is_told_and_kept(shapes: Any) -> None:
    node = shapes.Node.new_message(number=5)
    data = bytearray(node.to_bytes())
    tag = data.index(b"\1\0", 8 + 8 + 4)
    data[tag] = 9
    reader = shapes.Node.from_bytes(data)
    with pytest.raises(UnionError, match="member 9"):
        reader.which()
    assert not reader.has("number") and not reader.has("text")
    assert reader.as_builder().to_bytes() == data
