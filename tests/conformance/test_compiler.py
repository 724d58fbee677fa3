"""The schema language: where imports lead, ids that are made up, comments, and faults by name."""

from __future__ import annotations

from hashlib import md5
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp.loading.sources import compile_text
from ccapnp.schema import schema_capnp
from tests.compiler.test_faults import HEADER, faults, marked
from tests.conformance.nodes import nodes_of

# ---- ids


def hashed(parent: int, *rest: bytes) -> int:
    digest = md5(b"".join((parent.to_bytes(8, "little"), *rest))).digest()
    return int.from_bytes(digest[:8], "big") | 1 << 63


@pytest.mark.conformance("TID-01", "TID-02", "TID-03")
def test_ids_are_hashes_of_the_id_around_and_the_name_or_place() -> None:
    nodes = nodes_of(
        "@0xf000000000002001; struct S { a @0 :Int8; g :group { b @1 :Int8; } struct Inner {} "
        "union { c @2 :Int8; d :group { e @3 :Int8; } } } interface I { m @0 (a :Int8); n @1 () -> (b :Int8); }"
    )
    ids = {name: node.id for name, node in nodes.items()}
    struct = hashed(0xF000000000002001, b"S")
    interface = hashed(0xF000000000002001, b"I")
    assert ids == {
        "": 0xF000000000002001,
        "S": struct,
        "S.g": hashed(struct, (1).to_bytes(2, "little")),
        "S.d": hashed(struct, (3).to_bytes(2, "little")),
        "S.Inner": hashed(struct, b"Inner"),
        "I": interface,
        "I.m$Params": hashed(interface, b"\0\0\0"),
        "I.m$Results": hashed(interface, b"\0\0\1"),
        "I.n$Params": hashed(interface, b"\1\0\0"),
        "I.n$Results": hashed(interface, b"\1\0\1"),
    }


