"""Schemas, and methods of a user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import hostile_capnp as hostile
import people_capnp
from people_capnp import Mood, Person, Service
from typing_extensions import assert_type

import ccapnp.types.typed as ccapnp
from ccapnp.reflection import (
    EnumSchema,
    FieldSchema,
    FileSchema,
    InterfaceSchema,
    MethodSchema,
    NameMap,
    SchemaType,
    StructSchema,
)

person = Person(id=1, name="Ann")
assert_type(Person.schema, StructSchema)
assert_type(person.schema, StructSchema)
assert_type(person.as_reader().schema, StructSchema)
assert_type(Mood.schema, EnumSchema)
assert_type(Service.schema, InterfaceSchema)
assert_type(ccapnp.schema_of(person), StructSchema)
assert_type(ccapnp.schema_of(Person), StructSchema)
assert_type(ccapnp.schema_of(Mood.bad), EnumSchema)
assert_type(ccapnp.schema_of(Mood), EnumSchema)
assert_type(ccapnp.schema_of(Service), InterfaceSchema)
assert_type(ccapnp.schema_of(people_capnp), FileSchema)
assert_type(ccapnp.schema_of(person.phones), SchemaType)
assert_type(Person.schema.fields, NameMap[FieldSchema])
assert_type(Person.schema.fields["name"].type.python_type, Any)
assert_type(Person.schema.fields["name"].containing_struct, StructSchema)
assert_type(Mood.schema.enumerants["bad"].ordinal, int)
assert_type(Service.schema.methods.get("x"), Optional[MethodSchema])
assert_type(person.has("name", non_default=True), bool)
assert ccapnp.type_of(person) is Person

assert_type(ccapnp.schema_of(hostile.Methods), StructSchema)
assert_type(hostile.Methods(schema=["a"]).schema[0], str)


if TYPE_CHECKING:
    Base = Person
else:
    Base = object


@Person.add_methods
class PersonMethods(Base):
    """To a checker, all that a person is, and more."""

    def greeting(self, word: str = "Hello") -> str:
        assert_type(self.name, str)
        return f"{word}, {self.name}"

    @property
    def initial(self) -> str:
        return self.name[0]


def greet(someone: PersonMethods) -> str:
    return f"{someone.greeting()} {someone.initial} {someone.id}"


assert isinstance(person, PersonMethods)
assert_type(person.greeting(), str)
assert greet(person) == "Hello, Ann A 1" and person.name == "Ann"
