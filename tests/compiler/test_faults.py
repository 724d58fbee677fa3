"""What is wrong with a schema is refused, at its place, all of it in one run (ERR-01, ERR-02)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ccapnp.compiler.compile import compile_files
from ccapnp.errors import SchemaError
from ccapnp.language.diagnostics import Diagnostics
from tests.compiler.folder import TextFinder

HEADER = "@0xd0a1f2b3c4d50080;\n"
OTHER = "@0xd0a1f2b3c4d50081;\nstruct Other { x @0 :Int32; }\nconst limit :Int32 = 5;\n"


class Case(NamedTuple):
    """``^`` in the text stands in front of each place where a fault is reported; ``expected`` are their messages."""

    name: str
    text: str
    expected: tuple[str, ...]


def case(name: str, text: str, *expected: str) -> Case:
    return Case(name, text, expected)


CASES = [
    # ---- names within a scope
    case("a member", "struct A { a @0 :Int8; ^a @1 :Int8; }", "'a' is declared twice; it was first in line 2"),
    case(
        "a member of an unnamed union",
        "struct A { a @0 :Int8; union { ^a @1 :Int8; b @2 :Int8; } }",
        "'a' is declared twice",
    ),
    case("a member of a group", "struct A { g :group { a @0 :Int8; ^a @1 :Int8; } }", "'a' is declared twice"),
    case("a type", "struct A {}\nstruct ^A {}", "'A' is declared twice; it was first in line 2"),
    case("an alias", "struct A { struct B {} using ^B = Text; }", "'B' is declared twice"),
    case("t an enumerant", "enum E { a @0; ^a @1; }", "'a' is declared twice"),
    case("a method", "interface I { a @0 (); ^a @1 (); }", "'a' is declared twice"),
    case("a parameter", "interface I { a @0 (x :Int8, ^x :Int8); }", "'x' is declared twice"),
    # ---- ordinals
    case(
        "c ordinal twice",
        "struct A { a @0 :Int8;\nb @^0 :Int8; }",
        "the ordinal @0 is used twice; it was first in line 2",
    ),
    case("c ordinal missing", "struct A { a @0 :Int8; b @^2 :Int8; c @3 :Int8; }", "the ordinal @1 is missing"),
    case("c enumerant's ordinal twice", "enum E { a @0; b @^0; }", "the ordinal @0 is used twice"),
    case("c method's ordinal missing", "interface I { a @^1 (); }", "the ordinal @0 is missing"),
    case(
        "h union's ordinal",
        "struct A { u @^3! :union { a @0 :Int8; b @1 :Int8; c @2 :Int8; } }",
        "not of two or more",
    ),
    # ---- names that are used
    case(
        "j import",
        'struct A { a @0 :^import "missing.capnp".A; }',
        "there is no file 'missing.capnp' to import; looked in memory",
    ),
    case("j unused import", 'using A = ^import "missing.capnp";', "there is no file 'missing.capnp' to import"),
    case("j unused alias", "using A = ^Missing;", "'Missing' is not defined"),
    case("j relative name", "struct Person { a @0 :^Persom; }", "'Persom' is not defined; did you mean 'Person'?"),
    case("j absolute name", "struct A { a @0 : .^Missing; }", "there is no 'Missing' in the file 'test.capnp'"),
    case("j member", "struct A { struct Inner {} a @0 :A.^Iner; }", "there is no 'Iner' in 'A'; did you mean 'Inner'?"),
    case("j member of an import", 'struct A { a @0 :import "other.capnp".^Othr; }', "did you mean 'Other'?"),
    case("j member of a builtin type", "struct A { a @0 :Text.^B; }", "there is no 'B' in 'Text'"),
    case("alias of itself", "using A = B; using B = ^A; struct C { a @0 :A; }", "'A' is not defined"),
    case("n constant as type", "const c :Int8 = 1; struct A { a @0 :^c; }", "'c' is not a type"),
    case("n annotation as type", "annotation c(*) :Int8; struct A { a @0 :^c; }", "'c' is not a type"),
    case("n file as type", 'struct A { a @0 :^import "other.capnp"; }', "the file 'other.capnp' is not a type"),
    case("superclass", "struct A {} interface I extends(^A) {}", "'A' is not an interface"),
    case("builtin superclass", "interface I extends(^Text) {}", "'Text' is not an interface"),
    case("parameters of a type", "interface I { a @0 ^Int8; }", "'Int8' is not a struct; list the parameters"),
    case("results of a type", "interface I { a @0 () -> ^Text; }", "'Text' is not a struct; list the results"),
    # ---- lists and generics
    case("l List without a parameter", "struct A { a @0 :^List; }", "List needs one parameter"),
    case(
        "l List with two",
        "struct A { a @0 :^List(Int8, Int8); }",
        "List takes one parameter, the type of its elements, not 2",
    ),
    case("m List(AnyPointer)", "struct A { a @0 :^List(AnyPointer); }", "List(AnyPointer) is not supported"),
    case("m List(AnyStruct)", "struct A { a @0 :^List(AnyStruct); }", "List(AnyStruct) is not supported"),
    case("m list of a parameter", "struct A(T) { a @0 :^List(T); }", "List(T) is not supported"),
    case("o not generic", "struct A { a @0 :^A(Text); }", "'A' is not generic: it takes no parameters"),
    case("o builtin", "struct A { a @0 :^Text(Text); }", "'Text' is not generic"),
    case("u too few", "struct G(A, B) {} struct A { a @0 :^G(Text); }", "not enough parameters: G takes 2 (A, B)"),
    case("u too many", "struct G(A) {} struct A { a @0 :^G(Text, Text); }", "too many parameters: G takes 1 (A)"),
    case("u twice", "struct G(A) {} struct A { a @0 :^G(Text)(Text); }", "'G(Text)' already has its parameters"),
    case("u primitive", "struct G(A) {} struct A { a @0 :G(^Int8); }", "must be bound to a pointer type"),
    case("u enum", "enum E {} struct G(A) {} struct A { a @0 :G(^E); }", "not E"),
    case("u restricted", "struct G(A) {} struct A { a @0 :G(^AnyList); }", "not AnyList"),
    # ---- values
    case(
        "p too large",
        "struct A { a @0 :Int16 = ^1234567; }",
        "1234567 is out of range: it must be from -32768 to 32767",
    ),
    case("p negative", "struct A { a @0 :UInt16 = ^-1; }", "-1 is out of range"),
    case("p too negative", "const c :Int64 = ^-0x8000000000000001;", "-9223372036854775809 is out of range"),
    case("p integer as Text", "const c :Text = ^123;", "an integer does not fit here: a value of type Text is needed"),
    case("p list as Text", "const c :Text = ^[123];", "a list does not fit here"),
    case("p struct as Text", "const c :Text = ^(foo = 123);", "a struct does not fit here"),
    case("text as a number", 'const c :Float32 = ^"1";', "a text does not fit here: a value of type Float32 is needed"),
    case("fraction as an integer", "const c :Int32 = ^1.0;", "a number with a fraction does not fit here"),
    case("binary data as Text", 'const c :Text = ^0x"00";', "binary data does not fit here"),
    case("word as a number", "const c :Int32 = ^true;", "'true' does not fit here"),
    case("text as AnyPointer", 'const c :AnyPointer = ^"x";', "a value of type AnyPointer is needed"),
    case(
        "list of another type", 'const c :List(Int8) = [1, ^"2", ^true];', "a text does not fit", "'true' does not fit"
    ),
    case("p not a constant", "struct A { a @0 :Int32 = ^A; }", "'A' is not a constant"),
    case("p builtin as a value", "const c :Int32 = ^Int32;", "'Int32' is not a constant"),
    case(
        "p unqualified constant",
        "const c :Int32 = 1; const d :Int32 = ^c;",
        "must be qualified, lest it be mistaken for a value: .c",
    ),
    case(
        "constant of another type",
        "const c :Int32 = 1; const d :Text = ^.c;",
        "the constant 'c' of type Int32 does not fit",
    ),
    case("constant out of range", "const c :Int32 = 1000; const d :Int8 = ^.c;", "1000 is out of range"),
    case("undefined constant", "const c :Int32 = .^missing;", "there is no 'missing' in the file 'test.capnp'"),
    case(
        "enumerant",
        "enum Color { red @0; } const c :Color = ^rod;",
        "Color has no enumerant 'rod'; did you mean 'red'?",
    ),
    case(
        "z undefined union value",
        "struct A { union { a @0 :Int8; b @1 :Int8; } } const c :A = (a = ^missing);",
        "'missing' is not defined",
    ),
    case("number as an enum", "enum Color { red @0; } const c :Color = ^0;", "a value of type Color is needed"),
    case(
        "r no name", "struct A { a @0 :Int8; } const c :A = (^1, ^2);", "the name of the field is missing", "the name"
    ),
    case(
        "r unknown field",
        "struct A { number @0 :Int8; } const c :A = (^nmber = 1);",
        "A has no field 'nmber'; did you mean 'number'?",
    ),
    case(
        "r unknown field of a group",
        "struct A { g :group { a @0 :Int8; } } const c :A = (g = (^b = 1));",
        "A.g has no field 'b'",
    ),
    case("r group", "struct A { g :group { a @0 :Int8; } } const c :A = (g = ^1);", "'g' is a group"),
    case("s recursive constant", "const ^c :Int32 = .c;", "the constant 'c' depends on itself"),
    case(
        "s two recursive constants",
        "struct A { a @0 :A; } const ^c :A = (a = .d); const d :A = (a = .c);",
        "depends on itself",
    ),
    case(
        "v embed as a number",
        'const c :Int32 = ^embed "other.capnp";',
        "can be embedded as Text, Data or a struct, but not as Int32",
    ),
    case("v missing embed", 'const c :Text = ^embed "missing";', "there is no file 'missing' to embed"),
    case("v no message", 'struct A {} const c :A = ^embed "other.capnp";', "is not a valid message"),
    case(
        "w null",
        "interface I { a @0 (x :Int32 = ^null, y :Text = null); }",
        "only a pointer can be null by default, which Int32 is not",
    ),
    case("null as a default of a field", "struct A { a @0 :Text = ^null; }", "'null' does not fit here"),
    case("y stream.capnp is missing", "interface I { a @0 () -> ^stream; }", "there is no file '/capnp/stream.capnp'"),
    case(
        "ERR-02 generic default", 'struct A(T) { a @0 :T = ^"x"; }', "a parameter that has not been bound to a type yet"
    ),
    case(
        "ERR-02 unbound generic",
        "struct A(T) { a @0 :T; } const c :A = (a = ^5);",
        "a value of type AnyPointer is needed",
    ),
    case("text that is none", r'const c :Text = ^"\xff"; const d :Data = "\xff";', "must be valid UTF-8"),
    # ---- annotations
    case("q not an annotation", "struct A $^B {} struct B {}", "'B' is not an annotation"),
    case("q constant", "struct A $^c {} const c :Int8 = 1;", "'c' is not an annotation"),
    case("q generic parameter", "struct A(T) $^T {}", "'T' is not an annotation"),
    case("q undefined", "struct A $^mark {} annotation mrk(*) :Void;", "'mark' is not defined; did you mean 'mrk'?"),
    case(
        "q wrong target",
        "annotation a(struct, enum) :Void; struct A { f @0 :Int8 $^a; }",
        "$a cannot be applied to a field; it is for: enum, struct",
    ),
    case("q wrong target enum", "annotation a(field) :Void; enum E $^a {}", "$a cannot be applied to an enum"),
    case("q no value", "annotation a(*) :Int8; struct A $^a {}", "$a needs a value of type Int8: $a(value)"),
    case("q wrong value", "annotation a(*) :Int8; struct A $a(^true) {}", "'true' does not fit here"),
    # ---- ids
    case(
        "id twice", "struct A @0xd0a1f2b3c4d50090 {} struct B @^0xd0a1f2b3c4d50090 {}", "is also that of test.capnp:A"
    ),
]

# The official compiler takes texts that are not UTF-8, which nobody can read.
REFUSED_BY_ALL = [each for each in CASES if each.name != "text that is none"]


def marked_cases(cases: list[Case]) -> list[Any]:
    """The cases, each with the row that its name begins with, if it does."""
    found = []
    for each in cases:
        first = each.name.split()[0]
        rows = [f"ERR-01{first}", "ERR-01"] if len(first) == 1 else [first] if first.startswith("ERR") else []
        found.append(pytest.param(each, id=each.name, marks=[pytest.mark.conformance(*rows)] if rows else []))
    return found


@pytest.mark.parametrize("each", marked_cases(CASES))
def test_fault(each: Case) -> None:
    text = HEADER + each.text
    found = faults(text.replace("^", ""))
    assert [place for place, _ in found] == marked(text), found
    for (_, message), expected in zip(found, each.expected):
        assert expected in message


@pytest.mark.parametrize("each", marked_cases(REFUSED_BY_ALL))
def test_the_tool_refuses_it(capnp_tool: str, tmp_path: Path, each: Case) -> None:
    """The official compiler does as well."""
    version = subprocess.run([capnp_tool, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    if each.name == "r group" and not version.startswith("0."):
        pytest.skip("since release 1.0, a group's value may be that of its first field")
    (tmp_path / "test.capnp").write_text(HEADER + each.text.replace("^", ""))
    (tmp_path / "other.capnp").write_text(OTHER)
    run = subprocess.run(
        [capnp_tool, "compile", "--no-standard-import", "-o-", "test.capnp"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert run.returncode != 0


def marked(text: str) -> list[str]:
    """line:column of each mark, in the text without them."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split("^")[:-1]
        found += [f"{number}:{sum(map(len, parts[: index + 1])) + 1}" for index in range(len(parts))]
    return found


