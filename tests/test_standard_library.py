"""How readers and builders fit the standard library: json, copy, pickle, pprint, dataclasses and match."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import pprint
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import ccapnp

SCHEMA = """
struct Person {
  name @0 :Text;  age @1 :UInt8;  friends @2 :List(Person);  scores @3 :List(Int32);
  home :union { address @4 :Text;  none @5 :Void; }
}
"""
ALICE = {"name": "Alice", "age": 30, "friends": [{"name": "Bob", "home": {"none": None}}], "scores": [1, 2]}


@pytest.fixture(scope="session")
def people(compile_schema: Callable[[str], ModuleType]) -> Any:
    """The module of the schema."""
    return compile_schema(SCHEMA)


@pytest.fixture(params=["builder", "reader"])
def alice(people: Any, request: pytest.FixtureRequest) -> Any:
    """One message."""
    builder = people.Person.from_dict(ALICE)
    return builder if request.param == "builder" else people.Person.from_bytes(builder.to_bytes())


def test_json_dumps_takes_to_dict_for_what_it_does_not_know(alice: Any) -> None:
    written = json.dumps({"who": alice, "friends": alice.friends, "scores": alice.scores}, default=ccapnp.to_dict)
    assert json.loads(written) == {"who": alice.to_dict(), "friends": alice.friends.to_list(), "scores": [1, 2]}
    with pytest.raises(TypeError):
        json.dumps({"who": object()}, default=ccapnp.to_dict)


def test_copies_are_equal_and_their_own(people: Any, alice: Any) -> None:
    for made in (copy.copy(alice), copy.deepcopy(alice), copy.deepcopy([alice])[0], alice.copy()):
        assert made == alice and type(made) is type(alice)
    builder = people.Person.from_dict(ALICE)
    for made in (copy.copy(builder), copy.deepcopy(builder)):
        made.name = "Carol"
        made.friends[0].name = "Dave"
    assert builder.to_dict() == alice.to_dict()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(people: Any, alice: Any, protocol: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, people.__name__, people)
    again = pickle.loads(pickle.dumps({"who": alice}, protocol))["who"]
    assert again == alice and isinstance(again, people.Person)


def test_pprint_shows_a_struct_and_its_dict(alice: Any) -> None:
    assert pprint.pformat(alice) == repr(alice)
    assert "'friends': [{'age': 0," in pprint.pformat(alice.to_dict())


def test_dataclasses_asdict_goes_past_a_struct_and_replace_keeps_it(alice: Any) -> None:
    @dataclasses.dataclass
    class Visit:
        who: Any
        times: int = 1

    visit = Visit(alice)
    assert dataclasses.asdict(visit) == {"who": alice, "times": 1}
    assert dataclasses.replace(visit, times=2).who is alice


def test_a_dataclass_of_the_same_fields_goes_there_and_back(people: Any) -> None:
    @dataclasses.dataclass
    class Person:
        name: str = ""
        age: int = 0
        friends: list[Any] = dataclasses.field(default_factory=list)
        scores: list[int] = dataclasses.field(default_factory=list)

    alice = Person("Alice", 30, [Person("Bob")], [1, 2])
    made = people.Person.from_dict(alice)
    found = {name: value for name, value in made.to_dict(verbose=True).items() if name != "home"}
    assert Person(**found).scores == alice.scores and made.friends[0].name == "Bob"
    assert people.Person.from_dict(dataclasses.asdict(alice)) == made


def test_a_struct_is_no_mapping(alice: Any) -> None:
    """Its fields may be called "keys": a dict is made by to_dict, and nothing else is taken for one."""
    with pytest.raises(TypeError):
        dict(alice)
    assert not hasattr(alice, "keys")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the match statement is of Python 3.10")
def test_match(people: Any, alice: Any) -> None:
    names: dict[str, Any] = {"Person": people.Person, "alice": alice}
    exec(
        """
match alice:
    case Person(age=31):
        found = "wrong"
    case Person(name=str(name), friends=[Person(home=home), *_], scores=[first, *rest]):
        found = name, home.which(), first, rest
match alice.home.which():
    case "address":
        member = 1
    case "none":
        member = 2
match alice.to_dict():
    case {"name": "Alice", "friends": [{"home": {"none": None}}]}:
        is_known = True
""",
        names,
    )
    assert names["found"] == ("Alice", "none", 1, [2])
    assert names["member"] == 1 and names["is_known"]
