"""The text format as it is printed, with the official tool as the judge."""

from __future__ import annotations

import math
import re
import struct
import subprocess
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccapnp
from ccapnp.convert.floats import float32_text, float64_text
from ccapnp.errors import DecodeError, LimitError

SCHEMA = """@0xa3f2c1d4e5b60718;
enum Color { red @0; green @1; blue @2; }
interface Service {}
struct Leaf { number @0 :Int32; text @1 :Text; }
struct Small { a @0 :Text; }
struct Numbers {
  nothing @0 :Void;
  flag @1 :Bool = true;
  i8 @2 :Int8 = -5;
  i16 @3 :Int16;
  i32 @4 :Int32 = 77;
  i64 @5 :Int64;
  u8 @6 :UInt8;
  u16 @7 :UInt16 = 9;
  u32 @8 :UInt32;
  u64 @9 :UInt64;
  f32 @10 :Float32;
  f64 @11 :Float64 = 1.5;
  color @12 :Color = green;
}
struct Lists {
  nothings @0 :List(Void);
  flags @1 :List(Bool);
  i8s @2 :List(Int8);
  i64s @3 :List(Int64);
  u64s @4 :List(UInt64);
  f32s @5 :List(Float32);
  f64s @6 :List(Float64);
  texts @7 :List(Text);
  datas @8 :List(Data);
  colors @9 :List(Color);
  leaves @10 :List(Leaf);
  textLists @11 :List(List(Text));
  deep @12 :List(List(List(Int8)));
}
struct Everything {
  numbers @0 :Numbers;
  text @1 :Text = "default";
  data @2 :Data = 0x"ff00";
  lists @3 :Lists;
  outcome :union {
    ok @4 :Void;
    code @5 :Int32;
    message @6 :Text;
    leaf @7 :Leaf;
    more @8 :Everything;
  }
  place :group {
    x @9 :Float32;
    label @10 :Text;
    kind :union { plain @11 :Void; color @12 :Color; words @13 :List(Text); }
  }
  before @14 :Int16;
  union {
    word @15 :Text = "unset";
    number @16 :Int8;
    leaves @17 :List(Leaf);
    pair :group { left @18 :Text; right @19 :Bool; }
    blank @20 :Text;
    child @21 :Everything;
    numbered @22 :Leaf = (number = 7);
  }
  after @23 :Bool;
}
struct Opaque {
  any @0 :AnyPointer;
  service @1 :Service;
  services @2 :List(Service);
  union { none @3 :Void; one @4 :AnyPointer; other @5 :Service; }
}
struct Box(T) {
  value @0 :T;
  inner @1 :Inner;
  next @2 :Box(T);
  other @3 :Box(Data);
  struct Inner { value @0 :T; group :group { value @1 :T; } }
}
struct Boxes {
  text @0 :Box(Text);
  leaf @1 :Box(Leaf);
  list @2 :Box(List(Int8));
  any @3 :Box;
  nested @4 :Box(Box(Text));
}
"""


@pytest.fixture(scope="module")
def module(compile_schema: Callable[[str], ModuleType]) -> ModuleType:
    return compile_schema(SCHEMA)