def faults(text: str) -> list[tuple[str, str]]:
    """(line:column, message) of all faults, in order."""
    diagnostics = Diagnostics()
    with pytest.raises(SchemaError):
        compile_files(["test.capnp"], TextFinder({"test.capnp": text, "other.capnp": OTHER}), diagnostics)
    found = sorted(diagnostics.found, key=lambda each: each.span)
    return [("{}:{}".format(*each.source.position(each.span.start)), each.message) for each in found]


@pytest.mark.conformance("ERR-01")
def test_all_faults_are_told_at_once() -> None:
    text = HEADER + "struct A { a @0 :Missing; b @2 :Int8 = 300; }\nconst c :Text = 5;\nenum E { a @0; a @1; }\n"
    with pytest.raises(SchemaError) as caught:
        compile_files(["test.capnp"], TextFinder({"test.capnp": text}))
    message = str(caught.value)
    assert [int(line) for line in re.findall(r"test\.capnp:(\d+):\d+: error", message)] == [2, 2, 2, 3, 4]
    assert (caught.value.file, caught.value.line, caught.value.column) == ("test.capnp", 2, 18)


def test_a_fault_is_not_repeated_where_its_name_is_used() -> None:
    text = HEADER + "using A = Missing; struct B { a @0 :A; b @1 :List(A); c @2 :A = (x = 5); } const c :A = 5;\n"
    assert len(faults(text)) == 1


