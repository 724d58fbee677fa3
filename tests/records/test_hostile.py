"""Limits and wrong bytes: a record fails where a reader does, with the same error, and costs the same."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, note

import ccapnp
from ccapnp import CapnpError, LimitError
from tests.parity.draws import RANDOMS, SEEDS, needs_both
from tests.parity.messages import built, damaged
from tests.parity.outcomes import outcome
from tests.parity.schemas import make_schema
from tests.records.model import items_of, modelled


def test_the_limits_are_arguments(schema: Any) -> None:
    data = schema.Node.new_message(child={"child": {"child": {}}}).to_bytes()
    packed = schema.Node.from_bytes(data).to_bytes_packed()
    for way in (
        lambda **limits: schema.Node.decode(data, **limits),
        lambda **limits: schema.Node.decode(packed, True, **limits),
        lambda **limits: next(schema.Node.decode_many(data, **limits)),
        lambda **limits: next(schema.Node.decode_many(packed, True, **limits)),
        lambda **limits: next(schema.Node.decode_many([data], **limits)),
    ):
        assert way(nesting_limit=4).child.child.child.name == ""
        for limit in ({"nesting_limit": 3}, {"traversal_limit_in_words": 20}):
            with pytest.raises(LimitError) as caught:
                way(**limit)
            assert caught.value.option == next(iter(limit))
        with pytest.raises(ValueError, match="nesting_limit must be at least 1"):
            way(nesting_limit=0)


def test_a_pointer_that_is_wrong_is_named(schema: Any) -> None:
    builder = schema.Node.new_message(children=[{}, {"child": {"name": "x"}}])
    name = builder.children[1].child
    shape = name._c
    shape.u64[name._w + shape.data_words] = 0xFFFFFFF1_00000003  # a capability in the place of a text
    data = builder.to_bytes()
    with pytest.raises(CapnpError) as eager:
        schema.Node.decode(data)
    with pytest.raises(CapnpError) as lazy:
        modelled(schema.Node.from_bytes(data))
    assert str(eager.value) == str(lazy.value) and eager.value.field == "children[1].child.name"
    assert eager.value.type == "Node"


def test_a_record_of_a_whole_message_keeps_none_of_it(schema: Any) -> None:
    data = bytearray(schema.Pair.new_message(key="abc", value=5).to_bytes())
    record = schema.Pair.decode(data)
    data[:] = bytes(len(data))
    data.clear()  # which a view of it would forbid
    assert record == ("abc", 5)


@pytest.mark.fuzz
@needs_both
@given(seed=SEEDS, rng=RANDOMS)
def test_a_record_is_what_a_reader_says(seed: int, rng: random.Random) -> None:
    """Of any message, sound or not, of the type's own version or another, under any limits."""
    schema = make_schema(seed)
    name = rng.choice(schema.names)
    message = built(rng, schema.modules["pure"], name if rng.random() < 0.8 else f"Old{name}")
    if rng.random() < 0.7:
        message = damaged(rng, message)
    name = name if rng.random() < 0.8 else f"Old{name}"
    limits: dict[str, Any] = {}
    if rng.random() < 0.5:
        limits = {
            "traversal_limit_in_words": rng.choice([5, 30, 100, 400, 1000]),
            "nesting_limit": rng.choice([1, 2, 3, 64]),
        }
    note([segment.hex(" ", 8) for segment in message])
    for module in schema.modules.values():
        struct_type = getattr(module, name)
        try:
            views = [struct_type.from_segments(message, **limits) for _ in range(2)]
        except CapnpError:
            return
        lazy = outcome(lambda: modelled(views[0]))  # noqa: B023  # called at once
        eager = outcome(lambda: items_of(ccapnp.to_record(views[1])))  # noqa: B023
        if lazy[0] == "error":
            assert eager[:3] == lazy[:3]
            continue
        assert eager == lazy and views[0]._c.arena.budget == views[1]._c.arena.budget
