"""The tree of a schema, and doc comments (LEX-02, 04, 05)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccapnp.language.syntax import (
    AbsoluteName,
    Annotation,
    AnnotationDeclaration,
    Application,
    Argument,
    BinaryLiteral,
    Constant,
    Declaration,
    Embed,
    Enum,
    Enumerant,
    Expression,
    Field,
    FloatLiteral,
    Group,
    Import,
    IntegerLiteral,
    Interface,
    ListLiteral,
    Member,
    Method,
    Negation,
    RelativeName,
    Struct,
    TextLiteral,
    TupleLiteral,
    Union_,
    Using,
)
from ccapnp.schema import schema_capnp
from tests.compiler.parsing import messages, parsed, walk
from tests.conftest import compile_to_request


def shown(found: Expression) -> object:
    """An expression as a short value: names with their points, literals as they are."""
    if isinstance(found, (TextLiteral, BinaryLiteral, FloatLiteral)):
        return found.value
    if isinstance(found, IntegerLiteral):
        return -found.value if found.negative else found.value
    if isinstance(found, (RelativeName, AbsoluteName)):
        return ("." if isinstance(found, AbsoluteName) else "") + found.name.text
    if isinstance(found, (Import, Embed)):
        return (type(found).__name__, found.path)
    if isinstance(found, ListLiteral):
        return [shown(item) for item in found.items]
    if isinstance(found, TupleLiteral):
        return arguments(found.items)
    if isinstance(found, Application):
        return (shown(found.function), arguments(found.arguments))
    if isinstance(found, Member):
        return (shown(found.parent), "." + found.name.text)
    assert isinstance(found, Negation)
    return ("-", shown(found.operand))


def arguments(items: tuple[Argument, ...]) -> list[object]:
    return [(item.name.text, shown(item.value)) if item.name else shown(item.value) for item in items]


def value_of(text: str) -> Expression:
    [constant] = parsed(f"const x :T = {text};").nested
    assert isinstance(constant, Constant)
    return constant.value


def applied(found: tuple[Annotation, ...]) -> list[object]:
    return [(shown(each.name), None if each.value is None else shown(each.value)) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("-1", -1),
        ("- 1", -1),
        ("-1.5", -1.5),
        ("-inf", ("-", "inf")),
        ('"a" "b"\n"c"', "abc"),
        ("`a\n`b\n", "a\nb\n"),
        ('"a" `b\n', "ab\n"),
        ('0x"00ff"', b"\x00\xff"),
        ("foo", "foo"),
        (".foo", ".foo"),
        ("a.b.c", (("a", ".b"), ".c")),
        (".a.b", (".a", ".b")),
        ('import "x".Foo', (("Import", "x"), ".Foo")),
        ('embed "x"', ("Embed", "x")),
        ("import", "import"),
        ("embed.import", ("embed", ".import")),
        ("Foo(Bar, Baz).Inner(X)", ((("Foo", ["Bar", "Baz"]), ".Inner"), ["X"])),
        ("Foo()", ("Foo", [])),
        ("(Foo).Bar", ("Foo", ".Bar")),
        ("[]", []),
        ("[1, [2,], (a = 3)]", [1, [2], [("a", 3)]]),
        ("()", []),
        ("((1))", 1),
        ("(a = 1,)", [("a", 1)]),
        ("(1, 2)", [1, 2]),
        ("(a = (b = [(c = x.y)]), true = -1)", [("a", [("b", [[("c", ("x", ".y"))]])]), ("true", -1)]),
    ],
)
@pytest.mark.conformance("LEX-02")
def test_expressions(text: str, expected: object) -> None:
    assert shown(value_of(text)) == expected


def test_minus_zero_keeps_its_sign() -> None:
    assert value_of("-0") == IntegerLiteral(0, True, value_of("-0").span)
    assert str(shown(value_of("-0.0"))) == "-0.0"


SCHEMA = """\
@0xb1b2b3b4b5b6b7b8;  # The file.
using Other = import "other.capnp";
using Other.Thing;
$Other.about("x"); $done;
struct Person(Key, Value) $Other.row {
  id @0 :UInt32 = 5 $a $b(1) $Foo(X).c(d = 2);
  union {
    home @1 :Foo(Key).Bar;
    work :group $g {
      phone @2 :List(Text);
    }
  }
  kind @3! :union $u { none @4 :Void; some @5 :Void; }
  enum Color @0xc1b2b3b4b5b6b7b8 $e { red @0 $r; green @1; }
}
interface Service(T) extends(Base(T), .Root) $i {
  call @0 [U, V] (a :U = 1 $p, b :V) -> (c :T) $m;
  push @1 (chunk :Data) -> stream;
  pass @2 Params -> Other.Results;
}
const limit @0xd1b2b3b4b5b6b7b8 :List(Int8) = [1] $k;
annotation about(file, field) :Text $l;
annotation any(*) :Void;
"""


def names(found: list[Declaration]) -> list[object]:
    return [(type(each), each.name.text if each.name else None) for each in found]


def test_a_whole_file() -> None:
    file = parsed(SCHEMA)
    assert file.id is not None
    assert (file.id.value, file.doc) == (0xB1B2B3B4B5B6B7B8, "The file.\n")
    assert applied(file.annotations) == [(("Other", ".about"), "x"), ("done", None)]
    assert names(file.nested) == [
        (Using, "Other"),
        (Using, "Thing"),
        (Struct, "Person"),
        (Interface, "Service"),
        (Constant, "limit"),
        (AnnotationDeclaration, "about"),
        (AnnotationDeclaration, "any"),
    ]


def test_a_struct() -> None:
    struct = parsed(SCHEMA).nested[2]
    assert [each.text for each in struct.parameters] == ["Key", "Value"]
    assert applied(struct.annotations) == [(("Other", ".row"), None)]
    field, unnamed, kind, enum = struct.nested
    assert isinstance(field, Field)
    assert field.ordinal is not None and field.default is not None
    assert (field.ordinal.value, shown(field.type), shown(field.default)) == (0, "UInt32", 5)
    assert applied(field.annotations) == [("a", None), ("b", 1), ((("Foo", ["X"]), ".c"), [("d", 2)])]
    assert isinstance(unnamed, Union_) and unnamed.name is None and unnamed.ordinal is None
    assert names(unnamed.nested) == [(Field, "home"), (Group, "work")]
    assert applied(unnamed.nested[1].annotations) == [("g", None)]
    assert isinstance(kind, Union_) and kind.ordinal is not None and kind.ordinal.value == 3
    assert applied(kind.annotations) == [("u", None)]
    assert isinstance(enum, Enum) and enum.id is not None and enum.id.value == 0xC1B2B3B4B5B6B7B8
    assert [(each.ordinal.value, applied(each.annotations)) for each in enum.nested if isinstance(each, Enumerant)] == [
        (0, [("r", None)]),
        (1, []),
    ]


def test_an_interface() -> None:
    interface = parsed(SCHEMA).nested[3]
    assert isinstance(interface, Interface)
    assert [shown(each) for each in interface.superclasses] == [("Base", ["T"]), ".Root"]
    call, push, hand_over = interface.nested
    assert isinstance(call, Method) and isinstance(push, Method) and isinstance(hand_over, Method)
    assert [each.text for each in call.parameters] == ["U", "V"]
    assert call.params.named is not None and call.results is not None and call.results.named is not None
    first, second = call.params.named
    assert (first.name.text, shown(first.type), applied(first.annotations)) == ("a", "U", [("p", None)])
    assert (first.default and shown(first.default), second.default) == (1, None)
    assert [each.name.text for each in call.results.named if each.name] == ["c"]
    assert applied(call.annotations) == [("m", None)]
    assert push.results is not None and push.results.is_stream
    assert hand_over.params.type is not None and shown(hand_over.params.type) == "Params"
    assert hand_over.results is not None and hand_over.results.type is not None
    assert shown(hand_over.results.type) == ("Other", ".Results")


def test_a_method_without_an_arrow_has_no_results() -> None:
    [interface] = parsed("interface I { m @0 (); }").nested
    [method] = interface.nested
    assert isinstance(method, Method)
    assert (method.params.named, method.results) == ([], None)


def test_constants_and_annotations() -> None:
    constant, about, anything = parsed(SCHEMA).nested[4:]
    assert isinstance(constant, Constant) and constant.id is not None
    assert (shown(constant.type), shown(constant.value)) == (("List", ["Int8"]), [1])
    assert isinstance(about, AnnotationDeclaration) and isinstance(anything, AnnotationDeclaration)
    assert [each.text for each in about.targets] == ["file", "field"]
    assert [each.text for each in anything.targets] == ["*"]


@pytest.mark.conformance("LEX-04")
def test_spans_hold_the_whole_declaration() -> None:
    text = "  struct S { e @0 :Text; # x\n a @1 :List ( Text ) ; # y\n } # z\n"
    [struct] = parsed(text).nested
    first, second = struct.nested
    assert isinstance(second, Field) and second.name is not None
    spans = [struct.span, first.span, second.span, second.name.span, second.type.span]
    assert [text[span.start : span.end] for span in spans] == [
        text[2 : text.index(" # z")],
        "e @0 :Text;",
        "a @1 :List ( Text ) ;",
        "a",
        "List ( Text )",
    ]


DOCUMENTED = """\
@0xb1b2b3b4b5b6b7b8;
# The file.

