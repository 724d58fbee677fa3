"""Defaults of fields, and what is read where nothing was written."""

from __future__ import annotations

from typing import Any

import pytest

import ccapnp
from ccapnp import MessageBuilder
from tests.conformance.all_types import FIELDS, LISTS, assert_defaults, assert_holds
from tests.wire.arenas import fixed_segments
from tests.wire.raw import frame, segment_sizes, struct, words

NULL_ROOT = words(0)
ROOTS = {
    "a null pointer": NULL_ROOT,
    "a struct without sections": words(struct(-1, 0, 0)),
    "a struct with sections of zeros": words(struct(0, 1, 1), 0, 0),
}

nothing_written = pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS)
first_segments = pytest.mark.parametrize("first_segment_words", [1024, 1], ids=["one segment", "many segments"])


@pytest.mark.conformance("ENC-03", "ENC-06")
@nothing_written
def test_all_defaults_are_read_where_nothing_is(all_types: Any, root: bytes) -> None:
    reader = all_types.TestDefaults.from_segments([root])
    assert_defaults(reader, FIELDS)
    assert not any(reader.has(name) for name in FIELDS if reader._type.schema.fields[name].type.kind.is_pointer)
    builder = reader.as_builder()
    assert_defaults(builder, FIELDS)
    assert_defaults(all_types.TestDefaults.from_bytes(builder.to_bytes()), FIELDS)


@pytest.mark.conformance("ENC-06")
@nothing_written
def test_all_is_zero_where_nothing_is_and_there_is_no_default(all_types: Any, root: bytes) -> None:
    for view in (all_types.TestAllTypes.from_segments([root]), all_types.TestAllTypes.from_bytes(frame(root))):
        assert_holds(view, {})
        assert (view.boolField, view.uInt64Field, view.float32Field, view.textField) == (False, 0, 0.0, "")
        assert (view.enumField.name, view.structField.int8Field, len(view.structList)) == ("foo", 0, 0)


@pytest.mark.conformance("ENC-04", "ENC-05")
@first_segments
def test_a_builder_makes_defaults_its_own(all_types: Any, first_segment_words: int) -> None:
    builder = all_types.TestDefaults.new_message(num_first_segment_words=first_segment_words)
    reader = builder.as_reader()
    assert_defaults(reader, FIELDS)
    assert not any(ccapnp.has(builder, name) for name in FIELDS if "List" in name or name == "structField")
    assert_defaults(builder, FIELDS)
    assert_defaults(builder, FIELDS)
    assert ccapnp.has(builder, "structField") and ccapnp.has(builder, "int8List")
    builder.int8List[0] = 5
    builder.structField.textList[1] = "changed"
    builder.structList[2].textField = "changed too"
    builder.int32Field = 0
    for view in (reader, all_types.TestDefaults.from_bytes(builder.to_bytes())):
        assert list(view.int8List) == [5, -111]
        assert list(view.structField.textList) == ["quux", "changed", "grault"]
        assert [each.textField for each in view.structList] == ["structlist 1", "structlist 2", "changed too"]
        assert view.int32Field == 0 and view.structField.int8Field == -12
    assert_defaults(all_types.TestDefaults.from_segments([NULL_ROOT]), FIELDS)  # nobody else sees the change


@pytest.mark.conformance("ENC-05")
def test_defaults_are_copied_object_by_object_where_segments_are_small(all_types: Any) -> None:
    with fixed_segments(0):
        root = MessageBuilder(0).init_root(all_types.TestDefaults)
        assert root.structField.structField.textField == "nested"
        root.structList[1].textField = "changed"
    reader = all_types.TestDefaults.from_bytes(root.to_bytes())
    assert [each.textField for each in reader.structList] == ["structlist 1", "changed", "structlist 3"]
    assert reader.structField.structField.textField == "nested"
    assert len(root.to_segments()) > 5


@pytest.mark.conformance("ENC-04")
def test_a_reader_of_defaults_writes_nothing(all_types: Any) -> None:
    builder = all_types.TestDefaults.new_message()
    before = builder.to_bytes()
    assert_defaults(builder.as_reader(), FIELDS)
    assert builder.to_bytes() == before


@pytest.mark.conformance("ENC-12")
def test_defaults_of_unions(all_types: Any) -> None:
    for view in (all_types.TestUnionDefaults.from_bytes(frame(NULL_ROOT)), all_types.TestUnionDefaults.new_message()):
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


@pytest.mark.conformance("ENC-13")
@nothing_written
def test_defaults_of_lists(all_types: Any, root: bytes) -> None:
    reader = all_types.TestListDefaults.from_segments([root])
    assert_holds(reader.lists, LISTS)
    assert not reader.has("lists")
    assert_holds(all_types.TestListDefaults.from_bytes(reader.as_builder().to_bytes()).lists, LISTS)


@pytest.mark.conformance("ENC-13")
@first_segments
def test_a_builder_makes_list_defaults_its_own(all_types: Any, first_segment_words: int) -> None:
    builder = all_types.TestListDefaults.new_message(num_first_segment_words=first_segment_words)
    assert_holds(builder.as_reader().lists, LISTS)
    assert not ccapnp.has(builder, "lists")
    assert_holds(builder.lists, LISTS)
    builder.lists.list8[1].f = 7
    builder.lists.int32ListList[1][0] = 44
    assert [each.f for each in builder.as_reader().lists.list8] == [123, 7]
    assert [list(each) for each in builder.as_reader().lists.int32ListList] == [[1, 2, 3], [44, 5], [12341234]]
    assert_holds(all_types.TestListDefaults.from_segments([NULL_ROOT]).lists, LISTS)


@pytest.mark.conformance("ENC-14")
def test_lists_built_by_hand_are_what_the_compiler_made(all_types: Any) -> None:
    built = all_types.TestLists.new_message(**LISTS)
    assert_holds(built, LISTS)
    default = all_types.TestListDefaults.from_segments([NULL_ROOT]).lists
    assert built == default
    assert built.total_size == default.total_size
    assert ccapnp.canonicalize(built) == ccapnp.canonicalize(default)
    copied = all_types.TestListDefaults.new_message(lists=built)
    defaulted = all_types.TestListDefaults.new_message()
    assert defaulted.lists.list8[0].f == 123  # a look at it copies the default, with the places it has in the schema
    assert copied.to_bytes() == defaulted.to_bytes()


@pytest.mark.conformance("ENC-52")
def test_enc52_whole_numbers_as_float_defaults(official: Any) -> None:
    view = official.TestWholeFloatDefault.from_bytes(frame(words(0)))
    assert (view.field, view.bigField) == (123.0, pytest.approx(2e30))


def test_a_default_is_stored_as_zero(shapes: Any) -> None:
    node = shapes.New.new_message(new1=987)
    assert not any(b"".join(node.to_segments())[8:])
    node.new1 = 0
    assert node.new1 == 0 and shapes.New.from_bytes(node.to_bytes()).new1 == 0
    assert segment_sizes(node) == [1 + node.total_size.word_count]
