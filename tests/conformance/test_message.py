"""Messages as a whole: where their memory comes from, how it grows, and what they take."""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import CapnpError, DecodeError, EncodeError, Kind, LimitError, List, MessageBuilder, MessageReader
from tests.parity.messages import damaged
from tests.types.schema import LIST_VALUES, SCHEMA
from tests.wire.raw import far, lst, segment_sizes, struct, words

NODE = {"name": "n" * 30, "value": 7, "child": {"name": "c"}, "children": [{"name": "x"}, {"data": b"123"}]}


@pytest.fixture(scope="session")
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


class Allocator:
    """Gives ``least`` words or what is needed if that is more, and notes what it was asked for."""

    def __init__(self, least: int = 0, make: Callable[[bytearray], Any] = lambda memory: memory) -> None:
        self.least = least
        self.make = make
        self.asked: list[int] = []
        self.given: list[bytearray] = []

    def __call__(self, least_words: int) -> Any:
        self.asked.append(least_words)
        self.given.append(bytearray(max(least_words, self.least) << 3))
        return self.make(self.given[-1])


# ---- memory that is given


@pytest.mark.conformance("MSG-01")
def test_a_first_segment_that_is_given_is_filled_first(schema: Any) -> None:
    memory = bytearray(16 << 3)
    builder = MessageBuilder(first_segment=memory)
    root = builder.init_root(schema.Node)
    root.name = "in here"
    assert b"in here" in memory and segment_sizes(builder) == [len(builder.to_segments()[0]) >> 3]
    root.child = NODE
    root.children = [NODE] * 3
    assert len(builder.to_segments()) > 1 and len(builder.to_segments()[0]) <= len(memory)
    assert memory[: len(builder.to_segments()[0])] == builder.to_segments()[0]
    expected = schema.Node.new_message(name="in here", child=NODE, children=[NODE] * 3)
    assert root == expected == schema.Node.from_bytes(builder.to_bytes())


@pytest.mark.conformance("MSG-01")
def test_segments_of_a_fixed_size(schema: Any) -> None:
    allocator = Allocator(16)
    builder = MessageBuilder(16, allocator=allocator)
    texts = builder.init_root(schema.Lists).init("texts", 10)
    for index in range(10):
        texts[index] = "eighteen bytes ..."
    sizes = [len(memory) >> 3 for memory in allocator.given]
    assert len(sizes) > 3 and sizes == [16, struct_words(schema.Lists) + 1, *[16] * (len(sizes) - 2)]
    assert list(MessageReader(builder.to_bytes()).get_root(schema.Lists).texts) == ["eighteen bytes ..."] * 10


@pytest.mark.conformance("MSG-01", "MSG-09")
@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("at", [0, 8, 63, 100_007])
def test_memory_that_is_not_zero_is_refused(at: int) -> None:
    memory = bytearray(200_000)
    memory[at] = 1
    with pytest.raises(EncodeError, match="segment 0 that is to be filled is not all zero"):
        MessageBuilder(first_segment=memory)
    with pytest.raises(EncodeError, match="not all zero"):
        MessageBuilder(allocator=lambda words: memory)


@pytest.mark.usefixtures("backend")
def test_an_allocator_can_be_called() -> None:
    for wrong in (5, "bytearray", bytearray(64)):
        with pytest.raises(TypeError, match="an allocator is called with a number of words, and an? .* cannot be"):
            MessageBuilder(allocator=wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="an allocator is called with a number of words"):
            MessageBuilder.from_segments([bytearray(8)], allocator=wrong)  # type: ignore[arg-type]


@pytest.mark.conformance("MSG-01")
@pytest.mark.usefixtures("backend")
def test_memory_that_cannot_be_written_to_is_refused() -> None:
    for memory in (bytes(64), memoryview(bytearray(64)).toreadonly(), memoryview(bytearray(64))[::2]):
        for attempt in (
            lambda memory=memory: MessageBuilder(first_segment=memory),
            lambda memory=memory: MessageBuilder(allocator=lambda words: memory),
            lambda memory=memory: MessageBuilder.from_segments([memory]),
        ):
            with pytest.raises(TypeError, match="to be written to is"):
                attempt()
    for memory in (bytearray(), bytearray(7)):
        with pytest.raises(EncodeError, match="no room for the root pointer"):
            MessageBuilder(first_segment=memory)
    for nothing in (5, "text", [0]):
        with pytest.raises(TypeError):
            MessageBuilder(first_segment=nothing)


