"""`ccapnp.load`, `load_text` and `SchemaParser`."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zipfile
from importlib import resources
from pathlib import Path

import pytest

import ccapnp
from ccapnp.schema import schema_capnp
from tests.conftest import ROOT

PERSON = """@0xb000000000000001;
# Who there is.
using Units = import "units.capnp";
struct Person { name @0 :Text; height @1 :Units.Length; }
const bob :Person = (name = "Bob");
"""
UNITS = """@0xb000000000000002;
struct Length { meters @0 :Float64; }
struct Weight { grams @0 :Float64; enum Scale { kitchen @0; bathroom @1; } }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "person.capnp").write_text(PERSON)
    (tmp_path / "units.capnp").write_text(UNITS)
    return tmp_path


# ---- load


def test_load(folder: Path, backend: str) -> None:
    people = ccapnp.load(folder / "person.capnp", backend=backend)
    assert people.__name__ == "person_capnp"
    assert people.__file__ == str(folder / "person.capnp")
    assert people.__doc__ == "Who there is."
    person = people.Person.new_message(name="Alice", height={"meters": 1.7})
    assert people.Person.from_bytes(person.to_bytes()).height.meters == 1.7
    assert people.bob.name == "Bob"


def test_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    people = ccapnp.load("person.capnp")
    assert people.__file__ == str(folder / "person.capnp")
    assert ccapnp.load(str(folder / "person.capnp")).Person is people.Person


def test_the_same_file_is_the_same_types(folder: Path, backend: str) -> None:
    first = ccapnp.load(folder / "person.capnp", backend=backend)
    again = ccapnp.load(folder / "person.capnp", backend=backend)
    assert again.Person is first.Person
    units = ccapnp.load(folder / "units.capnp", backend=backend)
    assert isinstance(first.Person.new_message().height, units.Length.Builder)


