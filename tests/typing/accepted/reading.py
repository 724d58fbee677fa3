"""What a reader gives, and that it gives it."""

from __future__ import annotations

import io
from typing import Any, Optional

from people_capnp import Mood, Person, Service, Shape
from typing_extensions import Literal, assert_never, assert_type

import ccapnp.types.typed as ccapnp

data = Person.new_message(
    id=1,
    name="Alice",
    picture=b"\0",
    mood="bad",
    phones=[{"number": "555", "kind": "home"}],
    scores=range(3),
    employment={"school": "MIT"},
    friend={"name": "Bob"},
    circles=[[{"id": 7}]],
    grid=[[1, 2], []],
).to_bytes()

person = Person.from_bytes(data)
assert_type(person, Person.Reader)
assert_type(Person.from_bytes_packed(person.to_bytes_packed()), Person.Reader)
assert_type(Person.from_segments(person.to_segments(), traversal_limit_in_words=None), Person.Reader)
assert_type(Person.read(io.BytesIO(data)), Optional[Person.Reader])
for each in Person.read_multiple_bytes(data + data):
    assert_type(each, Person.Reader)
for each in Person.read_multiple(io.BytesIO(data)):
    assert_type(each, Person.Reader)

assert_type(person.id, int)
assert_type(person.name, str)
assert_type(person.height, float)
assert_type(person.isHome, bool)
assert_type(person.picture, bytes)
assert_type(person.mood, Mood)
assert_type(person.nothing, None)
assert_type(person.phones[0], Person.Phone.Reader)
assert_type(person.phones[:1], list[Person.Phone.Reader])
assert_type(person.phones[-1].kind, Person.Phone.Kind)
assert_type(person.scores[0], int)
assert_type(person.scores.view(), memoryview)
assert_type(memoryview(person.scores).tolist(), list[int])
assert_type(list(person.weights), list[float])
assert_type(list(person.flags), list[bool])
assert_type(", ".join(person.nicknames), str)
assert_type(list(person.moods), list[Mood])
assert_type(list(person.files), list[bytes])
assert_type(person.friend.friend, Person.Reader)
assert_type(person.grid[0][0], int)
assert_type(person.circles[0][0], Person.Reader)
assert_type(person.extra, ccapnp.AnyPointerReader)
assert_type(person.extra.as_struct(Person), Person.Reader)
assert_type(person.service, "Service.Client | None")
assert_type(list(person.services), "list[Service.Client | None]")
assert_type(person.address, Person.Address.Reader)
assert_type(person.address.number, int)
assert_type(person.to_dict(verbose=True), dict[str, Any])
assert_type(person.as_builder(), Person.Builder)
assert_type(person.copy(), Person.Reader)
assert_type(person.total_size.word_count, int)
assert_type({person: 1}, dict[Person.Reader, int])
with person as same:
    assert_type(same, Person.Reader)

assert_type(ccapnp.MessageReader(data).get_root(Person), Person.Reader)
assert_type(ccapnp.as_builder(person), Person.Builder)
assert_type(ccapnp.copy(person), Person.Reader)
assert_type(Person.schema.display_name, str)
assert_type(Service.schema.display_name, str)

assert isinstance(person.mood, Mood) and person.mood is Mood.bad
assert isinstance(person.phones[0].kind, Person.Phone.Kind)
assert type(person.picture) is bytes and person.circles[0][0].id == 7


def employer(person: Person) -> str:
    """A parameter of the type itself takes readers and builders; a union's name is a Literal."""
    which = person.employment.which()
    if which == "unemployed":
        assert_type(which, Literal["unemployed"])
        return ""
    elif which == "employer":
        return person.employment.employer
    elif which == "school":
        return person.employment.school
    else:
        assert_never(which)


assert employer(person) == employer(person.as_builder()) == "MIT"


def side(shape: Shape.Reader) -> float:
    """The unnamed union of a struct."""
    assert_type(shape.which(), Literal["circle", "square", "label"])
    return shape.circle if shape.which() == "circle" else shape.square


def narrowed(thing: object) -> str:
    """`isinstance` knows readers and builders of a type."""
    if isinstance(thing, Person.Builder):
        thing.name = "changed"
    if isinstance(thing, Person):
        return thing.name
    return ""


assert side(Shape(circle=2).as_reader()) == 2
assert narrowed(person) == "Alice" and narrowed(person.as_builder()) == "changed"


def newest(struct_type: type[ccapnp.Struct], message: bytes) -> ccapnp.StructView:
    """Code for any type."""
    view: ccapnp.StructView = struct_type.from_bytes(message)
    return view if view.has("name") else view.copy()


assert ccapnp.to_bytes(newest(Person, data)) == data


def columns_of(phones: ccapnp.ListReader[Person.Phone.Reader]) -> dict[str, Any]:
    assert_type(phones.column("kind", fill=0), Any)
    return phones.columns("kind", "number")