@pytest.mark.conformance("MSG-09", "PYC-22")
@pytest.mark.parametrize(
    "make",
    [
        lambda memory: memory,
        memoryview,
        lambda memory: array("Q", bytes(memory)),
        lambda memory: mmap.mmap(-1, len(memory)),
        lambda memory: memoryview(bytearray(len(memory) + 13))[5:],
        lambda memory: bytearray(len(memory) * 3),
    ],
    ids=["bytearray", "memoryview", "array", "mmap", "odd address", "more"],
)
def test_an_allocator_is_asked_for_every_segment(schema: Any, make: Callable[[bytearray], Any]) -> None:
    allocator = Allocator(make=make)
    builder = MessageBuilder(allocator=allocator)
    assert allocator.asked == [1024]
    root = builder.init_root(schema.Lists)
    root.uint64s = range(5000)
    assert allocator.asked == [1024] if len(builder.to_segments()) == 1 else [1024, 5001]
    root.texts = LIST_VALUES["texts"]
    root.structs = [{"key": "k" * 9000, "value": index} for index in range(3)]
    assert all(asked > 0 for asked in allocator.asked) and len(allocator.asked) == len(builder.to_segments())
    reader = schema.Lists.from_bytes(builder.to_bytes())
    assert list(reader.uint64s) == list(range(5000)) and reader == root
    assert [each.key for each in root.structs] == ["k" * 9000] * 3


@pytest.mark.conformance("MSG-09", "PYC-22")
def test_an_allocator_for_each_object_and_for_whole_trees(schema: Any) -> None:
    allocator = Allocator()
    builder = MessageBuilder(1, allocator=allocator)
    root = builder.init_root(schema.Node)
    root.child = NODE
    root.children = [NODE, NODE]
    root.any = schema.Lists.new_message(**LIST_VALUES)
    copied = MessageBuilder(1, allocator=Allocator())
    copied.set_root(root)
    assert allocator.asked[:2] == [1, struct_words(schema.Node) + 1]
    assert segment_sizes(builder) == [len(memory) >> 3 for memory in allocator.given]
    assert copied.get_root(schema.Node) == root == schema.Node.from_bytes(builder.to_bytes())
    assert root.child.children[1].data == b"123"


def struct_words(struct_type: Any) -> int:
    return int(struct_type._node.data_words + struct_type._node.pointer_count)


@pytest.mark.conformance("MSG-09")
def test_an_allocator_that_fails_changes_nothing(schema: Any) -> None:
    answers: list[Any] = [bytearray(24 << 3)]

    def allocator(words: int) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    builder = MessageBuilder(allocator=allocator)
    root = builder.init_root(schema.Node)
    root.name = "as it was"
    before = builder.to_bytes()
    dirty = bytearray(1 << 16)
    dirty[-1] = 1
    for answer, error in (
        (bytearray(8), EncodeError),
        (bytearray(), EncodeError),
        (dirty, EncodeError),
        (None, TypeError),
        (MemoryError("no more"), MemoryError),
    ):
        for change in (
            lambda: setattr(root, "data", bytes(3000)),
            lambda: setattr(root, "child", {"name": "x" * 3000}),
            lambda: setattr(root, "children", [NODE] * 30),
            lambda: root.init("numbers", 3000),
        ):
            answers.append(answer)
            with pytest.raises(error):
                change()
            assert builder.to_bytes() == before and not answers
    answers.append(bytearray(4000))
    root.data = bytes(3000)
    assert len(root.data) == 3000 and root.name == "as it was"


# ---- existing segments


