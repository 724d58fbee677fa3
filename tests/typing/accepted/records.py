"""Whole messages as records: what type checkers accept, and what types they see.  The code also runs."""

from __future__ import annotations

from typing import Literal, Optional

from people_capnp import Mood, Person, Shape
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp

data = Person.encode({"id": 1, "name": "Alice", "scores": [1, 2], "phones": [{"number": "555"}]})
alice = Person.decode(data)
assert_type(alice, Person.Record)
assert_type(alice.id, int)
assert_type(alice.name, str)
assert_type(alice.picture, bytes)
assert_type(alice.mood, Mood)
assert_type(alice.scores, tuple[int, ...])
assert_type(alice.grid, tuple[tuple[int, ...], ...])
assert_type(alice.phones[0], Person.Phone.Record)
assert_type(alice.phones[0].number, str)
assert_type(alice.friend, Optional[Person.Record])
assert_type(alice.employment.which(), Literal["unemployed", "employer", "school"])
assert_type(alice.employment.unemployed, None)
assert_type(alice.address.number, int)

bob = Person.Record(
    name="Bob",
    mood="bad",
    scores=[3],
    phones=[{"number": "1"}, alice.phones[0]],
    friend=alice,
    employment={"school": "ETH"},
)
assert_type(bob, Person.Record)
assert_type(bob._replace(name="Rob", friend=None), Person.Record)
assert_type(Person.encode(bob, packed=True), bytes)
assert_type(next(Person.decode_many(Person.encode_many([alice, bob]))), Person.Record)
assert_type(Person.from_bytes(data).to_record(), Person.Record)
assert_type(ccapnp.to_record(Person.new_message(name="Carol")), Person.Record)
assert_type(Shape.decode(Shape.encode({"circle": 1.0})), Shape.Record)
assert isinstance(alice, Person.Record) and isinstance(alice, tuple) and hash(alice) != hash(bob)
assert Person.decode(Person.encode(bob)) == bob and bob.friend == alice
