"""Following a column of struct pointers is as following them one by one: what they give, cost, and refuse."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import DecodeError, LimitError
from ccapnp.wire.pointers import far_pointer, list_pointer, struct_pointer
from tests.columns.schema import one_by_one, parking_lot

COMPOSITE = 7


def opened(schema: Any, segments: list[list[int]], **limits: Any) -> Any:
    """The list of `Pointer` structs that is the root of a message with these words."""
    data = [struct.pack(f"<{len(words)}Q", *words) for words in segments]
    message = ccapnp.MessageReader.from_segments(data, **limits)
    return message.get_root(ccapnp.List[schema.Pointer])


def list_of(pointers: list[int]) -> list[int]:
    """The first words of a segment: a root list of structs, each a number and one of these pointers."""
    elements = [word for index, pointer in enumerate(pointers) for word in (index, pointer)]
    return [
        list_pointer(0, COMPOSITE, 2 * len(pointers)),
        struct_pointer(len(pointers), 1, 1),
        *elements,
    ]


def near(at: int, target: int, data_words: int = 1, pointers: int = 1) -> int:
    return struct_pointer(target - at - 1, data_words, pointers)


def outcome(read: Callable[[], Any], structs: Any) -> Any:
    """What reading gives and leaves of the budget; of what is refused, that it is."""
    try:
        values = read()
    except DecodeError:
        return "refused"
    return values, structs._c.arena.budget


def test_near_pointers_forwards_and_backwards(schema: Any) -> None:
    # The elements' pointers are at words 3, 5, 7 and 9; two targets follow, and an element is one itself.
    pointers = [near(3, 10), near(5, 12), near(7, 2), near(9, 10)]
    structs = opened(schema, [[*list_of(pointers), 100, 0, 102, 0]])
    budget = structs._c.arena.budget
    assert structs.column("next.value").tolist() == [100 ^ 9, 102 ^ 9, 0 ^ 9, 100 ^ 9]
    assert structs._c.arena.budget == budget - 8
    assert structs.column("next.value").tolist() == one_by_one(structs, "next.value")


def test_targets_of_several_shapes(schema: Any) -> None:
    pointers = [near(3, 10, 1, 0), near(5, 11, 0, 1), near(7, 10, 2, 1), 0xFFFFFFFC]
    structs = opened(schema, [[*list_of(pointers), 100, 0, 0]])
    assert structs.column("next.value").tolist() == [100 ^ 9, 9, 100 ^ 9, 9] == one_by_one(structs, "next.value")


def test_far_and_double_far_pointers(schema: Any) -> None:
    pointers = [far_pointer(0, 1), far_pointer(3, 1, double=True), near(7, 10), far_pointer(0, 2), 0, far_pointer(5, 1)]
    second = [near(0, 1), 101, 0, far_pointer(1, 2), struct_pointer(0, 1, 1), 0, 0]
    third = [near(0, 1), 201, 0]
    fourth = [*list_of(pointers)]
    for path in ("next.value", "next.next.value"):
        found = opened(schema, [fourth, second, third])
        expected = outcome(lambda: one_by_one(found, path), found)  # noqa: B023
        again = opened(schema, [fourth, second, third])
        assert outcome(lambda: again.column(path).tolist(), again) == expected != "refused"  # noqa: B023
    assert again.column("next.value").tolist()[:2] == [101 ^ 9, 201 ^ 9]


@pytest.mark.parametrize(
    ("pointer", "reason"),
    [
        (near(5, 9, 3, 3), "leads out of its segment"),
        (near(5, -4), "leads out of its segment"),
        (list_pointer(0, 2, 1), r"expected a struct but the pointer at word 5 of segment 0 is to a list of bytes"),
        (3, "expected a struct but .* is to a capability"),
        (7, "of an unknown kind"),
        (far_pointer(0, 9), "names segment 9"),
        (far_pointer(99, 1), "landing pad pointer .* leads out of its segment"),
        (far_pointer(0, 1), "leads to another far pointer"),
        (far_pointer(1, 1), "leads out of its segment"),
        (far_pointer(2, 1), "to a list"),
        (far_pointer(1, 1, double=True), "landing pad has no far pointer"),
    ],
)
def test_a_wrong_pointer_is_located(schema: Any, pointer: int, reason: str) -> None:
    segments = [
        [*list_of([near(3, 4), pointer]), 0],
        [far_pointer(0, 0), near(1, 100), list_pointer(0, 2, 1)],
    ]
    with pytest.raises(DecodeError, match=rf"^\[1\]\.next: .*{reason}") as caught:
        opened(schema, segments).column("next.value")
    with pytest.raises(DecodeError, match=reason) as alone:
        one_by_one(opened(schema, segments), "next.value")
    assert str(caught.value) == f"[1].{alone.value}"
    assert (caught.value.segment, caught.value.offset) == (alone.value.segment, alone.value.offset)


def test_the_traversal_limit(schema: Any) -> None:
    segments = [[*list_of([near(3, 12), near(5, 12), far_pointer(0, 1), near(9, 12)]), 0, 0, 0, 0], [near(0, 1), 0, 0]]
    fits = 2 + 9 + 3 * 2 + 1 + 2
    limit = next(words for words in range(1, 100) if _reads(schema, segments, words))
    assert limit == fits
    assert opened(schema, segments, traversal_limit_in_words=fits).column("next.value").tolist() == [9] * 4
    with pytest.raises(LimitError, match=r"^next: .*limit of \d+ words") as caught:
        opened(schema, segments, traversal_limit_in_words=fits - 1).column("next.value")
    assert caught.value.option == "traversal_limit_in_words"


def _reads(schema: Any, segments: list[list[int]], words: int) -> bool:
    try:
        one_by_one(opened(schema, segments, traversal_limit_in_words=words), "next.value")
    except LimitError:
        return False
    return True


@pytest.mark.parametrize("path", ["next.value", "next.next.value", "next.next.next.value"])
@pytest.mark.parametrize("depth", range(1, 6))
def test_the_nesting_limit(schema: Any, path: str, depth: int) -> None:
    loops = [[*list_of([near(3, 2), near(5, 4)])]]
    results = []
    for read in (lambda structs: one_by_one(structs, path), lambda structs: structs.column(path).tolist()):
        try:
            results.append(read(opened(schema, loops, nesting_limit=depth)))
        except LimitError as error:
            results.append(error.option)
    assert results[0] == results[1]


def test_a_pointer_to_itself_costs_each_time(schema: Any) -> None:
    structs = opened(schema, [list_of([near(3, 2)])], nesting_limit=100, traversal_limit_in_words=50)
    with pytest.raises(LimitError, match=r"^next\.next(\.next)*: "):
        structs.column("next." * 60 + "value")


def test_a_null_pointer_reads_as_its_default(schema: Any) -> None:
    cars = schema.Lot.from_bytes(schema.Lot.new_message(cars=[{}] * 3).to_bytes()).cars
    assert cars.column("spare.power").tolist() == [7, 7, 7]
    assert cars.column("spare.maker.name") == ["spare"] * 3
    assert cars.column("spare.maker.year").tolist() == cars.column("engine.maker.year").tolist() == [1900] * 3


@pytest.mark.parametrize("words", [1, 40, 10_000])
def test_a_builder_of_many_segments(schema: Any, words: int) -> None:
    lot = schema.Lot.new_message(num_first_segment_words=words)
    lot.cars = parking_lot(schema, 60).cars
    reader = schema.Lot.from_segments([bytes(each) for each in lot.to_segments()])
    for cars in (lot.cars, reader.cars):
        for path in ("engine.power", "engine.maker.year", "spare.fuel", "engine.maker.name"):
            column = cars.column(path)
            assert list(column) == one_by_one(reader.cars, path)


# ---- whatever the pointers are


@given(st.integers(0, 2**32))
def test_any_words_at_all(schema: Any, seed: int) -> None:
    draw = random.Random(seed)
    sizes = [draw.randint(1, 12) for _ in range(draw.randint(1, 3))]
    wild = draw.random() < 0.5

    def pointer(at: int) -> int:
        kind = draw.random()
        if kind < 0.2:
            return 0
        if kind < 0.6:
            return struct_pointer(draw.randint(-at - 1, 8), draw.randint(0, 2), draw.randint(0, 2))
        if kind < 0.85:
            number = draw.randrange(len(sizes) + wild)
            return far_pointer(draw.randint(0, 12), number, double=draw.random() < 0.3)
        return draw.getrandbits(64) if wild else 0xFFFFFFFC

    count = draw.randint(1, 6)
    first = list_of([pointer(2 * index + 3) for index in range(count)])
    segments = [[*first, *(pointer(20) for _ in range(8))], *([pointer(at) for at in range(size)] for size in sizes)]
    limits = {"traversal_limit_in_words": draw.choice((60, 1000)), "nesting_limit": draw.choice((4, 64))}
    for path in ("next.value", "next.next.value", "next.next.next.value"):
        loop, at_once = opened(schema, segments, **limits), opened(schema, segments, **limits)
        expected = outcome(lambda: one_by_one(loop, path), loop)  # noqa: B023
        assert outcome(lambda: at_once.column(path).tolist(), at_once) == expected  # noqa: B023