@pytest.mark.conformance("MSG-02")
@pytest.mark.parametrize("first_words", [1, 12, 1024])
def test_a_message_goes_on_being_built_where_it_is(schema: Any, first_words: int) -> None:
    built = schema.Node.new_message(num_first_segment_words=first_words, **NODE)
    segments = [bytearray(each) for each in built.to_segments()]
    builder = MessageBuilder.from_segments(segments)
    root = builder.get_root(schema.Node)
    assert root == built and segment_sizes(builder) == segment_sizes(built)
    root.value = 99
    assert MessageReader.from_segments(segments).get_root(schema.Node).value == 99
    root.child.children = [NODE] * 5
    assert len(builder.to_segments()) > len(segments)
    assert [bytes(each) for each in builder.to_segments()[: len(segments)]] == [bytes(each) for each in segments]
    assert schema.Node.from_bytes(builder.to_bytes()) == root


@pytest.mark.conformance("MSG-03")
def test_spare_words_of_an_existing_segment_are_filled_first(schema: Any) -> None:
    used = words(struct(0, 1, 1), 5, lst(0, 2, 3), b"ab")
    segment = bytearray(used + bytes(24))
    builder = MessageBuilder.from_segments([segment], [4])
    builder.get_root(schema.Pair).key = "12345678"  # a struct of the same sizes
    assert segment == words(struct(0, 1, 1), 5, lst(1, 2, 9), 0, b"12345678", 0, 0)
    builder.get_root(schema.Pair).key = "no room for it"
    assert segment_sizes(builder) == [6, 3] and len(segment) == len(used) + 24
    empty = MessageBuilder.from_segments([bytearray(64)], [0])
    empty.init_root(schema.Pair).value = 3
    assert segment_sizes(empty) == [3]


@pytest.mark.conformance("MSG-02")
def test_new_segments_come_from_the_allocator(schema: Any) -> None:
    allocator = Allocator()
    builder = MessageBuilder.from_segments(
        [bytearray(each) for each in schema.Node.new_message(**NODE).to_segments()], allocator=allocator
    )
    builder.get_root(schema.Node).data = bytes(800)
    assert allocator.asked == [101]


@pytest.mark.conformance("MSG-02")
@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    ("segments", "error"),
    [
        ([], "at least one segment"),
        ([words(struct(0, 2, 0), 1)], "leads out of its segment"),
        ([words(struct(0, 0, 2), struct(1, 1, 0), struct(0, 1, 0), 5)], "two pointers lead to the same words"),
        ([words(struct(0, 0, 1), struct(-1, 0, 1))], "two pointers lead to the same words"),
        ([words(struct(-1, 1, 0))], "two pointers lead to the same words"),
        ([words(far(0, 1)), words(struct(-1, 1, 0))], "two pointers lead to the same words"),
        ([words(far(0, 2))], "a far pointer names segment 2"),
        ([words(struct(0, 0, 1), 7)], "of an unknown kind"),
        ([words(lst(0, 7, 1), struct(2, 1, 0), 5)], "claims 2 structs of 1 words in 1 words"),
    ],
    ids=range(9),
)
def test_existing_segments_are_a_sound_message_without_shared_objects(segments: list[bytes], error: str) -> None:
    with pytest.raises((DecodeError, EncodeError), match=error):
        MessageBuilder.from_segments([bytearray(each) for each in segments])


@pytest.mark.conformance("MSG-03")
@pytest.mark.usefixtures("backend")
def test_used_words_must_fit_their_segments() -> None:
    for used in ([5], [-1], [1, 1], []):
        with pytest.raises(EncodeError):
            MessageBuilder.from_segments([bytearray(32)], used)
    with pytest.raises(TypeError, match="used_words must be an integer, not str"):
        MessageBuilder.from_segments([bytearray(32)], ["1"])  # type: ignore[list-item]
    with pytest.raises(EncodeError, match="not all zero"):
        MessageBuilder.from_segments([bytearray(words(0, 0, 1, 0))], [2])


