"""Methods of a user's own on readers and builders: `add_methods`."""

from __future__ import annotations

import copy
import gc
import pickle
from types import ModuleType
from typing import Any, Callable

import pytest

import ccapnp

SCHEMA = """@0xb8f1c2d3e4a59641;
struct Person {
  first @0 :Text; last @1 :Text; friends @2 :List(Person); best @3 :Person;
  home :group { street @4 :Text; }
  methods @5 :Int32;
}
struct Thing { owner @0 :Person; const answer :Int8 = 3; }
"""


@pytest.fixture
def module(backend: str) -> ModuleType:
    """Types of its own for each test, which changes them."""
    return ccapnp.SchemaParser(backend=backend).load_text(SCHEMA, "methods.capnp")


def readers(builder: Any) -> list[Any]:
    return [builder, builder.as_reader(), type(builder)._type.from_bytes(builder.to_bytes())]


class Named:
    """What is added to a person."""

    kind = "person"

    @property
    def full_name(self: Any) -> str:
        return f"{self.first} {self.last}"

    @full_name.setter
    def full_name(self: Any, name: str) -> None:
        self.first, self.last = name.split()

    def greeting(self, word: str = "Hello") -> str:
        return f"{word}, {self.full_name}"

    @classmethod
    def view(cls) -> str:
        return cls.__name__

    @staticmethod
    def twice(number: int) -> int:
        return 2 * number

    def __len__(self: Any) -> int:
        return len(self.friends)


ANN = {
    "first": "Ann",
    "last": "Lee",
    "friends": [{"first": "Bob", "last": "Ray"}],
    "best": {"first": "Cy", "last": "O"},
}


@pytest.mark.conformance("CPY-08")
@pytest.mark.parametrize("is_made_before", [False, True])
def test_readers_and_builders_have_them(module: Any, is_made_before: bool) -> None:
    before = readers(module.Person(**ANN)) if is_made_before else []
    assert module.Person.add_methods(Named) is Named
    for view in (*before, *readers(module.Person(**ANN))):
        assert view.full_name == "Ann Lee" and view.greeting("Hi") == "Hi, Ann Lee" and len(view) == 1
        assert view.friends[0].full_name == "Bob Ray" and view.best.greeting() == "Hello, Cy O"
        assert view.view() in ("Reader", "Builder") and view.twice(3) == 6 and view.kind == "person"
        assert isinstance(view, Named) and isinstance(view, module.Person) and "full_name" in dir(view)
        assert copy.copy(view).full_name == "Ann Lee"
    owner = module.Thing(owner=ANN).owner
    assert owner.full_name == "Ann Lee"


def test_a_property_can_set_the_fields_of_a_builder(module: Any) -> None:
    module.Person.add_methods(Named)
    person = module.Person.new_message()
    person.full_name = "Dan Fox"
    assert person.to_dict() == {"first": "Dan", "last": "Fox", "home": {}, "methods": 0}
    with pytest.raises(AttributeError, match="this is a reader"):
        person.as_reader().full_name = "Eve Day"


def test_a_decorator_adds_to_one_kind_of_view_alone(module: Any) -> None:
    @module.Person.add_builder_methods
    class Changes:
        def rename(self: Any, name: str) -> None:
            self.first = name

    @module.Person.add_reader_methods
    class Reads:
        def shout(self: Any) -> str:
            return str(self.first).upper()

    builder = module.Person(**ANN)
    builder.rename("Zoe")
    assert builder.as_reader().shout() == "ZOE"
    assert not hasattr(builder, "shout") and not hasattr(builder.as_reader(), "rename")
    assert isinstance(builder, Changes) and not isinstance(builder, Reads)


def test_groups_have_their_own(module: Any) -> None:
    module.Person.Home.add_methods(type("Places", (), {"sign": lambda self: f"> {self.street}"}))
    person = module.Person(home={"street": "Elm"})
    assert person.home.sign() == person.as_reader().home.sign() == "> Elm" and not hasattr(person, "sign")


def test_several_classes_and_what_they_are_derived_from(module: Any) -> None:
    class Base:
        def one(self) -> int:
            return 1

    class Derived(Base):
        def two(self) -> int:
            return super().one() + 1

    module.Person.add_methods(Named)
    module.Person.add_methods(Derived)
    for view in readers(module.Person(**ANN)):
        assert (view.one(), view.two(), view.full_name) == (1, 2, "Ann Lee") and isinstance(view, Base)


