"""Structs written under an older schema and built upon under a newer one (FIX-4), and the reverse."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from ccapnp import List, MessageBuilder
from tests.wire.arenas import fixed_segments
from tests.wire.raw import frame, segment_sizes, struct, words

SCHEMA = """
struct TestOldVersion { old1 @0 :Int64; old2 @1 :Text; old3 @2 :TestOldVersion; }
struct TestNewVersion {
  old1 @0 :Int64; old2 @1 :Text; old3 @2 :TestNewVersion;
  new1 @3 :Int64 = 987; new2 @4 :Text = "baz";
}
struct TestOldUnionVersion { union { a @0 :Void; b @1 :UInt64; } }
struct TestNewUnionVersion { union { a :union { a0 @0 :Void; a1 @2 :UInt64; } b @1 :UInt64; } }
"""


@pytest.fixture(scope="session")
def versions(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module for the schema above."""
    return compile_schema(SCHEMA)


def old_message(versions: Any, first_segment_words: int) -> Any:
    """An old version with a text, and in it another one (encoding-test.c++, UpgradeStructInBuilder)."""
    builder = MessageBuilder(first_segment_words)
    old = builder.root.init_struct(versions.TestOldVersion)
    old.old1 = 123
    old.old2 = "foo"
    inner = old.init("old3")
    inner.old1 = 456
    inner.old2 = "bar"
    return builder


@pytest.mark.conformance("ENC-22", "FIX-4")
def test_getting_a_struct_as_a_newer_one_moves_it(versions: Any) -> None:
    builder = old_message(versions, 1024)
    size = segment_sizes(builder)
    old_reader = builder.root.as_struct(versions.TestOldVersion).as_reader()
    new = builder.root.as_struct(versions.TestNewVersion)
    # The old place is zero now, as whoever still looks at it sees.
    assert (old_reader.old1, old_reader.old2, old_reader.old3.old1) == (0, "", 0)
    assert sum(segment_sizes(builder)) > sum(size)
    assert (new.old1, new.old2, new.new1, new.new2) == (123, "foo", 987, "baz")
    inner = new.old3
    assert (inner.old1, inner.old2, inner.new1, inner.new2) == (456, "bar", 987, "baz")
    new.new1, new.new2, inner.new1, inner.new2 = 654, "qux", 321, "quux"
    size = segment_sizes(builder)
    again = builder.root.as_struct(versions.TestOldVersion)
    assert (again.old1, again.old2, again.old3.old1, again.old3.old2) == (123, "foo", 456, "bar")
    again.old1, again.old3.old1 = 1, 2
    newest = builder.root.as_struct(versions.TestNewVersion)
    assert (newest.old1, newest.new1, newest.new2) == (1, 654, "qux")
    assert (newest.old3.old1, newest.old3.new1, newest.old3.new2) == (2, 321, "quux")
    assert segment_sizes(builder) == size  # nothing had to move


@pytest.mark.conformance("ENC-22")
def test_sizes_in_one_segment(versions: Any) -> None:
    builder = old_message(versions, 1024)
    assert segment_sizes(builder) == [1 + 3 + 1 + 3 + 1]
    new = builder.root.as_struct(versions.TestNewVersion)
    assert segment_sizes(builder) == [9 + 5]
    new.old3.old1
    assert segment_sizes(builder) == [14 + 5]
    for node in (new, new.old3):
        assert node.new2 == "baz"  # a text's default is not copied: a str cannot be changed
        node.new2 = "qux"
        node.old2 = "corge"
    assert segment_sizes(builder) == [19 + 4]


@pytest.mark.conformance("ENC-24")
def test_sizes_with_one_object_per_segment(versions: Any) -> None:
    with fixed_segments(0):
        builder = old_message(versions, 0)
        assert segment_sizes(builder) == [1, 4, 2, 4, 2]
        new = builder.root.as_struct(versions.TestNewVersion)
        assert segment_sizes(builder)[5:] == [1 + 5]  # its pointers are far ones, which may stand anywhere
        assert (new.old3.old1, new.old3.new1) == (456, 987)
        assert segment_sizes(builder)[5:] == [6, 6]
        new.old2, new.new2, new.old3.old2, new.old3.new2 = "foo2", "qux", "bar", "quux"
        assert segment_sizes(builder)[7:] == [2, 2, 2, 2]
        assert builder.root.as_struct(versions.TestNewVersion).old3.old2 == "bar"
        assert len(segment_sizes(builder)) == 11
    reader = versions.TestNewVersion.from_bytes(builder.to_bytes())
    assert (reader.old1, reader.old2, reader.old3.old1, reader.old3.old2) == (123, "foo2", 456, "bar")
    assert not any(builder.to_segments()[1][8:])


