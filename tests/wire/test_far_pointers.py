"""Messages of several segments: far pointers, landing pads, and double-far pointers, read and built."""

from __future__ import annotations

from typing import Any

import pytest

from ccapnp import DecodeError, Kind, LimitError, List, MessageBuilder, MessageReader, canonicalize
from tests.wire.arenas import fixed_segments
from tests.wire.raw import capability, far, frame, lst, root_of, segment_sizes, struct, words

pytestmark = pytest.mark.usefixtures("backend")

FOO = b"foo\0"


def test_b3_a_far_pointer_leads_to_a_pad_next_to_its_object() -> None:
    assert root_of(words("0200000001000000"), words(lst(0, 2, 4), FOO)).as_text() == "foo"
    assert root_of(words(far(1, 1)), words(FOO, lst(-2, 2, 4))).as_text() == "foo"


def test_b3_a_pad_may_lie_in_the_segment_of_the_pointer() -> None:
    assert root_of(words(far(2, 0), FOO, lst(-2, 2, 4))).as_text() == "foo"


@pytest.mark.conformance("FUZ-06")
def test_a_double_far_pointer() -> None:
    double = words("0600000002000000"), words("666f6f0000000000"), words("0200000001000000", "0100000022000000")
    assert root_of(*double).as_text() == "foo"
    # The pad, the pointer and the object may all lie in one segment.
    assert root_of(words(far(1, 0, double=True), far(3, 0), lst(0, 2, 4), FOO)).as_text() == "foo"


@pytest.mark.parametrize("kind", ["far", "double"])
def test_b3_every_kind_of_object_behind_a_far_pointer(shapes: Any, kind: str) -> None:
    def message(pointer: int, *target: Any) -> Any:
        """``pointer`` as if it stood right in front of its target."""
        if kind == "far":
            return root_of(words(far(0, 1)), words(pointer, *target))
        return root_of(words(far(0, 1, double=True)), words(far(0, 2), pointer), words(*target))

    assert message(struct(0, 1, 0), 5).as_struct(shapes.Node).value == 5
    assert message(struct(-1, 0, 0)).as_struct(shapes.Node).value == 0
    assert message(lst(0, 2, 3), b"abc").as_data() == b"abc"
    assert list(message(lst(0, 3, 3), 0x000300020001).as_list(List(Kind.UINT16))) == [1, 2, 3]
    assert list(message(lst(0, 1, 3), 5).as_list(List(Kind.BOOL))) == [True, False, True]
    assert list(message(lst(0, 6, 2), 0, 0).as_list(List(Kind.TEXT))) == ["", ""]
    assert len(message(lst(0, 0, 9)).as_list(List(Kind.VOID))) == 9
    structs = message(lst(0, 7, 2), struct(2, 1, 0), 6, 7).as_list(List(shapes.Node))
    assert [each.value for each in structs] == [6, 7]
    assert [each.f for each in message(lst(0, 2, 2), b"\1\2").as_list(List(shapes.Int32))] == [0, 0]
    assert [each.f for each in message(lst(0, 4, 2), b"\1\0\0\0\2").as_list(List(shapes.Int32))] == [1, 2]
    assert message(lst(0, 4, 2), b"\1\0\0\0\2").kind == "list"
    assert message(capability(3)).kind == "capability"


def test_b3_a_far_pointer_to_a_null_pad_is_a_struct_without_sections(shapes: Any) -> None:
    root = root_of(words(far(0, 1)), words(0))
    assert root.kind == "struct" and root.as_struct(shapes.Node).value == 0
    for read in (root.as_text, lambda: root.as_list(List(Kind.UINT8))):
        with pytest.raises(DecodeError):
            read()


