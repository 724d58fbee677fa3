"""The same operation on the same message: one value or one error, whichever codec does the work."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, note

import ccapnp
from tests.parity.differences import assert_same
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.messages import built, damaged
from tests.parity.operations import OPERATIONS, Side, performed
from tests.parity.outcomes import outcome
from tests.parity.schemas import Schema, make_schema

pytestmark = parity

LIMITS = ({"traversal_limit_in_words": 20_000, "nesting_limit": 30}, {}, {"traversal_limit_in_words": None})


def sides(schema: Schema, name: str, other_message: list[bytes], limits: dict[str, Any]) -> list[Side]:
    pure, native = schema.modules["pure"], schema.modules["native"]
    return [Side(pure, native, name, other_message, limits), Side(native, pure, name, other_message, limits)]


def drawn(rng: random.Random, schema: Schema, limits: dict[str, Any]) -> tuple[list[bytes], list[Side]]:
    """A message, and both sides that read it: as what it was built as, or as an older or newer version of that."""
    name = rng.choice(schema.names)
    module = schema.modules["pure"]
    written_as = name if rng.random() < 0.8 else f"Old{name}"
    read_as = name if rng.random() < 0.8 else f"Old{name}"
    message = damaged(rng, built(rng, module, written_as))
    other = damaged(rng, message) if rng.random() < 0.5 else built(rng, module, written_as)
    return message, sides(schema, read_as, other, limits)


def opened(side: Side, message: list[bytes]) -> Any:
    return side.type.from_segments(message, **side.limits)


def opens(both: list[Side], message: list[bytes]) -> bool:
    """Whether the message can be opened; both sides must agree."""
    found = [outcome(lambda side=side: ccapnp.has(opened(side, message), "nope")) for side in both]
    assert found[0] == found[1]
    return "UnknownFieldError" in found[0]


@given(seed=SEEDS, rng=RANDOMS)
def test_each_operation_on_a_reader_of_its_own(seed: int, rng: random.Random) -> None:
    schema = make_schema(seed)
    message, both = drawn(rng, schema, rng.choice(LIMITS[:2]))
    start = rng.getrandbits(32)
    note([segment.hex(" ", 8) for segment in message])
    if not opens(both, message):
        return
    for name in OPERATIONS:
        note(name)
        assert_same([performed(name, opened(side, message), side, start) for side in both])


@given(seed=SEEDS, rng=RANDOMS)
def test_operations_in_a_row_cost_the_same(seed: int, rng: random.Random) -> None:
    """Under limits so small that many operations end at one: when, depends on each word that those before counted."""
    schema = make_schema(seed)
    limits = {"traversal_limit_in_words": rng.choice([5, 30, 100, 400]), "nesting_limit": rng.choice([1, 2, 3, 64])}
    message, both = drawn(rng, schema, limits)
    note([segment.hex(" ", 8) for segment in message])
    if not opens(both, message):
        return
    views = [opened(side, message) for side in both]
    for name in rng.choices(sorted(OPERATIONS), k=6):
        start = rng.getrandbits(32)
        note(name)
        assert_same([performed(name, view, side, start) for view, side in zip(views, both)])
