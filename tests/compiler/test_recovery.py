"""What is wrong is said once, where it is, and does not hide what is wrong behind it; whatever the input is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccapnp.errors import SchemaError
from tests.compiler.parsing import messages, parse_text, places, walk
from tests.compiler.snippets import ACCEPTED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Each faulty statement, in its own place.
        (
            'struct S {\n a @0 :Text "x";\n b @1 :;\n c @2 :Text;\n d @3\n}\nstruct T { x y; }\nstruct u {}',
            [(2, '"x"'), (3, ";"), (6, "}"), (7, "y"), (8, "u")],
        ),
        # Each faulty item of a list.
        ("const c :T = (a = 1, b = , c 3, d = 4,, e = -);", [(1, ","), (1, "3"), (1, ","), (1, ")")]),
        # A missing end of statement.
        ("struct S {\n a @0 :Text\n b @1 :Text\n}\nconst c :Int8 = 1", [(2, ""), (3, ""), (5, "")]),
        # Parentheses that are not closed.
        (
            "struct S {\n a @0 :List(Text;\n b @1 :List(\n c @2 :List(List(Text);\n}\nconst d :T = ;",
            [(2, "("), (3, "("), (4, "("), (6, ";")],
        ),
        ("const a :T = [1, (2, 3];\nconst b :T = (1];\nconst c :T = 1);", [(1, "("), (2, "("), (3, ")")]),
        # Strings that are not closed.
        ('const a :Text = "b;\nconst c :Text = d("e);\nconst f :Int8 = ;', [(1, '"b;'), (2, '"e);'), (3, ";")]),
        # Blocks that are not closed, or not opened.
        ("struct A {\n struct B {\n a @0 :Text;\n}\nstruct C {}", [(1, "{")]),
        ("struct A {\n struct B {\n a @0 :Text;", [(2, "{")]),
        ("}\nstruct A {};\nstruct B {}}\n;\nstruct c {}", [(1, "}"), (2, ";"), (3, "}"), (4, ";"), (5, "c")]),
        # A faulty beginning does not hide what is in the block.
        ("struct a-b {\n a 0 :Text;\n}\nenum E(T) {\n a;\n}", [(1, "a"), (1, "-"), (2, "0"), (4, "("), (5, ";")]),
        ("foo {\n ( } struct b {}", [(1, "foo"), (2, "b")]),
        # What does not belong in a place.
        ("a @0 :Text;\nstruct S { 5; b @0 :Text }\nfoo", [(1, "a"), (2, "5"), (2, ""), (3, "foo")]),
    ],
)
@pytest.mark.conformance("ERR-01")
def test_faults_are_where_they_belong(text: str, expected: list[tuple[int, str]]) -> None:
    assert places(text) == expected
    assert not any(each[0].isupper() or each.endswith(".") for each in messages(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct S { a @0 :Int8=-1; }", "; operators that touch are one: put a space between them"),
        ("struct S { a :Text; }", "a field needs a number: 'a @0 :Type', or the next that is free"),
        ("struct S { union u { } }", "a named union is written 'name :union {'"),
        ("struct S { u @7 :union { a @0 :Text; b @1 :Text; } }", "write '@7!' to keep the layout"),
        ("// comment", "a comment begins with '#'"),
        ("interface I { m @0 () => (); }", "the arrow before a method's results is '->'"),
        ("struct S {} struct T;", "this statement ends with a block, not with ';'"),
        ("const c :Int8 = 1 {}", "this statement has no block: it ends with ';'"),
        ("const c :Int8 = 08;", "a number that begins with 0 is octal"),
    ],
)
def test_messages_say_what_to_do(text: str, expected: str) -> None:
    [message] = messages(text)
    assert expected in message


def test_what_is_sound_is_in_the_tree() -> None:
    file, _ = parse_text("struct S { a @0 :; b @1 :Text; } const c = 1; struct T { x @0 :Int8 = (; }")
    assert [each.name.text for each in walk(file) if each.name] == ["S", "b", "T"]


def test_the_error_has_a_place_and_a_picture() -> None:
    with pytest.raises(SchemaError) as caught:
        parse_text("struct S {\n\ta @0 Text;\n}")[1].check()
    assert (caught.value.file, caught.value.line, caught.value.column) == ("test.capnp", 2, 7)
    assert str(caught.value).endswith("\n\ta @0 Text;\n\t     ^^^^")


SIZE = 20_000
HOSTILE = {
    "parentheses": "const x :T = " + "(" * SIZE,
    "closed parentheses": "const x :T = " + "(" * SIZE + ")" * SIZE + ";",
    "brackets": "[" * SIZE,
    "closing": ")]" * SIZE,
    "crossed": "([)]" * SIZE,
    "braces": "{" * SIZE,
    "closing braces": "}" * SIZE,
    "structs": "struct A {" * SIZE,
    "closed structs": "struct A {" * SIZE + "}" * SIZE,
    "members": "const x :T = a" + ".b" * SIZE + ";",
    "applications": "const x :T" + "(A)" * SIZE + " = 1;",
    "generics": "const x :" + "A(" * SIZE + ")" * SIZE + " = 1;",
    "minus signs": "const x :T = " + "- " * SIZE + "1;",
    "digits": "const x :T = " + "9" * SIZE + ";",
    "semicolons": ";" * SIZE,
    "operators": "$" * SIZE,
    "one long line of faults": "struct A { " + "a 0 :Text; " * SIZE + "}",
    "a long string without an end": 'const x :Text = "' + "\\" * SIZE,
    "quotes": '"' * SIZE,
    "NUL bytes": "\0" * SIZE,
    "control characters": "\x01 " * SIZE,
    "foreign letters": "é " * SIZE,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_a_few_short_messages(text: str) -> None:
    found = parse_text(text)[1]
    error = found.error()
    assert error is not None
    assert len(found.found) <= 100
    assert len(str(error)) < 100_000


@pytest.mark.parametrize(
    "text",
    [
        "const x :T = [" + "1, " * SIZE + "];",
        "struct A " + "$a " * SIZE + "{}",
        "# x\n" * SIZE,
        " " * SIZE,
        "$a; " * SIZE,
    ],
)
def test_long_input_is_no_fault(text: str) -> None:
    assert messages(text) == []


def test_a_file_in_utf_16_is_one_fault() -> None:
    assert messages("struct A {}".encode("utf-16")) == ["this file is not UTF-8 text from here on"]


PIECES = sorted({piece for text in ACCEPTED for piece in text.split()}) + [*"(){}[];,:=@$.\"'#\n", "->", "\0", "é"]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join))
def test_any_text_is_parsed_or_reported(text: str) -> None:
    parse_text(text)[1].error()


@given(st.sampled_from(ACCEPTED), st.data())
def test_a_truncated_statement_is_reported(text: str, data: st.DataObject) -> None:
    cut = text[: data.draw(st.integers(0, len(text)))]
    parse_text(cut)[1].error()
