"""JSON, as ``capnp::JsonCodec`` with annotations writes and reads it: what `capnp convert` does."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp import EncodeError, EncodeTypeError, LimitError, ParseError, UnknownFieldError
from ccapnp.convert.json.json_annotations import is_notification
from tests.conformance.all_types import ALL_TYPES, LISTS, built_at_once

SCHEMA = """@0xd5a1f3c2b4e69708;
using Json = import "/capnp/compat/json.capnp";
struct Inner { foo @0 :Int32; bar @1 :Text $Json.name("renamed-bar"); deep @2 :Deep $Json.flatten(prefix = "xfp."); }
struct Plain { foo @0 :Int32; bar @1 :Text; }
struct Deep { qux @0 :Text; }
enum Color { red @0; green @1 $Json.name("dark green"); blue @2; }
struct Annotated {
  someField @0 :Text $Json.name("names-can_contain!anything Really");
  aGroup :group $Json.flatten() {
    flatFoo @1 :UInt32;
    flatBar @2 :Text;
    flatBaz :group $Json.name("renamed") { hello @3 :Bool; }
  }
  prefixed @4 :Inner $Json.flatten(prefix = "pfx.");
  aUnion :union $Json.flatten() $Json.discriminator(name = "union-type") {
    foo :group $Json.flatten() { fooMember @5 :Text; multi @6 :UInt32; }
    bar :group $Json.flatten() $Json.name("renamed-bar") { barMember @7 :UInt32; multi @8 :Text; }
  }
  color @9 :List(Color);
  json @10 :Json.Value;
  b64 @11 :Data $Json.base64;
  hex @12 :Data $Json.hex;
  bUnion :union $Json.flatten() $Json.discriminator(valueName = "bValue") {
    first @13 :Text;
    second @14 :UInt32 $Json.name("2nd");
  }
  external @15 :External;
  withVoid :union $Json.discriminator(name = "type") { intValue @16 :UInt32; voidValue @17 :Void; }
}
struct External $Json.discriminator(name = "type") { union { foo @0 :Deep; bar @1 :Text; } }
struct Blob { union { nothing @0 :Void; blob @1 :Data $Json.base64; } }
struct Ordered { before @0 :Int8; union { foo @1 :UInt16; bar @3 :UInt32; } after @2 :Bool; }
struct First { union { text @0 :Text; data @1 :Data; list @2 :List(Int8); inner @3 :Inner; again @4 :First;
  worded @5 :Text = "word"; listed @6 :List(Int8) = [1, 2]; held @7 :Inner = (foo = 7); } }