@pytest.mark.parametrize(
    ("segments", "mention"),
    [
        ((words(far(0, 1)),), "segment 1 of a message that has 1"),
        ((words(far(0, 2**32 - 1)),), "segment 4294967295"),
        ((words(far(1, 1)), words(0)), "landing pad"),
        ((words(far(2**29 - 1, 1)), words(0)), "landing pad"),
        ((words(far(0, 1)), b""), "landing pad"),
        ((words(far(0, 1, double=True)), words(far(0, 0))), "landing pad"),
        ((words(far(0, 1)), words(far(0, 0))), "another far pointer"),
        ((words(far(0, 0)),), "another far pointer"),
        ((words(far(0, 1, double=True)), words(lst(0, 2, 4), lst(0, 2, 4))), "has no far pointer"),
        ((words(far(0, 1, double=True)), words(0, lst(0, 2, 4))), "has no far pointer"),
        ((words(far(0, 1, double=True)), words(far(0, 5), lst(0, 2, 4))), "segment 5"),
        ((words(far(0, 1, double=True)), words(far(0, 0), far(0, 0))), "landing pad"),
        ((words(far(0, 1, double=True)), words(far(1, 1), lst(0, 2, 9))), "out of its segment"),
        ((words(far(0, 1, double=True)), words(far(9, 1), lst(0, 2, 1))), "out of its segment"),
        ((words(far(0, 1)), words(lst(0, 2, 1))), "out of its segment"),
        ((words(far(0, 1)), words(lst(-2, 2, 1))), "out of its segment"),
    ],
)
def test_b3_far_pointers_that_lead_nowhere_are_refused(segments: Any, mention: str) -> None:
    with pytest.raises(DecodeError, match=mention):
        root_of(*segments).as_text()
    with pytest.raises(DecodeError):
        root_of(*segments).as_list(List(Kind.TEXT))
    builder = MessageBuilder()
    with pytest.raises(DecodeError):
        builder.root.set(root_of(*segments))
    assert builder.to_segments() == [bytes(8)]


def test_b3_a_capability_behind_a_far_pointer_is_copied_as_a_capability(shapes: Any) -> None:
    """A far pointer must not be copied as it is: in the new message it would lead anywhere."""
    segments = words(struct(0, 0, 3), 0, 0, far(0, 1)), words(capability(7))
    builder = shapes.Caps.from_segments(segments).as_builder()
    assert builder.to_bytes() == frame(words(struct(0, 0, 3), 0, 0, capability(7)))
    builder.any.set("text")
    assert builder.as_reader().any.as_text() == "text"
    with pytest.raises(DecodeError, match="capability"):  # as in the C++ library, fields do not look through far ones
        shapes.Caps.from_segments((words(struct(0, 0, 1), far(0, 1)), words(capability(7)))).cap


def test_b3_limits_count_landing_pads(shapes: Any) -> None:
    single = words(far(0, 1)), words(lst(0, 2, 4), FOO)
    double = words(far(0, 1, double=True)), words(far(2, 1), lst(0, 2, 4), FOO)
    for segments, cost in ((single, 2 + 1 + 1), (double, 2 + 2 + 1)):
        assert root_of(*segments, traversal_limit_in_words=cost).as_text() == "foo"
        with pytest.raises(LimitError):
            root_of(*segments, traversal_limit_in_words=cost - 1).as_text()


def test_ser_segmented_golden_message_reads_as_the_other_one(official: Any, testdata: Any) -> None:
    one = official.TestAllTypes.from_bytes((testdata / "binary").read_bytes())
    many = official.TestAllTypes.from_bytes((testdata / "segmented").read_bytes())
    assert len(many.to_segments()) == 125
    assert one == many and hash(one) == hash(many)
    assert many.total_size == one.total_size
    assert official.TestAllTypes.from_bytes(many.as_builder().to_bytes()) == one


# ---- built


def reference_object(shapes: Any) -> Any:
    """The object of layout-test.c++, as nearly as `Node` can say it."""
    root = MessageBuilder(1).init_root(shapes.Node)
    root.value = 1
    root.init("next").value = 2
    root.matrix = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]]
    root.children = [{"value": number, "next": {"value": number + 10}} for number in range(4)]
    return root


def check_reference_object(node: Any) -> None:
    assert (node.value, node.next.value) == (1, 2)
    assert [list(row) for row in node.matrix] == [list(range(1, n + 1)) for n in range(1, 6)]
    assert [(child.value, child.next.value) for child in node.children] == [(n, n + 10) for n in range(4)]


