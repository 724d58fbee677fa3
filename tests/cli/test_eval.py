"""``ccapnp eval``: values that stand in a schema, as the official tool prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import official, ours

SCHEMA = """\
@0xd000000000000012;
struct Person {
  id @0 :UInt32 = 4;  name @1 :Text = "n";  phones @2 :List(Phone);  any @3 :AnyPointer;  data @4 :Data = 0x"01ff";
  struct Phone { number @0 :Text;  type @1 :Type = home;  enum Type { mobile @0; home @1; } }
  group :group { flag @5 :Bool = true;  inner :group { deep @6 :Int8 = 3; } }
  union { void @7 :Void;  real @8 :Float64 = 1.5;  sub @9 :Person = (id = 9, name = "sub"); }
  const nested :Text = "a constant";
}
const person :Person = (id = 5, phones = [(number = "1"), (number = "2", type = mobile)], real = 2);
struct Record { sub @0 :Person = (id = 9, name = "sub"); }
const lists :List(List(Int16)) = [[1, 2], [], [3]];
const number :UInt64 = 18446744073709551615;
const float :Float32 = 0.1;
const text :Text = "quo\\"te";
const color :Person.Phone.Type = mobile;
const flag :Bool = true;
const nothing :Void = void;
"""

VALUES = [
    "person",
    "person.id",
    "person.name",
    "person.phones",
    "person.phones[1]",
    "person.phones[1].type",
    "person.phones[0x0].number",
    "person.real",
    "person.group",
    "person.group.inner.deep",
    "lists",
    "lists[0]",
    "lists[0][1]",
    "lists[1]",
    "number",
    "float",
    "text",
    "color",
    "flag",
    "nothing",
    "Person.id",
    "Person.name",
    "Person.phones",
    "Person.any",
    "Person.data",
    "Person.group",
    "Person.group.inner",
    "Person.group.flag",
    "Person.void",
    "Record.sub.name",
    "Person.nested",
    "Person.Phone.type",
]


@pytest.fixture
def schema(tmp_path: Path) -> str:
    """The schema's file."""
    path = tmp_path / "values.capnp"
    path.write_text(SCHEMA)
    return str(path)


@pytest.mark.conformance("CLI-07")
@pytest.mark.parametrize("name", VALUES)
def test_a_value_as_text(backend: str, capnp_tool: str, schema: str, name: str) -> None:
    for options in ([], ["--short"]):
        found = ours(["eval", *options, schema, name])
        assert found == official(capnp_tool, ["eval", *options, schema, name])
        assert found.status == 0


@pytest.mark.parametrize(("name", "text"), [("Person.real", b"1.5\n"), ("Person.sub.name", b'"sub"\n')])
def test_the_default_of_any_union_member(backend: str, schema: str, name: str, text: bytes) -> None:
    """Also where the official tool fails, as it does for members that are not active in an empty struct."""
    assert ours(["eval", schema, name]) == (0, text, "")


@pytest.mark.conformance("CLI-07")
@pytest.mark.parametrize("name", ["person", "person.phones[1]", "Record.sub"])
@pytest.mark.parametrize(
    "options",
    [
        ["-ojson"],
        ["-o", "json", "--short"],
        ["-obinary"],
        ["-b"],
        ["-opacked"],
        ["-p"],
        ["-oflat"],
        ["--flat"],
        ["-oflat-packed"],
        ["--flat", "-p"],
        ["-ocanonical"],
        ["-otext"],
    ],
    ids=str,
)
def test_a_struct_in_any_format(backend: str, capnp_tool: str, schema: str, name: str, options: list[str]) -> None:
    found = ours(["eval", *options, schema, name])
    assert found == official(capnp_tool, ["eval", *options, schema, name]) and found.status == 0


@pytest.mark.conformance("CLI-07")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("person.phones[2]", "person.phones has no element 2: its length is 2"),
        ("lists[1][0]", "lists[1] has no element 0: its length is 0"),
        ("person[0]", "person is not a list"),
        ("person.id[0]", "person.id is not a list"),
        ("person.id.x", "person.id is not a struct"),
        ("person.nam", "no field 'nam'; did you mean 'name'?"),
        ("Person.nam", "has no 'nam'; did you mean 'name'?"),
        ("persona", "has no 'persona'; did you mean 'person'"),
        ("Person", "it is neither a constant nor a field"),
        ("Person.Phone.Type", "it is neither a constant nor a field"),
        ("Person.Phone.Type.home", "has no 'home'"),
        ("lists[-1]", "does not name a value"),
        ("lists[1+1]", "does not name a value"),
        ("lists[0", "does not name a value"),
        ("person..id", "does not name a value"),
        (".person", "does not name a value"),
        ("person.", "does not name a value"),
        ("person.[0]", "does not name a value"),
        ("[0]", "does not name a value"),
        ("", "does not name a value"),
        ("lists[99999999999999999999]", "has no element 99999999999999999999"),
    ],
)
def test_what_has_no_value(backend: str, capnp_tool: str, schema: str, name: str, reason: str) -> None:
    status, out, error = ours(["eval", schema, name])
    assert (status, out) == (1, b"") and error.startswith("ccapnp eval: error: ") and reason in error
    assert error.count("\n") == 1
    assert official(capnp_tool, ["eval", schema, name]).status == 1


@pytest.mark.parametrize("format", ["json", "binary", "packed", "flat", "canonical", "segments"])
def test_what_is_no_struct_is_no_message(backend: str, schema: str, format: str) -> None:
    status, out, error = ours(["eval", f"-o{format}", schema, "number"])
    assert (status, out) == (1, b"")
    assert error == f"ccapnp eval: error: number is not a struct; only structs are written as {format}\n"


def test_lists_and_groups_as_json(backend: str, schema: str) -> None:
    assert ours(["eval", "-ojson", "--short", schema, "lists"]).out == b"[[1,2],[],[3]]\n"
    assert ours(["eval", "-ojson", "--short", schema, "Person.group.inner"]).out == b'{"deep":3}\n'
    assert "is a group" in ours(["eval", "-b", schema, "Person.group.inner"]).error


@pytest.mark.conformance("CLI-07")
def test_a_file_needs_no_id(backend: str, tmp_path: Path) -> None:
    (tmp_path / "config.capnp").write_text("struct Config { port @0 :UInt16; } const config :Config = (port = 80);")
    path = str(tmp_path / "config.capnp")
    assert ours(["eval", path, "config"]) == (0, b"(port = 80)\n", "")
    assert ours(["convert", "text:json", "--short", path, "Config"], b"(port = 1)").out == b'{"port":1}\n'


def test_output_to_a_file(backend: str, schema: str, tmp_path: Path) -> None:
    assert ours(["eval", schema, "number", f"--output={tmp_path}/out"]) == (0, b"", "")
    assert (tmp_path / "out").read_bytes() == b"18446744073709551615\n"


@pytest.mark.conformance("CLI-07")
def test_official_constants(backend: str, capnp_tool: str) -> None:
    schema = str(Path(__file__).parents[1] / "conformance/schemas/all_types.capnp")
    for name in ("TestDefaults.uInt32Field", "TestDefaults.structField.textField", "TestDefaults.int8List"):
        found = ours(["eval", schema, name])
        assert found == official(capnp_tool, ["eval", schema, name]) and found.status == 0
