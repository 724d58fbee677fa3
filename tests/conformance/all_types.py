"""The values that most tests of the official library use, for the structs of schemas/all_types.capnp.

`ALL_TYPES` is one of every type, `TestAllTypes` or the defaults of `TestDefaults`; `LISTS` is for `TestLists`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import ccapnp

SCHEMA = Path(__file__).parent / "schemas" / "all_types.capnp"

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
ALL_TYPES: dict[str, Any] = {
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
FIELDS = list(ALL_TYPES)
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


def assert_holds(view: Any, expected: dict[str, Any]) -> None:
    """Each named field has the value given, nested ones too; all others are as in a new struct."""
    for name, value in expected.items():
        assert_equal(ccapnp.get_field(view, name), value)
    for field in type(view)._type.schema.fields_list:
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


def assert_defaults(view: Any, names: Iterable[str]) -> None:
    for name in names:
        assert_equal(getattr(view, name), ALL_TYPES[name])


def built_at_once(module: ModuleType) -> Any:
    return module.TestAllTypes.new_message(**ALL_TYPES)


def built_one_by_one(module: ModuleType) -> Any:
    builder = module.TestAllTypes.new_message()
    fill_one_by_one(builder, ALL_TYPES)
    return builder


def built_in_many_segments(module: ModuleType) -> Any:
    builder = module.TestAllTypes.new_message(num_first_segment_words=1)
    fill_one_by_one(builder, ALL_TYPES)
    assert len(builder.to_segments()) > 1
    return builder


WAYS_TO_BUILD = (built_at_once, built_one_by_one, built_in_many_segments)