@pytest.mark.conformance("LAY-06", "ENC-02")
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 21, 64, 1024])
def test_any_segment_size_reads_the_same(shapes: Any, size: int) -> None:
    with fixed_segments(size):
        built = reference_object(shapes)
        check_reference_object(built)
        built.as_builder()
    check_reference_object(built.as_reader())
    assert size > 21 or len(built.to_segments()) > 1
    reader = shapes.Node.from_bytes(built.to_bytes(), nesting_limit=4)
    check_reference_object(reader)
    assert reader == built and reader.as_builder() == built
    assert canonicalize(reader) == canonicalize(built)
    check_reference_object(shapes.Node.from_bytes_packed(built.to_bytes_packed()))


LAYOUT_SCHEMA = """
struct Top { a @0 :UInt64; b @1 :UInt64; sub @2 :Small; numbers @3 :List(UInt32); list @4 :List(Item);
  lists @5 :List(List(UInt16)); }
struct Small { a @0 :UInt32; }
struct Item { a @0 :UInt64; sub @1 :Small; }
"""


def build_layout(module: Any, segment_words: int) -> Any:
    """The object of layout-test.c++: two data words, four pointers."""
    builder = MessageBuilder(segment_words, allocator=lambda words: bytearray(8 * max(words, segment_words)))
    top = builder.init_root(module.Top)
    top.init("sub").a = 123
    top.numbers = [200, 201, 202]
    items = top.init("list", 4)
    for number, item in enumerate(items):
        item.a = 300 + number
        item.init("sub").a = 400 + number
    lists = top.init("lists", 5)
    for number in range(5):
        lists[number] = range(500, 501 + number)
    return top


@pytest.mark.conformance("LAY-04", "LAY-05", "LAY-06")
@pytest.mark.parametrize(
    ("size", "sizes"),
    [
        # LAY-04: 1 root + 6 + 1 + 2 + 13 + 11
        (1024, [34]),
        # LAY-05: every object in its own segment, behind a landing pad
        (0, [1, 7, 2, 3, 10, 2, 2, 2, 2, 6, 2, 2, 2, 2, 3]),
        # LAY-06
        (8, [8, 3, 10, 8, 8, 7]),
    ],
)
def test_sizes_of_segments(compile_schema: Any, size: int, sizes: list[int]) -> None:
    module = compile_schema(LAYOUT_SCHEMA)
    top = build_layout(module, size)
    assert segment_sizes(top) == sizes
    for view in (top, top.as_reader(), module.Top.from_bytes(top.to_bytes(), nesting_limit=4)):
        assert (view.sub.a, list(view.numbers)) == (123, [200, 201, 202])
        assert [(item.a, item.sub.a) for item in view.list] == [(300 + n, 400 + n) for n in range(4)]
        assert [list(row) for row in view.lists] == [list(range(500, 501 + n)) for n in range(5)]
    assert top.total_size.word_count == 33


@pytest.mark.conformance("LAY-07")
def test_an_object_goes_where_its_pointer_is_if_it_fits(shapes: Any) -> None:
    with fixed_segments(8):
        root = MessageBuilder(8).init_root(shapes.Text2)
        root.t = "x" * 39  # five words fill the first segment
        root.u = "y"
    assert segment_sizes(root) == [8, 2]
    first = root.to_segments()[0]
    assert first[16:24] == words(far(0, 1)) and root.to_segments()[1] == words(lst(0, 2, 2), b"y")


@pytest.mark.conformance("LAY-07")
def test_what_is_cleared_in_another_segment_becomes_zero_with_its_pad(shapes: Any) -> None:
    with fixed_segments(0):
        root = MessageBuilder(0).init_root(shapes.Node)
        root.name = "secret"
        root.children = [{"name": "secret too", "next": {"blob": b"secret"}}] * 3
        root.any.set("another")
        root.name = root.children = None
        root.any.set(None)
    assert not any(b"".join(root.to_segments()[2:]))
    assert segment_sizes(root)[0] == 1


def test_ser_a_message_of_600_segments(shapes: Any) -> None:
    with fixed_segments(0):
        root = MessageBuilder(0).init_root(shapes.Node)
        for child in root.init("children", 600):
            child.name = "x"
    assert len(root.to_segments()) == 603
    reader = shapes.Node.from_bytes(root.to_bytes())
    assert {child.name for child in reader.children} == {"x"}
    assert MessageReader(root.to_bytes()).get_root(shapes.Node) == root
    assert len(reader.as_builder().to_segments()) == 1
