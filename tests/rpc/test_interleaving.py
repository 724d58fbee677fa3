"""Two vats at play: whatever arrives when, calls keep their order, none is lost, and nothing is left in the end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rpc.play import OPERATIONS, Play

_steps = st.lists(
    st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 63), st.integers(0, 63)), min_size=20, max_size=150
)

A_PROMISE_NAMED_TO_ITS_OWNER_IS_RESOLVED_MEANWHILE = """
    call 0 0, promise 1 0, promise 1 0, build_upon 0 0, call 51 18, arrive 0 54, promise 0 0, promise 3 0, resolve 0 6,
    build_upon 0 0, resolve 0 0, call 18 0, build_upon 1 0, resolve 1 48
"""
RESULTS_THAT_ARE_TAKEN_COME_FROM_A_CALL_THAT_GOES_BACK = """
    call 0 0, call 0 0, call 0 58, call 0 0, build_upon 2 0, drop_call 0 0, call 0 0, promise 0 0, call 34 2,
    build_upon 0 0, call 0 0, call 0 0, build_upon 0 0, call 0 0, promise 0 0, call 0 0, build_upon 0 0, call 0 0,
    drop_handle 0 0, call 0 0, call 0 0, call 0 0, call 47 5, build_upon 32 0, build_upon 0 0, build_upon 0 0,
    build_upon 0 0, call 22 0, arrive 0 54, promise 0 0, turn 0 0, build_upon 0 0, drop_call 0 0, drop_handle 0 0,
    build_upon 13 0, build_upon 0 0, build_upon 0 0, call 51 0
"""
THE_PEERS_ANSWER_IS_NAMED_AS_OURS = """
    call 0 0, promise 0 0, call 17 6, call 0 0, build_upon 0 0, build_upon 0 0, call 0 0, call 0 5, build_upon 0 0,
    call 0 0, call 0 0, call 0 0, call 0 0, promise 0 0, arrive 3 24, drop_handle 0 0, drop_call 0 0, build_upon 0 0,
    call 0 0, call 0 0, call 0 0, arrive 0 14, turn 3 0, resolve 0 0, promise 3 0, call 0 14, build_upon 0 0,
    call 0 0, call 0 0, drop_handle 7 0, drop_call 0 0, call 0 0, call 0 0, call 0 0, drop_handle 61 0,
    drop_handle 0 0, drop_call 0 0, call 0 0, build_upon 0 0, resolve 0 0, turn 0 0, turn 0 0, call 37 4, call 0 0,
    build_upon 0 0, build_upon 0 0, build_upon 0 0, build_upon 0 0, resolve 0 0, build_upon 0 0, drop_call 0 0,
    promise 0 0, call 0 0, build_upon 33 0, build_upon 0 0, drop_handle 0 0, build_upon 0 0, promise 0 0,
    build_upon 0 0, drop_call 0 0, build_upon 32 0, drop_handle 0 0, drop_handle 52 0, drop_handle 0 0, arrive 3 49,
    build_upon 7 0, arrive 0 24, turn 0 0, call 50 0, build_upon 0 0, drop_handle 26 0, turn 1 0, drop_handle 21 0,
    answer 0 9, resolve 0 0, build_upon 0 0, build_upon 0 0, build_upon 0 0, arrive 1 9, build_upon 0 0,
    build_upon 0 0, call 10 5, turn 0 0, build_upon 0 0, call 36 0
"""
RESULTS_THAT_ARE_TAKEN_ARE_THE_PEERS_AGAIN = """
    call 22 31, call 63 28, build_upon 28 39, build_upon 5 38, call 29 57, drop_handle 56 1, promise 29 47,
    drop_handle 49 3, promise 58 47, build_upon 24 4, call 0 46, promise 56 43, build_upon 19 54, call 51 49,
    call 36 12, call 5 14, arrive 33 9, build_upon 59 33, drop_handle 36 2, call 15 20, promise 4 18, build_upon 0 26,
    resolve 1 50, call 2 36, build_upon 12 18, turn 41 0, call 59 3, promise 33 58, promise 15 49, build_upon 1 12,
    build_upon 37 21, arrive 2 9, promise 56 18, call 28 9
"""


@pytest.mark.conformance("PRO-13", "PRO-14", "PRO-15")
@pytest.mark.parametrize(
    "steps",
    [
        A_PROMISE_NAMED_TO_ITS_OWNER_IS_RESOLVED_MEANWHILE,
        RESULTS_THAT_ARE_TAKEN_COME_FROM_A_CALL_THAT_GOES_BACK,
        THE_PEERS_ANSWER_IS_NAMED_AS_OURS,
        RESULTS_THAT_ARE_TAKEN_ARE_THE_PEERS_AGAIN,
    ],
    ids=[
        "a promise named to its owner is resolved meanwhile",
        "results that are taken come from a call that goes back",
        "the peer's answer is named as ours",
        "results that are taken are the peer's again",
    ],
)
def test_a_play_that_went_wrong_once(backend: str, steps: str) -> None:
    parts = [step.split() for step in steps.split(",")]
    _play(backend, [(name, int(a), int(b)) for name, a, b in parts])


@pytest.mark.fuzz
@pytest.mark.conformance("RPC-03", "RPC-04", "RPC-11", "RPC-14", "PRO-08", "PRO-13", "PRO-14", "PRO-27")
@settings(max_examples=settings.default.max_examples // 4)
@given(steps=_steps)
def test_calls_keep_their_order_and_nothing_is_left(backend: str, steps: list[tuple[str, int, int]]) -> None:
    _play(backend, steps)


def _play(backend: str, steps: list[tuple[str, int, int]]) -> None:
    play = Play(backend)
    for name, a, b in steps:
        getattr(play, name)(a, b)
    play.finish()
    assert [end.connection.error for end in play.ends] == [None, None]
