"""Copies, equality, canonical form and total size on the native codec give what they give on the pure one: the same
values, the same errors, and as many words counted as traversed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Optional

import pytest

from ccapnp import CapnpError
from ccapnp.codec import get_codec
from ccapnp.wire.limits import UNLIMITED, Limits
from tests.native.messages import damaged, random_message

whole = pytest.importorskip("ccapnp.native.whole", exc_type=ImportError, reason="the native extension is not built")

PURE, NATIVE = get_codec("pure"), get_codec("native")
ROUNDS = 400
LIMITS = (Limits(100_000, 64), Limits(30, 64), Limits(100, 6), Limits(100_000, 3))

Outcome = tuple[Any, ...]


def outcome(action: Callable[[], Any]) -> Outcome:
    try:
        return "value", action()
    except CapnpError as error:
        return type(error), str(error)


def on_both(segments: list[bytes], limits: Limits, action: Callable[[Any, Any], Any]) -> Outcome:
    """What ``action(codec, root)`` gives on both codecs, ``root`` being the root pointer's shape."""
    results = []
    for codec in (PURE, NATIVE):
        root = codec.open_segments(segments, limits)
        result = outcome(lambda codec=codec, root=root: action(codec, root))
        results.append((*result, root.arena.budget))
    assert results[0] == results[1], [segment.hex(" ", 8) for segment in segments]
    return results[0]


def below(root: Any) -> list[tuple[Any, int]]:
    """Some structs of a message: the root pointer seen as one, the root, and what its first pointers lead to."""
    places = [(root, 0)]
    for shape, word in places:
        for at in range(word + shape.data_words, word + shape.words):
            found = outcome(lambda shape=shape, at=at: shape.read_struct(at, lambda *place: place))[1]
            if isinstance(found, tuple) and len(places) < 6:
                places.append(found)
    return places


def lists_below(root: Any) -> list[tuple[Any, int, int]]:
    """Lists of structs: (shape, first word, count)."""
    found = []
    for shape, word in below(root):
        for at in range(word + shape.data_words, word + shape.words):
            value = outcome(lambda shape=shape, at=at: shape.read_structs(at))[1]
            if isinstance(value, tuple):
                found.append(value[:3])
    return found


def new_target(codec: Any, first_segment_words: int, used_words: int) -> tuple[Any, int]:
    """(shape, at) of a null pointer: the root, or one of a struct behind ``used_words`` of other things."""
    root = codec.new_message(first_segment_words)
    if not used_words:
        return root, 0
    shape, word = root.init_struct(0, 1, 2, lambda *place: place)
    shape.init_list(word + 1, 5, used_words)
    return shape, word + 2


def memory(shape: Any) -> list[tuple[int, int, bytes]]:
    """All that a message being built consists of, its unused words included."""
    return [(segment.size, segment.capacity, bytes(segment.u8)) for segment in shape.arena.segments]


def copied(codec: Any, target: tuple[int, int], copy: Callable[[Any, int], None]) -> Any:
    shape, at = new_target(codec, *target)
    result = outcome(lambda: copy(shape, at))
    return (*result, memory(shape))


def messages(seed: int) -> tuple[Random, list[bytes]]:
    """A message for each seed: one of three is damaged."""
    random = Random(seed)
    segments = random_message(random, random.choice((1, 1, 2, 3)), capabilities=random.random() < 0.2)
    return random, damaged(random, segments) if seed % 3 == 0 else segments


@pytest.mark.parametrize("name", ["total_size", "canonicalize"])
def test_sizes_and_canonical_forms(name: str) -> None:
    for seed in range(ROUNDS):
        random, segments = messages(seed)
        limits = random.choice(LIMITS)
        on_both(
            segments,
            limits,
            lambda codec, root: [
                (outcome(lambda place=place: getattr(codec, name)(*place)), root.arena.budget) for place in below(root)
            ],
        )


TARGETS = [(1, 0), (8, 0), (4096, 0), (4096, 5), (16, 7), (30, 2), (60, 20)]


def test_copies_of_structs() -> None:
    for seed in range(ROUNDS):
        random, segments = messages(seed)
        target = random.choice(TARGETS)

        def action(codec: Any, root: Any, target: tuple[int, int] = target) -> Any:
            return [
                (copied(codec, target, lambda to, at, place=place: to.copy_struct(at, *place)), root.arena.budget)
                for place in below(root)
            ]

        on_both(segments, random.choice(LIMITS), action)


def test_copies_of_pointers() -> None:
    for seed in range(ROUNDS):
        random, segments = messages(seed)
        target = random.choice(TARGETS)

        def action(codec: Any, root: Any, target: tuple[int, int] = target) -> Any:
            return [
                (
                    copied(codec, target, lambda to, at, shape=shape, place=place: to.copy_pointer(at, shape, place)),
                    root.arena.budget,
                )
                for shape, word in below(root)
                for place in range(word + shape.data_words, word + shape.words)
            ]

        on_both(segments, random.choice(LIMITS), action)


