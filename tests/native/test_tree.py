"""Whole trees in one crossing: what the shim does itself, what it leaves to Python, and that nobody sees which."""

from __future__ import annotations

import math
from array import array
from collections import OrderedDict
from typing import Any

import pytest

from ccapnp.errors import CapnpError, DecodeError, EncodeError, LimitError, UnknownFieldError
from ccapnp.wire.layout import TreeMode
from tests.native.conftest import Codecs

tree = pytest.importorskip("ccapnp.native.tree", reason="the native extension is not built", exc_type=ImportError)
decode, encode = tree.decode, tree.encode

PLAIN: list[tuple[str, dict[str, Any]]] = [
    ("Scalars", {}),
    ("Scalars", {"bool": True, "int8": -128, "int16": 32767, "int32": -(2**31), "int64": -(2**63), "void": None}),
    ("Scalars", {"uint8": 255, "uint16": 65535, "uint32": 2**32 - 1, "uint64": 2**64 - 1, "int64": 2**63 - 1}),
    ("Scalars", {"int64": 2**31, "uint64": 2**31, "uint32": 2**31}),
    ("Scalars", {"int64": -(2**31) - 1, "float64": 0.1, "float32": 0.1, "color": "lightGrey"}),
    ("Scalars", {"float64": math.inf, "float32": -math.inf, "color": 77}),
    ("Scalars", {"float64": 5, "float32": -7}),
    ("Defaults", {"bool": False, "int8": 0, "int64": -1, "uint64": 0, "float32": 0.0, "float64": 1.0, "color": "red"}),
    ("Odd", {"nan32": 1.0, "inf32": 0.0}),
    ("Blobs", {"text": "", "data": b""}),
    ("Blobs", {"text": "caf\xe9 \u20ac \U0001f600", "data": bytes(range(256)), "chunk": b"x"}),
    ("Blobs", {"text": "x" * 5000, "data": bytes(300), "greeting": None, "word": None}),
    ("Blobs", {"data": bytearray(b"abc"), "text": "with\0nul"}),
    ("Lists", {"voids": [None] * 3, "bools": [True, False] * 5, "int8s": [-1, 2], "uint64s": [2**64 - 1, 0]}),
    ("Lists", {"float32s": (1.5, 2), "float64s": [0.1], "int16s": [], "colors": ["red", 9, "from"]}),
    ("Lists", {"texts": ["a", "", "\xfc"], "datas": [b"", b"x"], "structs": [{"key": "k"}, {}, {"value": 3}]}),
    ("Lists", {"lists": [[1], [], [2, 3]], "structLists": [[{"value": 1}], []], "textLists": [["a"], ["b", "c"]]}),
    ("Node", {"child": {"child": {"children": [{"name": "a"}, {"point": {"label": "p", "x": 1, "sub": {}}}]}}}),
    ("Shapes", {"empty": None}),
    ("Shapes", {"label": "x", "before": 3, "named": {"third": "t"}}),
    ("Shapes", {"box": {"name": "b", "width": 2.0, "corners": [1]}, "named": {"second": 2**40}}),
    ("Shapes", {"circle": {"inner": {"key": "k"}, "radius": 0.5}, "after": "z"}),
    ("Shapes", {"pair": None}),
]
ODD: list[tuple[str, dict[str, Any]]] = [
    ("Scalars", {"int8": 128}),
    ("Scalars", {"uint64": -1}),
    ("Scalars", {"int64": 2**63}),
    ("Scalars", {"uint64": 2**200}),
    ("Scalars", {"bool": 1}),
    ("Scalars", {"int32": True}),
    ("Scalars", {"int32": 1.0}),
    ("Scalars", {"float32": 1e300}),
    ("Scalars", {"float64": "x"}),
    ("Scalars", {"float64": 2**70}),
    ("Scalars", {"color": "pink"}),
    ("Scalars", {"color": 65536}),
    ("Scalars", {"color": "from_"}),
    ("Scalars", {"void": 0}),
    ("Scalars", {"nothing": 0}),
    ("Scalars", {"int8": None}),
    ("Scalars", {1: 2}),
    ("Odd", {"nan32": math.nan}),
    ("Blobs", {"text": b"x"}),
    ("Blobs", {"text": "\ud800"}),
    ("Blobs", {"data": "x"}),
    ("Blobs", {"data": array("H", [1, 2])}),
    ("Blobs", {"data": memoryview(b"abcdef")[::2]}),
    ("Blobs", {"word": "a", "chunk": b"b"}),
    ("Lists", {"int8s": array("b", [1, 2])}),
    ("Lists", {"int8s": b"ab"}),
    ("Lists", {"int8s": range(3)}),
    ("Lists", {"int8s": [1, 2, 300]}),
    ("Lists", {"texts": ["a", None]}),
    ("Lists", {"texts": "ab"}),
    ("Lists", {"structs": [{}, None]}),
    ("Lists", {"structs": {}}),
    ("Lists", {"structs": (each for each in [{"value": 1}])}),
    ("Lists", {"structLists": [[{"value": "x"}]]}),
    ("Node", {"any": {}}),
    ("Node", {"child": []}),
    ("Node", {"point": None}),
    ("Node", {"child": OrderedDict(value=1)}),
    ("Shapes", {"label": "a", "count": 1}),
    ("Shapes", {"box": {"radius": 1}}),
]


