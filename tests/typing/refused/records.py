"""What type checkers refuse of records: the comments above a line are what they say of it."""

from __future__ import annotations

from people_capnp import Person

alice = Person.Record(name="Alice")

# mypy says: Property "name" defined in "Record" is read-only
# pyright says: Cannot assign to attribute "name" for class "Record"
alice.name = "Bob"

# mypy says: Unexpected keyword argument "nme" for "Record"; did you mean "name"?
# pyright says: No parameter named "nme"
Person.Record(nme="x")

# mypy says: Argument "id" to "_replace" of "Record" has incompatible type "str"; expected "int"
# pyright says: Argument of type "Literal['x']" cannot be assigned to parameter "id" of type "int"
alice._replace(id="x")

# mypy says: "Record" has no attribute "nme"
# pyright says: Cannot access attribute "nme" for class "Record"
alice.nme
