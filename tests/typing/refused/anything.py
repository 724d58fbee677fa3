"""What type checkers refuse of what has no type: the comments above a line are what they say of it."""

from __future__ import annotations

from anything_capnp import Anything

built = Anything.new_message()

# mypy says: (expression has type "str", variable has type "AnyStructReader | AnyPointerReader | StructView | None")
# pyright says: Cannot assign to attribute "struct" for class "Builder"
built.struct = "text"

# mypy says: (expression has type "list[int]", variable has type
# pyright says: Cannot assign to attribute "list" for class "Builder"
built.list = [1]

# mypy says: No overload variant of "init" of "Builder" matches argument types "str", "int"
# pyright says: No overloads for "init" match the provided arguments
built.init("struct", 3)
