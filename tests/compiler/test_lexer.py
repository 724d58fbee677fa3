"""Tokens: what each literal stands for (LEX-01, 03, 06, 07), and that any bytes at all become tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp.language.lexer import BAD, BINARY, END, FLOAT, INTEGER, NAME, TEXT, Token, tokenize
from tests.conftest import compile_to_request

INTEGERS = {
    "0": 0,
    "00": 0,
    "12": 12,
    "010": 8,
    "0777": 511,
    "0x10": 16,
    "0xDEADbeef": 0xDEADBEEF,
    "9223372036854775807": 2**63 - 1,
    "01777777777777777777777": 2**64 - 1,
    "0x000000000000000000000000000001": 1,
}
FLOATS = {
    "2.75": 2.75,
    "6e4": 6e4,
    "1.": 1.0,
    "1E5": 1e5,
    "1.e5": 1e5,
    "1.5E+05": 1.5e5,
    "1e-5": 1e-5,
    "010.5": 10.5,
    "00.5": 0.5,
    "01e9": 1e9,
    "1e400": math.inf,
    "1e-400": 0.0,
    "123456789012345678901234567890.": 123456789012345678901234567890.0,
}
TEXTS = {
    '""': "",
    '"abc"': "abc",
    '"é"': "é",
    '"a\tb"': "a\tb",
    r'"\a\b\f\n\r\t\v"': "\a\b\f\n\r\t\v",
    r'"\'\"\\\?"': "'\"\\?",
    r'"\x20\x411"': " A1",
    r'"\101\18\0012"': "A\x018\x012",
    r'"\400"': "\0",
    r'"\xc3\xa9"': "é",
}
BINARIES = {
    '0x"0a0b"': b"\x0a\x0b",
    '0x"0A 0b"': b"\x0a\x0b",
    '0x" 0a\n\t0b "': b"\x0a\x0b",
}
BAD_LITERALS = {
    "too large": ["18446744073709551616", "0x10000000000000000", "02000000000000000000000", "9" * 5000],
    "octal": ["08", "019", "08.5", "0129.5"],
    "not a number": ["1a", "0x", "0xg", "0X10", "1_000", "1e", "1.5e", "1.5.5", "5f", "0x1p4", "0b1"],
    "no closing quote": ['"abc', '"abc\\"', '"'],
    "unknown escape": [r'"\q"', r'"\u00e9"', r'"\x4"', r'"\xg"', r'"\X41"', r'"\8"'],
    "pairs of hex digits": ['0x""', '0x"0a0"', '0x"0 a"', '0x"0g"', '0x"0a_0b"'],
    "double quotes": ["'"],
    "cannot stand here": ["é", "\\", "\x01", "\N{NO-BREAK SPACE}"],
}


def tokens(text: str | bytes) -> list[Token]:
    return tokenize(text if isinstance(text, bytes) else text.encode())


def values(text: str | bytes) -> list[tuple[str, object]]:
    """Kinds and values, without the end."""
    return [(token.kind, token.value) for token in tokens(text)[:-1]]


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens(text)[:-1]]


@pytest.mark.parametrize(
    ("kind", "literal", "value"),
    [
        (kind, literal, value)
        for kind, table in ((INTEGER, INTEGERS), (FLOAT, FLOATS), (TEXT, TEXTS), (BINARY, BINARIES))
        for literal, value in table.items()
    ],
)
@pytest.mark.conformance("LEX-07")
def test_literals(kind: str, literal: str, value: object) -> None:
    assert values(literal) == [(kind, value)]


@pytest.mark.parametrize(
    ("message", "literal"), [(message, literal) for message, literals in BAD_LITERALS.items() for literal in literals]
)
@pytest.mark.conformance("LEX-07")
def test_faulty_literals(message: str, literal: str) -> None:
    [(kind, value)] = values(literal)
    assert kind == BAD
    assert message in str(value)


@pytest.mark.conformance("LEX-07")
def test_the_tool_reads_the_same_values(capnp_tool: str, tmp_path: Path) -> None:
    tables = (("UInt64", INTEGERS), ("Float64", FLOATS), ("Text", TEXTS), ("Data", BINARIES))
    literals = [(kind, literal, value) for kind, table in tables for literal, value in table.items()]
    lines = [f"const x{index} :{kind} = {literal};" for index, (kind, literal, _) in enumerate(literals)]
    module = ccapnp.load_request(compile_to_request(capnp_tool, tmp_path, "\n".join(lines)), backend="pure")
    assert [getattr(module, f"x{index}") for index in range(len(literals))] == [value for _, _, value in literals]


@pytest.mark.parametrize("raw", [r'"\xff"', r'"\377"', r'"\777"'])
@pytest.mark.conformance("LEX-07")
def test_escaped_bytes_that_are_not_utf_8(raw: str) -> None:
    [(kind, value)] = values(raw)
    assert kind == TEXT
    assert str(value).encode("utf-8", "surrogateescape") == b"\xff"


@pytest.mark.conformance("LEX-07")
def test_a_string_that_is_not_utf_8() -> None:
    [(kind, value)] = values(b'"\xff"')
    assert kind == BAD
    assert "not UTF-8" in str(value)


@pytest.mark.conformance("LEX-07")
def test_a_string_ends_with_its_line() -> None:
    assert kinds('"abc\nx;') == [BAD, NAME, ";"]


def test_block_text() -> None:
    assert values('`one\n  `\n# comment\n`two # "three" \\n\r\n;') == [
        (TEXT, "one\n"),
        (TEXT, "\n"),
        (TEXT, 'two # "three" \\n\n'),
        (";", None),
    ]


@pytest.mark.conformance("LEX-01")
def test_spans() -> None:
    assert tokens("é foo  # bar\n@0x2") == [
        Token(BAD, 0, 2, "'é' cannot stand here; names consist of the letters A to Z, in either case, and digits"),
        Token(NAME, 3, 6, "foo"),
        Token("@", 14, 15),
        Token(INTEGER, 15, 18, 2),
        Token(END, 18, 18),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f=-1", [NAME, "=-", INTEGER]),
        ("f= -1", [NAME, "=", "-", INTEGER]),
        (":.Foo", [":.", NAME]),
        ("a@0!:b", [NAME, "@", INTEGER, "!:", NAME]),
        ("()->()", ["(", ")", "->", "(", ")"]),
        ("+1 .5", ["+", INTEGER, ".", INTEGER]),
        ("a.b,[c]", [NAME, ".", NAME, ",", "[", NAME, "]"]),
        ('0x "0a"', [BAD, TEXT]),
        ('"a""b"', [TEXT, TEXT]),
    ],
)
@pytest.mark.conformance("LEX-01")
def test_operators_are_grouped_greedily(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@pytest.mark.conformance("LEX-03", "LEX-06")
def test_white_space() -> None:
    assert kinds("\N{ZERO WIDTH NO-BREAK SPACE}a \t\v\f\r\n\N{ZERO WIDTH NO-BREAK SPACE}b") == [NAME, NAME]


@pytest.mark.parametrize(
    ("text", "doc"),
    [
        ("; # one\n # two\n", "one\ntwo\n"),
        (";\n # one\n\n # two\n", "one\n"),
        (";\n\n # one", None),
        (";#none\n#  two\n#\n#   # 3\n", "none\n two\n\n  # 3\n"),
        ("; # r  \r\n # s\r\n", "r  \r\ns\r\n"),
        (";\r# one", "one\n"),
        (";\r\r# one", None),
        (";\v\f# one", "one\n"),
        ("; \N{ZERO WIDTH NO-BREAK SPACE}# one", None),
        ("; # é", "é\n"),
        (";", None),
        ("{ # one", "one\n"),
        ("} # one", "one\n"),
        (", # one", None),
    ],
)
@pytest.mark.conformance("LEX-05")
def test_doc_comments(text: str, doc: str | None) -> None:
    assert tokens(text)[0].doc == doc


@pytest.mark.parametrize("data", [b"\0", b"struct\0", b"\xff\xfes\0t\0", b"a\xe9"])
def test_what_is_not_text_is_said_once(data: bytes) -> None:
    assert [token.value for token in tokens(data) if token.kind == BAD] == ["this file is not UTF-8 text from here on"]


def test_comments_may_hold_any_bytes() -> None:
    first, second, end = tokens(b"; # \xff\0\nfoo # \xff")
    assert (first.doc, second.kind, end.kind) == ("\N{REPLACEMENT CHARACTER}\0\n", NAME, END)


def in_order(found: Sequence[Token]) -> bool:
    return all(left.end <= right.start for left, right in zip(found, found[1:]))


PIECES = ["a", "@", "0x", '"', "\\", "`", "\n", " ", "#", ";", "{", "1", ".", "e", "+", "(", "é", "\N{NO-BREAK SPACE}"]


@given(st.one_of(st.binary(), st.lists(st.sampled_from(PIECES)).map(lambda pieces: "".join(pieces).encode())))
def test_any_bytes_are_tokens(data: bytes) -> None:
    found = tokenize(data)
    assert in_order(found)
    assert found[-1] == Token(END, len(data), len(data))
