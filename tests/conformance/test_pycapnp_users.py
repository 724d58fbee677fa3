"""What programs written for pycapnp rely on, as far as it is not RPC.

Most of it is the subject of the tests of types; here is what those do not show.
"""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

import pytest

import ccapnp

SCHEMA = """
const qux :UInt32 = 123;
const greeting :Text = "hello";
const presetPerson :Person = (id = 7, name = "preset");
annotation note(*) :Text;

enum Color { red @0; green @1; blue @2; }

interface Service $note("an interface") { call @0 (x :Int32) -> (y :Int32); }

struct Person $note("a struct") {
  const oldest :UInt8 = 120;

  id @0 :UInt32 $note("a field");
  name @1 :Text;
  photo @2 :Data;
  friends @3 :List(Person);
  best @4 :Person;
  any @5 :AnyPointer;
  color @6 :Color;
  numbers @7 :List(Int32);
  phones @8 :List(Phone);

  struct Phone { number @0 :Text; type @1 :Type; enum Type { mobile @0; home @1; } }

  employment :union { unemployed @9 :Void; employer @10 :Text; self :group { since @11 :Int16; } }
}

struct Result { union { ok @0 :Int32; error @1 :Text; person @2 :Person; } }
"""


@pytest.fixture
def module(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


def read(builder: Any) -> Any:
    return type(builder)._type.from_bytes(builder.to_bytes())


# ---- modules


@pytest.mark.conformance("PYC-01")
def test_a_module_has_all_that_its_schema_declares(module: Any) -> None:
    assert module.qux == 123 and module.greeting == "hello" and module.Person.oldest == 120
    assert module.presetPerson.name == "preset" and isinstance(module.presetPerson, module.Person.Reader)
    assert issubclass(module.Person, ccapnp.Struct) and issubclass(module.Person.Phone, ccapnp.Struct)
    assert issubclass(module.Color, ccapnp.Enum) and issubclass(module.Person.Phone.Type, ccapnp.Enum)
    assert issubclass(module.Service, ccapnp.Interface)
    assert module.note.find(module.Person.schema) == "a struct"
    assert module.note.find(module.Person.schema.fields["id"]) == "a field"
    assert module.note.find(module.Service.schema) == "an interface"
    assert module.note.find(module.Person.Phone.schema) is None


@pytest.mark.conformance("PYC-01")
def test_a_file_is_loaded_with_what_it_imports_from_elsewhere(backend: str, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "units.capnp").write_text("@0xe2f6a1b3c4d50001; struct Length { meters @0 :Float64; }")
    tree = tmp_path / "tree.capnp"
    tree.write_text('@0xe2f6a1b3c4d50002; struct Tree { height @0 :import "/units.capnp".Length; }')
    with pytest.raises(ccapnp.SchemaError, match="units"):
        ccapnp.SchemaParser(backend=backend).load(tree)
    parser = ccapnp.SchemaParser(backend=backend)
    module = parser.load(str(tree), imports=[str(tmp_path / "shared")])
    assert module.Tree.new_message(height={"meters": 2.5}).height.meters == 2.5
    assert module.__file__ == str(tree) and parser.load(tree, imports=tmp_path / "shared").Tree is module.Tree


@pytest.mark.conformance("PYC-01")
def test_a_text_is_loaded_under_a_name(backend: str) -> None:
    module = ccapnp.load_text("@0xe2f6a1b3c4d50003; struct T {}", "some/name.capnp", backend=backend)
    assert module.__name__ == "name_capnp" and module.T.schema.display_name == "some/name.capnp:T"


# ---- fields


@pytest.mark.conformance("PYC-05")
def test_values_of_every_form_are_assigned(module: Any) -> None:
    person = module.Person.new_message()
    person.numbers = (1, 2, 3)
    person.phones = [{"number": "1", "type": "home"}, module.Person.Phone.new_message(number="2")]
    person.best = {"name": "Bob", "employment": {"employer": "ACME"}}
    person.employment = {"self": {"since": 1999}}
    person.init("friends", 2)[1].name = "Carol"
    found = read(person)
    assert found.numbers == [1, 2, 3] and [phone.number for phone in found.phones] == ["1", "2"]
    assert found.best.employment.employer == "ACME" and found.employment.self.since == 1999
    assert [friend.name for friend in found.friends] == ["", "Carol"]
    for wrong in ({"id": "x"}, {"name": 5}, {"numbers": 5}, {"best": 5}, {"color": "pink"}, {"employment": {"x": 1}}):
        with pytest.raises(ccapnp.CapnpError):
            module.Person.new_message(**wrong)


@pytest.mark.conformance("PYC-05")
def test_a_list_grows_while_it_is_filled(module: Any) -> None:
    person = module.Person.new_message()
    phones = person.init_resizable_list("phones")
    for number in "abc":
        phones.add().number = number
    phones.finish()
    assert [phone.number for phone in read(person).phones] == ["a", "b", "c"]


@pytest.mark.conformance("PYC-05")
def test_a_message_has_a_root_of_any_type(backend: str, module: Any) -> None:
    message = ccapnp.MessageBuilder(backend=backend)
    message.init_root(module.Person).name = "Alice"
    assert message.root.as_struct(module.Person).name == "Alice"
    found = ccapnp.MessageReader(message.to_bytes(), backend=backend)
    assert found.get_root(module.Person).name == found.root.as_struct(module.Person).name == "Alice"


# ---- unions


@pytest.mark.conformance("PYC-07")
def test_which_is_the_name_of_the_active_member(module: Any) -> None:
    person, result = module.Person.new_message(), module.Result.new_message()
    assert person.employment.which() == "unemployed" and result.which() == "ok"
    result.person = {"name": "x"}
    person.employment.init("self").since = 3
    for view in (person, read(person)):
        assert view.employment.which() == "self" and ccapnp.which(view.employment) == "self"
    assert read(result).which() == "person"
    with pytest.raises(ccapnp.UnionError, match="has no unnamed union"):
        person.which()


@pytest.mark.conformance("PYC-07")
def test_a_member_has_a_number_in_its_schema(module: Any) -> None:
    schema = module.Result.schema
    assert schema.union_fields == ("ok", "error", "person")
    assert [schema.fields[name].discriminant for name in schema.union_fields] == [0, 1, 2]


# ---- text and data


@pytest.mark.conformance("PYC-13")
@pytest.mark.parametrize("last", [b"e", b"\xff"])
def test_a_text_without_its_nul_is_an_error(module: Any, last: bytes) -> None:
    data = module.Person.new_message(name="Alice").to_bytes()
    assert data.count(b"Alice\0") == 1
    reader = module.Person.from_bytes(data.replace(b"Alice\0", b"Alice" + last))
    for attempt in (lambda: reader.name, reader.to_dict, lambda: reader.get_data_as_view("name")):
        with pytest.raises(ccapnp.DecodeError, match="^name: .*NUL"):
            attempt()
    assert "NUL" in repr(reader) and "NUL" in str(reader)
    assert reader.id == 0 and read(reader.as_builder()).id == 0


@pytest.mark.conformance("PYC-08")
def test_a_view_keeps_its_message_alive(module: Any) -> None:
    builder = module.Person.new_message(photo=b"12345")
    view, other = builder.get_data_as_view("photo"), read(builder).get_data_as_view("photo")
    builder_of_view = builder.as_reader()
    view[0] = ord("x")
    del builder
    assert view == b"x2345" and other == b"12345" and other.readonly and builder_of_view.photo == b"x2345"
    view.release()
    assert builder_of_view.photo == b"x2345"


# ---- copies and pointers to anything


@pytest.mark.conformance("PYC-15")
def test_readers_and_builders_are_made_of_each_other(module: Any) -> None:
    builder = module.Person.new_message(name="Alice", friends=[{"name": "Bob"}])
    reader = builder.as_reader()
    copied, again = builder.copy(), reader.as_builder()
    builder.name = "Carol"
    assert reader.name == "Carol" and copied.name == again.name == "Alice" and again.friends[0].name == "Bob"
    assert isinstance(copied, module.Person.Builder) and isinstance(reader.copy(), module.Person.Reader)
    alone = read(reader.friends[0].as_builder())
    assert alone.name == "Bob" and copy.deepcopy(alone) == alone == pickle.loads(pickle.dumps(alone))


@pytest.mark.conformance("PYC-15")
def test_a_pointer_to_anything_is_read_as_what_it_leads_to(module: Any) -> None:
    person = module.Person.new_message()
    person.any = "text"
    assert read(person).any.as_text() == "text"
    person.any.set(module.Person.new_message(name="inner"))
    assert read(person).any.as_struct(module.Person).name == "inner"
    person.any.init_list(ccapnp.List(ccapnp.Kind.INT32), 2)[1] = 5
    assert list(read(person).any.as_list(ccapnp.List(ccapnp.Kind.INT32))) == [0, 5]
    with pytest.raises(ccapnp.DecodeError):
        read(person).any.as_struct(module.Person)
    person.any = None
    assert not person.has("any") and read(person).any.as_text() == ""


# ---- errors


@pytest.mark.conformance("PYC-23")
def test_an_error_says_what_and_where(backend: str, module: Any) -> None:
    with pytest.raises(ccapnp.SchemaError) as schema_error:
        ccapnp.load_text("@0xe2f6a1b3c4d50004;\nstruct T { x @0 :Nope; }", "wrong.capnp", backend=backend)
    found = schema_error.value
    assert (found.file, found.line, found.column) == ("wrong.capnp", 2, 18) and "Nope" in str(found)
    with pytest.raises(ccapnp.EncodeError) as encode_error:
        module.Person.new_message(friends=[{}, {"id": -1}])
    assert encode_error.value.field == "friends[1].id" and encode_error.value.type == "Person"
    with pytest.raises(ccapnp.LimitError) as limit_error:
        module.Person.from_bytes(module.Person.new_message(name="x" * 100).to_bytes(), 20).name
    assert limit_error.value.option == "traversal_limit_in_words"
    for error in (found, encode_error.value, limit_error.value):
        assert isinstance(error, (ccapnp.CapnpError, ValueError))
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