# ---- files


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A file in a folder, one beside it, one in another folder, and two of one name on the import path."""
    files = {
        "a/root.capnp": 'using B = import "baz.capnp"; using Q = import "../qux/corge.capnp"; '
        'using L = import "/lib.capnp"; struct Root { b @0 :B.Baz; q @1 :Q.Corge; l @2 :L.Lib; }',
        "a/baz.capnp": 'using Q = import "../a/../qux/corge.capnp"; struct Baz { q @0 :Q.Corge; }',
        "qux/corge.capnp": "struct Corge { n @0 :Int8 = 1; }",
        "qux/baz.capnp": "struct Wrong {}",
        "first/lib.capnp": "struct Lib { n @0 :Int8 = 1; }",
        "second/lib.capnp": "struct Lib { n @0 :Int8 = 2; }",
        "a/lib.capnp": "struct Lib { n @0 :Int8 = 3; }",
    }
    for number, (name, text) in enumerate(files.items()):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"@{0xF000000000002010 + number:#x};\n{text}\n")
    return tmp_path


@pytest.mark.conformance("PAR-01", "PAR-02", "PAR-03")
def test_imports_are_relative_to_the_file_or_on_the_import_path(tree: Path, backend: str) -> None:
    parser = ccapnp.SchemaParser()
    root = parser.load(tree / "a/root.capnp", imports=[tree / "first", tree / "second"]).Root
    builder = root.new_message()
    assert (builder.q.n, builder.l.n) == (1, 1)
    assert isinstance(builder.b.q, type(builder.q)), "one file by two routes is one file"
    names = [type(field)._type.schema.display_name for field in (builder.b, builder.q, builder.l)]
    assert names[:2] == [f"{tree}/a/baz.capnp:Baz", f"{tree}/qux/corge.capnp:Corge"]
    assert names[2] == "lib.capnp:Lib"
    other = ccapnp.SchemaParser().load(tree / "a/root.capnp", imports=[tree / "second", tree / "first"]).Root
    assert other.new_message().l.n == 2
    with pytest.raises(ccapnp.SchemaError, match="there is no file '/lib.capnp' to import"):
        ccapnp.SchemaParser().load(tree / "a/root.capnp")


@pytest.mark.conformance("PAR-01", "PAR-02")
def test_imports_of_texts_follow_the_same_rules() -> None:
    texts = {
        "foo/bar.capnp": '@0xf000000000002020; using Z = import "baz.capnp"; using C = import "../qux/corge.capnp";'
        "struct Bar { z @0 :Z.Baz; c @1 :C.Corge; }",
        "foo/baz.capnp": "@0xf000000000002021; struct Baz {}",
        "qux/corge.capnp": "@0xf000000000002022; struct Corge {}",
    }
    request = compile_text(texts["foo/bar.capnp"], "foo/bar.capnp", texts).request
    reader = schema_capnp.CodeGeneratorRequest.from_bytes(request)
    assert {node.displayName for node in reader.nodes if node.which() == "struct"} == {
        "foo/bar.capnp:Bar",
        "foo/baz.capnp:Baz",
        "qux/corge.capnp:Corge",
    }
    assert {each.name for each in reader.requestedFiles[0].imports} == {"baz.capnp", "../qux/corge.capnp"}


@pytest.mark.conformance("PAR-04")
def test_nested_declarations_and_where_they_are_from(backend: str) -> None:
    module = ccapnp.SchemaParser().load_text(
        '@0xf000000000002030; struct Outer { inner @0 :Inner; far @1 :import "far.capnp".Far; '
        "struct Inner {} enum E { a @0; } } interface Last {}",
        "near.capnp",
        imports={"far.capnp": "@0xf000000000002031; struct Far {}"},
    )
    outer = module.Outer._node
    file = module.Outer._registry.node(outer.scope_id)
    assert (file.id, file.display_name) == (0xF000000000002030, "near.capnp")
    assert [nested.name for nested in file.nested] == ["Outer", "Last"]
    assert [nested.name for nested in outer.nested] == ["Inner", "E"]
    inner, far = (module.Outer._registry.node(field.type.type_id) for field in outer.fields)
    assert (inner.scope_id, far.scope_id) == (outer.id, 0xF000000000002031)
    assert module.Outer.Inner._node is inner


@pytest.mark.conformance("PAR-05")
def test_constants(backend: str) -> None:
    module = ccapnp.SchemaParser().load_text(
        "@0xf000000000002040; const scalar :UInt32 = 1234; const floats :List(Float32) = [1.25, 2.5, 3e4];"
        'struct Person { name @0 :Text; year @1 :Int16; } const person :Person = (name = "Bob", year = 1990);'
        'struct Box(T) { content @0 :T; } const box :Box(Person) = (content = (name = "Ann"));'
        "const copied :Person = .person;"
    )
    assert module.scalar == 1234
    assert list(module.floats) == [1.25, 2.5, 30000.0]
    assert module.person.to_dict() == {"name": "Bob", "year": 1990}
    content = module.box.content
    person = content if isinstance(content, module.Person) else content.as_struct(module.Person)
    assert person.name == "Ann"
    assert module.copied == module.person


DOCUMENTED = """@0xf000000000002050;
# The file.

struct S {
  # The struct,
  #   of two lines.