def test_copies_of_lists_of_structs() -> None:
    for seed in range(ROUNDS):
        random, segments = messages(seed)
        target = random.choice(TARGETS)

        def action(codec: Any, root: Any, target: tuple[int, int] = target) -> Any:
            return [
                (copied(codec, target, lambda to, at, place=place: to.copy_structs(at, *place)), root.arena.budget)
                for place in lists_below(root)
            ]

        on_both(segments, random.choice(LIMITS), action)


def test_copies_over_structs_and_within_a_message() -> None:
    for seed in range(ROUNDS):
        random, segments = messages(seed)

        def action(codec: Any, root: Any) -> Any:
            places = below(root)
            target, at = new_target(codec, 30, 3)
            results = []
            for shape, word in places:
                into = target.init_struct(at, 2, 2, lambda *place: place)
                results.append(
                    outcome(lambda into=into, word=word, shape=shape: into[0].copy_into(into[1], shape, word))
                )
                results.append(outcome(lambda into=into: target.copy_struct(at, *into)))
                results.append(outcome(lambda: target.copy_pointer(at - 1, target, at)))
            return results, memory(target)

        on_both(segments, random.choice(LIMITS), action)


def test_equality() -> None:
    verdicts = set()
    for seed in range(ROUNDS):
        random, segments = messages(seed)
        others = [segments, damaged(random, segments), messages(seed + 1)[1]]
        copy = outcome(lambda segments=segments: copy_of(segments))[1]
        if isinstance(copy, list):
            others.append(copy)
        limits = random.choice(LIMITS), random.choice(LIMITS)
        for other in others:
            results = []
            for codec in (PURE, NATIVE):
                ones = below(codec.open_segments(segments, limits[0]))
                twos = below(codec.open_segments(other, limits[1]))
                results.append(
                    [outcome(lambda pair=pair, codec=codec: verdict(codec, *pair)) for pair in zip(ones, twos)]
                )
            assert results[0] == results[1]
            verdicts.update(each for each in results[0] if each[0] == "value")
    assert verdicts == {("value", True), ("value", False), ("value", None)}


def verdict(codec: Any, one: tuple[Any, int], other: tuple[Any, int]) -> Optional[bool]:
    (left, word), (right, other_word) = one, other
    fresh = (shape.reopen(Limits(shape.limits.traversal_limit_in_words, shape.depth)) for shape in (left, right))
    return codec.equal(next(fresh), word, next(fresh), other_word)


def copy_of(segments: list[bytes]) -> list[bytes]:
    """The segments of a copy, which lie differently."""
    root = PURE.new_message(4)
    root.copy_pointer(0, PURE.open_segments(segments, UNLIMITED), 0)
    return list(map(bytes, root.pieces()))


def test_the_shim_does_what_is_in_order() -> None:
    for seed in range(100):
        random = Random(seed)
        segments = random_message(random, random.choice((1, 2, 3)))
        if not all(segments):
            continue  # libcapnp finds nothing in an empty segment, not even something empty
        root = NATIVE.open_segments(segments, UNLIMITED)
        for shape, word in below(root):
            assert whole.total_size(shape, word) is not None
            assert whole.canonical_form(shape, word) is not None
            assert whole.equality(shape, word, shape, word) == whole.lib.CCP_EQUAL
            for first_segment_words in (1, 16, 4096):
                assert whole.copy(NATIVE.new_message(first_segment_words), 0, shape, word)
            for at in range(word + shape.data_words, word + shape.words):
                if shape.u64[at]:
                    target, null = new_target(NATIVE, 1 << 13, 20)
                    assert whole.copy(target, null, shape, at, whole.A_POINTER)
        for shape, word, count in lists_below(root):
            if count and shape.data_words and shape.pointers:  # not a list of pointers or numbers, which has no tag
                assert whole.copy(NATIVE.new_message(1), 0, shape, word, whole.STRUCTS, count)


def test_what_does_not_fit_goes_behind_a_landing_pad() -> None:
    source = NATIVE.new_message(1)
    source.init_list(0, 5, 100)
    for used in (40, 60):
        target, at = new_target(NATIVE, 50, used)
        assert whole.copy(target, at, source, 0, whole.A_POINTER)
        assert target.u64[at] & 7 == 2


def test_a_reader_of_the_memory_that_is_written(official: Any) -> None:
    builder = official.TestAllTypes.new_message(structField={"textField": "text"}, uInt64Field=7)
    reader = official.TestAllTypes.from_segments(builder.to_segments())
    builder.structList = [reader]
    builder.init("structField")
    copy = builder.structList[0]
    assert copy.uInt64Field == 7 and copy.structField.textField == "text" and not copy.structList
