"""What type checkers refuse of columns: only lists of structs have them, and only those of a builder can be set."""

from people_capnp import Person

person = Person.new_message()

# mypy says: Invalid self argument
# pyright says: "int" is not assignable to "StructView"
person.scores.column("x")

# mypy says: Invalid self argument
# pyright says: "int" is not assignable to "StructView"
person.scores.set_columns(x=[1])

# mypy says: "ListReader[Reader]" has no attribute "set_columns"
# pyright says: Cannot access attribute "set_columns" for class "ListReader[Reader]"
person.as_reader().phones.set_columns(number=[1])