@pytest.mark.fuzz
@pytest.mark.conformance("MSG-02")
@given(st.integers(0, 2**32).map(Random), st.sampled_from([1, 12, 1024]))
def test_whatever_is_wrong_with_existing_segments_the_builder_is_sound(schema: Any, rng: Random, size: int) -> None:
    built = schema.Node.new_message(num_first_segment_words=size, **NODE)
    built.any = schema.Lists.new_message(texts=["a", "b"], structs=[{"key": "k"}], lists=[[1], [2, 3]])
    segments = [bytearray(each) for each in damaged(rng, [bytes(each) for each in built.to_segments()])]
    try:
        builder = MessageBuilder.from_segments(segments)
    except CapnpError:
        return
    for change in (
        lambda root: setattr(root, "name", "name"),
        lambda root: setattr(root.children[0], "name", None),
        lambda root: setattr(root, "child", None),
        lambda root: setattr(root, "children", [NODE] * 2),
        lambda root: setattr(root, "any", NODE["name"]),
    ):
        try:
            change(builder.get_root(schema.Node))
        except (CapnpError, IndexError):  # the damage is to a field's kind, or a list is empty
            continue
    builder.init_root(schema.Node).name = "anew"
    assert schema.Node.from_bytes(builder.to_bytes()).to_dict() == schema.Node.new_message(name="anew").to_dict()


# ---- a builder that lives long


@pytest.mark.conformance("MSG-01")
@pytest.mark.parametrize("memory", ["any", "an allocator's", "given"])
def test_a_builder_begins_anew_and_leaves_the_last_message_alone(schema: Any, memory: str) -> None:
    builder = MessageBuilder(
        4,
        allocator=Allocator(4) if memory == "an allocator's" else None,
        first_segment=bytearray(80) if memory == "given" else None,
    )
    builder.set_root(schema.Node.new_message(**NODE))
    old, segments = builder.get_root(schema.Node), builder.to_segments()
    before = [bytes(each) for each in segments]
    builder.reset()
    assert builder.to_bytes() == MessageBuilder().to_bytes()
    again = builder.init_root(schema.Node)
    again.name = "second"
    again.children = [{"name": "y"}]
    assert old.to_dict()["name"] == NODE["name"] and [bytes(each) for each in segments] == before
    old.name = "still the old one"
    assert again.name == "second" and schema.Node.from_bytes(builder.to_bytes()) == again
    builder.set_root(old)
    assert builder.get_root(schema.Node) == old


@pytest.mark.conformance("MSG-08")
def test_a_builder_that_begins_anew_has_room_for_as_much(schema: Any) -> None:
    builder = MessageBuilder(1)
    for number in range(3):
        builder.set_root(schema.Node.new_message(**NODE))
        builder.get_root(schema.Node).value = number
        assert (len(builder.to_segments()) == 1) == (number > 0)
        builder.reset()


# ---- sizes