struct Endless { union { inner @0 :Endless; number @1 :Int8; } }
struct Opaque { any @0 :AnyPointer; service @1 :Service; number @2 :Int8; }
struct Flat { g :group $Json.flatten(prefix = "g.") { n @0 :Int8; union { a @1 :Int8; b @2 :Text; } } }
struct Held { inner :group $Json.flatten(prefix = "in.") { list @0 :List(Opaque) $Json.name("the list"); } }
struct Holder { held @0 :List(Held); }
struct Anything {
  union {
    any @0 :AnyPointer;
    anyStruct @1 :AnyStruct;
    anyList @2 :AnyList;
    service @3 :Service;
    capability @4 :Capability;
  }
}
struct Depths { depths @0 :Depths; list @1 :List(Depths); number @2 :Int8; }
interface Service { ping @0 () $Json.notification; pong @1 (); }
"""


@pytest.fixture(scope="module")
def module(backend: str) -> ModuleType:
    """The schema with the json.capnp that comes with ccapnp: other schemas may use an older one."""
    return ccapnp.SchemaParser(backend=backend).load_text(SCHEMA, "test.capnp")


@pytest.fixture
def everything(all_types: ModuleType) -> Any:
    return all_types.TestAllTypes


def field_json(struct_type: Any, **values: Any) -> str:
    """What one field is in JSON."""
    ((name, _),) = values.items()
    text = struct_type.new_message(**values).to_json()
    return text.partition(f'"{name}":')[2] if text.endswith("}") else text


def decoded(struct_type: Any, name: str, item: str) -> Any:
    """The value that a field has when its JSON is ``item``."""
    return getattr(struct_type.from_json(f'{{"{name}":{item}}}'), name)


@pytest.mark.conformance("JSN-01")
@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("voidField", None, "null"),
        ("boolField", True, "true"),
        ("int32Field", 123, "123"),
        ("float64Field", -5.5, "-5.5"),
        ("textField", "foo", '"foo"'),
        ("textField", 'ab"cd\\ef\x03', r'"ab\"cd\\ef\u0003"'),
        (
            "textField",
            "\b\f\n\r\t\x1f\x7f/\u00e9\u2028\U0001f600",
            '"\\b\\f\\n\\r\\t\\u001f\x7f/\u00e9\u2028\U0001f600"',
        ),
        ("enumField", "bar", '"bar"'),
        ("enumField", 123, "123"),
        ("dataField", bytes([12, 34, 56]), "[12,34,56]"),
        ("float64Field", -0.0, "-0"),
    ],
)
def test_scalars_in_both_directions(everything: Any, name: str, value: Any, text: str) -> None:
    message = everything.new_message(**{name: value})
    assert f'"{name}":{text}' in message.to_json()
    assert f'"{name}": {text.replace(",", ", ")}' in message.to_json(pretty=True)
    again = everything.from_json(f'{{"{name}":{text}}}')
    assert again == message
    assert str(again) == str(message)


@pytest.mark.conformance("JSN-02")
def test_raw_json_stands_as_it_is(module: ModuleType) -> None:
    raw = '{ "any" :[1, 2 ] }'
    assert module.Annotated.new_message(json={"raw": raw}).to_json(omit_defaults=True).count(f'"json":{raw}') == 1


@pytest.mark.conformance("JSN-02", "JSN-16")
def test_json_within_a_message_is_json(module: ModuleType) -> None:
    text = '{"a":[1,"x",true,null,-0,1e308],"b":{},"c":[]}'
    message = module.Annotated.from_json(f'{{"json":{text}}}')
    assert message.json.object[0].value.array[1].string == "x"
    assert f'"json":{text}' in message.to_json()
    with pytest.raises(EncodeError, match="^json: .* surrogates"):
        module.Annotated.from_json(r'{"json":[{"a":"\ud800"}]}')
    assert module.Annotated.from_json(f'{{"json":1{"0" * 400}}}').json.number == math.inf
    call = {"call": {"function": "Frob", "params": [{"number": 123}, {"string": "foo"}]}}
    assert '"json":Frob(123,"foo")' in module.Annotated.new_message(json=call).to_json()


def without_white_space(text: str) -> str:
    """None of the golden strings has any."""
    return "".join(text.split())


@pytest.mark.conformance("JSN-03")
@pytest.mark.parametrize("name", ["short.json", "pretty.json"])
def test_the_golden_texts(official: ModuleType, testdata: Path, name: str) -> None:
    reader = official.TestAllTypes.from_bytes((testdata / "binary").read_bytes())
    text = (testdata / name).read_text()
    assert reader.to_json(pretty=name == "pretty.json") + "\n" == text
    assert official.TestAllTypes.from_json(text) == reader
    assert official.TestAllTypes.from_json(json.loads(text)) == reader


@pytest.mark.conformance("JSN-03")
def test_the_standard_value_in_both_directions(all_types: ModuleType, everything: Any) -> None:
    built = built_at_once(all_types)
    text = built.to_json()
    assert without_white_space(built.to_json(pretty=True)) == without_white_space(text)
    item = json.loads(text)
    assert item["int64Field"] == "-123456789012345" and item["uInt64List"] == ["11111111111111111111"]
    assert item["float32List"] == [5555.5, "Infinity", "-Infinity", "NaN"]
    assert '"float32Field":-1.2499999646475857e-10' in text
    assert item["dataList"][0] == list(b"oops")
    assert everything.from_json(text) == built
    lists = all_types.TestLists.new_message(**LISTS)
    assert all_types.TestLists.from_json(lists.to_json(pretty=True)) == lists
    assert len(ALL_TYPES) <= len(item)


@pytest.mark.conformance("JSN-01", "JSN-03")
def test_lists_have_a_json_of_their_own(all_types: ModuleType) -> None:
    for view in (built_at_once(all_types), built_at_once(all_types).as_reader()):
        item = json.loads(view.to_json())
        for name in (
            "voidList",
            "boolList",
            "int64List",
            "float32List",
            "textList",
            "dataList",
            "structList",
            "enumList",
        ):
            values = getattr(view, name)
            assert json.loads(values.to_json()) == json.loads(ccapnp.to_json(values, pretty=True)) == item[name]
        assert view.int8List.to_json(pretty=True) == "[111, -111]"
        assert view.structList.to_json(omit_defaults=True).startswith('[{"textField":"structlist 1"},{')
    for value in (5, None, "x", [1]):
        with pytest.raises(TypeError, match="a reader or builder of a struct or list, not"):
            ccapnp.to_json(value)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a reader or builder of a struct or list, not"):
            ccapnp.to_text(value)  # type: ignore[arg-type]


@pytest.mark.conformance("JSN-04")
def test_an_unnamed_union_stands_behind_the_fields(module: ModuleType) -> None:
    """So `capnp convert` has it; without annotations the C++ codec has it between its neighbours."""
    assert module.Ordered.new_message(before=1, foo=2, after=True).to_json() == '{"before":1,"after":true,"foo":2}'
    assert module.Ordered.from_json('{"foo":7,"bar":321,"before":-123}').bar == 321


@pytest.mark.conformance("JSN-05")
def test_null_leaves_a_pointer_null(everything: Any, module: ModuleType) -> None:
    names = ("textField", "dataField", "structField", "int8List", "textList", "structList")
    message = everything.from_json(dict.fromkeys(names))
    assert not any(message.has(name) for name in names)
    assert everything.from_json('{"textList":[null,"x"]}').textList.to_list() == ["", "x"]
    assert module.First.from_json('{"list":null}').which() == "list"
    with pytest.raises(EncodeTypeError, match=r"^aGroup: an Annotated.AGroup is an object, not null|renamed"):
        module.Annotated.from_json('{"renamed":null}')


@pytest.mark.conformance("JSN-05")
def test_the_active_member_of_a_union_is_written_even_if_it_is_null(module: ModuleType) -> None:
    texts = {
        "text": '{"text":""}',
        "data": '{"data":[]}',
        "list": '{"list":[]}',
        "inner": '{"inner":{"foo":0}}',
        "again": '{"again":{"text":""}}',
        "worded": '{"worded":"word"}',
        "listed": '{"listed":[1,2]}',
        "held": '{"held":{"foo":7}}',
    }
    for name, text in texts.items():
        message = module.First.new_message(**{name: None})
        assert message.which() == name
        assert message.to_json() == text
        assert without_white_space(message.to_json(pretty=True)) == text
    for name in ("any", "anyStruct", "anyList", "service", "capability"):
        for source in (module.Anything.new_message(**{name: None}), module.Anything.from_json({name: None})):
            assert source.to_json() == without_white_space(source.to_json(pretty=True)) == f'{{"{name}":null}}'
    assert module.Endless.new_message().to_json() == '{"inner":null}'
    assert module.Endless.from_json('{"inner":null}').to_json(pretty=True) == '{"inner": null}'


WIDTHS = [(f"{sign}nt{bits}Field", sign == "uI", bits) for sign in ("i", "uI") for bits in (8, 16, 32, 64)]


@pytest.mark.conformance("JSN-06")
@pytest.mark.parametrize(("name", "is_unsigned", "bits"), WIDTHS)
def test_integers_of_every_width_and_their_edges(everything: Any, name: str, is_unsigned: bool, bits: int) -> None:
    low, high = (0, 2**bits - 1) if is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for value in (low, high):
        hexadecimal = f'"{hex(value)}"'
        for item in (str(value), f'"{value}"', hexadecimal, hexadecimal.upper().replace("X", "x")):
            assert decoded(everything, name, item) == value
    for value in (low - 1, high + 1, 10**30):
        for item in (str(value), f'"{value}"'):
            with pytest.raises(EncodeError, match=f"^{name}: "):
                everything.from_json(f'{{"{name}":{item}}}')
    assert decoded(everything, name, "5.0") == 5
    for item in ("1.5", "true", "null", '"1.5"', '""', '"x"', '" 1"', '"1_0"', '"\\u0661"', "[1]", "{}", "1e400"):
        with pytest.raises(EncodeError, match=f"^{name}: "):
            everything.from_json(f'{{"{name}":{item}}}')


@pytest.mark.conformance("JSN-06")
def test_integers_beyond_those_that_a_double_holds(everything: Any) -> None:
    for value in (2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1):
        assert decoded(everything, "int64Field", str(value)) == value
        assert decoded(everything, "uInt64Field", f'"{value}"') == value


@pytest.mark.conformance("JSN-07")
@pytest.mark.parametrize("name", ["float32Field", "float64Field"])
def test_floats(everything: Any, name: str) -> None:
    for item in ("1.5", '"1.5"', "15e-1", '"15E-1"'):
        assert decoded(everything, name, item) == 1.5
    for item in ("null", '"NaN"', '"nan"'):
        assert math.isnan(decoded(everything, name, item))
    for item in ('"Infinity"', '"infinity"', '"INF"', "1e309", "1" + "0" * 400):
        assert decoded(everything, name, item) == math.inf
    for item in ('"-INF"', '"-Infinity"', "-1e309"):
        assert decoded(everything, name, item) == -math.inf
    assert decoded(everything, "float32Field", "1e39") == math.inf
    assert math.copysign(1, decoded(everything, name, "-0")) == -1
    for item in ('"177a"', '""', '" 1"', "true", "[]"):
        with pytest.raises(EncodeError, match=f"^{name}: .* is not a number"):
            everything.from_json(f'{{"{name}":{item}}}')


@pytest.mark.conformance("JSN-08")
def test_data_text_structs_lists_and_enums_are_read(everything: Any) -> None:
    assert decoded(everything, "dataField", "[0, 255, 7.0]") == b"\0\xff\x07"
    for item in ("[256]", "[-1]", "[1.5]", '"x"', "{}", "[null]"):
        with pytest.raises(EncodeError, match="^dataField"):
            everything.from_json(f'{{"dataField":{item}}}')
    assert decoded(everything, "textField", r'"\u0041\u00e9\ud83d\ude00\/"') == "A\u00e9\U0001f600/"
    assert everything.from_json('{"structField":{}}').has("structField")
    assert not everything.from_json("{}").has("structField")
    assert decoded(everything, "enumList", '["foo","garply",9]').to_list()[:2] == ["foo", "garply"]
    with pytest.raises(EncodeError, match=r"^enumList\[1\]: TestEnum has no 'fo'; did you mean 'foo'\?"):
        everything.from_json('{"enumList":["foo","fo"]}')


@pytest.mark.conformance("JSN-09")
def test_unknown_members_are_passed_over_or_rejected(everything: Any, module: ModuleType) -> None:
    text = '{"int8Field":1,"nope":{"deep":[1,{}]},"structField":{"other":2}}'
    assert everything.from_json(text).int8Field == 1
    with pytest.raises(UnknownFieldError, match="^TestAllTypes has no field 'nope'"):
        everything.from_json(text, reject_unknown_fields=True)
    with pytest.raises(UnknownFieldError, match="^structField.other: TestAllTypes has no field 'other'") as caught:
        everything.from_json('{"structField":{"other":2}}', reject_unknown_fields=True)
    assert caught.value.field == "structField.other"
    with pytest.raises(UnknownFieldError, match="did you mean 'pfx.renamed-bar'"):
        module.Annotated.from_json('{"pfx.renamed-bra":"x"}', reject_unknown_fields=True)


@pytest.mark.conformance("JSN-10")
def test_without_defaults_only_the_rest_is_written(all_types: ModuleType, module: ModuleType) -> None:
    kind = all_types.TestAllTypes
    assert kind.new_message().to_json(omit_defaults=True) == "{}"
    assert kind.new_message(int8Field=1, boolField=False).to_json(omit_defaults=True) == '{"int8Field":1}'
    assert kind.new_message(float64Field=-0.0).to_json(omit_defaults=True) == '{"float64Field":-0}'
    defaults = all_types.TestDefaults
    assert defaults.new_message(int8Field=0).to_json(omit_defaults=True) == '{"int8Field":0}'
    assert defaults.new_message(int8Field=-123).to_json(omit_defaults=True) == "{}"
    assert module.Ordered.new_message(foo=0).to_json(omit_defaults=True) == "{}"
    assert module.Ordered.new_message(bar=0).to_json(omit_defaults=True) == '{"bar":0}'
    for text in ("{}", '{"int8Field":5}', '{"structField":{},"textField":""}'):
        assert kind.from_json(text).to_json(omit_defaults=True) in (text, '{"textField":"","structField":{}}')


@pytest.mark.conformance("JSN-11")
def test_any_white_space_of_json_and_the_order_of_members(module: ModuleType) -> None:
    raw = module.Annotated.from_json(
        ' \n\r\t{ "json" :\t[ { } , [ ] , { "b" : true , "a" : false , "b" : null } ] } '
    ).json
    assert raw.array[0].which() == "object" and len(raw.array[1].array) == 0
    assert [each.name for each in raw.array[2].object] == ["b", "a", "b"]
    assert [each.value.which() for each in raw.array[2].object] == ["boolean", "boolean", "null"]


NOT_JSON = [
    *(
        "",
        " ",
        "+1",
        "01",
        "-",
        "--1",
        "[1,]",
        '{"a":1,}',
        '{"a" 1}',
        "[1 2]",
        "[1}",
        '{"a":1]',
        "{} x",
        "nul",
        ".5",
        "5.",
    ),
    *(
        r'"\x"',
        r'"\u12"',
        r'"\u12g4"',
        '"abc',
        "[1",
        '{"a":1',
        '"\n"',
        "\f1",
        "\v1",
        "1e",
        "\u00a01",
        "'a'",
        "{a:1}",
        "//",
    ),
    *("NaN", "Infinity", "-Infinity", "[1, NaN]", "\ufeff1", "tru e", "[,]", ",", "{,}", "{1:2}"),
]


@pytest.mark.conformance("JSN-12")
@pytest.mark.parametrize("text", NOT_JSON)
def test_what_is_not_json_is_an_error_with_its_place(module: ModuleType, text: str) -> None:
    for source in (f'{{"json":\n {text}}}', f'{{"json":\n {text}}}'.encode()):
        with pytest.raises(ParseError, match=r"^line \d+, column \d+: ") as caught:
            module.Annotated.from_json(source)
        assert caught.value.line and caught.value.column


@pytest.mark.conformance("JSN-12")
def test_the_place_counts_characters(module: ModuleType) -> None:
    for source in ('{"json":\n "\u00e9", NaN}', '{"json":\n "\u00e9", NaN}'.encode(), b'{"json":\n "\xc3\xa9", \xff}'):
        with pytest.raises(ParseError) as caught:
            module.Annotated.from_json(source)
        assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.conformance("JSN-13")
def test_an_escaped_delete_is_that_byte(everything: Any) -> None:
    assert decoded(everything, "textField", r'"\u007f"') == "\x7f"


@pytest.mark.conformance("JSN-14")
def test_the_depth_is_limited(module: ModuleType) -> None:
    text = '{"depths":{"list":[{"number":1}]}}'
    assert module.Depths.from_json(text, max_nesting_depth=4).depths.list[0].number == 1
    for depth in (3, 0):
        with pytest.raises(LimitError, match="max_nesting_depth") as caught:
            module.Depths.from_json(text, max_nesting_depth=depth)
        assert caught.value.option == "max_nesting_depth"

    def nested(depth: int, name: str = "depths") -> str:
        return f'{{"{name}":' * depth + "{}" + "}" * depth

    assert module.Depths.from_json(nested(63)).depths.has("depths")
    for text in (
        nested(64),
        f'{{"nope":{nested(63)}}}',
        f'{{"nope":{"[" * 64}{"]" * 64}}}',
        nested(100_000),
        "[" * 10**6,
    ):
        with pytest.raises(LimitError):
            module.Depths.from_json(text)


@pytest.mark.conformance("JSN-14")
def test_a_builder_deeper_than_the_stack_is_an_error(module: ModuleType) -> None:
    root = builder = module.Depths.new_message()
    for _ in range(20_000):
        builder = builder.init("depths")
    for pretty in (False, True):
        with pytest.raises(LimitError):
            root.to_json(pretty)


@pytest.mark.conformance("JSN-15")
def test_handlers_of_types_and_fields(everything: Any, module: ModuleType) -> None:
    codec = ccapnp.JsonCodec()
    codec.add_handler(
        module.Deep, encode=lambda value: ["deep", value.get("qux")], decode=lambda item: {"qux": item[1]}
    )
    codec.add_handler(ccapnp.Text, encode=str.upper, decode=str.lower)
    codec.add_handler(module.Plain, "foo", encode=lambda value: {"foo": value}, decode=lambda item: item["foo"])
    codec.add_handler(module.Service, encode=lambda value: "service", decode=lambda item: ccapnp.Capability(3))
    text = codec.encode(module.Plain.new_message(foo=5, bar="x"))
    assert text == '{"foo":{"foo":5},"bar":"X"}'
    assert codec.decode(text, module.Plain).to_dict() == {"foo": 5, "bar": "x"}
    union = codec.encode(module.External.new_message(foo={"qux": "y"}))
    assert union == '{"type":"foo","foo":["deep","y"]}'
    assert codec.decode(union, module.External).foo.qux == "y"
    opaque = codec.encode(module.Opaque.new_message(service=ccapnp.Capability(1)))
    assert opaque == '{"service":"service","number":0}'
    assert codec.decode(opaque, module.Opaque).service.index == 3


@pytest.mark.conformance("JSN-15")
def test_a_second_handler_is_refused(module: ModuleType) -> None:
    codec = ccapnp.JsonCodec()
    codec.add_handler(ccapnp.Text, encode=str, decode=str)
    with pytest.raises(ValueError, match="has a handler for"):
        codec.add_handler(ccapnp.Text, encode=str, decode=str)
    codec.encode(module.Deep.new_message())
    with pytest.raises(ValueError, match="has been used"):
        codec.add_handler(ccapnp.Data, encode=str, decode=str)


@pytest.mark.conformance("JSN-16", "JSN-17")
def test_the_golden_message_with_annotations(backend: str, testdata: Path) -> None:
    module: Any = ccapnp.load_request((testdata / "json-test.request").read_bytes(), backend=backend)
    kind = module.TestJsonAnnotations
    reader = kind.from_bytes((testdata / "annotated-json.binary").read_bytes())
    text = (testdata / "annotated.json").read_text()
    assert reader.to_json(pretty=True) + "\n" == text
    assert kind.from_json(text) == reader
    assert kind.from_json(dict(reversed(list(json.loads(text).items())))) == reader


ANNOTATED: dict[str, Any] = {
    "names-can_contain!anything Really": "foo",
    "flatFoo": 123,
    "flatBar": "abc",
    "renamed": {"hello": True},
    "pfx.foo": 321,
    "pfx.renamed-bar": "fed",
    "pfx.xfp.qux": "qux",
    "color": ["blue", "dark green", 7],
    "json": [123, "hello", {"object": True}],
    "b64": "ZnJlZA==",
    "hex": "706c756768",
    "external": {"type": "bar", "bar": "cba"},
    "union-type": "renamed-bar",
    "barMember": 789,
    "multi": "ghi",
    "bUnion": "2nd",
    "bValue": 678,
    "withVoid": {"type": "voidValue"},
}


@pytest.mark.conformance("JSN-16", "JSN-17")
@pytest.mark.parametrize("turned", [False, True])
def test_annotations_in_both_directions(module: ModuleType, turned: bool) -> None:
    item = dict(reversed(list(ANNOTATED.items()))) if turned else ANNOTATED
    for source in (item, json.dumps(item), json.dumps(item).encode()):
        message = module.Annotated.from_json(source)
        assert json.loads(message.to_json()) == json.loads(message.to_json(pretty=True)) == ANNOTATED
        assert message.to_dict() == {
            "someField": "foo",
            "aGroup": {"flatFoo": 123, "flatBar": "abc", "flatBaz": {"hello": True}},
            "prefixed": {"foo": 321, "bar": "fed", "deep": {"qux": "qux"}},
            "aUnion": {"bar": {"barMember": 789, "multi": "ghi"}},
            "color": ["blue", "green", 7],
            "json": message.json.to_dict(),
            "b64": b"fred",
            "hex": b"plugh",
            "bUnion": {"second": 678},
            "external": {"bar": "cba"},
            "withVoid": {"voidValue": None},
        }


@pytest.mark.conformance("JSN-16")
def test_a_tag_that_names_no_member_is_an_error(module: ModuleType) -> None:
    """The C++ codec leaves the union as it is."""
    with pytest.raises(EncodeError, match="^union-type: .* has no member 'fooo' in its union; did you mean 'foo'"):
        module.Annotated.from_json('{"union-type":"fooo"}')
    with pytest.raises(EncodeTypeError, match="^union-type: "):
        module.Annotated.from_json('{"union-type":5}')
    assert module.Annotated.from_json('{"union-type":"foo","barMember":1,"multi":5}').aUnion.foo.multi == 5


WRONG_SCHEMAS = {
    "a $Json.flatten()": ("struct S { a @0 :Int8 $Json.flatten(); }", "S.a is flattened, but is no object in JSON"),
    "a $Json.base64": ("struct S { a @0 :Text $Json.base64; }", "S.a is marked as base64, but is no Data"),
    "itself": (
        "struct S { a @0 :T $Json.flatten(); } struct T { b @0 :S $Json.flatten(); }",
        "S is flattened into itself",
    ),
    "untold": (
        "struct S { union { a @0 :T $Json.flatten(); b @1 :Int8; } } struct T { c @0 :Int8; }",
        "S.a is flattened, but its union has no discriminator",
    ),
    "twice": (
        "struct S { a @0 :Int8; t @1 :T $Json.flatten(); } struct T { a @0 :Int8; }",
        "two members of S have the name 'a' in JSON",
    ),
    "renamed": (
        'struct R { s @0 :S; } struct S { a @0 :Int8; b @1 :Int8 $Json.name("a"); }',
        "two members of S have the name 'a' in JSON",
    ),
    "unnamed": (
        'struct S { u :union $Json.discriminator(name = "k", valueName = "v") {'
        " a :group $Json.flatten() { c @0 :Int8; } b @1 :Int8; } }",
        "S.U.a is flattened, but its union gives all its members one valueName",
    ),
}


@pytest.mark.conformance("JSN-16")
@pytest.mark.parametrize("name", WRONG_SCHEMAS)
def test_annotations_that_make_no_sense_are_errors(backend: str, name: str) -> None:
    text, reason = WRONG_SCHEMAS[name]
    using = 'using Json = import "/capnp/compat/json.capnp";\n'
    module: Any = ccapnp.SchemaParser(backend=backend).load_text(f"@0xc0d8a35e2f5b1a97;\n{using}{text}", "wrong.capnp")
    for use in (module.S.new_message().to_json, lambda: module.S.from_json("{}")):
        with pytest.raises(ccapnp.SchemaError, match=reason):
            use()


@pytest.mark.conformance("JSN-16")
def test_a_union_whose_active_member_is_not_known_is_not_written(module: ModuleType) -> None:
    for kind, text in (
        (module.External, "{}"),
        (module.First, "{}"),
        (module.Ordered, '{"before":0,"after":false}'),
    ):
        data = bytearray(kind.new_message().to_bytes())
        data[16 + 2 * kind._node.discriminant_offset] = 77
        message = kind.from_bytes(data)
        assert message.to_json() == message.to_json(pretty=True).replace(" ", "") == text


@pytest.mark.conformance("JSN-05", "JSN-06", "JSN-08", "JSN-16")
def test_where_the_official_codec_is_not_followed(module: ModuleType, everything: Any) -> None:
    """The README's list, line by line; the last two have tests of their own."""
    assert decoded(everything, "textField", r'"\ud83d\ude00"') == "\U0001f600"
    for item in (r'"\ud83d"', r'"\ude00\ud83d"', r'"\ud83dx"'):
        with pytest.raises(EncodeError, match="^textField: .* surrogates"):
            everything.from_json(f'{{"textField":{item}}}')
    for name, items in (
        ("b64", ("A", "AA", "AAAA=A", "A A=", "\u00e9", "!!!!")),
        ("hex", ("0", "0g", "00 11", "\u0661\u0661")),
    ):
        for item in items:
            with pytest.raises(EncodeError, match=f"^{name}: .* is not "):
                module.Annotated.from_json({name: item})
    for text in (
        '{"int8Field":1,"int8Field":1}',
        '{"nope":1,"nope":1}',
        '{"structField":{"int8Field":1,"int8Field":2}}',
        '{"nope":{"a":1,"a":2}}',
        '{"structList":[{"textField":"","textField":""}]}',
    ):
        with pytest.raises(EncodeError, match="two members of the name '(int8Field|nope|a|textField)'"):
            everything.from_json(text)
    with pytest.raises(EncodeError, match="two members of the name 'pfx.foo'"):
        module.Annotated.from_json('{"pfx.foo":1,"pfx.foo":1}')
    assert not everything.from_json('{"textField":null}').has("textField")
    with pytest.raises(EncodeError, match="has no member"):
        module.External.from_json('{"type":"nope"}')
    assert decoded(everything, "int64Field", "9007199254740993") == 2**53 + 1


