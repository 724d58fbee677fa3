"""What orphans are of, and who takes them."""

from __future__ import annotations

from people_capnp import Person
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp


def somebody() -> Person.Builder:
    return Person(name="x", phones=[{}], scores=[1], friend={}, picture=b"a", files=[b"a"], extra="text")


person = somebody()
message = ccapnp.MessageBuilder()

assert_type(person.disown("name"), ccapnp.Orphan[str])
assert_type(person.disown("id"), ccapnp.Orphan[int])
assert_type(person.disown("picture"), ccapnp.Orphan[memoryview, bytes])
friend = person.disown("friend")
assert_type(friend.get(), Person.Builder)
assert_type(friend.get_reader(), Person.Reader)
phones = person.disown("phones")
assert_type(phones.get()[0], Person.Phone.Builder)
assert_type(phones.get_reader()[0], Person.Phone.Reader)
assert_type(person.disown("scores").get_reader(), ccapnp.NumberList[int])

person = somebody()
assert_type(person.phones.disown(0).get(), Person.Phone.Builder)
assert_type(person.files.disown(0).get(), memoryview)
assert_type(person.extra.disown().get_reader(), ccapnp.AnyPointerReader)
message.set_root(person)
assert_type(message.disown_root(Person).get(), Person.Builder)

orphanage = ccapnp.orphanage(person)
assert_type(orphanage.new(Person), ccapnp.Orphan[Person.Builder, Person.Reader])
assert_type(orphanage.new(ccapnp.Data, 3), ccapnp.Orphan[memoryview, bytes])
assert_type(orphanage.new(ccapnp.List[Person.Phone], 3).get()[0], Person.Phone.Builder)
assert_type(orphanage.copy("text"), ccapnp.Orphan[str, str])
assert_type(orphanage.copy(b"data").get_reader(), bytes)
assert_type(orphanage.copy(person).get_reader(), Person.Reader)
assert_type(person.disown("friend").release_as(ccapnp.AnyPointer).get(), ccapnp.AnyPointerBuilder)
assert_type(message.new_orphan(ccapnp.Text, 3).get(), str)

person = somebody()
orphanage = ccapnp.orphanage(person)
person.adopt("friend", person.disown("friend"))
person.adopt("friend", orphanage.new(Person))
person.adopt("friend", orphanage.copy(Person.from_bytes(person.to_bytes())))
person.adopt("name", orphanage.new(ccapnp.Text, 5))
person.adopt("picture", orphanage.reference(bytes(8)))
person.adopt("phones", orphanage.new(ccapnp.List[Person.Phone], 3))
person.adopt("phones", orphanage.concatenate([person.phones, person.phones]))
person.adopt("scores", orphanage.copy(person.scores))
person.phones.adopt(0, orphanage.new(Person.Phone))
person.extra.adopt(person.disown("friend"))
message.adopt_root(message.orphanage.copy(person))
with person.disown("name") as name:
    name.resize(len(name) + 1)
