"""What fields of a parameter's type are read and built as, where it is bound, and where it is not."""

from __future__ import annotations

from typing import Union

from generics_capnp import Box, Map, Uses, box
from people_capnp import Person
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp

data = Map[ccapnp.Text, Person].new_message(entries=[{"key": "a", "value": {"name": "Alice"}}]).to_bytes()

people = Map[ccapnp.Text, Person].from_bytes(data)
assert_type(people, "Map.Reader[ccapnp.Text, Person]")
assert_type(people.entries[0].key, str)
assert_type(people.entries[0].value, Person.Reader)
assert_type(people.entries[0].value.name, str)
assert people.entries[0].value.name == "Alice"
assert_type(ccapnp.MessageReader(data).get_root(Map[ccapnp.Text, Person]).entries[0].key, str)
for each in Map[ccapnp.Text, ccapnp.Data].read_multiple_bytes(b""):
    assert_type(each.entries[0].value, bytes)
assert_type(Map.Entry[ccapnp.Data, Person]().as_reader().key, bytes)

builder = people.as_builder()
assert_type(builder, "Map.Builder[ccapnp.Text, Person]")
assert_type(builder.entries[0].value, Person.Builder)
builder.entries[0].value.name = "Bob"
builder.entries[0].key = "b"
builder.entries = [{"key": "c", "value": builder.entries[0].value}]
assert builder.entries[0].value.name == "Bob"
made = Box[Person](value={"name": "Carol"}, part={"inner": {"name": "Dave"}})
assert_type(made.value, Person.Builder)
assert_type(made.part.inner.name, str)
assert_type(made.part.deep, "Map.Builder[ccapnp.Text, Person]")
made.init("value")
made.init("other").value.name = "Eve"


def either(box: Box[Person], text: Box[ccapnp.Text]) -> str:
    """A parameter that is a type itself takes its readers and its builders."""
    assert_type(box.value, Union[Person.Reader, Person.Builder])
    assert_type(text.part.inner, str)
    return box.value.name


assert either(made, Box[ccapnp.Text](value="x", part={"inner": "y"})) == ""
assert either(made.as_reader(), Box[ccapnp.Text](part={}).as_reader()) == ""


def any_box(box: Box) -> None:
    """Without brackets, all parameters are AnyPointers."""
    assert_type(box.as_reader().value, ccapnp.AnyPointerReader)


assert Box.new_message(value="x").as_reader().value.as_text() == "x"

uses = Uses.new_message().as_reader()
assert_type(uses.people.entries, "ccapnp.ListReader[Map.Entry.Reader[ccapnp.Text, Person]]")
assert_type(uses.texts.value, str)
assert_type(uses.nested.value.value, bytes)
assert_type(uses.lists.value, ccapnp.ListReader[str])
assert_type(uses.numbers.value, ccapnp.ListReader[int])
assert_type(uses.colors.value, ccapnp.ListReader[Box.Pair.Color])
assert_type(uses.service.value, "Box.Base.Client[ccapnp.Text] | None")
assert_type(Box[Box.Base[ccapnp.Text]]().value, "Box.Base.Client[ccapnp.Text] | None")
writing = Uses.new_message(service=Box[Box.Base[ccapnp.Text]]())
assert_type(uses.pair.first, bytes)
assert_type(uses.pair.second, Uses.Reader)
assert_type(uses.pair.box.value, Uses.Reader)
assert_type(uses.unbound.value, ccapnp.AnyPointerReader)
assert_type(uses.many, "ccapnp.ListReader[Map.Reader[ccapnp.Text, Box[ccapnp.Text]]]")
assert_type(uses.any.value, ccapnp.AnyPointerReader)
assert_type(uses.texts.other.value, Person.Reader)
assert_type(box.value, str)
assert box.value == "constant"

writing.texts = Box[ccapnp.Text](value="x")
writing.texts = box
writing.init("pair").second = writing
assert writing.texts.value == "constant"
writing.texts.value = None
writing.init("numbers").value = range(3)
writing.lists.value = ["a", "b"]
writing.colors.value = ["red"]
writing.service.value = ccapnp.Capability(1)
made.part.inner = made.value
made.value = {"name": "Frank"}