@pytest.fixture(scope="module")
def tool(capnp_tool: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    """Runs the official tool on messages of a type of the schema above."""
    path = tmp_path_factory.mktemp("text") / "schema.capnp"
    path.write_text(SCHEMA)

    def run(command: str, type_name: str, data: bytes, *options: str) -> bytes:
        done = subprocess.run(
            [capnp_tool, command, *options, str(path), type_name], input=data, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


def assert_printed_alike(tool: Callable[..., bytes], messages: list[Any]) -> None:
    """The official tool prints these messages, all of one type, as we do."""
    name = type(messages[0])._type.__name__
    data = b"".join(message.to_bytes() for message in messages)
    assert tool("decode", name, data, "--short").decode() == "".join(f"{message}\n" for message in messages)
    pretty = "".join(message.to_text(pretty=True) + "\n" for message in messages)
    assert tool("decode", name, data).decode() == pretty


# ---- against the tool, on any message


class Values(NamedTuple):
    """Where the values of a message are drawn from."""

    texts: Any = st.text(max_size=30)
    datas: Any = st.binary(max_size=20)
    floats32: Any = st.floats(width=32)
    floats64: Any = st.floats()
    colors: Any = st.integers(0, 2) | st.integers(0, 0xFFFF)
    null: Any = st.none()


def some_of(**fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A struct: a dict with any of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


def one_of(**members: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A union: a dict with one of the members."""
    return st.one_of([st.fixed_dictionaries({name: values}) for name, values in members.items()])


def lists_of(elements: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(elements, max_size=5)


def signed(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(1 << bits - 1), (1 << bits - 1) - 1)


def unsigned(bits: int) -> st.SearchStrategy[int]:
    return st.integers(0, (1 << bits) - 1)


def numbers(values: Values) -> st.SearchStrategy[dict[str, Any]]:
    return some_of(
        flag=st.booleans(),
        **{f"i{bits}": signed(bits) for bits in (8, 16, 32, 64)},
        **{f"u{bits}": unsigned(bits) for bits in (8, 16, 32, 64)},
        f32=values.floats32,
        f64=values.floats64,
        color=values.colors,
    )


def leaves(values: Values) -> st.SearchStrategy[dict[str, Any]]:
    return some_of(number=signed(32), text=values.texts)


def lists(values: Values) -> st.SearchStrategy[dict[str, Any]]:
    return some_of(
        nothings=lists_of(st.none()),
        flags=lists_of(st.booleans()),
        i8s=st.lists(signed(8), max_size=40),
        i64s=lists_of(signed(64)),
        u64s=lists_of(unsigned(64)),
        f32s=lists_of(values.floats32),
        f64s=lists_of(values.floats64),
        texts=lists_of(values.texts),
        datas=lists_of(values.datas),
        colors=lists_of(values.colors),
        leaves=lists_of(leaves(values)),
        textLists=lists_of(lists_of(values.texts)),
        deep=lists_of(lists_of(lists_of(signed(8)))),
    )


def messages(values: Values) -> st.SearchStrategy[dict[str, Any]]:
    """Values for `Everything`, up to two of them within one another."""
    empty: st.SearchStrategy[dict[str, Any]] = st.just({})
    return around(empty | around(empty, values), values)


def around(inner: st.SearchStrategy[dict[str, Any]], values: Values) -> st.SearchStrategy[dict[str, Any]]:
    texts = values.texts | values.null
    fields = some_of(
        numbers=numbers(values),
        text=values.texts,
        data=values.datas,
        lists=lists(values),
        outcome=one_of(ok=st.none(), code=signed(32), message=texts, leaf=leaves(values), more=inner),
        place=st.fixed_dictionaries(
            {"kind": one_of(plain=st.none(), color=values.colors, words=lists_of(values.texts) | values.null)},
            optional={"x": values.floats32, "label": values.texts},
        ),
        before=signed(16),
        after=st.booleans(),
    )
    union = st.just({}) | one_of(
        word=texts,
        number=signed(8),
        leaves=lists_of(leaves(values)) | values.null,
        pair=some_of(left=values.texts, right=st.booleans()),
        blank=texts,
        child=inner | values.null,
        numbered=leaves(values) | values.null,
    )
    return st.builds(lambda plain, member: {**plain, **member}, fields, union)


def as_float32(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def is_parsed(value: float) -> bool:
    """Whether the tool makes the same number of our text: it reads -0 as an integer, and not every Float32 is exact."""
    return math.copysign(1, value) == 1 or value < 0


def is_parsed_as_float32(value: float) -> bool:
    return is_parsed(value) and (math.isinf(value) or value == as_float32(float(float32_text(value))))


# The tool looks for the end of a message by counting brackets, those in texts too, where it also sees comments.
READ_BY_THE_TOOL = Values(
    texts=st.text(max_size=30).filter(lambda text: not set(text) & set("()[]#")),
    datas=st.binary(max_size=20).filter(lambda data: not set(data) & set(b"()[]#")),
    floats32=st.floats(width=32).filter(is_parsed_as_float32),
    floats64=st.floats(allow_nan=False).filter(is_parsed),
    colors=st.integers(0, 2),
    null=st.nothing(),  # the active member of a union is printed if it is null, and read as empty
)

several = settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.mark.conformance("TXT-01")
@several
@given(values=st.lists(messages(Values()), min_size=1, max_size=6))
def test_any_message_is_printed_as_by_the_tool(
    module: ModuleType, tool: Callable[..., bytes], values: list[dict[str, Any]]
) -> None:
    assert_printed_alike(tool, [module.Everything.new_message(**value) for value in values])


@pytest.mark.conformance("TXT-01")
@several
@given(values=st.lists(messages(READ_BY_THE_TOOL), min_size=1, max_size=6))
def test_what_the_tool_reads_from_our_text_is_the_message(
    module: ModuleType, tool: Callable[..., bytes], values: list[dict[str, Any]]
) -> None:
    built = [module.Everything.new_message(**value) for value in values]
    for pretty in (False, True):
        text = "\n".join(message.to_text(pretty) for message in built)
        assert list(module.Everything.read_multiple_bytes(tool("encode", "Everything", text.encode()))) == built
        assert [module.Everything.from_text(message.to_text(pretty)) for message in built] == built


@pytest.mark.conformance("TXT-01")
@given(value=messages(Values(floats32=READ_BY_THE_TOOL.floats32, null=st.nothing())))
def test_any_message_is_read_as_it_was_printed(module: ModuleType, value: dict[str, Any]) -> None:
    message = module.Everything.new_message(**value)
    for pretty in (False, True):
        text = message.to_text(pretty)
        assert module.Everything.from_text(text).to_text(pretty) == text


@pytest.mark.conformance("TXT-01")
@pytest.mark.parametrize("pretty", [False, True])
def test_text_and_data_of_every_byte(module: ModuleType, tool: Callable[..., bytes], pretty: bool) -> None:
    everything = "".join(map(chr, [*range(0x300), 0x2028, 0x20AC, 0xFFFF, 0x1F600, 0x10FFFF]))
    message = module.Everything.new_message(text=everything, data=bytes(range(256)))
    assert_printed_alike(tool, [message])
    (parsed,) = module.Everything.read_multiple_bytes(tool("encode", "Everything", message.to_text(pretty).encode()))
    assert parsed == message


# ---- which fields, and in which order


@pytest.mark.conformance("TXT-05")
def test_which_fields_are_printed(module: ModuleType, tool: Callable[..., bytes]) -> None:
    message = module.Lists.new_message()
    assert str(message) == "()"
    message.texts = []
    message.leaves = [{}]
    assert str(message) == "(texts = [], leaves = [(number = 0)])"
    assert_printed_alike(tool, [message, module.Lists.new_message()])


@pytest.mark.conformance("TXT-05")
def test_a_default_that_is_not_in_the_message_is_not_printed(module: ModuleType) -> None:
    message = module.Everything.new_message()
    assert "default" not in str(message)
    message.text = "default"
    assert str(message).startswith('(text = "default", ')


@pytest.mark.conformance("TXT-05")
def test_fields_that_an_older_writer_did_not_know(module: ModuleType, tool: Callable[..., bytes]) -> None:
    reader = module.Everything.from_segments([bytes.fromhex("fcffffff00000000")])
    assert str(module.Everything.from_segments([bytes(8)])) == str(reader)
    older = struct.pack("<3Q", 1 << 32 | 1 << 48, 5 << 16, 0)  # a data word with the union's number, and a null pointer
    assert_printed_alike(tool, [module.Everything.from_segments([older])])
    assert str(reader) == "(outcome = (ok = void), place = (x = 0, kind = (plain = void)), before = 0, after = false)"


@pytest.mark.conformance("TXT-06")
def test_a_new_struct_has_no_pointers(official: ModuleType) -> None:
    assert str(official.TestAllTypes.new_message()) == (
        "(voidField = void, boolField = false, int8Field = 0, int16Field = 0, int32Field = 0, int64Field = 0, "
        "uInt8Field = 0, uInt16Field = 0, uInt32Field = 0, uInt64Field = 0, float32Field = 0, float64Field = 0, "
        "enumField = foo, interfaceField = void)"
    )


@pytest.mark.conformance("TXT-09")
def test_the_active_member_of_a_union(module: ModuleType, tool: Callable[..., bytes]) -> None:
    outcomes: list[tuple[dict[str, Any], str]] = [
        ({}, "(ok = void)"),
        ({"code": 0}, "(code = 0)"),
        ({"message": None}, '(message = "")'),
        ({"message": "m"}, '(message = "m")'),
        ({"leaf": None}, "(leaf = (number = 0))"),
        ({"leaf": {"number": 3}}, "(leaf = (number = 3))"),
    ]
    for outcome, text in outcomes:
        message = module.Everything.new_message(outcome=outcome)
        assert str(message).startswith(f"(outcome = {text}, ")
        assert_printed_alike(tool, [message])


@pytest.mark.conformance("TXT-10")
def test_an_unnamed_union_stands_where_its_member_is_declared(module: ModuleType, tool: Callable[..., bytes]) -> None:
    cases = {
        "word": (None, None),
        "number": (0, "0"),
        "leaves": (None, "[]"),
        "pair": ({}, "(right = false)"),
        "blank": (None, '""'),
        "numbered": (None, "(number = 7)"),
    }
    for name, (value, text) in cases.items():
        message = module.Everything.new_message(**{name: value})
        member = "" if text is None else f"{name} = {text}, "
        assert str(message).endswith(f"before = 0, {member}after = false)")
        assert_printed_alike(tool, [message])
    assert str(module.Everything.new_message(word="w")).endswith('before = 0, word = "w", after = false)')


@pytest.mark.conformance("TXT-10")
def test_a_member_that_is_not_known_is_not_printed(module: ModuleType, tool: Callable[..., bytes]) -> None:
    message = module.Everything.new_message(number=5)
    tag = module.Everything.schema.discriminant_offset
    message._c.u16[(message._w << 2) + tag] = 99
    assert str(message).endswith("before = 0, after = false)")
    assert_printed_alike(tool, [message])


@pytest.mark.conformance("TXT-11")
def test_scalars(module: ModuleType) -> None:
    message = module.Numbers.new_message(i32=123, f64=123e45, color=1)
    assert "i32 = 123, " in str(message)
    assert "f64 = 1.23e47, color = green)" in str(message)
    message.color = 123
    assert str(message).endswith("color = (123))")
    assert str(message.as_reader()) == str(message)


@pytest.mark.conformance("TXT-11")
def test_escapes(module: ModuleType) -> None:
    message = module.Small.new_message(a="\a\b\f\n\r\t\v'\"\\\x00\x1f\x7fé")
    assert str(message) == '(a = "\\a\\b\\f\\n\\r\\t\\v\\\'\\"\\\\\\000\\037\\177é")'


@pytest.mark.conformance("TXT-11")
def test_pointers_that_have_no_text(module: ModuleType) -> None:
    message = module.Opaque.new_message(any=b"x", service=ccapnp.Capability(0), services=[None, ccapnp.Capability(1)])
    assert str(message) == (
        "(any = <opaque pointer>, service = <external capability>, "
        "services = [<external capability>, <external capability>], none = void)"
    )
    assert str(module.Opaque.new_message(one=None)) == "(one = <opaque pointer>)"
    assert str(module.Opaque.new_message(other=None)) == "(other = <external capability>)"


@pytest.mark.conformance("TXT-12")
def test_parameters_are_what_they_are_bound_to(module: ModuleType, tool: Callable[..., bytes]) -> None:
    source = module.Lists.new_message(i8s=[1, 2])
    leaf = module.Leaf.new_message(number=3)
    boxes = module.Boxes.new_message()
    for box, value in ((boxes.text, "t"), (boxes.leaf, leaf), (boxes.list, source.i8s), (boxes.any, "t")):
        box.value = value
        box.init("inner").value = value
        box.inner.group.value = value
        box.init("next").value = value
        box.init("other").value = b"\xff"
    boxes.nested.value = boxes.text
    assert_printed_alike(tool, [boxes])
    inner = "inner = (value = {0}, group = (value = {0})), next = (value = {0}), other = (value = {1})"
    for name, text in (("text", '"t"'), ("leaf", "(number = 3)"), ("list", "[1, 2]")):
        assert f"{name} = (value = {text}, {inner.format(text, chr(34) + chr(92) + '377' + chr(34))})" in str(boxes)
    assert 'nested = (value = (value = "t", ' in str(boxes)
    assert "any = (value = <opaque pointer>, " in str(boxes)


# ---- line breaks


@pytest.mark.conformance("TXT-08")
def test_an_item_of_24_bytes_stays_inline(module: ModuleType, tool: Callable[..., bytes]) -> None:
    inline, broken = (module.Small.new_message(a="x" * size) for size in (18, 19))
    assert inline.to_text(pretty=True) == f'(a = "{"x" * 18}")'
    assert broken.to_text(pretty=True) == f'( a = "{"x" * 19}" )'
    wide = module.Small.new_message(a="é" * 9 + "x")  # 19 bytes
    assert wide.to_text(pretty=True) == f'( a = "{wide.a}" )'
    assert_printed_alike(tool, [inline, broken, wide, module.Small.new_message(a="é" * 9)])


@pytest.mark.conformance("TXT-08")
def test_a_record_of_64_bytes_stays_inline(official: ModuleType) -> None:
    message = official.TestPrintInlineStructs.new_message(
        someText="foo",
        structList=[
            {"int32Field": 123, "textField": "foo"},
            {"int32Field": 456, "textField": "bar"},
            {"int32Field": 789, "textField": "baz"},
        ],
    )
    assert message.to_text(pretty=True) == (
        '( someText = "foo",\n'
        "  structList = [\n"
        '    (int32Field = 123, textField = "foo"),\n'
        '    (int32Field = 456, textField = "bar"),\n'
        '    (int32Field = 789, textField = "baz") ] )'
    )


@pytest.mark.conformance("TXT-08")
def test_the_total_of_a_record(module: ModuleType, tool: Callable[..., bytes]) -> None:
    total = len("before = 0" + "after = false" + "outcome = (ok = void)")
    assert total == 44
    cases = []
    for label in range(24):
        message = module.Everything.new_message(place={"label": "x" * label})
        cases += [message, module.Everything.new_message(number=1, before=-10000, place={"label": "x" * label})]
    assert_printed_alike(tool, cases)


@pytest.mark.conformance("TXT-08")
def test_a_list_of_numbers_has_no_total(module: ModuleType, tool: Callable[..., bytes]) -> None:
    message = module.Lists.new_message(i8s=range(-50, 50), u64s=[2**64 - 1] * 9, texts=["x" * 22, "y"])
    assert message.i8s.to_text(pretty=True) == f"[{', '.join(map(str, range(-50, 50)))}]"
    assert message.u64s.to_text(pretty=True).count("\n") == 0
    assert_printed_alike(tool, [message])
    message.texts = ["x" * 23, "y"]
    assert message.texts.to_text(pretty=True) == f'[ "{"x" * 23}",\n  "y" ]'
    assert_printed_alike(tool, [message])


@pytest.mark.conformance("TXT-08")
def test_a_list_of_lists_breaks_when_one_is_long(module: ModuleType, tool: Callable[..., bytes]) -> None:
    message = module.Lists.new_message(textLists=[["a"], ["b", "c"]])
    assert message.to_text(pretty=True) == '( textLists = [["a"], ["b", "c"]] )'
    long = module.Lists.new_message(textLists=[["a"], ["x" * 21]])
    assert long.to_text(pretty=True) == f'( textLists = [\n    ["a"],\n    ["{"x" * 21}"] ] )'
    assert_printed_alike(tool, [message, long])


# ---- floats


@pytest.mark.conformance("TXT-11")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (1e6, "1e06"),
        (123456789.0, "1.2345679e08"),
        (1e-5, "1e-05"),
        (0.1, "0.1"),
        (1 / 3, "0.33333334"),
        (-1.25e-10, "-1.25e-10"),
        (16777217.0, "16777216"),
        (3.4028234663852886e38, "3.4028235e38"),
        (1e-45, "1.4012985e-45"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        (-math.nan, "nan"),
    ],
)
def test_float32(value: float, text: str) -> None:
    assert float32_text(as_float32(value)) == text


@pytest.mark.conformance("TXT-11")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "-0"),
        (123e45, "1.23e47"),
        (1e15, "1e15"),
        (123456789012345.0, "123456789012345"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1 / 3, "0.33333333333333331"),
        (1e306, "1e306"),
        (5e-324, "4.94065645841247e-324"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (-math.nan, "nan"),
    ],
)
def test_float64(value: float, text: str) -> None:
    assert float64_text(value) == text


@pytest.mark.conformance("TXT-11")
@given(value=st.floats(allow_nan=False))
def test_float64_text_is_never_another_number(value: float) -> None:
    assert float(float64_text(value)) == value


@pytest.mark.conformance("TXT-11")
@settings(max_examples=10)
@given(bits=st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 2**24), min_size=200, max_size=200))
def test_float32_as_the_tool_has_it(module: ModuleType, tool: Callable[..., bytes], bits: list[int]) -> None:
    message = module.Lists.new_message()
    message.init("f32s", len(bits))
    memoryview(message.f32s).cast("B")[:] = struct.pack(f"<{len(bits)}I", *bits)
    assert_printed_alike(tool, [message])


# ---- lists on their own


def test_lists_have_a_text(module: ModuleType) -> None:
    lists = module.Lists.new_message(
        nothings=[None],
        flags=[True, False],
        i8s=[1, -1],
        f32s=[0.5, 1e6],
        texts=["a'", None],
        datas=[b"\xff"],
        colors=[0, 1, 9],
        leaves=[{"number": 1}, {}],
        deep=[[[1], []], []],
    )
    expected = {
        "nothings": "[void]",
        "flags": "[true, false]",
        "i8s": "[1, -1]",
        "f32s": "[0.5, 1e06]",
        "texts": r"""["a\'", ""]""",
        "datas": '["\\377"]',
        "colors": "[red, green, (9)]",
        "leaves": "[(number = 1), (number = 0)]",
        "deep": "[[[1], []], []]",
        "i64s": "[]",
    }
    for view in (lists, lists.as_reader()):
        for name, text in expected.items():
            assert str(getattr(view, name)) == getattr(view, name).to_text() == text


# ---- what is wrong with a message


def small(module: ModuleType, pointer: str, *words: str, **options: Any) -> Any:
    """A `Small` whose text is the pointer given, in hex."""
    return module.Small.from_segments([bytes.fromhex("0000000000000100" + pointer + "".join(words))], **options)


@pytest.mark.conformance("TXT-11")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\xffb", r"a\377b"),
        (b"\xc3", r"\303"),
        (b"\xc3\xa9\xc3", "é\\303"),
        (b"\xed\xa0\x80", r"\355\240\200"),
        (b"\xc0\x80\n", r"\300\200\n"),
    ],
)
def test_a_byte_that_is_not_utf_8_is_an_octal_escape(
    module: ModuleType, tool: Callable[..., bytes], data: bytes, text: str
) -> None:
    size = len(data) + 1
    reader = small(module, struct.pack("<II", 1, size << 3 | 2).hex(), data.ljust(8, b"\0").hex())
    with pytest.raises(DecodeError, match="UTF-8"):
        reader.a
    assert str(reader) == reader.to_text() == f'(a = "{text}")'
    (parsed,) = module.Small.read_multiple_bytes(tool("encode", "Small", str(reader).encode()))
    assert bytes(parsed.get_data_as_view("a")) == data


BAD_POINTERS = {
    "no NUL": ("0100000022000000" + "61" * 8, "a text does not end in a NUL byte"),
    "empty": ("0100000002000000" + "00" * 8, "a text does not end in a NUL byte"),
    "struct": ("0000000001000000" + "00" * 8, "expected a text but {} is to a struct"),
    "out of bounds": (
        "0100000002010000" + "00" * 8,
        "the text pointer at word 1 of segment 0 leads out of its segment",
    ),
    "far": ("0200000007000000", "a far pointer names segment 7 of a message that has 1"),
    "unknown kind": (
        "0700000000000000",
        "expected a text but {} is of an unknown kind",
    ),
}


@pytest.mark.parametrize(("pointer", "reason"), BAD_POINTERS.values(), ids=list(BAD_POINTERS))
def test_what_cannot_be_read_is_marked_or_an_error(module: ModuleType, pointer: str, reason: str) -> None:
    reason = reason.format("the pointer at word 1 of segment 0")
    reader = small(module, pointer)
    assert str(reader) == f"(a = <error: {reason}>)"
    with pytest.raises(DecodeError, match=f"^a: {reason}$") as caught:
        reader.to_text()
    assert caught.value.field == "a"
    assert caught.value.type == "Small"


def test_an_error_names_the_path(module: ModuleType) -> None:
    message = module.Everything.new_message(child={"lists": {"textLists": [["a"], ["b", "c"]]}})
    lists = message.child.lists.textLists
    inner = lists[1]
    inner._c.u64[inner._w + inner._step] = 0b0111
    with pytest.raises(DecodeError, match=r"^child\.lists\.textLists\[1\]\[1\]: expected a text"):
        message.to_text()
    assert 'textLists = [["a"], ["b", <error: expected a text' in str(message)


def lists_with(module: ModuleType, name: str, pointer: tuple[int, int], *words: int, **options: Any) -> Any:
    """A `Lists` with one field set to the pointer given, which leads to the words behind the struct."""
    count = module.Lists.schema.pointer_count
    at = module.Lists.schema.fields[name].offset
    pointers = [0] * count
    pointers[at] = (count - at - 1) << 2 | 1 | pointer[0] << 32 | pointer[1] << 35
    data = struct.pack(f"<{1 + count + len(words)}Q", count << 48, *pointers, *words)
    return module.Lists.from_segments([data], **options)


def many_voids(module: ModuleType, count: int, **options: Any) -> Any:
    return lists_with(module, "nothings", (0, count), **options)


def many_empty_structs(module: ModuleType, count: int, **options: Any) -> Any:
    return lists_with(module, "leaves", (7, 0), count << 2, **options)


def test_printing_does_not_use_up_the_traversal_limit(module: ModuleType) -> None:
    data = module.Lists.new_message(texts=["x" * 100]).to_bytes()
    reader = module.Lists.from_bytes(data, traversal_limit_in_words=60)
    for _ in range(10):
        assert str(reader) == reader.to_text()
    assert reader.texts[0] == "x" * 100


def test_printing_has_the_traversal_limit_of_the_reader(module: ModuleType) -> None:
    reader = many_voids(module, 1000, traversal_limit_in_words=500)
    assert str(reader) == "(nothings = <error: reading this message went past its limit of 500 words>)"
    with pytest.raises(LimitError, match="^nothings: .* pass a larger traversal_limit_in_words"):
        reader.to_text()
    assert str(many_voids(module, 1000)).count("void") == 1000


def test_the_length_of_a_text_is_limited(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccapnp.convert.text.MIN_ROOM", 9000)
    reader = many_empty_structs(module, 900, traversal_limit_in_words=1000)
    assert 8900 < len(str(reader)) < 9100
    assert re.search(r"\(number = 0.*\), \.\.\. \d+ more\], \.\.\.\)$", str(reader))
    with pytest.raises(LimitError, match="too long; pass a larger traversal_limit_in_words") as caught:
        reader.to_text()
    assert caught.value.option == "traversal_limit_in_words"
    enough = many_empty_structs(module, 900, traversal_limit_in_words=2000)
    assert enough.to_text() == str(enough) == f"(leaves = [{', '.join(['(number = 0)'] * 900)}])"


def test_a_list_without_room_is_not_begun(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccapnp.convert.text.MIN_ROOM", 9000)
    reader = many_voids(module, 5000, traversal_limit_in_words=None)
    assert reader.to_text().count("void") == 5000
    flags = lists_with(module, "flags", (1, 5000), *[0] * 79, traversal_limit_in_words=200)
    with pytest.raises(LimitError, match="^flags: the text of this message is too long"):
        flags.to_text()
    assert 2990 < str(flags).count("false") < 3000
    assert re.search(r"false, \.\.\. 20\d\d more\], \.\.\.\)$", str(flags))


def test_a_builder_deeper_than_the_stack(module: ModuleType) -> None:
    message = inner = module.Everything.new_message()
    for _ in range(2000):
        inner = inner.init("child")
    assert "<error: nested too deeply to be printed>" in str(message)
    with pytest.raises(ccapnp.LimitError, match="stack"):
        message.to_text()
    with pytest.raises(ccapnp.LimitError, match="stack"):
        message.to_dict()


def test_a_text_is_a_str_or_a_buffer(module: Any) -> None:
    box = module.Box
    assert box.from_text(memoryview(b"()")) == box.from_text(bytearray(b"()")) == box.from_text("()")
    for wrong in (None, 5, ["()"], box):
        with pytest.raises(TypeError):
            box.from_text(wrong)
