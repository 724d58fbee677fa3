"""Packing has one way for an interpreter and one for compiled loops: on every input both do the same."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccapnp.pure import packing_loops, packing_rows

WORDS = st.one_of(
    st.just(bytes(8)),
    st.binary(min_size=8, max_size=8),
    st.lists(st.sampled_from(b"\0\0\0\1\xff"), min_size=8, max_size=8).map(bytes),
)
CONTENTS = st.lists(st.tuples(WORDS, st.sampled_from([1, 1, 1, 2, 40, 256, 257])), max_size=60).map(
    lambda runs: b"".join(word * count for word, count in runs)
)


def expanded(way: object, packed: bytes, position: int, want_bytes: int) -> tuple[int, int, bytes]:
    words: list[bytes] = []
    end, made = way.expand(packed, position, want_bytes, words)  # type: ignore[attr-defined]
    assert len(b"".join(words)) == made
    return end, made, b"".join(words)


def both(packed: bytes, position: int, want_bytes: int) -> tuple[int, int, bytes]:
    found = expanded(packing_rows, packed, position, want_bytes)
    assert expanded(packing_loops, packed, position, want_bytes) == found
    return found


@given(CONTENTS, st.integers(0, 70_000), st.data())
def test_both_ways_agree(plain: bytes, want_bytes: int, data: st.DataObject) -> None:
    packed = packing_rows.pack_words(memoryview(plain))
    assert packing_loops.pack_words(memoryview(plain)) == packed
    assert both(packed, 0, len(plain)) == (len(packed), len(plain), plain)
    end, made, words = both(packed, 0, want_bytes)
    assert plain.startswith(words) and (made >= want_bytes or end == len(packed))
    assert both(packed, end, len(plain))[2] == plain[made:]
    both(packed[: data.draw(st.integers(0, len(packed)))], 0, len(plain))


@given(st.binary(max_size=2000), st.integers(0, 2000), st.integers(0, 10_000))
def test_both_ways_agree_on_any_bytes(packed: bytes, position: int, want_bytes: int) -> None:
    both(packed, min(position, len(packed)), want_bytes)


@pytest.mark.parametrize("zeros", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("dense_words", [0, 3, 300])
def test_both_ways_agree_on_much(zeros: float, dense_words: int) -> None:
    """Many words of every tag, with a run now and then, so that they are unpacked in rows."""
    chance = random.Random(int(zeros * 10) + dense_words)
    parts = []
    for index in range(20_000):
        parts.append(bytes(0 if chance.random() < zeros else chance.randrange(1, 256) for _ in range(8)))
        if index % 997 == 0:
            parts.append(b"\1" * 8 * dense_words + bytes(8 * dense_words))
    plain = b"".join(parts)
    packed = packing_rows.pack_words(memoryview(plain))
    assert packing_loops.pack_words(memoryview(plain)) == packed
    for want in (300, 8 * 100 + 4, 1 << 15, 1 << 17, len(plain), 1 << 60):
        assert plain.startswith(both(packed, 0, want)[2])
    assert both(packed, 0, 1 << 60) == (len(packed), len(plain), plain)
    assert both(packed[:-1], 0, 1 << 60)[1] < len(plain)
