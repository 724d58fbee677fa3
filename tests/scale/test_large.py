"""Messages near 2 GiB, of which only pages that are looked at are in memory, and lists of very many elements."""

from __future__ import annotations

import mmap
import struct
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.leaks.memory import now
from tests.wire.memory_use import peak_bytes
from tests.wire.raw import lst
from tests.wire.raw import struct as struct_pointer

SCHEMA = """@0xa8e0d2f4c6b19753;
struct Lot { spots @0 :List(Spot); blob @1 :Data; bytes @2 :List(UInt64); }
struct Spot { number @0 :UInt64; name @1 :Text; }
"""
MOST_WORDS = (1 << 28) - 2  # which, with the table, are a little less than 2 GiB
FEW_BYTES = 16 << 20


@pytest.fixture
def lot(compile_schema: Callable[[str], ModuleType], backend: str) -> Any:
    return compile_schema(SCHEMA).Lot


@pytest.mark.skipif(sys.maxsize < 1 << 40, reason="such a message has no place in 32 bits of addresses")
def test_a_message_of_2_GiB_is_read_where_it_is(lot: Any) -> None:
    size = MOST_WORDS
    with mmap.mmap(-1, 8 * (size + 1)) as memory:
        count = (size - 100) // 2  # all but a little is a list of structs of two words
        words = {
            0: size << 32,
            1: struct_pointer(0, 0, 3),
            2: lst(2, 7, 2 * count),
            3: lst(size - 1 - 3, 2, 8),
            5: count << 2 | 1 << 32 | 1 << 48,
            4 + 2 * count: 77,
            size: int.from_bytes(b"the end.", "little"),
        }
        for word, value in words.items():
            struct.pack_into("<Q", memory, 8 * word, value & (1 << 64) - 1)
        before = now()
        root = lot.from_bytes(memory, traversal_limit_in_words=None)
        spots = root.spots
        assert len(spots) == count and spots[-1].number == 77 and spots[count // 2].number == 0
        assert spots[-1].name == "" and root.blob == b"the end." and list(root.bytes) == []
        assert now().grown_since(before).resident_bytes < FEW_BYTES
        del root, spots


@pytest.mark.parametrize("what", ["build", "read", "dict"])
def test_memory_grows_with_the_number_of_elements(lot: Any, what: str) -> None:
    def act(count: int) -> Any:
        values = [{"number": number, "name": "x"} for number in range(count)] if what == "build" else None
        if what == "build":
            return lambda: lot.new_message(spots=values).to_bytes()
        data = act_data[count]
        if what == "dict":
            return lambda: lot.from_bytes(data, traversal_limit_in_words=None).to_dict()
        return lambda: sum(spot.number for spot in lot.from_bytes(data, traversal_limit_in_words=None).spots)

    counts = (5_000, 20_000)
    act_data = {count: lot.new_message(spots=[{"number": n} for n in range(count)]).to_bytes() for count in counts}
    few, many = (peak_bytes(act(count)) for count in counts)
    assert many <= 5 * few + 100_000
    if what == "read":
        assert many <= few + 100_000