def outcome(work: Any, *arguments: Any) -> Any:
    """What some work gives, or the type and text of its error."""
    try:
        return work(*arguments)
    except (CapnpError, TypeError, ValueError) as error:
        return type(error), str(error)


def identity(case: tuple[str, dict[str, Any]]) -> str:
    return f"{case[0]}-{'-'.join(map(str, case[1]))}"


@pytest.mark.parametrize("case", PLAIN, ids=identity)
def test_plain_values_are_encoded_by_the_shim_byte_for_byte(codecs: Codecs, case: tuple[str, dict[str, Any]]) -> None:
    name, values = case
    native, pure = getattr(codecs.native, name), getattr(codecs.pure, name)
    root = native._registry.codec.new_message(1024)
    assert encode(native._layout, values, root, 0, is_list=False)
    assert list(map(bytes, root.pieces())) == list(map(bytes, pure.from_dict(values).to_segments()))


@pytest.mark.parametrize("case", ODD, ids=identity)
def test_other_values_are_left_to_python(codecs: Codecs, case: tuple[str, dict[str, Any]]) -> None:
    name, values = case
    native, pure = getattr(codecs.native, name), getattr(codecs.pure, name)
    if not any(hasattr(value, "__next__") for value in values.values()):
        root = native._registry.codec.new_message(1024)
        assert not encode(native._layout, values, root, 0, is_list=False)
        assert bytes(root.segment.raw) == bytes(8 * 1024) and root.segment.size == 1
        assert outcome(native.from_dict, values) == outcome(pure.from_dict, values)
    else:
        assert native.from_dict(values).structs[0].value == 1


@pytest.mark.parametrize("words", [1, 2, 5, 30, 1024])
def test_a_small_first_segment_is_followed_by_the_same_others(codecs: Codecs, words: int) -> None:
    value = {"children": [{"name": "x" * number, "children": [{}] * number} for number in range(20)]}
    native, pure = (each.Node.new_message(words, **value) for each in codecs)
    assert list(map(bytes, native.to_segments())) == list(map(bytes, pure.to_segments()))
    for each in (native, pure):
        each.name = "more"  # goes where there is room
    assert list(map(bytes, native.to_segments())) == list(map(bytes, pure.to_segments()))
    assert native.to_dict() == pure.to_dict()


def test_values_go_into_a_message_that_has_others(codecs: Codecs) -> None:
    built = []
    for each in codecs:
        node = each.Node.new_message(name="first")
        node.child = {"name": "second", "children": [{"value": 1}]}
        node.children = [{"name": "third"}, {"child": {"value": 4}}]
        node.child = {"name": "instead"}
        node.children[1].child.children = [{}, {"value": 7}]
        with pytest.raises(EncodeError, match=r"children\[1\].value"):
            node.children = [{"value": 1}, {"value": "x"}]
        built.append(node)
    assert built[0].to_bytes() == built[1].to_bytes()


def test_what_does_not_fit_goes_where_python_puts_it(codecs: Codecs) -> None:
    built = []
    for each in codecs:
        node = each.Node.new_message(30)
        node.name = "x"
        node.children = [{"name": "y" * 50}] * 5
        built.append(node)
    assert built[0].to_bytes() == built[1].to_bytes()


