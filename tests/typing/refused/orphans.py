"""What type checkers refuse of orphans: the comments above a line are what they say of it."""

from __future__ import annotations

from people_capnp import Person

import ccapnp.types.typed as ccapnp

person = Person.new_message()

# mypy says: No overload variant of "disown" of "Builder" matches argument type "str"
# pyright says: No overloads for "disown" match the provided arguments
person.disown("nme")

# mypy says: No overload variant of "adopt" of "Builder" matches argument types "str", "Orphan[Builder, Reader]"
# pyright says: No overloads for "adopt" match the provided arguments
person.adopt("name", person.disown("friend"))

# mypy says: No overload variant of "adopt" of "Builder" matches argument types "str", "str"
# pyright says: No overloads for "adopt" match the provided arguments
person.adopt("name", "text")

# mypy says: Argument 1 to "orphanage" has incompatible type "Reader"
# pyright says: Argument of type "Reader" cannot be assigned to parameter "builder"
ccapnp.orphanage(person.as_reader())

# mypy says: "Reader" has no attribute "disown"
# pyright says: Cannot access attribute "disown" for class "Reader"
person.as_reader().disown("name")