@pytest.mark.conformance("JSN-16")
def test_the_annotation_of_notifications_is_read(module: ModuleType) -> None:
    methods = module.Service._registry.node(module.Service._node_id).methods
    assert [(method.name, is_notification(method)) for method in methods] == [("ping", True), ("pong", False)]


@pytest.mark.conformance("JSN-16", "JSN-17")
def test_of_two_members_of_a_union_the_last_one_wins(module: ModuleType) -> None:
    assert module.Ordered.from_json('{"bar":1,"foo":2}').to_dict() == {"before": 0, "after": False, "foo": 2}
    assert module.Flat.from_json('{"g.a":1,"g.b":"x","g.n":3}').to_dict() == {"g": {"n": 3, "b": "x"}}
    assert module.Flat.from_json('{"g.b":"x","g.a":1}').to_json() == '{"g.n":0,"g.a":1}'


@pytest.mark.conformance("JSN-18")
def test_base64_of_a_union_member(module: ModuleType) -> None:
    message = module.Blob.new_message(blob=bytes(5))
    assert message.to_json() == '{"blob":"AAAAAAA="}'
    assert module.Blob.from_json('{"blob":"AAAAAAA="}') == message


@pytest.mark.conformance("JSN-19")
def test_what_has_no_form_in_json_is_an_error(module: ModuleType) -> None:
    message = module.Opaque.new_message()
    assert message.to_json() == '{"number":0}'
    for name, value in (("any", "x"), ("service", ccapnp.Capability(0))):
        message = module.Opaque.new_message(**{name: value})
        for pretty in (False, True):
            with pytest.raises(EncodeTypeError, match=f"^{name}: .* has no form in JSON"):
                message.to_json(pretty)
        with pytest.raises(EncodeTypeError, match=f"^{name}: .* has no form in JSON"):
            module.Opaque.from_json(f'{{"{name}":1}}')
    deep = module.Holder.new_message(held=[{}, {"inner": {"list": [{}, {"any": "x"}]}}])
    with pytest.raises(EncodeTypeError, match=r"^held\[1\]\.in\.the list\[1\]\.any: ") as caught:
        deep.to_json()
    assert caught.value.field == "held[1].in.the list[1].any"
    assert not module.Opaque.from_json('{"any":null,"service":null}').has("any")


def test_a_group_is_not_read_without_its_struct(module: Any) -> None:
    group = type(module.Flat.new_message().g)._type
    with pytest.raises(EncodeTypeError, match="Flat.G is a group: it exists only within its struct"):
        group.from_json("{}")
