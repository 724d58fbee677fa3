"""What type checkers refuse of generic types: the comments above a line are what they say of it."""

from __future__ import annotations

from generics_capnp import Box, Map, Uses
from people_capnp import Person

import ccapnp.types.typed as ccapnp

# mypy says: "str" has no attribute "name"
# pyright says: Cannot access attribute "name" for class "str"
Box[ccapnp.Text].from_bytes(b"").value.name

# mypy says: "Reader" has no attribute "nme"
# pyright says: Cannot access attribute "nme" for class "Reader"
Map[ccapnp.Text, Person].from_bytes(b"").entries[0].value.nme

# mypy says: Value of type variable "_T_T" of "Box" cannot be "int"
# pyright says: Type "int" cannot be assigned to type variable "_T_T@Box"
Box[int].new_message()

# mypy says: The type "type[Person]" is not generic and not indexable
# pyright says: Expected no type arguments for class "Person"
Person[ccapnp.Text].new_message()

# mypy says: Incompatible types in assignment (expression has type "Builder[Data]"
# pyright says: "Data" is not assignable to "Text"
Uses.new_message().texts = Box[ccapnp.Data]()

# mypy says: has incompatible type "Builder[Data]"; expected "Box[Text] | Mapping[str, Any] | None"
# pyright says: "Data" is not assignable to "Text"
Uses.new_message(texts=Box[ccapnp.Data]())

text = Box[ccapnp.Text]()

# mypy says: expression has type "int", variable has type "str | None"
# pyright says: "Literal[3]" is not assignable to type "str | None"
text.value = 3

# mypy says: expression has type "str", variable has type "Person | Mapping[str, Any] | None"
# pyright says: "Literal['x']" is not assignable to type "Person | Fields | None"
Box[Person]().part.inner = "x"
