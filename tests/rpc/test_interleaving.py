"""Two vats at play: whatever arrives when, calls keep their order, none is lost, and nothing is left in the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rpc.play import OPERATIONS, Play

_steps = st.lists(
    st.tuples(st.sampled_from(range(len(OPERATIONS))), st.integers(0, 63), st.integers(0, 63)), max_size=60
)


def _play(backend: str, steps: list[tuple[int, int, int]]) -> None:
    play = Play(backend)
    for number, a, b in steps:
        OPERATIONS[number](play, a, b)
    play.finish()


@pytest.mark.conformance("RPC-03", "RPC-04", "RPC-11", "RPC-14", "PRO-08", "PRO-13", "PRO-14", "PRO-27")
@given(steps=_steps)
def test_calls_keep_their_order_and_nothing_is_left(backend: str, steps: list[tuple[int, int, int]]) -> None:
    _play(backend, steps)


@pytest.mark.fuzz
@given(steps=_steps)
def test_the_same_with_many_more_plays(backend: str, steps: list[tuple[int, int, int]]) -> None:
    _play(backend, steps)
