"""Many threads read one message, and meet types that nobody has used before."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from ccapnp import LimitError
from tests.threads.together import THREADS, together

SCHEMA = """
struct Item {
  flag @0 :Bool; small @1 :Int8; number @2 :Int64 = 7; ratio @3 :Float32; color @4 :Color; name @5 :Text;
  blob @6 :Data; children @7 :List(Item); numbers @8 :List(UInt32); names @9 :List(Text); rows @10 :List(List(UInt16));
  pair @11 :Pair(Text, Item); any @12 :AnyPointer; flags @13 :List(Bool); colors @14 :List(Color);
  union { nothing @15 :Void; count @16 :UInt16; text @17 :Text; }
  place :group { x @18 :Float64; y @19 :Float64; }
}
struct Pair(First, Second) { first @0 :First; second @1 :Second; }
enum Color { red @0; green @1; blue @2; }
"""
TURNS = 30


@pytest.fixture
def item(compile_schema: Callable[[str], ModuleType], backend: str, request: pytest.FixtureRequest) -> Any:
    """A type of which no class, accessor or layout has been made."""
    number = abs(hash(request.node.nodeid)) % (1 << 40)
    return compile_schema(SCHEMA.replace("struct Item {", f"const unique :UInt64 = {number}; struct Item {{")).Item


def values(depth: int = 2) -> dict[str, Any]:
    return {
        "flag": True,
        "small": -3,
        "ratio": 1.5,
        "color": "blue",
        "name": f"item {depth}",
        "blob": b"bytes",
        "children": [values(depth - 1) for _ in range(3)] if depth else [],
        "numbers": list(range(100)),
        "names": ["a", "b"],
        "rows": [[1, 2], [3]],
        "pair": {"first": "key", "second": {"name": "value"}},
        "flags": [True, False, True],
        "colors": ["red", "green"],
        "count": 5,
        "place": {"x": 0.5, "y": 2.0},
    }


def message(item: Any, segment_words: int) -> bytes:
    built = item.new_message(num_first_segment_words=segment_words, **values())
    built.any.set(item.new_message(name="any"))
    return built.to_bytes()  # type: ignore[no-any-return]


def seen(root: Any) -> list[Any]:
    """What all kinds of fields and lists have, as plain values."""
    found: list[Any] = []
    for each in (root, *root.children, root.children[-1].children[1]):
        found += (each.flag, each.small, each.number, each.ratio, int(each.color), each.name, bytes(each.blob))
        found += (list(each.numbers), list(each.names), [list(row) for row in each.rows], list(each.flags))
        found += (each.pair.first, each.pair.second.name, [int(color) for color in each.colors])
        found += (each.which(), each.count, each.place.x, each.place.y, len(each.children), sum(each.numbers[::3]))
    found += (root.any.as_struct(type(root)._type).name, root.total_size.word_count)
    return found


@pytest.mark.parametrize("segment_words", [1, 4096])
def test_all_threads_see_the_same(item: Any, segment_words: int) -> None:
    data = message(item, segment_words)
    root = item.from_bytes(data, traversal_limit_in_words=None)

    def act(_: int) -> tuple[Any, ...]:
        found = [(seen(root), root.to_dict(), str(root), root.pair.to_json(), hash(root)) for _ in range(TURNS // 10)]
        assert all(each == found[0] for each in found)
        return found[0]

    results = together(act)
    alone = item.from_bytes(data, traversal_limit_in_words=None)
    assert results == [(seen(alone), alone.to_dict(), str(alone), alone.pair.to_json(), hash(alone))] * THREADS
    assert root == alone and root.to_bytes() == data


def test_threads_that_meet_a_new_type_make_one_class(item: Any) -> None:
    data = message(item, 4096)

    def act(_: int) -> Any:
        root = item.from_bytes(data)
        return type(root), type(root.children[0]), type(root.pair), type(root.place), type(root.color), root.color

    assert set(together(act)) == {act(0)}


def test_threads_that_share_a_reader_are_stopped_by_its_limit(item: Any) -> None:
    """Their traversal is counted together: all of them read no more than a few times what one may."""
    data = message(item, 4096)
    allowed = 20_000
    root = item.from_bytes(data, traversal_limit_in_words=allowed)
    words_of_numbers = 50

    def act(_: int) -> int:
        turns = 0
        try:
            while turns * words_of_numbers <= 2 * allowed:
                assert root.numbers[99] == 99
                turns += 1
        except LimitError:
            return turns
        return -1

    turns = together(act)
    assert min(turns) >= 0 and sum(turns) * words_of_numbers <= 2 * allowed
    with pytest.raises(LimitError):
        for _ in range(THREADS):
            root.numbers


def test_threads_build_and_pack_messages_of_their_own(item: Any) -> None:
    def act(number: int) -> Any:
        built = item.new_message(**values(1))
        built.name = f"thread {number}"
        for _ in range(TURNS):
            packed = built.to_bytes_packed()
            assert item.from_bytes_packed(packed).name == f"thread {number}"
        return built.to_dict()

    for number, result in enumerate(together(act)):
        assert result == {**act(number), "name": f"thread {number}"}


@pytest.mark.parametrize("packed", [False, True])
def test_threads_read_streams_of_their_own_from_one_buffer(item: Any, packed: bool) -> None:
    one = item.new_message(name="x", numbers=[1, 2, 3])
    data = (one.to_bytes_packed() if packed else one.to_bytes()) * 200
    read = item.read_multiple_bytes_packed if packed else item.read_multiple_bytes
    assert together(lambda _: [sum(each.numbers) for each in read(data)]) == [[6] * 200] * THREADS