@pytest.mark.conformance("ENC-25")
def test_the_landing_pad_goes_into_the_last_word(versions: Any) -> None:
    with fixed_segments(7):
        builder = MessageBuilder(7)
        old = builder.root.init_struct(versions.TestOldVersion)
        old.old1 = 123
        old.old2 = "fifteen letters"
        assert segment_sizes(builder) == [6]
        new = builder.root.as_struct(versions.TestNewVersion)
        # Moved into a second segment, behind a pad; the text stays, with a pad next to it.
        assert segment_sizes(builder) == [7, 6]
        assert (new.old1, new.old2, new.new1, new.new2) == (123, "fifteen letters", 987, "baz")


@pytest.mark.conformance("ENC-26")
def test_a_full_segment_needs_a_double_far_pointer(versions: Any) -> None:
    with fixed_segments(6):
        builder = MessageBuilder(6)
        old = builder.root.init_struct(versions.TestOldVersion)
        old.old1 = 123
        old.old2 = "fifteen letters"
        assert segment_sizes(builder) == [6]
        new = builder.root.as_struct(versions.TestNewVersion)
        assert segment_sizes(builder) == [6, 6, 2]
        assert (new.old1, new.old2, new.new1, new.new2) == (123, "fifteen letters", 987, "baz")
        assert versions.TestNewVersion.from_bytes(builder.to_bytes()) == new
        new.old2 = None  # clears the text and both pads
    assert not any(builder.to_segments()[2]) and not any(builder.to_segments()[0][8:])


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16])
@pytest.mark.conformance("ENC-22")
def test_lists_and_trees_upgrade_in_any_segments(shapes: Any, size: int) -> None:
    with fixed_segments(size):
        builder = MessageBuilder(size)
        old = builder.init_root(shapes.Old)
        node = old
        for depth in range(5):
            node.old1, node.old2 = depth, f"text {depth}"
            node = node.init("old3")
        new = builder.get_root(shapes.New)
        node = new
        for depth in range(5):
            assert (node.old1, node.old2, node.new1, node.new2) == (depth, f"text {depth}", 987, "baz")
            node.new3 = [{"old1": depth}]
            node.new2 = "new"
            node = node.old3
    node = shapes.New.from_bytes(builder.to_bytes())
    for depth in range(5):
        assert (node.old1, node.old2, node.new2, node.new3[0].old1) == (depth, f"text {depth}", "new", depth)
        node = node.old3


@pytest.mark.conformance("ENC-23")
def test_what_an_older_schema_does_not_know_is_kept(shapes: Any) -> None:
    new = shapes.New.new_message(old1=1, old2="two", new1=3, new2="four", new3=[{"new1": 5}])
    as_old = shapes.Old.from_bytes(new.to_bytes())
    kept = as_old.as_builder()
    kept.old1 = 10
    again = shapes.New.from_bytes(kept.to_bytes())
    assert (again.old1, again.old2, again.new1, again.new2, again.new3[0].new1) == (10, "two", 3, "four", 5)
    holder = shapes.Old.new_message(old3=as_old)
    assert shapes.New.from_bytes(holder.to_bytes()).old3.new2 == "four"


@pytest.mark.conformance("ENC-23")
def test_a_newer_schema_reads_older_messages(shapes: Any) -> None:
    old = shapes.Old.new_message(old1=1, old2="two", old3={"old1": 3})
    new = shapes.New.from_bytes(old.to_bytes())
    assert (new.old1, new.old2, new.old3.old1, new.new1, new.new2) == (1, "two", 3, 987, "baz")
    assert list(new.new3) == [] and not new.has("new2") and not new.has("new3")
    assert new == shapes.New.new_message(old1=1, old2="two", old3={"old1": 3})


def test_b3_copying_over_a_struct_of_another_size_cuts_and_fills(shapes: Any) -> None:
    """A list's elements have one size: what is too much of a new value is lost, what is missing becomes zero."""
    items = MessageBuilder().root.init_list(List[shapes.Old], 2)
    newer = shapes.New.new_message(old1=1, old2="two", new1=3, new2="four")
    items[0] = shapes.Old.from_bytes(newer.to_bytes())
    assert (items[0].old1, items[0].old2) == (1, "two")
    items[0] = shapes.Old.from_bytes(frame(words(struct(-1, 0, 0))))
    assert (items[0].old1, items[0].old2) == (0, "")


@pytest.mark.conformance("ENC-32")
def test_a_field_that_moved_into_a_union(versions: Any) -> None:
    old = versions.TestOldUnionVersion.new_message(b=123)
    new = versions.TestNewUnionVersion.from_bytes(old.to_bytes())
    assert new.which() == "b" and new.b == 123
    old = versions.TestOldUnionVersion.new_message(a=None)
    new = versions.TestNewUnionVersion.from_bytes(old.to_bytes())
    assert new.which() == "a" and new.a.which() == "a0"