@pytest.mark.conformance("PAR-07")
def test_a_file_without_an_id_is_told_a_new_one() -> None:
    ((place, message),) = faults("struct A {}\n")
    assert place == "1:1"
    assert re.search(r"no id; add this line, or one that `ccapnp id` prints: @0x[89a-f][0-9a-f]{15};$", message)


def test_the_id_of_another_file_names_both() -> None:
    texts = {"test.capnp": HEADER + 'using A = import "copy.capnp";\n', "copy.capnp": HEADER}
    with pytest.raises(SchemaError, match="is also that of test.capnp") as caught:
        compile_files(["test.capnp"], TextFinder(texts))
    assert caught.value.file == "copy.capnp"


def test_a_fault_in_what_an_import_does_not_use_is_not_told() -> None:
    texts = {
        "test.capnp": HEADER + 'struct A { a @0 :import "other.capnp".Other; }\n',
        "other.capnp": OTHER + "struct Unused { a @0 :Missing; }\n",
    }
    assert compile_files(["test.capnp"], TextFinder(texts))


def test_a_missing_file_is_told() -> None:
    with pytest.raises(SchemaError, match="there is no schema file 'missing.capnp'"):
        compile_files(["missing.capnp"], TextFinder({}))


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"const c{each} :Int32 = .c{each + 1};\n" for each in range(3000)) + "const c3000 :Int32 = 1;\n",
        "".join(f"using A{each} = A{each + 1};\n" for each in range(3000)) + "using A3000 = Text;\n",
    ],
    ids=["constants", "aliases"],
)
def test_a_chain_too_long_for_the_stack_is_told(text: str) -> None:
    with pytest.raises(SchemaError, match="nested deeper than Python's stack reaches"):
        compile_files(["test.capnp"], TextFinder({"test.capnp": HEADER + text}))


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    with pytest.raises(SchemaError) as caught:
        compile_files(["test.capnp"], TextFinder({"test.capnp": HEADER + "struct A {\t\x1b[2J\x07 }\n"}))
    assert "struct A {\t\ufffd[2J\ufffd }" in str(caught.value)