@pytest.mark.conformance("MSG-08")
def test_the_first_segment_has_1024_words_and_later_ones_as_many_as_all_before(schema: Any) -> None:
    node = schema.Node.new_message()
    lists = node.init("children", 1)[0]
    lists.data = bytes(8 * (1024 - sum(segment_sizes(node))))
    assert segment_sizes(node) == [1024]
    holder = MessageBuilder()
    texts = holder.root.init_list(List(ccapnp.Data), 600)
    for index in range(600):
        texts[index] = bytes(8 * 16 - 8)
    sizes = segment_sizes(holder)
    assert len(sizes) == 5
    assert all(total // 2 < size <= total for total, size in zip((1024, 2048, 4096), sizes[1:-1]))
    holder.root.init_list(List(Kind.UINT64), 100_000)
    assert segment_sizes(holder)[-1] == 100_001  # as much as is needed, if that is more


@pytest.mark.conformance("MSG-08", "PYC-12")
@pytest.mark.usefixtures("backend")
def test_the_default_limits_are_8_mi_words_and_64_pointers(schema: Any) -> None:
    most = 8 * 1024 * 1024 - 2  # the root pointer costs two
    for count in (most, most + 1):
        root = MessageReader.from_segments([words(lst(0, 0, count))]).root
        if count == most:
            assert len(root.as_list(List(Kind.VOID))) == count
        else:
            with pytest.raises(LimitError, match="8388608 words"):
                root.as_list(List(Kind.VOID))
    loop = MessageReader.from_segments([words(struct(-1, 0, 1))], None).root.as_struct(schema.Box)
    depth = 1
    with pytest.raises(LimitError, match="64 pointers"):
        while True:
            loop = loop.value.as_struct(schema.Box)
            depth += 1
    assert depth == 64


@pytest.mark.conformance("MSG-07", "ENC-57")
def test_the_size_of_a_message_is_that_of_its_root_and_a_pointer(schema: Any) -> None:
    lists = schema.Lists.new_message(**LIST_VALUES)
    for view in (lists, lists.as_reader(), schema.Lists.from_bytes(lists.to_bytes())):
        size = view.total_size.word_count + 1
        assert sum(segment_sizes(view)) == size
        assert view.framed_size == ccapnp.framed_size(view) == len(view.to_bytes()) == 8 * size + 8
    builder = MessageBuilder(1)
    builder.set_root(lists)
    assert builder.framed_size == len(builder.to_bytes()) > lists.framed_size


@pytest.mark.conformance("ENC-57")
def test_the_size_of_a_struct_is_its_own_and_that_of_its_lists(schema: Any) -> None:
    own = struct_words(schema.Lists)
    assert schema.Lists.new_message().total_size == (own, 0)
    for field, list_words in (("uint16s", 1), ("bools", 1), ("voids", 0), ("texts", 6), ("structs", 1 + 3 * 2 + 2)):
        view = schema.Lists.new_message(**{field: LIST_VALUES[field]})
        assert view.total_size.word_count == view.as_reader().total_size.word_count == own + list_words, field


@pytest.mark.conformance("ENC-56")
def test_a_list_that_is_null_is_empty_in_a_builder_too(schema: Any) -> None:
    lists = schema.Lists.new_message()
    for field in LIST_VALUES:
        assert len(getattr(lists, field)) == 0 and list(getattr(lists, field)) == [] and not lists.has(field)
    root = MessageBuilder().root
    assert len(root.as_list(List(Kind.UINT32))) == len(root.as_list(List(schema.Pair))) == 0


# ---- copies


@pytest.mark.conformance("CPY-02")
@pytest.mark.parametrize("first_words", [1, 7, 1024])
def test_a_copy_is_one_segment_without_holes_in_preorder(schema: Any, first_words: int) -> None:
    builder = schema.Node.new_message(num_first_segment_words=first_words, **NODE)
    builder.children = [{"name": "later"}]
    builder.name = "much longer than the name that was there before"
    size = builder.total_size.word_count + 1
    assert sum(segment_sizes(builder)) > size
    for view in (builder, builder.as_reader(), schema.Node.from_bytes(builder.to_bytes())):
        compact = view.as_builder(num_first_segment_words=size)
        assert segment_sizes(compact) == [size] and compact == builder
        assert segment_sizes(view.copy()) == [size]
    form = ccapnp.canonicalize(builder)  # the same order, but cut
    texts = [b"much", b"c\0", b"later"]
    assert texts == sorted(texts, key=form.index)


@pytest.mark.conformance("CPY-09")
def test_copies_of_raw_segments(schema: Any) -> None:
    pair = schema.Pair.from_segments([words(struct(0, 1, 1), 5, 0)])
    assert [bytes(each) for each in pair.as_builder().to_segments()] == [words(struct(0, 1, 1), 5, 0)]
    bits = MessageReader.from_segments([words(lst(0, 1, 11), b"\xee\xff")]).root
    copy = MessageBuilder()
    copy.root.set(bits.as_list(List(Kind.BOOL)))
    expected = [False, True, True, True, False, True, True, True, True, True, True]
    assert list(copy.root.as_list(List(Kind.BOOL))) == expected
    for segment in (words(struct(0, 1, 1), 5), words(struct(0, 1, 1), 5, lst(0, 2, 9), b"no NUL"), words(lst(5, 6, 2))):
        with pytest.raises(DecodeError, match="leads out of its segment"):
            copy.root.set(MessageReader.from_segments([segment]).root)


@pytest.mark.conformance("CPY-09")
def test_an_element_cuts_what_it_has_no_room_for(schema: Any) -> None:
    new = schema.New.new_message(name="n", value=3, extra="lost", more=5)
    holder = schema.HoldsOld.new_message(many=[{"name": "a"}, {"name": "b"}])
    before = holder.total_size.word_count
    holder.many[1] = schema.Old.from_bytes(new.to_bytes())
    assert [(each.name, each.value) for each in holder.many] == [("a", 0), ("n", 3)]
    assert b"lost" not in holder.to_bytes() and holder.total_size.word_count == before
