"""What type checkers refuse of builders: the comments above a line are what they say of it."""

from __future__ import annotations

from collections.abc import Hashable

from people_capnp import Mood, Person, Shape

person = Person.new_message()

# mypy says: Unexpected keyword argument "nme" for "new_message" of "Person"; did you mean "name"?
# pyright says: No parameter named "nme"
Person.new_message(nme="x")

# mypy says: Unexpected keyword argument "nme" for "Person"; did you mean "name"?
# pyright says: No parameter named "nme"
Person(nme="x")

# mypy says: Argument 1 to "from_text" of "StructType" has incompatible type "dict[str, str]"
# pyright says: Argument of type "dict[str, str]" cannot be assigned to parameter "text"
Person.from_text({"name": "x"})

# mypy says: Unexpected keyword argument "prety" for "to_json" of
# pyright says: No parameter named "prety"
person.to_json(prety=True)

# mypy says: Argument "name" to "new_message" of "Person" has incompatible type "int"; expected "str | None"
# pyright says: Argument of type "Literal[3]" cannot be assigned to parameter "name" of type "str | None"
Person.new_message(name=3)

# mypy says: Incompatible types in assignment (expression has type "str", variable has type "SupportsIndex")
# pyright says: Cannot assign to attribute "id" for class "Builder"
person.id = "x"

# mypy says: (expression has type "float", variable has type "SupportsIndex")
# pyright says: Cannot assign to attribute "id" for class "Builder"
person.id = 1.5

# mypy says: (expression has type "int", variable has type "bool")
# pyright says: Cannot assign to attribute "isHome" for class "Builder"
person.isHome = 1

# mypy says: (expression has type "str", variable has type "Buffer | None")
# pyright says: Cannot assign to attribute "picture" for class "Builder"
person.picture = "x"

# mypy says: (expression has type "Literal['sad']", variable has type "Literal['good', 'bad'] | int")
# pyright says: Cannot assign to attribute "mood" for class "Builder"
person.mood = "sad"

# mypy says: "type[Mood]" has no attribute "sad"
# pyright says: Cannot access attribute "sad" for class "type[Mood]"
Mood.sad

# mypy says: List item 0 has incompatible type "int"; expected "Phone | Mapping[str, Any]"
# pyright says: "Literal[3]" is not assignable to "Phone"
person.phones = [3]

# mypy says: No overload variant of "__setitem__" of "ListBuilder" matches argument types "int", "Builder"
# pyright says: No overloads for "__setitem__" match the provided arguments
person.phones[0] = person

# mypy says: Argument 1 to "append" of "ListBuilder" has incompatible type "dict[Never, Never]"; expected "Never"
# pyright says: cannot be assigned to parameter "values" of type "Never"
person.phones.append({})

# mypy says: List item 0 has incompatible type "str"; expected "SupportsIndex"
# pyright says: "Literal['x']" is incompatible with protocol "SupportsIndex"
person.scores = ["x"]

# mypy says: (expression has type "list[int]", variable has type "Person | Mapping[str, Any] | None")
# pyright says: Cannot assign to attribute "friend" for class "Builder"
person.friend = [3]

# mypy says: (expression has type "Builder", variable has type "Person | Mapping[str, Any] | None")
# pyright says: Cannot assign to attribute "friend" for class "Builder"
person.friend = person.address

# mypy says: (expression has type "str", variable has type "None")
# pyright says: Cannot assign to attribute "nothing" for class "Builder"
person.nothing = "x"

# mypy says: No overload variant of "init" of "Builder" matches argument types "str", "int"
# pyright says: No overloads for "init" match the provided arguments
person.init("phnes", 2)

# mypy says: No overload variant of "init" of "Builder" matches argument type "str"
# pyright says: No overloads for "init" match the provided arguments
person.init("phones")

# mypy says: No overload variant of "init_resizable_list" of "Builder" matches argument type "str"
# pyright says: No overloads for "init_resizable_list" match the provided arguments
person.init_resizable_list("friend")

# mypy says: Argument 1 to "append" of "ResizableList" has incompatible type "int"
# pyright says: Argument of type "Literal[3]" cannot be assigned to parameter "value"
person.init_resizable_list("phones").append(3)

# mypy says: Argument 1 to "init" of "Builder" has incompatible type "Literal['circle']"; expected "Literal['label']"
# pyright says: "Literal['circle']" is not assignable to type "Literal['label']"
Shape().init("circle")

# mypy says: Argument 1 to "write" of "StructView" has incompatible type "str"; expected "_Writes"
# pyright says: "Literal['file']" is incompatible with protocol "_Writes"
person.write("file")

# mypy says: Incompatible types in assignment (expression has type "Builder", variable has type "Hashable")
# pyright says: Type "Builder" is not assignable to declared type "Hashable"
key: Hashable = person

# pyright says: Type "Builder" is not hashable
keys = {person}