  a @0 :Int8;
  # A field.
  none @1 :Int8;
  g :group {
    # A group.
    b @2 :Int8;  # Within.
  }
}
enum E {
  # An enum.
  one @0;
  # One.
  two @1;
}
interface I {
  m @0 ();  # A method.
}
struct Short {}
# One that ends in its line.
"""


@pytest.mark.conformance("PAR-06", "LEX-05")
def test_comments_are_source_info() -> None:
    request = compile_text(DOCUMENTED, "test.capnp", ()).request
    reader = schema_capnp.CodeGeneratorRequest.from_bytes(request)
    names = {node.id: node.displayName.partition(":")[2] for node in reader.nodes}
    found = {
        names[info.id]: (info.docComment, [each.docComment for each in info.members]) for info in reader.sourceInfo
    }
    assert {name: docs for name, docs in found.items() if any((docs[0], *docs[1]))} == {
        "": ("The file.\n", []),
        "S": ("The struct,\n  of two lines.\n", ["A field.\n", "", "A group.\n"]),
        "S.g": ("A group.\n", ["Within.\n"]),
        "E": ("An enum.\n", ["One.\n", ""]),
        "I": ("", ["A method.\n"]),
        "Short": ("One that ends in its line.\n", []),
    }


@pytest.mark.conformance("PAR-07")
def test_a_file_needs_an_id() -> None:
    with pytest.raises(ccapnp.SchemaError, match=r"test.capnp:1:1: error: .* no id; add this line"):
        ccapnp.load_text("struct S {}", "test.capnp")


@pytest.mark.conformance("PYC-03")
def test_types_of_two_parsers_are_apart_but_for_versions_of_one_struct(backend: str) -> None:
    text = "@0xf000000000002060; struct T { %s l @1 :List(T); t @2 :T; g :group { x @3 :Int8; } }"
    mine, other, newer = (
        ccapnp.SchemaParser().load_text(text % first).T
        for first in ("a @0 :Int32;", "a @0 :Bool;", "b @0 :Int32; more @4 :Text;")
    )
    values: dict[str, Any] = {"t": {"g": {"x": 1}}, "l": [{}, {"g": {"x": 2}}], "g": {"x": 3}}
    for field in values:
        builder = mine.new_message()
        with pytest.raises(
            ccapnp.EncodeTypeError, match=rf"^{field}.* (a T of another schema|a T.G of another schema)"
        ):
            setattr(builder, field, getattr(other.from_dict(values), field))
        setattr(builder, field, getattr(newer.from_dict(values), field))
        assert builder.to_dict()[field] == mine.from_dict(values).to_dict()[field]
    kept = mine.new_message(t=newer.new_message(more="more"))
    assert newer.from_bytes(kept.to_bytes()).t.more == "more"


# ---- faults, by the letters of their row; tests/compiler/test_faults.py has the others

FAULTS: dict[str, tuple[str, str]] = {
    "b a second unnamed union": (
        "struct A { union { a @0 :Int8; b @1 :Int8; } ^union { c @2 :Int8; d @3 :Int8; } }",
        "unnamed union",
    ),
    "d a union of one": ("struct A { ^u :union { a @0 :Int8; } }", "two members"),
    "d an unnamed union of one": ("struct A { ^union { a @0 :Int8; } }", "two members"),
    "d an empty group": ("struct A { a @0 :Int8; ^g :group { } }", "at least one"),
    "e an unnamed union in a named one": (
        "struct A { u :union { a @0 :Int8; ^union { b @1 :Int8; c @2 :Int8; } } }",
        "union",
    ),
    "f a type in a group": ("struct A { g :group { a @0 :Int8; struct ^B {} } }", "group"),
    "f an enum in a union": ("struct A { union { a @0 :Int8; b @1 :Int8; enum ^B {} } }", "union"),
    "g a type in lower case": ("struct ^a {}", "upper-case"),
    "g a field in upper case": ("struct A { ^B @0 :Int8; }", "lower-case"),
    "g an enumerant in upper case": ("enum A { ^B @0; }", "lower-case"),
    "g a constant in upper case": ("const ^A :Int8 = 1;", "lower-case"),
    "g an underscore": ("struct A { ^a_b @0 :Int8; }", "underscore"),
    "i a numbered union without a colon": ("struct A { ^union u @0 { a @1 :Int8; b @2 :Int8; } }", "'name :union {'"),
    "k using what has no other name": ("struct A {} using ^A;", "using"),
    "x stream as parameters": ("interface I { m @0 ^^stream -> (); }", "stream"),
}


@pytest.mark.conformance("ERR-01")
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.conformance(f"ERR-01{case[0]}")) for case in FAULTS]
)
def test_a_fault_is_told_at_its_place(case: str) -> None:
    text, expected = FAULTS[case]
    text = HEADER + text
    found = faults(text.replace("^", ""))
    assert [place for place, _ in found] == marked(text), found
    assert expected in found[0][1]


@pytest.mark.conformance("ERR-01")
def test_faults_of_every_stage_are_told_with_file_line_and_column() -> None:
    with pytest.raises(ccapnp.SchemaError) as caught:
        ccapnp.load_text(
            HEADER + "struct A {\n  a @0 :Missing;\n  b @1 :Int8 = 300;\n}\nconst c :Text = 5;\n", "x.capnp"
        )
    lines = [line.partition(": error:")[0] for line in str(caught.value).splitlines() if ": error:" in line]
    assert lines == ["x.capnp:3:9", "x.capnp:4:16", "x.capnp:6:17"]
