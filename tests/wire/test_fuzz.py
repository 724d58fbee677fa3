"""Hostile messages of every origin: the outcome is a value or a CapnpError, and nothing else (FUZ-01 to FUZ-07)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccapnp import CapnpError, Kind, List, MessageBuilder, MessageReader, Struct
from tests.conformance.all_types import LISTS, built_at_once, built_in_many_segments
from tests.wire.arenas import fixed_segments
from tests.wire.raw import far, frame, lst, struct, words
from tests.wire.samples import sample
from tests.wire.walking import attempt, do_everything, walk

pytestmark = pytest.mark.filterwarnings("ignore::ccapnp.UnknownMemberWarning")

LIMITS = {"traversal_limit_in_words": 20_000, "nesting_limit": 20}
FEW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


# ---- up to two bits of 128, as fuzz-test.c++

ROOTS = {
    "FUZ-01 struct": [words(struct(0, 1, 2), 0x0123456789ABCDEF, lst(1, 2, 4), 0, b"foo")],
    "FUZ-02 numbers": [words(lst(0, 4, 3), 0x0000000200000001, 3)],
    "FUZ-03 structs": [words(lst(0, 7, 4), struct(2, 1, 1), 123, lst(2, 2, 4), 456, lst(1, 2, 4), b"foo", b"bar")],
    "FUZ-04 text": [words(lst(0, 2, 8), b"foobar\0")],
    "FUZ-05 far": [words(far(0, 1)), words(lst(0, 2, 4), b"foo")],
    "FUZ-06 double far": [words(far(0, 2, double=True)), words(b"foo"), words(far(0, 1), lst(0, 2, 4))],
}


def flips(name: str) -> list[tuple[int, ...]]:
    """All single bits of the first 128, and some pairs of them."""
    rng = random.Random(name)
    return [()] + [(bit,) for bit in range(128)] + [tuple(rng.sample(range(128), 2)) for _ in range(300)]


def flipped(segments: list[bytes], bits: tuple[int, ...]) -> list[bytes]:
    """With those bits flipped, counted from the start of the first segment on; past the end means the last byte."""
    data = bytearray(b"".join(segments))
    for bit in bits:
        data[bit >> 3 if bit >> 3 < len(data) else -1] ^= 1 << (bit & 7)
    parts, start = [], 0
    for segment in segments:
        parts.append(bytes(data[start : start + len(segment)]))
        start += len(segment)
    return parts


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.conformance(name.partition(" ")[0])) for name in ROOTS]
)
def test_up_to_two_bits(shapes: Any, name: str) -> None:
    outcomes = set()
    for bits in flips(name):
        segments = flipped(ROOTS[name], bits)
        if name == "FUZ-06 double far" and len(bits) == 2:
            segments = [segments[0], *flipped(segments[1:], (bits[0] + 64, bits[1] + 64))]
        root = attempt(lambda segments=segments: MessageReader.from_segments(segments, **LIMITS).root)
        kind = attempt(lambda root=root: root.kind)
        outcomes.add(kind)
        for read in (root.as_text, root.as_data, lambda root=root: root.as_struct(shapes.Both2)):
            value = attempt(read)
            if isinstance(value, Struct):
                do_everything(value)
        for element in (Kind.UINT32, Kind.TEXT, Kind.BOOL, Kind.VOID, shapes.Both2):
            value = attempt(lambda root=root, element=element: root.as_list(List(element)))
            if value is not None:
                attempt(lambda value=value: list(value[:100]))
                attempt(lambda value=value: value == value)
        builder = MessageBuilder()
        attempt(lambda builder=builder, root=root: builder.root.set(root))
        attempt(lambda builder=builder: builder.root.as_struct(shapes.Both2))
        walk(attempt(lambda builder=builder: builder.init_root(shapes.Both2)))
    assert len(outcomes) > 1


# ---- seeds with anything changed in them


def changes(size: int) -> Any:
    """(byte, value) pairs: most change single bits, or write bytes that mean much."""
    place = st.integers(0, size - 1)
    value = (
        st.sampled_from([1 << bit for bit in range(8)]) | st.sampled_from([0, 0xFF, 0x7F, 0x80]) | st.integers(0, 255)
    )
    return st.lists(st.tuples(place, value, st.booleans()), min_size=1, max_size=6)


def changed(data: bytes, edits: list[tuple[int, int, bool]]) -> bytearray:
    made = bytearray(data)
    for place, value, flip in edits:
        made[place % len(made)] = made[place % len(made)] ^ value if flip else value
    return made


def seeds(shapes: Any, all_types: Any) -> list[tuple[Any, bytes]]:
    built = [(shapes.Node, sample(shapes, size).to_bytes()) for size in (1, 5, 1024)]
    every = [(all_types.TestAllTypes, build(all_types).to_bytes()) for build in (built_at_once, built_in_many_segments)]
    return [*built, *every, (all_types.TestLists, all_types.TestLists.new_message(**LISTS).to_bytes())]


@pytest.mark.conformance("FUZ-07")
@pytest.mark.fuzz
@FEW
@given(data=st.data())
def test_changed_messages(shapes: Any, all_types: Any, data: st.DataObject) -> None:
    kind, seed = data.draw(st.sampled_from(seeds(shapes, all_types)).map(lambda pair: pair))
    # Most pointers are near the start of these messages.
    message = changed(seed, data.draw(changes(min(len(seed), 400)) | changes(len(seed))))
    view = attempt(lambda: kind.from_bytes(message, **LIMITS))
    if view is not None:
        do_everything(view)
    for each in attempt(lambda: list(kind.read_multiple_bytes(message, **LIMITS))) or ():
        walk(each, 50)


@pytest.mark.conformance("FUZ-07")
@pytest.mark.fuzz
@FEW
@given(data=st.data())
def test_changed_packed_messages(shapes: Any, all_types: Any, data: st.DataObject) -> None:
    kind, seed = data.draw(st.sampled_from(seeds(shapes, all_types)).map(lambda pair: pair))
    packed = kind.from_bytes(seed).to_bytes_packed()
    message = changed(packed, data.draw(changes(min(len(packed), 200)) | changes(len(packed))))
    view = attempt(lambda: kind.from_bytes_packed(message, **LIMITS))
    if view is not None:
        walk(view)
        attempt(view.as_builder)


POINTERS = st.one_of(
    st.builds(struct, st.integers(-8, 8), st.integers(0, 3), st.integers(0, 4)),
    st.builds(lst, st.integers(-8, 8), st.integers(0, 7), st.integers(0, 20)),
    st.builds(lst, st.integers(-8, 8), st.integers(0, 7), st.sampled_from([2**29 - 1, 2**20, 1000])),
    st.builds(
        lambda word, to, double: far(word, to, double=double), st.integers(0, 8), st.integers(0, 3), st.booleans()
    ),
    st.builds(struct, st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)),
    st.sampled_from([0, 3, 7, 0xFFFFFFFC, 2**64 - 1, 0x6665656200636261]),
    st.integers(0, 2**64 - 1),
)
SEGMENTS = st.lists(st.lists(POINTERS, max_size=12).map(lambda made: words(*made)), min_size=1, max_size=4)


@pytest.mark.conformance("FUZ-07")
@pytest.mark.fuzz
@FEW
@given(segments=SEGMENTS)
@example(segments=[words(struct(-1, 0, 1))])
@example(segments=[words(far(0, 1)), words(far(0, 1))])
@example(segments=[words(struct(0, 1, 7), 0, *[lst(-n - 1, 6, 7) for n in range(7)])])
@example(segments=[words(far(1, 0, double=True), far(1, 0, double=True), far(1, 0, double=True))])
@example(segments=[words(lst(0, 7, 8), struct(8, 1, 0), *[lst(-2, 7, 8)] * 8)])
def test_segments_of_pointers(shapes: Any, segments: list[bytes]) -> None:
    for kind in (shapes.Node, shapes.Caps):
        view = attempt(lambda kind=kind: kind.from_segments(segments, **LIMITS))
        if view is not None:
            do_everything(view)
    target = shapes.Node.new_message(name="kept")
    before = target.to_bytes()
    try:
        target.any.set(MessageReader.from_segments(segments, **LIMITS).root)
    except CapnpError:
        assert target.to_bytes() == before
    else:
        copy = target.copy()
        assert attempt(lambda: copy == target) in (True, None)
        walk(copy)
        target.any.set(None)
        assert target.to_bytes()[8 : len(before)] == before[8:] and not any(target.to_bytes()[len(before) :])
    with fixed_segments(3):
        target = MessageBuilder(3)
        attempt(lambda: target.root.set(MessageReader.from_segments(segments, **LIMITS).root))
        attempt(lambda: walk(target.get_root(shapes.Node)))


@pytest.mark.conformance("FUZ-07")
@pytest.mark.fuzz
@FEW
@given(data=st.binary(max_size=200))
@example(data=frame(words(0)))
def test_random_bytes(shapes: Any, all_types: Any, data: bytes) -> None:
    for kind in (shapes.Node, all_types.TestAllTypes):
        for read in (
            lambda kind=kind: kind.from_bytes(data, **LIMITS),
            lambda kind=kind: kind.from_bytes_packed(data, **LIMITS),
            lambda kind=kind: kind.from_segments([data[: len(data) & ~7]], **LIMITS),
            lambda kind=kind: list(kind.read_multiple_bytes(data, **LIMITS)),
            lambda kind=kind: list(kind.read_multiple_bytes_packed(data, **LIMITS)),
        ):
            view = attempt(read)
            if isinstance(view, Struct):
                do_everything(view)
