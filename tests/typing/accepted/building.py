"""What a builder takes, and that it takes it."""

from __future__ import annotations

import io
from array import array

from people_capnp import Mood, Person, Shape
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp
from ccapnp import JsonCodec

person = Person.new_message(16, id=1, name="Alice", address={"street": "Main", "number": 3})
assert_type(person, Person.Builder)
assert_type(Person(name="Bob"), Person.Builder)
assert_type(Person.from_dict({"name": "Carol"}), Person.Builder)
assert_type(person.as_reader(), Person.Reader)
assert_type(person.copy(), Person.Builder)
assert_type(Person.from_text('(name = "Dave")'), Person.Builder)
assert_type(Person.from_json(b'{"name": "Eve"}'), Person.Builder)
assert_type(Person.from_json({"name": "Eve"}, reject_unknown_fields=True, max_nesting_depth=3), Person.Builder)
assert_type(person.to_json(pretty=True), str)
assert_type(ccapnp.to_json(person, omit_defaults=True), str)
assert_type(ccapnp.to_text(person.as_reader()), str)
codec = JsonCodec(pretty=True)
codec.add_handler(Person, "name", encode=str.upper, decode=str.lower)
assert_type(codec.encode(person), str)
assert_type(codec.decode("{}", Person), Person.Builder)
other = Person.from_bytes(Person(phones=[{"number": "1"}], mood=Mood.bad).to_bytes())

person.id = True
person.height = 2
person.height = 1.5
person.isHome = False
person.picture = bytearray(b"a")
person.picture = memoryview(b"a")
person.mood = Mood.bad
person.mood = "good"
person.mood = 7
person.mood = other.mood
person.nothing = None
person.phones = [{"number": "2"}, other.phones[0], Person.Phone(number="3")]
assert_type(ccapnp.to_text(other.phones) + ccapnp.to_json(other.phones), str)
person.phones = other.phones
person.phones[0] = {"kind": "home"}
person.phones[0:1] = [other.phones[0]]
person.phones[0].kind = "mobile"
person.phones = None
person.scores = range(3)
person.scores = array("i", [1, 2])
person.scores = (n for n in (1, 2))
person.scores[0] = 5
person.scores.view()[1] = 6
person.weights = [1, 2.5]
person.flags = [True, False]
person.nicknames = ("Al", "Ali")
person.moods = ["good", Mood.bad, 3]
person.moods[0] = "bad"
person.files = [b"a", bytearray(b"b"), None]
person.friend = other
person.friend = {"name": "Dave"}
person.friend = None
person.friend.name = "Dave"
person.friend = person.friend
person.grid = [[1], range(3), []]
person.grid.init(1, 2)[0] = 4
person.circles = [[other, {"id": 2}], [], None]
person.extra.set("text")
person.extra = b"data"
person.extra = other
person.extra.init_struct(Person).id = 3
person.service = None
person.address = {"street": "Low"}
person.address = other.address
person.address.street = "High"
person.employment.school = "MIT"

assert_type(person.phones, "ccapnp.ListBuilder[Person.Phone.Builder, Person.Phone | ccapnp.Fields]")
assert_type(person.init("phones", 2)[0], Person.Phone.Builder)
assert_type(person.init("friend"), Person.Builder)
assert_type(person.init("picture", 3), memoryview)
assert_type(person.init("grid", 3).init(0, 1)[0], int)
assert_type(person.init("address"), Person.Address.Builder)
assert_type(person.init("employment"), Person.Employment.Builder)
assert_type(person.init("extra"), ccapnp.AnyPointerBuilder)
assert_type(person.friend, Person.Builder)
assert_type(person.init("circles", 1).init(0, 1)[0], Person.Builder)
assert_type(person.init("files", 1).init(0, 1), memoryview)
with person.init_resizable_list("phones") as phones:
    assert_type(phones.add(), Person.Phone.Builder)
    phones.append({"number": "4"})
    phones.append(other.phones[0])
texts = person.init_resizable_list("nicknames")
texts.append("Al")
texts.finish()

message = ccapnp.MessageBuilder()
assert_type(message.init_root(Person), Person.Builder)
assert_type(message.set_root(other), Person.Builder)
assert_type(message.get_root(Person), Person.Builder)
assert_type(message.root.as_struct(Person), Person.Builder)

file = io.BytesIO()
person.write(file)
ccapnp.write(person, file)
Shape(label={"text": "a"}).write_packed(file)
ccapnp.set_field(person, "name", "Eve")
assert person.name == "Eve" and person.has("phones") and len(person.phones) == 3


def set_columns(phones: ccapnp.ListBuilder[Person.Phone.Builder]) -> None:
    phones.set_columns({"kind": [1, 2]}, number=array("i", [1, 2]))
