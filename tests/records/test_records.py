"""How records behave: as tuples with names, and as the structs that they are."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp import DecodeError, EncodeError, LimitError, TruncatedError, UnionError, UnknownFieldError

SCHEMA = """
enum Color { red @0; green @1; }
struct Person {
  id @0 :UInt32; name @1 :Text = "nobody"; color @2 :Color; friend @3 :Person; tags @4 :List(Text);
  union { nothing @5 :Void; age @6 :UInt8; address @7 :Address; }
  place :group { x @8 :Float64; union { indoors @9 :Void; floor @10 :Int16; } }
  home @11 :Address = (street = "Main"); any @12 :AnyPointer; box @13 :Box(Text);
}
struct Address { street @0 :Text; number @1 :UInt16 = 7; }
struct Box(T) { value @0 :T; count @1 :UInt8; index @2 :UInt8; from @3 :Bool; }
struct Older { id @0 :UInt32; }
struct Newer { union { nothing @0 :Void; age @1 :UInt8; address @2 :Address; other @3 :Void; } }
struct Old { union { nothing @0 :Void; age @1 :UInt8; } }
struct Odd { which @0 :Text; union { a @1 :Void; b @2 :Void; } }
struct Deep { next @0 :Deep; }
"""


@pytest.fixture
def people(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


@pytest.fixture
def alice(people: Any) -> Any:
    return people.Person.Record(id=1, name="Alice", color="green", tags=["a", "b"], age=30, home={"number": 3})


def test_fields_are_attributes_and_items(people: Any, alice: Any) -> None:
    assert (alice.id, alice.name, alice.color, alice.friend) == (1, "Alice", people.Color.green, None)
    assert alice.color is people.Color.green and alice.tags == ("a", "b")
    assert alice.which() == ccapnp.which(alice) == "age" and alice.age == 30 and alice[-2:] == ("age", 30)
    assert alice.home == people.Address.Record(street="", number=3)
    assert people.Person.Record().home == people.Address.Record(street="Main", number=7)
    assert isinstance(alice, tuple) and isinstance(alice, ccapnp.Record) and isinstance(alice, people.Person.Record)
    assert "Person.Record(id=1, name='Alice', color=<Color.green: 1>" in repr(alice) and "nothing" not in repr(alice)
    assert alice._asdict()["age"] == 30 and "nothing" not in alice._asdict()
    assert set(alice._fields) >= {"id", "nothing", "age", "address", "place"}


def test_a_member_that_is_not_active_is_refused(people: Any, alice: Any) -> None:
    reader = people.Person.from_bytes(people.Person.encode(alice))
    with pytest.raises(UnionError) as of_reader:
        reader.address
    with pytest.raises(UnionError) as of_record:
        alice.address
    assert str(of_record.value) == str(of_reader.value)
    assert alice.place.which() == "indoors" and alice.place.indoors is None
    with pytest.raises(UnionError):
        alice.place.floor
    with pytest.raises(UnionError, match="no unnamed union"):
        alice.home.which()


def test_unknown_members_and_numbers_are_kept(people: Any) -> None:
    newer = people.Newer.new_message(other=None).to_bytes()
    record = people.Old.decode(newer)
    assert tuple(record) == (3, None)
    with pytest.raises(UnionError, match="has member 3 set"):
        record.which()
    assert people.Newer.from_bytes(people.Old.encode(record)).which() == "other"
    person = people.Person.new_message(color=77).to_record()
    assert person.color == 77 and isinstance(person.color, people.Color)
    assert people.Person.from_bytes(people.Person.encode(person)).color == 77


def test_records_do_not_change(alice: Any) -> None:
    for name in ("id", "nothing", "unheard"):
        with pytest.raises(AttributeError):
            setattr(alice, name, 1)
    assert not hasattr(alice, "__dict__") and hash(alice) == hash(copy.copy(alice))
    other = alice._replace(id=2, nothing=None)
    assert (other.id, other.which(), alice.id, alice.which()) == (2, "nothing", 1, "age")
    assert other != alice and alice._replace() == alice and len({alice, alice._replace(), other}) == 2


def test_what_cannot_be_made(people: Any, alice: Any) -> None:
    with pytest.raises(UnknownFieldError, match="nme.*name"):
        people.Person.Record(nme="x")
    with pytest.raises(EncodeError, match="members of one union"):
        people.Person.Record(age=1, nothing=None)
    with pytest.raises(EncodeError, match="members of one union"):
        alice._replace(age=1, nothing=None)
    with pytest.raises(TypeError, match="base of all records"):
        ccapnp.Record()
    with pytest.raises(TypeError):
        people.Person.Record(1)
    for wrong, error in (({"id": -1}, EncodeError), ({"name": 3}, EncodeError), ({"tags": [1]}, EncodeError)):
        record = people.Person.Record(**wrong)
        with pytest.raises(error) as found:
            people.Person.encode(record)
        assert str(found.value).startswith(next(iter(wrong)))


def test_names_of_fields_win(people: Any) -> None:
    odd = people.Odd.Record(which="text", b=None)
    assert odd.which == "text" and ccapnp.which(odd) == "b"
    box = people.Person.new_message(box={"value": "x", "count": 3, "index": 4, "from": True}).to_record().box
    assert (box.value, box.count, box.index, box.from_) == ("x", 3, 4, True)
    assert people.Box[ccapnp.Text].Record(value="x", count=3, index=4, from_=True) == box
    assert isinstance(box, people.Box.Record)


def test_records_where_mappings_are_taken(people: Any, alice: Any) -> None:
    message = people.Person.new_message(friend=alice)
    assert message.friend.name == "Alice" and message.friend.age == 30
    message.friend = alice._replace(name="Bob")
    message.place = alice.place._replace(floor=3)
    assert message.friend.name == "Bob" and message.place.floor == 3
    assert people.Person.from_dict(alice).to_record() == alice
    assert people.Person.encode(people.Person.from_dict(alice)) == people.Person.from_dict(alice).to_bytes()


def test_pickle_and_copy(people: Any, alice: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(alice, protocol))
        assert again == alice and type(again) is type(alice)
    assert copy.copy(alice) is alice and copy.deepcopy(alice) is alice


def test_anything_is_what_the_reader_gives(people: Any) -> None:
    record = people.Person.new_message(any=people.Address.new_message(street="x")).to_record()
    assert record.any.as_struct(people.Address).street == "x"
    again = people.Person.decode(people.Person.encode(record))
    assert again.any.as_struct(people.Address).street == "x"


def test_streams(people: Any, alice: Any) -> None:
    records = [alice._replace(id=number) for number in range(20)]
    data = people.Person.encode_many(records)
    for source in (data, bytearray(data), memoryview(data), io.BytesIO(data), list(map(people.Person.encode, records))):
        assert list(people.Person.decode_many(source)) == records
    packed = people.Person.encode_many(records, packed=True)
    assert list(people.Person.decode_many(packed, packed=True)) == records
    assert list(people.Person.decode_many(io.BytesIO(packed), packed=True)) == records
    assert list(people.Person.decode_many(b"")) == [] and people.Person.encode_many([]) == b""
    with pytest.raises(TruncatedError):
        list(people.Person.decode_many(data[:-8]))
    with pytest.raises(EncodeError, match=r"\[1\]"):
        people.Person.encode_many([alice, {"id": -1}])


def test_limits_are_those_of_a_reader(people: Any) -> None:
    deep = people.Deep.new_message()
    inner = deep
    for _ in range(70):
        inner = inner.init("next")
    data = deep.to_bytes()
    with pytest.raises(LimitError, match="nested deeper than 64 pointers"):
        people.Deep.decode(data)
    record = people.Deep.decode(data, nesting_limit=100)
    for _ in range(70):
        record = record.next
    assert record.next is None
    person = people.Person.encode(people.Person.Record(tags=["x" * 100] * 10))
    with pytest.raises(LimitError, match="went past its limit of 100 words"):
        people.Person.decode(person, traversal_limit_in_words=100)
    assert people.Person.decode(person, traversal_limit_in_words=None).tags[9] == "x" * 100


def test_what_is_wrong_is_named(people: Any) -> None:
    builder = people.Person.new_message(friend={"name": "Bob"}, tags=["a"])
    data = bytearray(builder.to_bytes())
    data[data.index(b"Bob")] = 0xFF
    with pytest.raises(DecodeError, match="^friend.name: a text is not valid UTF-8"):
        people.Person.decode(bytes(data))
    with pytest.raises(DecodeError, match="bytes follow the message"):
        people.Person.decode(builder.to_bytes() + bytes(8))
    for size in range(len(data)):
        with pytest.raises(DecodeError):
            people.Person.decode(bytes(data[:size]))


def test_structs_of_other_versions(people: Any) -> None:
    whole = people.Person.new_message(id=5, name="Eve").to_bytes()
    assert people.Older.decode(whole) == (5,)
    short = people.Person.decode(people.Older.new_message(id=5).to_bytes())
    assert short == people.Person.Record(id=5) and short.name == "nobody"
