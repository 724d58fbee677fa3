"""The standard value through everything that encodes it, and lists at the edges of what a message can hold."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from ccapnp import LimitError, MessageBuilder, MessageReader
from tests.conformance.all_types import ALL_TYPES, LISTS, WAYS_TO_BUILD, assert_holds, fill_one_by_one
from tests.wire.arenas import fixed_segments
from tests.wire.raw import segment_sizes


@pytest.mark.conformance("ENC-01")
@pytest.mark.parametrize("build", WAYS_TO_BUILD, ids=lambda build: build.__name__)
def test_what_is_built_survives_every_encoding(all_types: ModuleType, build: Any) -> None:
    kind = all_types.TestAllTypes
    builder = build(all_types)
    assert_holds(kind.from_bytes(builder.to_bytes()), ALL_TYPES)
    assert_holds(kind.from_bytes_packed(builder.to_bytes_packed()), ALL_TYPES)
    assert_holds(kind.from_segments(builder.to_segments()), ALL_TYPES)
    assert_holds(builder.copy(), ALL_TYPES)
    assert_holds(MessageBuilder().set_root(builder.as_reader()), ALL_TYPES)
    assert_holds(MessageReader(builder.to_bytes()).get_root(kind), ALL_TYPES)


@pytest.mark.conformance("ENC-02")
@pytest.mark.parametrize("size", [0, 1, 7, 100])
def test_what_is_built_in_small_segments_is_the_same(all_types: ModuleType, size: int) -> None:
    kind = all_types.TestAllTypes
    with fixed_segments(size):
        builder = kind.new_message(num_first_segment_words=size)
        fill_one_by_one(builder, ALL_TYPES)
        copy = MessageBuilder(size).set_root(builder.as_reader())
        for view in (builder, copy):
            assert_holds(view, ALL_TYPES)
            assert_holds(view.as_reader(), ALL_TYPES)
            assert_holds(kind.from_bytes(view.to_bytes()), ALL_TYPES)
    assert len(segment_sizes(copy)) > 1
    if size == 0:  # each object has a segment of its own, behind a landing pad; the root pointer has none
        sizes = segment_sizes(builder)
        assert sizes[:2] == [1, 1 + 26] and len(sizes) > 50
        assert sum(sizes) == builder.total_size.word_count + len(sizes)


@pytest.mark.conformance("ENC-37")
def test_lists_of_lists_are_set_one_by_one(all_types: ModuleType) -> None:
    source = all_types.TestLists.new_message(**LISTS)
    copy = all_types.TestLists.new_message()
    for name in ("int32ListList", "textListList", "structListList"):
        rows = copy.init(name, len(LISTS[name]))
        for index, row in enumerate(getattr(source.as_reader(), name)):
            rows[index] = row
        assert getattr(copy, name) == getattr(source, name)
    source.int32ListList[0][0] = 99
    source.structListList[0][0].int32Field = 99
    assert copy.int32ListList[0][0] == 1 and copy.structListList[0][0].int32Field == 123


@pytest.mark.conformance("ENC-39")
@pytest.mark.parametrize("size", [0, 7, 1024])
def test_a_new_root_zeroes_the_old_one_in_all_segments(all_types: ModuleType, size: int) -> None:
    with fixed_segments(size):
        message = MessageBuilder(size)
        old = message.set_root(all_types.TestAllTypes.new_message(**ALL_TYPES)).as_reader()
        nested, items = old.structField, old.structList
        used = sum(segment_sizes(message))
        message.init_root(all_types.TestAllTypes)
    assert sum(segment_sizes(message)) > used
    rest = b"".join(message.to_segments())
    for word in ("structlist", "really nested", "exhausted", "plugh"):
        assert word.encode()[:8] not in rest
    assert (old.int32Field, old.textField, nested.textField, items[2].textField) == (0, "", "", "")


@pytest.mark.conformance("ENC-40")
def test_a_pointer_is_there_from_when_it_is_set_until_it_is_cleared(all_types: ModuleType) -> None:
    builder = all_types.TestAllTypes.new_message()
    values = {name: value for name, value in ALL_TYPES.items() if isinstance(value, (str, bytes, dict, list))}
    del values["enumField"]
    for name, value in values.items():
        reader = builder.as_reader()
        assert not builder.has(name) and not reader.has(name)
        setattr(builder, name, value)
        assert builder.has(name) and reader.has(name)
        assert all_types.TestAllTypes.from_bytes(builder.to_bytes()).has(name)
        setattr(builder, name, None)
        assert not builder.has(name) and not reader.has(name)


def test_a_list_of_many_numbers(all_types: ModuleType) -> None:
    count = 1 << 24
    builder = all_types.TestAllTypes.new_message()
    numbers = builder.init("uInt64List", count)
    places = (0, 1, count // 2, count - 1)
    for index in places:
        numbers[index] = index + (1 << 63)
    segments = builder.to_segments()
    reader = all_types.TestAllTypes.from_segments(segments, traversal_limit_in_words=None)
    assert [reader.uInt64List[index] for index in places] == [index + (1 << 63) for index in places]
    assert len(reader.uInt64List) == count and reader.uInt64List[2] == 0
    with pytest.raises(LimitError):
        all_types.TestAllTypes.from_segments(segments).uInt64List
