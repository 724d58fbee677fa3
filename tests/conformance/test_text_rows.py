"""The text format as it is read, with the official tool as the judge."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import ccapnp
from ccapnp import LimitError, ParseError
from tests.conformance.all_types import LISTS, built_at_once

SCHEMA = """@0xe8c1d2b3a4f59607;
enum Color { red @0; green @1; }
struct Leaf { number @0 :Int32; text @1 :Text; }
struct Worded { text @0 :Text; number @1 :Int32; }
struct Endless { inner @0 :Endless; }
struct Pair { worded @0 :Worded; number @1 :Int32; }
struct All {
  number @0 :Int32;
  text @1 :Text;
  data @2 :Data;
  float @3 :Float32;
  double @4 :Float64;
  color @5 :Color;
  flag @6 :Bool;
  nothing @7 :Void;
  numbers @8 :List(Int8);
  leaves @9 :List(Leaf);
  leaf @10 :Leaf;
  words @11 :List(List(Text));
  choice :union { left @12 :Int32; right :group { a @13 :Text; b @14 :List(Leaf); } }
  any @15 :AnyPointer;
  big @16 :UInt64;
  small @17 :Int64;
  union { first @18 :Int8; second @19 :Text; }
  worded @20 :Worded;
  wordeds @21 :List(Worded);
  pair @22 :Pair;
  flags @23 :List(Bool);
  voids @24 :List(Void);
  datas @25 :List(Data);
  floats @26 :List(Float64);
  colors @27 :List(Color);
}
const seven :Int32 = 7;
"""


@pytest.fixture(scope="module")
def module(compile_schema: Callable[[str], ModuleType]) -> ModuleType:
    return compile_schema(SCHEMA)


@pytest.fixture(scope="module")
def encode(capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """The message that the official tool makes of a text."""
    path = tmp_path_factory.mktemp("text") / "schema.capnp"
    path.write_text(SCHEMA)

    def run(text: str) -> bytes:
        command = [capnp_tool, "encode", str(path), "All"]
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


@pytest.mark.conformance("TXT-01", "PYC-17", "CPY-07")
@pytest.mark.parametrize("pretty", [False, True])
def test_the_golden_texts_are_read(official: ModuleType, testdata: Path, pretty: bool) -> None:
    text = (testdata / ("pretty.txt" if pretty else "short.txt")).read_text()
    reader = official.TestAllTypes.from_bytes((testdata / "binary").read_bytes())
    for source in (text, text.encode()):
        assert official.TestAllTypes.from_text(source) == reader
    for view in (reader, reader.as_builder()):
        assert view.to_text(pretty) + "\n" == text
    lists = (testdata / "lists.txt").read_text()
    assert official.TestLists.from_text(lists).to_text(pretty=True) + "\n" == lists


@pytest.mark.conformance("TXT-01", "TXT-07", "PYC-17", "CPY-07")
@pytest.mark.parametrize("pretty", [False, True])
def test_the_standard_value_is_read_as_it_was_printed(all_types: ModuleType, pretty: bool) -> None:
    for struct_type, built in (
        (all_types.TestAllTypes, built_at_once(all_types)),
        (all_types.TestDefaults, all_types.TestDefaults.new_message(**built_at_once(all_types).to_dict())),
        (all_types.TestLists, all_types.TestLists.new_message(**LISTS)),
        (all_types.TestAllTypes, all_types.TestAllTypes.new_message()),
    ):
        text = built.to_text(pretty)
        again = struct_type.from_text(text)
        assert again == built
        assert again.to_text(pretty) == text
        assert str(built) == str(built.as_reader()) == built.to_text()


@pytest.mark.conformance("PYC-17")
def test_repr_has_the_text_in_it(module: ModuleType) -> None:
    leaf = module.Leaf.new_message(number=5)
    assert repr(leaf) == "<test.capnp:Leaf builder (number = 5)>"
    assert repr(leaf.as_reader()) == "<test.capnp:Leaf reader (number = 5)>"


@pytest.mark.conformance("CPY-07")
def test_data_and_floats_are_as_the_official_printer_has_them(module: ModuleType) -> None:
    message = module.All.new_message(data=b"\x00\x7f\x80\xff\n", float=1.1)
    assert 'data = "\\000\\177\\200\\377\\n", float = 1.1,' in str(message)


READ_ALIKE = [
    "()",
    "(number = 1,)",
    '# before\n ( number\t=\r\n 1 # behind\n , text="a#b" ) # after',
    '(number = 0x1F, text = "one " "two"\n"three")',
    "(number = 017)",
    "(number = - 1)",
    "(number = -2147483648, small = -9223372036854775808, big = 18446744073709551615)",
    r'(text = "\x41\101\n\a\b\t\v\f\r\"\'\\\?\0", data = "\377\x80")',
    '(text = "snow\u2603 \U0001f600")',
    r'(text = "\xe2\x98\x83", data = 0x"00 ff")',
    '(data = 0x"00\nff", float = inf, double = -inf)',
    "(float = 1, double = 2e3)",
    "(float = 1e40)",
    "(float = 5., double = - 1.5E-3)",
    "(color = green, flag = true, nothing = void)",
    "(numbers = [1, -2,], flags = [true, false], voids = [void, void], colors = [green, red])",
    "(numbers = [], leaves = [])",
    '(datas = [0x"01", "b"], floats = [1, -inf, 1e-3])',
    '(leaves = [(number = 1), (text = "x"), ()], leaf = ())',
    '(words = [["a"], [], ["b", "c"]])',
    "(choice = (left = 5))",
    '(choice = (right = (a = "x", b = [(number = 1)])))',
    "(first = 1)",
    '(second = "x")',
    '(first = 1, second = "last wins")',
    '(second = "x", first = 1)',
    "(number = 1, number = 2)",
    "((number = 1))",
]


@pytest.mark.conformance("TXT-02")
@pytest.mark.parametrize("text", READ_ALIKE)
def test_what_the_tool_reads_is_read_alike(module: ModuleType, encode: Callable[[str], bytes], text: str) -> None:
    expected = str(module.All.from_bytes(encode(text)))
    assert str(module.All.from_text(text)) == str(module.All.from_text(text.encode())) == expected


@pytest.mark.conformance("TXT-02")
def test_comments_commas_and_white_space_anywhere(module: ModuleType) -> None:
    text = '#c\n(\tchoice=#\n(right\r\n=(b=[(number=1,),],a="x"\v\f,),),)#'
    assert module.All.from_text(text).choice.right.to_dict() == {"a": "x", "b": [{"number": 1}]}


@pytest.mark.conformance("TXT-03")
def test_an_empty_item_is_an_error_with_its_place(module: ModuleType) -> None:
    with pytest.raises(ParseError) as caught:
        module.All.from_text("\n  (,)")
    assert (caught.value.line, caught.value.column) == (2, 4)
    assert str(caught.value) == "(capnp text input):2:4: error: expected an item, but found ','\n  (,)\n   ^"


WRONG = {
    "": (1, 1, "found the end"),
    "(number = 1": (1, 1, "is not closed"),
    "(number = 1))": (1, 13, "nothing behind the value"),
    "(number = 1) x": (1, 14, "nothing behind the value"),
    "(number = )": (1, 11, "found '\\)'"),
    "(number 1)": (1, 9, "expected ','"),
    "(\n number = x)": (2, 11, "'x' does not fit here: a number of type Int32 is needed; .* no constants"),
    "(number = .seven)": (1, 11, "no constants or files"),
    '(text = embed "file")': (1, 9, "no constants or files"),
    '(leaf = import "file".x)': (1, 9, "no constants or files"),
    "(number = 1.5)": (1, 11, "a number with a fraction does not fit"),
    "(number = 3000000000)": (1, 11, "out of range: Int32 goes from"),
    "(numbers = [1, 128])": (1, 16, "out of range: Int8 goes from"),
    "(big = -1)": (1, 8, "out of range: UInt64 goes from"),
    "(big = 18446744073709551616)": (1, 8, "does not fit in 64 bits"),
    "(numbers = [1,,2])": (1, 15, "expected an item"),
    "(numbers = 1)": (1, 12, r"a List\(Int8\) is needed"),
    "(nmber = 1)": (1, 2, "All has no field 'nmber'; did you mean 'number'"),
    "(leaf = (number = 1, 2))": (1, 22, "needs the name of its field"),
    "(color = gren)": (1, 10, "Color has no enumerant 'gren'; did you mean 'green'"),
    '(color = "green")': (1, 10, "an enumerant of Color is needed"),
    "(flag = 1)": (1, 9, "true or false is needed"),
    "(nothing = 0)": (1, 12, "void is needed"),
    '(text = 0x"00")': (1, 9, "binary data does not fit"),
    "(text = 'x')": (1, 9, "double quotes"),
    '(text = "\u2603\\e")': (1, 9, "unknown escape"),
    '(text = "\u2603", number = x)': (1, 23, "'x' does not fit"),
    '(text = "x': (1, 9, "no closing quote"),
    "(any = 1)": (1, 8, "AnyPointer"),
    "(number = 08)": (1, 11, "octal"),
    "{}": (1, 1, "found '{'"),
}


@pytest.mark.conformance("TXT-03")
@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_an_error_with_its_place(module: ModuleType, text: str) -> None:
    line, column, reason = WRONG[text]
    for source in (text, text.encode()):
        with pytest.raises(ParseError, match=reason) as caught:
            module.All.from_text(source)
        found = caught.value
        assert (found.line, found.column) in ((line, column), (1, 2)), str(found)
        place = f"(capnp text input):{line}:{column}: error: "
        assert place in str(found)


@pytest.mark.conformance("TXT-03")
def test_all_that_is_wrong_is_said_at_once(module: ModuleType) -> None:
    with pytest.raises(ParseError) as caught:
        module.All.from_text("(number = x,\n text = 5,\n flag = yes)")
    assert [line.split(" error:")[0] for line in str(caught.value).split("\n") if "error:" in line] == [
        "(capnp text input):1:11:",
        "(capnp text input):2:9:",
        "(capnp text input):3:9:",
    ]


@pytest.mark.conformance("TXT-03")
def test_bytes_that_are_not_utf_8_and_deep_texts(module: ModuleType) -> None:
    for source in (b'(text = "\xff")', b"\xff", '(text = "\ud800")'):
        with pytest.raises(ParseError, match="UTF-8"):
            module.All.from_text(source)
    for source in ("(" * 100_000, "(words = " + "[" * 100_000, "(leaf = " * 100_000):
        with pytest.raises((ParseError, LimitError)):
            module.All.from_text(source)


@pytest.mark.conformance("TXT-04")
def test_the_value_of_the_first_field_stands_for_a_struct(module: ModuleType) -> None:
    text = '(worded = "foo", wordeds = ["a", (number = 5), ("b")], pair = "c", leaf = 3, choice = 4)'
    assert module.All.from_text(text).to_dict(verbose=False) == {
        **module.All.new_message().to_dict(),
        "worded": {"text": "foo", "number": 0},
        "wordeds": [{"text": "a", "number": 0}, {"number": 5}, {"text": "b", "number": 0}],
        "pair": {"worded": {"text": "c", "number": 0}, "number": 0},
        "leaf": {"number": 3},
        "choice": {"left": 4},
    }


@pytest.mark.conformance("TXT-04")
def test_a_struct_that_begins_with_its_own_type_has_no_first_value(module: ModuleType) -> None:
    for text in ("5", "(inner = 5)", "(inner = (inner = []))"):
        with pytest.raises(ParseError, match="a struct of type Endless is needed"):
            module.Endless.from_text(text)


@pytest.mark.conformance("TXT-11")
@pytest.mark.parametrize("value", [0.0, -0.0, 1.23e47, math.inf, -math.inf, 5e-324, 1e-5, 0.1, 123456789012345678.0])
def test_floats_are_read_as_they_were_printed(module: ModuleType, value: float) -> None:
    again = module.All.from_text(str(module.All.new_message(double=value, floats=[value]))).double
    assert again == value and math.copysign(1, again) == math.copysign(1, value)


@pytest.mark.conformance("TXT-11")
def test_an_enumerant_without_a_name_is_read_as_it_was_printed(module: ModuleType) -> None:
    message = module.All.new_message(color=123, colors=[0, 9])
    assert "color = (123)" in str(message)
    assert (str(message.color), str(module.Color.green), message.colors.to_text()) == ("(123)", "green", "[red, (9)]")
    assert module.All.from_text(str(message)) == message


@pytest.mark.conformance("TXT-11")
@pytest.mark.parametrize("data", [b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xe2\x98\x83\xf0\x9f"])
def test_text_that_is_not_utf_8_survives(module: ModuleType, data: bytes) -> None:
    leaf = module.Leaf.from_segments([(1 << 32 | 1 << 48).to_bytes(8, "little") + bytes(8) + _text(data)])
    again = module.Leaf.from_text(str(leaf))
    assert bytes(ccapnp.get_data_as_view(again, "text")) == data
    assert str(again) == str(leaf)


def _text(data: bytes) -> bytes:
    """A pointer to a text, and the text."""
    size = len(data) + 1
    return (1 | 2 << 32 | size << 35).to_bytes(8, "little") + data + bytes(-len(data) % 8 or 8)
