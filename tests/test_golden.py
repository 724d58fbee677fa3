"""The official golden messages: one value in many encodings, its text, and the schema's defaults."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp.codec import get_codec

# "FIX-2", the value in all files but those of lists; the official tests make it with `initTestMessage`.
_NESTED: dict[str, Any] = {"textField": "nested", "structField": {"textField": "really nested"}}
_INNER: dict[str, Any] = {
    "voidField": None,
    "boolField": True,
    "int8Field": -12,
    "int16Field": 3456,
    "int32Field": -78901234,
    "int64Field": 56789012345678,
    "uInt8Field": 90,
    "uInt16Field": 1234,
    "uInt32Field": 56789012,
    "uInt64Field": 345678901234567890,
    "float32Field": -1.25e-10,
    "float64Field": 345.0,
    "textField": "baz",
    "dataField": b"qux",
    "structField": _NESTED,
    "enumField": "baz",
    "interfaceField": None,
    "voidList": [None] * 3,
    "boolList": [False, True, False, True, True],
    "int8List": [12, -34, -0x80, 0x7F],
    "int16List": [1234, -5678, -0x8000, 0x7FFF],
    "int32List": [12345678, -90123456, -0x80000000, 0x7FFFFFFF],
    "int64List": [123456789012345, -678901234567890, -(2**63), 2**63 - 1],
    "uInt8List": [12, 34, 0, 0xFF],
    "uInt16List": [1234, 5678, 0, 0xFFFF],
    "uInt32List": [12345678, 90123456, 0, 0xFFFFFFFF],
    "uInt64List": [123456789012345, 678901234567890, 0, 2**64 - 1],
    "float32List": [0.0, 1234567.0, 1e37, -1e37, 1e-37, -1e-37],
    "float64List": [0.0, 123456789012345.0, 1e306, -1e306, 1e-306, -1e-306],
    "textList": ["quux", "corge", "grault"],
    "dataList": [b"garply", b"waldo", b"fred"],
    "structList": [{"textField": f"x structlist {number}"} for number in (1, 2, 3)],
    "enumList": ["qux", "bar", "grault"],
}
_SCALARS_AND_BLOBS: dict[str, Any] = {
    "voidField": None,
    "boolField": True,
    "int8Field": -123,
    "int16Field": -12345,
    "int32Field": -12345678,
    "int64Field": -123456789012345,
    "uInt8Field": 234,
    "uInt16Field": 45678,
    "uInt32Field": 3456789012,
    "uInt64Field": 12345678901234567890,
    "float32Field": 1234.5,
    "float64Field": -123e45,
    "textField": "foo",
    "dataField": b"bar",
    "structField": _INNER,
    "enumField": "corge",
    "interfaceField": None,
}
ALL_TYPES: dict[str, Any] = {
    **_SCALARS_AND_BLOBS,
    "voidList": [None] * 6,
    "boolList": [True, False, False, True],
    "int8List": [111, -111],
    "int16List": [11111, -11111],
    "int32List": [111111111, -111111111],
    "int64List": [1111111111111111111, -1111111111111111111],
    "uInt8List": [111, 222],
    "uInt16List": [33333, 44444],
    "uInt32List": [3333333333],
    "uInt64List": [11111111111111111111],
    "float32List": [5555.5, math.inf, -math.inf, math.nan],
    "float64List": [7777.75, math.inf, -math.inf, math.nan],
    "textList": ["plugh", "xyzzy", "thud"],
    "dataList": [b"oops", b"exhausted", b"rfc3092"],
    "structList": [{"textField": f"structlist {number}"} for number in (1, 2, 3)],
    "enumList": ["foo", "garply"],
}
LISTS: dict[str, Any] = {
    "list0": [{"f": None}, {"f": None}],
    "list1": [{"f": True}, {"f": False}, {"f": True}, {"f": True}],
    "list8": [{"f": 123}, {"f": 45}],
    "list16": [{"f": 12345}, {"f": 6789}],
    "list32": [{"f": 123456789}, {"f": 234567890}],
    "list64": [{"f": 1234567890123456}, {"f": 2345678901234567}],
    "listP": [{"f": "foo"}, {"f": "bar"}],
    "int32ListList": [[1, 2, 3], [4, 5], [12341234]],
    "textListList": [["foo", "bar"], ["baz"], ["qux", "corge"]],
    "structListList": [[{"int32Field": 123}, {"int32Field": 456}], [{"int32Field": 789}]],
}
NULL_ROOT = bytes(8)
FIELDS = list(ALL_TYPES)

ENCODINGS = ("binary", "flat", "packed", "segmented", "segmented-packed", "binary.canonical")


def open_golden(struct_type: Any, folder: Path, name: str) -> Any:
    """A reader of one of the files, whichever way it is encoded."""
    data = (folder / name).read_bytes()
    if name in ("flat", "binary.canonical"):
        return struct_type.from_segments([data])
    return struct_type.from_bytes_packed(data) if name.endswith("packed") else struct_type.from_bytes(data)


def assert_holds(view: Any, expected: dict[str, Any]) -> None:
    """Each named field has the value given, nested ones too; all others are as in a new struct."""
    for name, value in expected.items():
        assert_equal(ccapnp.get_field(view, name), value)
    for field in type(view)._type.schema.fields:
        if field.name not in expected and field.type.kind.is_pointer:
            assert not ccapnp.has(view, field.name)


def assert_equal(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert_holds(found, expected)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected):
            assert_equal(one, other)
    elif isinstance(expected, float) and math.isnan(expected):
        assert math.isnan(found)
    elif isinstance(expected, float):
        assert found in (expected, as_float32(expected))
    elif isinstance(expected, str) and isinstance(found, ccapnp.Enum):
        assert found.name == expected
    else:
        assert type(found) is type(expected)
        assert found == expected


def as_float32(value: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return value


def fill_one_by_one(builder: Any, values: dict[str, Any]) -> None:
    """Set the fields by assignment, structs and lists by ``init`` and then by assignment within."""
    for name, value in values.items():
        if isinstance(value, dict):
            fill_one_by_one(ccapnp.init(builder, name), value)
        elif isinstance(value, list):
            fill_list(ccapnp.init(builder, name, len(value)), value)
        else:
            setattr(builder, name, value)


def fill_list(target: Any, values: list[Any]) -> None:
    for index, value in enumerate(values):
        if isinstance(value, dict):
            fill_one_by_one(target[index], value)
        elif isinstance(value, list):
            fill_list(target.init(index, len(value)), value)
        else:
            target[index] = value


# ---- reading


@pytest.mark.parametrize("name", ENCODINGS)
def test_enc_01_every_field_of_every_encoding_is_read(official: ModuleType, testdata: Path, name: str) -> None:
    assert_holds(open_golden(official.TestAllTypes, testdata, name), ALL_TYPES)


def test_enc_13_every_field_of_the_lists_is_read(official: ModuleType, testdata: Path) -> None:
    assert_holds(official.TestLists.from_bytes((testdata / "lists.binary").read_bytes()), LISTS)


@pytest.mark.parametrize("name", ENCODINGS)
def test_all_encodings_are_equal(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    assert reader == open_golden(official.TestAllTypes, testdata, "binary")
    assert reader.as_builder() == reader
    assert hash(reader) == hash(open_golden(official.TestAllTypes, testdata, "segmented"))


# ---- re-encoding


@pytest.mark.parametrize("name", ["binary", "segmented"])
def test_cli_03_a_message_is_written_as_it_was_read(official: ModuleType, testdata: Path, name: str) -> None:
    data = (testdata / name).read_bytes()
    packed = (testdata / {"binary": "packed"}.get(name, f"{name}-packed")).read_bytes()
    plain = official.TestAllTypes.from_bytes(data)
    assert plain.to_bytes() == data
    assert plain.to_bytes_packed() == packed
    unpacked = official.TestAllTypes.from_bytes_packed(packed)
    assert unpacked.to_bytes() == data
    assert unpacked.to_bytes_packed() == packed


def test_cli_03_flat_is_the_segment_alone(official: ModuleType, testdata: Path, backend: str) -> None:
    flat = (testdata / "flat").read_bytes()
    (segment,) = open_golden(official.TestAllTypes, testdata, "packed").to_segments()
    assert bytes(segment) == flat
    assert get_codec(backend).pack([flat]) == (testdata / "packedflat").read_bytes()
    packed_table = get_codec(backend).pack([(testdata / "binary").read_bytes()[:8]])
    assert packed_table + (testdata / "packedflat").read_bytes() == (testdata / "packed").read_bytes()


@pytest.mark.parametrize("name", ENCODINGS)
def test_can_01_all_encodings_have_the_same_canonical_form(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    assert ccapnp.canonicalize(reader) == (testdata / "binary.canonical").read_bytes()
    assert ccapnp.canonicalize(reader.as_builder()) == (testdata / "binary.canonical").read_bytes()


# ---- building


def built_at_once(official: ModuleType) -> Any:
    return official.TestAllTypes.new_message(**ALL_TYPES)


def built_one_by_one(official: ModuleType) -> Any:
    builder = official.TestAllTypes.new_message()
    fill_one_by_one(builder, ALL_TYPES)
    return builder


def built_in_many_segments(official: ModuleType) -> Any:
    builder = official.TestAllTypes.new_message(num_first_segment_words=1)
    fill_one_by_one(builder, ALL_TYPES)
    assert len(builder.to_segments()) > 1
    return builder


ways_to_build = pytest.mark.parametrize(
    "build", [built_at_once, built_one_by_one, built_in_many_segments], ids=lambda build: build.__name__
)


@ways_to_build
def test_enc_02_what_is_built_is_the_golden_message(official: ModuleType, testdata: Path, build: Any) -> None:
    builder = build(official)
    assert_holds(builder, ALL_TYPES)
    assert_holds(builder.as_reader(), ALL_TYPES)
    assert ccapnp.canonicalize(builder) == (testdata / "binary.canonical").read_bytes()
    assert builder == open_golden(official.TestAllTypes, testdata, "binary")


@ways_to_build
def test_enc_01_what_is_built_survives_every_encoding(official: ModuleType, build: Any) -> None:
    builder = build(official)
    struct_type = official.TestAllTypes
    assert_holds(struct_type.from_bytes(builder.to_bytes()), ALL_TYPES)
    assert_holds(struct_type.from_bytes_packed(builder.to_bytes_packed()), ALL_TYPES)
    assert_holds(struct_type.from_segments(builder.to_segments()), ALL_TYPES)
    assert_holds(builder.copy(), ALL_TYPES)


def test_enc_14_lists_built_by_hand_are_the_golden_ones(official: ModuleType, testdata: Path) -> None:
    golden = official.TestLists.from_bytes((testdata / "lists.binary").read_bytes())
    by_hand = official.TestLists.new_message()
    fill_one_by_one(by_hand, LISTS)
    for builder in (by_hand, official.TestLists.new_message(**LISTS)):
        assert_holds(builder, LISTS)
        assert builder == golden
        assert ccapnp.canonicalize(builder) == ccapnp.canonicalize(golden)


# ---- text


@pytest.mark.parametrize("name", ENCODINGS)
def test_txt_07_the_golden_texts(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    for view in (reader, reader.as_builder()):
        assert f"{view}\n" == (testdata / "short.txt").read_text()
        assert view.to_text() + "\n" == (testdata / "short.txt").read_text()
        assert view.to_text(pretty=True) + "\n" == (testdata / "pretty.txt").read_text()


def test_txt_08_the_golden_text_of_lists(official: ModuleType, testdata: Path) -> None:
    reader = official.TestLists.from_bytes((testdata / "lists.binary").read_bytes())
    assert reader.to_text(pretty=True) + "\n" == (testdata / "lists.txt").read_text()


def test_txt_01_defaults_are_printed_where_they_are_set(official: ModuleType, testdata: Path) -> None:
    builder = official.TestDefaults.new_message()
    assert (
        official.TestDefaults.new_message().as_reader().to_text().endswith("enumField = corge, interfaceField = void)")
    )
    for name in FIELDS:
        value = getattr(builder, name)  # a builder's default becomes part of the message when it is looked at
        if isinstance(value, (str, bytes)):
            setattr(builder, name, value)  # unless it cannot be changed
    assert builder.to_text(pretty=True) + "\n" == (testdata / "pretty.txt").read_text()
    lists = official.TestListDefaults.new_message()
    assert lists.lists.to_text(pretty=True) + "\n" == (testdata / "lists.txt").read_text()


# ---- defaults


def zero_sized_root() -> bytes:
    return struct.pack("<iI", -4, 0)


@pytest.mark.parametrize("root", [NULL_ROOT, zero_sized_root()], ids=["ENC-06 null", "ENC-03 no sections"])
def test_enc_03_a_reader_sees_the_defaults(official: ModuleType, root: bytes) -> None:
    assert_defaults(official.TestDefaults.from_segments([root]), FIELDS)
    assert_holds_lists(official.TestListDefaults.from_segments([root]).lists)


def assert_defaults(view: Any, names: Iterable[str]) -> None:
    for name in names:
        assert_equal(getattr(view, name), ALL_TYPES[name])


def assert_holds_lists(view: Any) -> None:
    assert_holds(view, LISTS)


@pytest.mark.parametrize("first_segment_words", [1024, 1], ids=["ENC-04 one segment", "ENC-05 many segments"])
def test_enc_04_a_builder_makes_defaults_its_own(official: ModuleType, first_segment_words: int) -> None:
    builder = official.TestDefaults.new_message(num_first_segment_words=first_segment_words)
    reader = builder.as_reader()
    assert_defaults(reader, FIELDS)
    assert not any(ccapnp.has(builder, name) for name in FIELDS if "List" in name or name == "structField")
    assert_defaults(builder, FIELDS)
    assert_defaults(builder, FIELDS)
    assert ccapnp.has(builder, "structField") and ccapnp.has(builder, "int8List")
    builder.int8List[0] = 5
    builder.structField.textList[1] = "changed"
    builder.int32Field = 0
    assert list(reader.int8List) == [5, -111]
    assert list(reader.structField.textList) == ["quux", "changed", "grault"]
    assert reader.int32Field == 0
    assert_defaults(official.TestDefaults.from_segments([NULL_ROOT]), FIELDS)


@pytest.mark.parametrize("first_segment_words", [1024, 1])
def test_enc_13_a_builder_makes_list_defaults_its_own(official: ModuleType, first_segment_words: int) -> None:
    builder = official.TestListDefaults.new_message(num_first_segment_words=first_segment_words)
    assert_holds_lists(builder.as_reader().lists)
    assert not ccapnp.has(builder, "lists")
    assert_holds_lists(builder.lists)
    builder.lists.list8[1].f = 7
    builder.lists.int32ListList[1][0] = 44
    assert [each.f for each in builder.as_reader().lists.list8] == [123, 7]
    assert [list(each) for each in builder.as_reader().lists.int32ListList] == [[1, 2, 3], [44, 5], [12341234]]
    assert_holds_lists(official.TestListDefaults.from_segments([NULL_ROOT]).lists)


def test_enc_04_a_reader_of_defaults_writes_nothing(official: ModuleType) -> None:
    builder = official.TestDefaults.new_message()
    before = builder.to_bytes()
    assert_defaults(builder.as_reader(), FIELDS)
    assert builder.to_bytes() == before