# Not the file.
struct S {
  # The struct, first line.
  #  The second.
  #
  #The fourth.

  # Not the struct.
  a @0 :Text;  # a
  # more of a

  b @1 :Text;

  # Not b.
  c @2 :Text
  # Not c.
  ;
  union {  # Lost.
    d @3 :Text;  # d
    e @4 :Text;
    # e
  }
  g :group {
    h @5 :Text;  # h
  }
  # g, from below.
  u :union {  # u, within.
    i @6 :Void;
    j @7 :Void;
  }  # Not u.
  struct Empty {}  # The empty struct.
}  # Not the struct.
enum E {  # E
  one @0;  # one
}
interface I {
  # I
  m @0 (a :Text,  # Not a.
        b :Text) -> ();  # m
}
const k :Text = "x";  # k
annotation n(*) :Text;  # n
"""


@pytest.mark.conformance("LEX-05")
def test_doc_comments() -> None:
    docs = {each.name.text if each.name else None: each.doc for each in walk(parsed(DOCUMENTED)) if each.doc}
    assert docs == {
        None: "Lost.\n",
        "S": "The struct, first line.\n The second.\n\nThe fourth.\n",
        "a": "a\nmore of a\n",
        "d": "d\n",
        "e": "e\n",
        "h": "h\n",
        "g": "g, from below.\n",
        "u": "u, within.\n",
        "Empty": "The empty struct.\n",
        "E": "E\n",
        "one": "one\n",
        "I": "I\n",
        "m": "m\n",
        "k": "k\n",
        "n": "n\n",
    }
    assert parsed(DOCUMENTED).doc == "The file.\n"


@pytest.mark.conformance("LEX-05")
def test_the_tool_hears_the_same_doc_comments(capnp_tool: str, tmp_path: Path) -> None:
    request = schema_capnp.CodeGeneratorRequest.from_bytes(compile_to_request(capnp_tool, tmp_path, DOCUMENTED))
    of_tool = {info.docComment for info in request.sourceInfo}
    of_tool |= {member.docComment for info in request.sourceInfo for member in info.members}
    # An unnamed union has no node that could have a comment.
    unheard = {"Lost.\n"}
    assert {each.doc for each in walk(parsed(DOCUMENTED)) if each.doc} - unheard == of_tool - {""}


def standard_files() -> list[Path]:
    return sorted(Path("/usr/include/capnp").rglob("*.capnp"))


@pytest.mark.parametrize("path", standard_files(), ids=lambda path: str(path.name))
def test_the_standard_schemas(path: Path) -> None:
    assert messages(path.read_bytes()) == []