def test_a_value_that_is_there_twice_is_written_twice(codecs: Codecs) -> None:
    pair = {"key": "shared", "value": 5}
    pairs = [pair, pair]
    values = {"structs": pairs, "structLists": [pairs, pairs], "texts": ["shared"] * 3}
    assert codecs.native.Lists.from_dict(values).to_bytes() == codecs.pure.Lists.from_dict(values).to_bytes()


def test_a_dict_that_contains_itself_is_an_error(codecs: Codecs) -> None:
    endless: dict[str, Any] = {"name": "a"}
    endless["child"] = endless
    for each in codecs:
        with pytest.raises(LimitError):
            each.Node.from_dict(endless)


def test_deep_values_are_left_to_python(codecs: Codecs) -> None:
    deep: dict[str, Any] = {}
    for _ in range(250):
        deep = {"child": deep}
    root = codecs.native.Node._registry.codec.new_message(1024)
    assert not encode(codecs.native.Node._layout, deep, root, 0, is_list=False)


@pytest.mark.parametrize("mode", [TreeMode(), TreeMode(verbose=True), TreeMode(omit_defaults=True)])
@pytest.mark.parametrize("case", PLAIN, ids=identity)
def test_the_shim_decodes_what_python_does(codecs: Codecs, case: tuple[str, dict[str, Any]], mode: TreeMode) -> None:
    name, values = case
    data = getattr(codecs.pure, name).from_dict(values).to_bytes()
    pure, native = (getattr(each, name).from_bytes(data) for each in (codecs.pure, codecs.native))
    expected = pure.to_dict(verbose=mode.verbose, omit_defaults=mode.omit_defaults)
    found = decode(type(native)._type._layout, mode, native._c, native._w)
    assert repr(found) == repr(expected)  # of a NaN, too, and in the same order
    assert native._c.arena.budget == pure._c.arena.budget


def test_any_struct_of_a_message_is_decoded(codecs: Codecs) -> None:
    values = {"children": [{"name": str(number), "point": {"x": number}} for number in range(5)]}
    reader = codecs.native.Node.from_bytes(codecs.pure.Node.from_dict(values).to_bytes())
    for number, child in enumerate(reader.children):
        found = decode(codecs.native.Node._layout, TreeMode(), child._c, child._w)
        assert found is not None
        assert (found["name"], found["point"]["x"]) == (str(number), number)


def test_what_is_being_built_is_decoded(codecs: Codecs) -> None:
    node = codecs.native.Node.new_message(name="a")
    for value in ("b", "c"):
        node.child = {"name": value}
        found = decode(codecs.native.Node._layout, TreeMode(), node._c, node._w)
        assert found is not None
        assert found["child"]["name"] == value


def test_a_misaligned_message_is_decoded(codecs: Codecs) -> None:
    data = codecs.pure.Node.from_dict({"name": "a", "numbers": [1, 2]}).to_bytes()
    shifted = memoryview(b"x" + data)[1:]
    assert codecs.native.Node.from_bytes(shifted).to_dict() == codecs.pure.Node.from_bytes(data).to_dict()


@pytest.mark.parametrize("words", range(12))
def test_limits_are_counted_alike(codecs: Codecs, words: int) -> None:
    data = codecs.pure.Node.from_dict({"name": "ab", "child": {"numbers": [1]}, "children": [{}]}).to_bytes()
    results = []
    for each in codecs:
        for depth in range(4):
            results.append(
                outcome(lambda each=each, depth=depth: each.Node.from_bytes(data, words * 5, depth).to_dict())
            )
    assert results[:4] == results[4:]


def test_bad_text_is_named(codecs: Codecs) -> None:
    data = bytearray(codecs.pure.Node.from_dict({"child": {"name": "\u20ac\u20ac"}}).to_bytes())
    data[data.index("\u20ac".encode()) + 1] = 0xFF
    for each in codecs:
        with pytest.raises(DecodeError, match="child.name"):
            each.Node.from_bytes(data).to_dict()


def test_unknown_fields_are_named_alike(codecs: Codecs) -> None:
    for each in codecs:
        with pytest.raises(UnknownFieldError, match="nme"):
            each.Node.from_dict({"nme": "x"})
