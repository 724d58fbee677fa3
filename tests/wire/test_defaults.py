"""Defaults of fields, and what is read where nothing was written."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ccapnp import MessageBuilder
from tests.wire.arenas import fixed_segments
from tests.wire.raw import frame, segment_sizes, struct, words


def check_init_value(view: Any) -> None:
    """FIX-2: the value that nearly every test of the C++ library uses."""
    assert view.voidField is None and view.boolField is True
    assert (view.int8Field, view.int16Field, view.int32Field) == (-123, -12345, -12345678)
    assert (view.int64Field, view.uInt64Field) == (-123456789012345, 12345678901234567890)
    assert (view.uInt8Field, view.uInt16Field, view.uInt32Field) == (234, 45678, 3456789012)
    assert (view.float32Field, view.float64Field) == (1234.5, -123e45)
    assert (view.textField, view.dataField) == ("foo", b"bar")
    assert view.enumField.name == "corge"
    sub = view.structField
    assert (sub.boolField, sub.int8Field, sub.int64Field, sub.textField) == (True, -12, 56789012345678, "baz")
    assert sub.structField.textField == "nested" and sub.structField.structField.textField == "really nested"
    assert list(sub.boolList) == [False, True, False, True, True] and list(sub.int8List) == [12, -34, -128, 127]
    assert list(sub.uInt64List) == [123456789012345, 678901234567890, 0, 2**64 - 1]
    assert list(sub.float64List) == [0, 123456789012345, 1e306, -1e306, 1e-306, -1e-306]
    assert [each.textField for each in sub.structList] == [f"x structlist {n}" for n in (1, 2, 3)]
    assert [each.name for each in sub.enumList] == ["qux", "bar", "grault"]
    assert len(view.voidList) == 6 and list(view.boolList) == [True, False, False, True]
    assert list(view.int8List) == [111, -111] and list(view.int16List) == [11111, -11111]
    assert list(view.int32List) == [111111111, -111111111]
    assert list(view.int64List) == [1111111111111111111, -1111111111111111111]
    assert list(view.uInt8List) == [111, 222] and list(view.uInt16List) == [33333, 44444]
    assert list(view.uInt32List) == [3333333333] and list(view.uInt64List) == [11111111111111111111]
    for numbers, first in ((view.float32List, 5555.5), (view.float64List, 7777.75)):
        assert list(numbers)[:3] == [first, math.inf, -math.inf] and math.isnan(numbers[3])
    assert list(view.textList) == ["plugh", "xyzzy", "thud"]
    assert list(view.dataList) == [b"oops", b"exhausted", b"rfc3092"]
    assert [each.textField for each in view.structList] == ["structlist 1", "structlist 2", "structlist 3"]
    assert [each.name for each in view.enumList] == ["foo", "garply"]


@pytest.mark.parametrize("name", ["binary", "segmented"])
def test_enc01_the_golden_message(official: Any, testdata: Any, name: str) -> None:
    reader = official.TestAllTypes.from_bytes((testdata / name).read_bytes())
    builder = reader.as_builder()
    for view in (reader, builder, builder.as_reader(), official.TestAllTypes.from_bytes(builder.to_bytes())):
        check_init_value(view)


@pytest.mark.parametrize("size", [0, 1, 7, 100])
def test_enc02_the_golden_message_in_many_segments(official: Any, testdata: Any, size: int) -> None:
    reader = official.TestAllTypes.from_bytes((testdata / "binary").read_bytes())
    with fixed_segments(size):
        builder = MessageBuilder(size).set_root(reader)
        check_init_value(builder)
    check_init_value(official.TestAllTypes.from_bytes(builder.to_bytes()))
    assert builder == reader and len(segment_sizes(builder)) > 1


@pytest.mark.parametrize("root", [words(0), words(struct(-1, 0, 0)), words(struct(0, 1, 1), 0, 0)])
def test_enc03_enc06_all_defaults_are_read_where_nothing_is(official: Any, root: bytes) -> None:
    reader = official.TestDefaults.from_bytes(frame(root))
    check_init_value(reader)
    assert not any(reader.has(name) for name in ("textField", "structField", "structList", "float32List"))
    builder = reader.as_builder()
    check_init_value(builder)
    assert builder.to_segments()  # the getters of a builder have copied the defaults it can change
    check_init_value(official.TestDefaults.from_bytes(builder.to_bytes()))


def test_enc04_a_builders_getter_copies_a_default_that_can_be_changed(official: Any) -> None:
    root = MessageBuilder().init_root(official.TestDefaults)
    size = segment_sizes(root)
    assert root.as_reader().structField.textField == "baz" and segment_sizes(root) == size
    root.structField.textField = "changed"
    root.int8List[0] = 7
    root.structList[2].textField = "changed too"
    again = official.TestDefaults.from_bytes(root.to_bytes())
    assert again.structField.textField == "changed" and again.structField.int8Field == -12
    assert list(again.int8List) == [7, -111]
    assert [each.textField for each in again.structList] == ["structlist 1", "structlist 2", "changed too"]
    assert again.has("structField") and not again.has("textField") and again.textField == "foo"
    check_init_value(official.TestDefaults.new_message())  # nobody else sees the change


def test_enc12_defaults_of_unions(official: Any) -> None:
    for view in (official.TestUnionDefaults.from_bytes(frame(words(0))), official.TestUnionDefaults.new_message()):
        first, second = view.s16s8s64s8Set, view.s0sps1s32Set
        assert (first.union0.which(), first.union0.u0f0s16) == ("u0f0s16", 321)
        assert (first.union1.which(), first.union1.u1f0s8) == ("u1f0s8", 123)
        assert (first.union2.which(), first.union2.u2f0s64) == ("u2f0s64", 12345678901234567)
        assert (first.union3.which(), first.union3.u3f0s8) == ("u3f0s8", 55)
        assert (second.union0.which(), second.union1.u1f0sp) == ("u0f1s0", "foo")
        assert (second.union2.u2f0s1, second.union3.u3f0s32) == (True, 12345678)
        assert (view.unnamed1.which(), view.unnamed1.foo, view.unnamed1.has("before")) == ("foo", 123, False)
        assert (view.unnamed2.which(), view.unnamed2.bar) == ("bar", 321)
        assert (view.unnamed2.before, view.unnamed2.after) == ("foo", "bar")


def check_lists(lists: Any) -> None:
    assert len(lists.list0) == 2 and [each.f for each in lists.list0] == [None, None]
    assert [each.f for each in lists.list1] == [True, False, True, True]
    assert [each.f for each in lists.list8] == [123, 45]
    assert [each.f for each in lists.list16] == [12345, 6789]
    assert [each.f for each in lists.list32] == [123456789, 234567890]
    assert [each.f for each in lists.list64] == [1234567890123456, 2345678901234567]
    assert [each.f for each in lists.listP] == ["foo", "bar"]
    assert [list(row) for row in lists.int32ListList] == [[1, 2, 3], [4, 5], [12341234]]
    assert [list(row) for row in lists.textListList] == [["foo", "bar"], ["baz"], ["qux", "corge"]]
    assert [[each.int32Field for each in row] for row in lists.structListList] == [[123, 456], [789]]


def test_enc13_defaults_of_lists(official: Any) -> None:
    for view in (official.TestListDefaults.from_bytes(frame(words(0))), official.TestListDefaults.new_message()):
        check_lists(view.lists)
        check_lists(view.as_reader().lists)
        check_lists(official.TestListDefaults.from_bytes(view.as_builder().to_bytes()).lists)


def test_enc14_lists_built_by_hand_are_what_the_compiler_made(official: Any) -> None:
    built = official.TestLists.new_message(
        list0=[{}, {}],
        list1=[{"f": True}, {"f": False}, {"f": True}, {"f": True}],
        list8=[{"f": 123}, {"f": 45}],
        list16=[{"f": 12345}, {"f": 6789}],
        list32=[{"f": 123456789}, {"f": 234567890}],
        list64=[{"f": 1234567890123456}, {"f": 2345678901234567}],
        listP=[{"f": "foo"}, {"f": "bar"}],
        int32ListList=[[1, 2, 3], [4, 5], [12341234]],
        textListList=[["foo", "bar"], ["baz"], ["qux", "corge"]],
        structListList=[[{"int32Field": 123}, {"int32Field": 456}], [{"int32Field": 789}]],
    )
    check_lists(built)
    default = official.TestListDefaults.from_bytes(frame(words(0))).lists
    assert built == default
    assert built.total_size == default.total_size


def test_enc52_whole_numbers_as_float_defaults(official: Any) -> None:
    view = official.TestWholeFloatDefault.from_bytes(frame(words(0)))
    assert (view.field, view.bigField) == (123.0, pytest.approx(2e30))


def test_a_default_is_stored_as_zero(shapes: Any) -> None:
    node = shapes.New.new_message(new1=987)
    assert not any(b"".join(node.to_segments())[8:])
    node.new1 = 0
    assert node.new1 == 0 and shapes.New.from_bytes(node.to_bytes()).new1 == 0
