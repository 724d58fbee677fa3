"""What type checkers refuse of readers: the comments above a line are what they say of it."""

from __future__ import annotations

import people_capnp
from people_capnp import Person, Shape
from typing_extensions import assert_never

person = Person.from_bytes(b"")

# mypy says: Argument 1 to "from_bytes" of "StructType" has incompatible type "str"; expected "Buffer"
# pyright says: "Literal['x']" is incompatible with protocol "Buffer"
Person.from_bytes("x")

# mypy says: "Reader" has no attribute "nme"
# pyright says: Cannot access attribute "nme" for class "Reader"
person.nme

# mypy says: Property "name" defined in "Person" is read-only
# pyright says: Cannot assign to attribute "name" for class "Reader"
person.name = "x"

# mypy says: Unsupported target for indexed assignment ("ListReader[Reader]")
# pyright says: "__setitem__" method not defined on type "ListReader[Reader]"
person.phones[0] = {}

# mypy says: "Reader" has no attribute "init"
# pyright says: Cannot access attribute "init" for class "Reader"
person.init("phones", 1)

# mypy says: Unsupported operand types for + ("int" and "str")
# pyright says: Operator "+" not supported for types "int" and "Literal['x']"
person.id + "x"

# mypy says: Non-overlapping equality check
# pyright says: Condition will always evaluate to False
is_retired = person.employment.which() == "retired"

# mypy says: Incompatible types in assignment (expression has type "Reader", variable has type "Builder")
# pyright says: Type "Reader" is not assignable to declared type "Builder"
builder: Person.Builder = person

# mypy says: has no attribute "view"
# pyright says: Cannot access attribute "view" for class "ListReader[Reader]"
person.phones.view()

# mypy says: Cannot assign to final name "limit"
people_capnp.limit = 3

# mypy says: "type[Person]" has no attribute "phone"
# pyright says: Cannot access attribute "phone" for class "type[Person]"
Person.phone


def forgetful(shape: Shape) -> float:
    which = shape.which()
    if which == "circle":
        return shape.circle
    elif which == "square":
        return shape.square
    # mypy says: expected "Never"
    # pyright says: Type "Literal['label']" is not assignable to type "Never"
    assert_never(which)