def test_pickles_of_what_is_only_imported(folder: Path) -> None:
    """They name the module that the imported file would be: elsewhere, a generated one or the hook may have it."""
    people = ccapnp.load(folder / "person.capnp")
    height = people.Person.new_message(height={"meters": 1.7}).height
    assert type(height).__module__ == "units_capnp"
    program = "import ccapnp, pickle, sys; {}; print(pickle.load(sys.stdin.buffer).meters)"

    def loads_after(statement: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", program.format(statement)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
        return subprocess.run(command, input=pickle.dumps(height), env=environment, capture_output=True, check=False)

    assert loads_after("ccapnp.install_import_hook()").stdout == b"1.7\n"
    assert b"or have its module units_capnp importable" in loads_after("pass").stderr


def test_a_copy_of_the_file_is_the_same_types(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    copy = tmp_path_factory.mktemp("copy")
    (copy / "units.capnp").write_text(UNITS)
    assert ccapnp.load(copy / "units.capnp").Length is ccapnp.load(folder / "units.capnp").Length


def test_the_same_id_with_other_content(tmp_path: Path) -> None:
    first, second = tmp_path / "v1.capnp", tmp_path / "v2.capnp"
    first.write_text("@0xb000000000000009; struct T { n @0 :Int32; }")
    second.write_text("@0xb000000000000009; struct T { n @0 :Int64; }")
    module = ccapnp.load(first)
    with pytest.raises(ccapnp.SchemaError, match="have the same id") as caught:
        ccapnp.load(second)
    assert str(first)[1:] in str(caught.value)
    assert str(second)[1:] in str(caught.value)
    assert module.T.new_message(n=-1).n == -1


def test_other_content_in_nodes_that_come_to_be_in_each_other() -> None:
    def request(node_id: int, scope_id: int, data_words: int) -> bytes:
        file = 0xB0000000000000A3
        nodes = [
            {"id": node_id, "displayName": "x.capnp:A", "scopeId": scope_id, "struct": {"dataWordCount": data_words}},
            {"id": file, "displayName": "x.capnp", "file": None},
        ]
        files = [{"id": file, "filename": "x.capnp"}]
        return schema_capnp.CodeGeneratorRequest.new_message(nodes=nodes, requestedFiles=files).to_bytes()

    one, other = 0xB0000000000000A1, 0xB0000000000000A2
    ccapnp.load_request(request(one, other, 0))
    ccapnp.load_request(request(other, one, 0))
    with pytest.raises(ccapnp.SchemaError, match="have the same id"):
        ccapnp.load_request(request(one, other, 1))


def test_what_an_import_did_not_use_is_there_once_it_is_loaded_itself(tmp_path: Path, backend: str) -> None:
    (tmp_path / "a.capnp").write_text("@0xb000000000000003; struct A { struct Used {} struct Unused {} u @0 :Used; }")
    (tmp_path / "b.capnp").write_text('@0xb000000000000004; struct B { a @0 :import "a.capnp".A; }')
    b = ccapnp.load(tmp_path / "b.capnp", backend=backend)
    b.B.new_message().init("a").init("u")
    a = ccapnp.load(tmp_path / "a.capnp", backend=backend)
    assert isinstance(b.B.new_message().a, a.A.Builder)
    assert a.A.Unused.__qualname__ == "A.Unused"
    assert a.A.__module__ == a.A.Used.__module__ == a.A.Unused.__module__ == "a_capnp"


def test_the_import_path(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (folder / "car.capnp").write_text(
        '@0xb000000000000005; using Units = import "/units.capnp"; struct Car { weight @0 :Units.Weight; }'
    )
    with pytest.raises(ccapnp.SchemaError, match="units.capnp"):
        ccapnp.load(folder / "car.capnp")
    empty = tmp_path_factory.mktemp("empty")
    for imports in ([empty, folder], [str(folder)], folder, str(folder), (each for each in [folder])):
        ccapnp.load(folder / "car.capnp", imports=imports)


def test_standard_schemas_are_there(tmp_path: Path) -> None:
    (tmp_path / "x.capnp").write_text(
        '@0xb000000000000006; using Cxx = import "/capnp/c++.capnp"; $Cxx.namespace("x"); $Cxx.allowCancellation;\n'
        'using Java = import "/capnp/java.capnp"; $Java.package("x");\n'
        'using Json = import "/capnp/compat/json.capnp"; struct X { value @0 :Json.Value $Json.name("v"); }'
    )
    x = ccapnp.load(tmp_path / "x.capnp")
    assert x.X.new_message(value={"number": 1.5}).value.number == 1.5


def test_other_releases_of_the_standard_schemas_do_not_clash(capnp_tool: str, tmp_path: Path) -> None:
    """One release adds an annotation to c++.capnp that another one lacks."""
    folder = tmp_path / "capnp"
    folder.mkdir()
    (folder / "c++.capnp").write_text(
        "@0xbdf87d7bb8304e81; annotation namespace(file) :Text; annotation new(file) :Void;"
    )
    for number, imports in ((7, [tmp_path]), (8, [])):
        (tmp_path / f"x{number}.capnp").write_text(
            f'@0xb00000000000000{number}; using Cxx = import "/capnp/c++.capnp"; $Cxx.namespace("x"); struct X {{}}'
        )
        ccapnp.load(tmp_path / f"x{number}.capnp", imports=imports)


def test_there_is_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "nope.capnp", tmp_path, ""):
        with pytest.raises(FileNotFoundError) as caught:
            ccapnp.load(path)
        assert caught.value.filename == str(path)


@pytest.mark.parametrize("path", [None, 3, b"x.capnp"])
def test_what_is_no_path(path: object) -> None:
    with pytest.raises(TypeError):
        ccapnp.load(path)  # type: ignore[arg-type]


def test_faults_say_where(folder: Path) -> None:
    (folder / "person.capnp").write_text(PERSON.replace(":Text", ":Txt"))
    with pytest.raises(ccapnp.SchemaError, match="person.capnp:4:") as caught:
        ccapnp.load(folder / "person.capnp")
    assert caught.value.line == 4
    assert caught.value.file is not None and caught.value.file.endswith("person.capnp")


def test_a_missing_import_says_where_it_looked(folder: Path) -> None:
    (folder / "person.capnp").write_text(PERSON.replace("units.capnp", "/lib/units.capnp"))
    with pytest.raises(ccapnp.SchemaError) as caught:
        ccapnp.load(folder / "person.capnp", imports=[folder / "schemas"])
    assert f"{folder / 'schemas'} (no such folder)" in str(caught.value)
    assert "<standard schemas>" in str(caught.value)


def test_archives(folder: Path) -> None:
    path = folder / "schemas.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(folder / "person.capnp", "in/person.capnp")
        archive.write(folder / "units.capnp", "in/units.capnp")
    people = ccapnp.load(zipfile.Path(path, "in/person.capnp"))
    assert people.__file__ == f"{path}/in/person.capnp"
    assert ccapnp.load(f"{path}/in/person.capnp").Person is people.Person


def test_resources_of_a_package() -> None:
    stream = ccapnp.load(resources.files("ccapnp.compiler") / "standard" / "capnp" / "stream.capnp")
    assert stream.StreamResult.__name__ == "StreamResult"


# ---- load_text


def test_load_text(backend: str) -> None:
    module = ccapnp.load_text("@0xb000000000000010; struct T { n @0 :Int32 = 5; }", backend=backend)
    assert (module.__name__, module.__file__) == ("text_capnp", "text.capnp")
    assert module.T.new_message().n == 5
    assert ccapnp.load_text(b"@0xb000000000000010; struct T { n @0 :Int32 = 5; }", backend=backend).T is module.T


@pytest.mark.parametrize("path", ["units.capnp", "/units.capnp", "./units.capnp"])
def test_texts_import_each_other(path: str) -> None:
    people = ccapnp.load_text(
        PERSON.replace("units.capnp", path), name="people.capnp", imports={"units.capnp": UNITS, "x.capnp": "?"}
    )
    assert people.__name__ == "people_capnp"
    assert people.Person.new_message(height={"meters": 2}).height.meters == 2


def test_texts_in_folders() -> None:
    people = ccapnp.load_text(
        PERSON.replace("units.capnp", "../shared/units.capnp"),
        name="people/person.capnp",
        imports={"shared/units.capnp": UNITS},
    )
    assert people.__name__ == "person_capnp"


def test_texts_and_folders(folder: Path) -> None:
    text = '@0xb000000000000011; using U = import "/units.capnp"; using B = import "b.capnp"; struct T { b @0 :B.B; }'
    ccapnp.load_text(text, imports=[folder, {"b.capnp": "@0xb000000000000012; struct B {}"}])


def test_the_same_text_by_two_routes() -> None:
    texts = {
        "a.capnp": '@0xb000000000000013; using C = import "c.capnp"; struct A { c @0 :C.C; }',
        "c.capnp": "@0xb000000000000014; struct C {}",
    }
    source = (
        '@0xb000000000000015; using A = import "a.capnp"; using C = import "/c.capnp"; '
        "struct T { a @0 :A.A; c @1 :C.C; }"
    )
    ccapnp.load_text(source, imports=texts)


def test_faults_in_texts() -> None:
    with pytest.raises(ccapnp.SchemaError, match="mine.capnp:1:"):
        ccapnp.load_text("@0xb000000000000016; struct T { n @0 :Nope; }", name="mine.capnp")
    with pytest.raises(ccapnp.SchemaError, match="the given texts"):
        ccapnp.load_text('@0xb000000000000016; using N = import "/nope.capnp";', name="mine.capnp")


@pytest.mark.parametrize("name", ["", "/", "..", "../x.capnp", "a/../.."])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        ccapnp.load_text("@0xb000000000000017;", name=name)


# ---- SchemaParser


def test_parser_shares_types_among_its_schemas(folder: Path, backend: str) -> None:
    parser = ccapnp.SchemaParser(backend=backend)
    people, units = parser.load(folder / "person.capnp"), parser.load(folder / "units.capnp")
    assert isinstance(people.Person.new_message().height, units.Length.Builder)
    assert parser.load(str(folder / "person.capnp")).Person is people.Person
    assert parser.load_text(UNITS, name="units.capnp").Length is units.Length


@pytest.mark.conformance("PYC-03")
def test_two_versions_side_by_side(backend: str) -> None:
    old = ccapnp.SchemaParser(backend=backend).load_text("@0xb000000000000020; struct T { a @0 :Int32; }")
    new = ccapnp.SchemaParser(backend=backend).load_text("@0xb000000000000020; struct T { a @0 :Int32; b @1 :Text; }")
    data = new.T.new_message(a=1, b="x").to_bytes()
    assert old.T.from_bytes(data).to_dict() == {"a": 1}
    assert new.T.from_bytes(old.T.new_message(a=2).to_bytes()).to_dict() == {"a": 2}
    ccapnp.load_text("@0xb000000000000020; struct T { c @0 :Bool; }", backend=backend)


def test_parser_has_an_import_path(folder: Path) -> None:
    parser = ccapnp.SchemaParser(imports=[folder])
    text = '@0xb000000000000021; using U = import "/units.capnp"; struct T { l @0 :U.Length; }'
    assert parser.load_text(text).T.new_message().l.meters == 0
    parser.load_text(text, imports={"x.capnp": ""})


# ---- importing ccapnp


def test_the_compiler_is_imported_when_it_is_needed() -> None:
    program = "import sys, ccapnp; print([name for name in sys.modules if name.startswith('ccapnp.compiler')])"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert done.stdout == "[]\n"