def test_a_class_that_is_defined_again_takes_the_place_of_the_old_one(module: Any) -> None:
    for number in (1, 2):
        module.Person.add_methods(type("Cell", (), {"number": number, f"only{number}": True}))
    person = module.Person()
    assert person.number == 2 and person.only2 and not hasattr(person, "only1")


@pytest.mark.parametrize(
    "name", ["first", "methods", "which", "to_dict", "schema", "init", "__eq__", "__str__", "_c", "_type"]
)
def test_a_name_that_is_taken_is_refused(module: Any, name: str) -> None:
    methods = type("Clash", (), {"fine": 1, name: property(lambda self: 1)})
    with pytest.raises(TypeError, match=f"^Person.(Reader|Builder) has '{name}' already, which Clash cannot replace"):
        module.Person.add_methods(methods)
    for view in readers(module.Person(**ANN)):
        assert not hasattr(view, "fine") and view.first == "Ann"


@pytest.mark.parametrize(
    "state", [{"__slots__": ("x",)}, {"__init__": lambda self: None}, {"__del__": lambda self: None}]
)
def test_a_class_with_state_is_refused(module: Any, state: Any) -> None:
    for methods in (type("State", (), state), type("Derived", (type("State", (), state),), {})):
        with pytest.raises(TypeError, match="^State has .*: a class of methods has no state, and is never made"):
            module.Person.add_methods(methods)


def test_only_a_class_holds_methods(module: Any) -> None:
    for wrong in (len, "Named", module.Thing, Named()):
        with pytest.raises(TypeError, match="is not a class of methods"):
            module.Person.add_methods(wrong)
    with pytest.raises(AttributeError, match="Struct is not of a schema"):
        ccapnp.Struct.add_methods(Named)


def test_no_attribute_can_be_set_that_is_no_field(module: Any) -> None:
    module.Person.add_methods(Named)
    for view in readers(module.Person(**ANN)):
        with pytest.raises(AttributeError):
            view.nickname = "A"


def test_views_are_pickled_as_before(compile_schema: Callable[[str], ModuleType]) -> None:
    module: Any = compile_schema("struct Pickled { first @0 :Text; last @1 :Text; friends @2 :List(Text); }")
    module.Pickled.add_methods(Named)
    for view in (module.Pickled(first="A", last="B"), module.Pickled(first="A", last="B").as_reader()):
        assert pickle.loads(pickle.dumps(view)).full_name == "A B"


def test_bound_types_have_the_methods_of_their_generic_type(compile_schema: Callable[[str], ModuleType]) -> None:
    schema: Any = compile_schema("struct Box(T) { first @0 :T; last @1 :T; inner @2 :Box(Text); }")
    early, late = schema.Box[ccapnp.Text], schema.Box[ccapnp.Data]
    made = early(first="A", last="B")
    schema.Box.add_methods(Named)
    for _ in range(200):  # memory would be overwritten if one of the classes thought that its views have a __dict__
        views = [made, made.as_reader(), early(first="A", last="B"), schema.Box(inner=made).inner]
        assert {view.full_name for view in views} == {"A B"}
        assert all(isinstance(view, (late, early)) and isinstance(view, Named) for view in views)
        assert late(first=b"A", last=b"B").greeting() == "Hello, b'A' b'B'"
        gc.collect()
    for view in readers(late()):
        with pytest.raises(AttributeError):
            view.nickname = "A"


def test_a_bound_type_can_have_methods_of_its_own(compile_schema: Callable[[str], ModuleType]) -> None:
    box: Any = compile_schema("struct Box(T) { first @0 :T; last @1 :T; }").Box
    box.add_methods(Named)

    class Shouting:
        def shout(self: Any) -> str:
            return str(self.full_name.upper())

    for _ in range(2):
        box[ccapnp.Text].add_methods(Shouting)
    for view in readers(box[ccapnp.Text](first="A", last="b")):
        assert view.shout() == "A B" and isinstance(view, Named) and isinstance(view, Shouting)
    assert not hasattr(box(), "shout") and not hasattr(box[ccapnp.Data](), "shout")
    with pytest.raises(TypeError, match="has 'greeting' already"):
        box[ccapnp.Text].add_methods(type("Clash", (), {"greeting": lambda self: ""}))
