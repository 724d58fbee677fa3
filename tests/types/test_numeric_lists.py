"""Lists of numbers as buffers: `memoryview` and numpy see the message's memory, and fill it."""

from __future__ import annotations

import array
import gc
import hashlib
import io
import math
import struct
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import EncodeError, EncodeTypeError
from tests.types.schema import FEWER, NUMBERS, Number

FORMATS = {
    "int8s": "b",
    "int16s": "h",
    "int32s": "i",
    "int64s": "q",
    "uint8s": "B",
    "uint16s": "H",
    "uint32s": "I",
    "uint64s": "Q",
    "float32s": "f",
    "float64s": "d",
}
EVERY_NUMBER = pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.field)
BY_FIELD = {number.list_field: number for number in NUMBERS}


def values_of(number: Number) -> list[Any]:
    return [number.low, 0, 1, number.high, 5]


def built(schema: Any, number: Number) -> Any:
    return schema.Lists.new_message(**{number.list_field: values_of(number)})


@EVERY_NUMBER
def test_a_memoryview_of_a_readers_list_is_read_only(schema: Any, number: Number) -> None:
    data = built(schema, number).to_bytes()
    for buffer in (data, bytearray(data), memoryview(bytearray(data))):
        found = getattr(schema.Lists.from_bytes(buffer), number.list_field)
        view = memoryview(found)
        assert view.format == FORMATS[number.list_field] and view.itemsize == struct.calcsize(view.format)
        assert view.ndim == 1 and view.shape == (5,) and view.contiguous
        assert view.readonly and view.tolist() == values_of(number) and view == found.view()
        with pytest.raises(TypeError):
            view[0] = 1
        assert bytes(found) == view.tobytes()


@EVERY_NUMBER
def test_a_memoryview_of_a_builders_list_writes_into_the_message(schema: Any, number: Number) -> None:
    builder = built(schema, number)
    view = memoryview(getattr(builder, number.list_field))
    assert not view.readonly and view.format == FORMATS[number.list_field]
    view[1] = 7
    assert getattr(builder, number.list_field)[1] == 7
    assert getattr(schema.Lists.from_bytes(builder.to_bytes()), number.list_field)[1] == 7
    assert memoryview(getattr(builder.as_reader(), number.list_field)).readonly


@EVERY_NUMBER
def test_a_memoryview_of_an_empty_list_has_its_format(schema: Any, number: Number) -> None:
    field = number.list_field
    unset, empty = schema.Lists.new_message(), schema.Lists.new_message(**{field: []})
    for owner in (unset, unset.as_reader(), empty, empty.as_reader(), schema.Lists.from_bytes(empty.to_bytes())):
        view = memoryview(getattr(owner, field))
        assert view.format == FORMATS[field] and view.tolist() == []


def test_a_list_is_a_buffer_to_whoever_takes_one(schema: Any) -> None:
    found = schema.Lists.from_bytes(schema.Lists.new_message(uint8s=b"abc", int32s=[1, 2]).to_bytes())
    assert b"".join([found.uint8s, b"d"]) == b"abcd" and bytearray(found.uint8s) == b"abc"
    assert array.array("B", bytes(found.uint8s)).tolist() == [97, 98, 99]
    assert struct.unpack_from("<i", found.int32s, 4) == (2,)
    if sys.implementation.name == "cpython":  # PyPy passes on no right to write
        builder = schema.Lists.new_message(int32s=[0, 0])
        struct.pack_into("<i", builder.int32s, 4, 9)
        assert builder.int32s == [0, 9]
    with pytest.raises(TypeError):
        struct.pack_into("<i", found.int32s, 4, 9)
    with pytest.raises(TypeError):
        memoryview(found.bools)
    with pytest.raises(TypeError):
        memoryview(found.texts)


def test_a_memoryview_keeps_the_message_alive(schema: Any) -> None:
    source = bytearray(schema.Lists.new_message(int32s=[1, 2, 3]).to_bytes())
    view = memoryview(schema.Lists.from_bytes(source).int32s)
    gc.collect()
    assert view.tolist() == [1, 2, 3]
    if sys.implementation.name == "cpython":  # PyPy lets it grow, and leaves the view the old memory
        with pytest.raises(BufferError):
            source.append(0)
    view.release()


@EVERY_NUMBER
def test_numpy_sees_a_list_without_a_copy(schema: Any, number: Number, numpy: Any) -> None:
    buffer = bytearray(built(schema, number).to_bytes())
    found = getattr(schema.Lists.from_bytes(buffer), number.list_field)
    seen = numpy.asarray(found)
    assert seen.dtype == numpy.dtype(number.field) and seen.tolist() == values_of(number)
    assert numpy.shares_memory(seen, numpy.frombuffer(buffer, numpy.uint8)) and not seen.flags.writeable
    builder = built(schema, number)
    seen = numpy.asarray(getattr(builder, number.list_field))
    seen[:] = seen[::-1]
    assert getattr(builder, number.list_field) == values_of(number)[::-1]
    assert numpy.shares_memory(seen, numpy.frombuffer(builder.to_segments()[0], numpy.uint8))


@EVERY_NUMBER
def test_a_list_is_set_from_numpy(schema: Any, number: Number, numpy: Any) -> None:
    source = numpy.array(values_of(number), number.field)
    expected = built(schema, number)
    for values in (source, source.astype(source.dtype.newbyteorder(">")), numpy.repeat(source, 2)[::2], list(source)):
        assert schema.Lists.new_message(**{number.list_field: values}) == expected
    swapped = source[::-1]
    assert getattr(schema.Lists.new_message(**{number.list_field: swapped}), number.list_field) == swapped.tolist()
    nothing = schema.Lists.new_message(**{number.list_field: source[:0]})
    assert nothing.has(number.list_field) and getattr(nothing, number.list_field) == []


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int64", "uint64", "float32", "float64"])
@EVERY_NUMBER
def test_another_dtype_is_converted_or_refused(schema: Any, number: Number, dtype: str, numpy: Any) -> None:
    field = number.list_field
    if dtype.startswith("float") and "float" not in number.field:
        with pytest.raises(EncodeTypeError, match=rf"^{field}\[0\]: "):
            schema.Lists.new_message(**{field: numpy.array([1, 2], dtype)})
        return
    builder = schema.Lists.new_message(**{field: numpy.array([1, 2], dtype)})
    assert getattr(builder, field) == [1, 2]
    if dtype == "int8" and number.low == 0:
        with pytest.raises(EncodeError, match=rf"^{field}\[1\]: -1 does not fit"):
            setattr(builder, field, numpy.array([1, -1], dtype))
        assert getattr(builder, field) == [1, 2]


def test_arrays_of_other_things(schema: Any, numpy: Any) -> None:
    new = schema.Lists.new_message
    assert new(bools=numpy.array([True, False])).bools == [True, False]
    assert new(colors=numpy.array([2, 9], "u2")).colors == [2, 9]
    assert new(texts=numpy.array(["a", "bc"])).texts == ["a", "bc"]
    assert new(lists=numpy.array([[1, 2], [3, 4]], "u2")).lists == [[1, 2], [3, 4]]
    assert new(int32s=numpy.array([1, 2], object)).int32s == [1, 2]
    for values in (
        {"int32s": numpy.array([[1, 2], [3, 4]])},
        {"bools": numpy.array([0, 1])},
        {"int32s": numpy.array(["1"])},
        {"int64s": numpy.array(["2020-01-01"], "M8[D]")},
    ):
        (field,) = values
        with pytest.raises(EncodeTypeError, match=rf"^{field}\[0\]: "):
            new(**values)
    with pytest.raises(TypeError):
        new(int32s=numpy.array(3))


@EVERY_NUMBER
def test_a_list_is_set_from_any_buffer(schema: Any, number: Number) -> None:
    letter = FORMATS[number.list_field]
    source = array.array(letter, values_of(number))
    expected = built(schema, number)
    views = (source, memoryview(source), memoryview(array.array(letter, values_of(number)[::-1]))[::-1])
    for values in views:
        assert schema.Lists.new_message(**{number.list_field: values}) == expected
    source[0] = 1  # the buffer is not held
    assert expected != schema.Lists.new_message(**{number.list_field: source})


def test_buffers_whose_items_have_the_same_size_under_another_letter(schema: Any) -> None:
    for letter in "lL":
        field = {("l", 8): "int64s", ("l", 4): "int32s", ("L", 8): "uint64s", ("L", 4): "uint32s"}[
            letter, struct.calcsize(letter)
        ]
        source = array.array(letter, [1, 2])
        assert getattr(schema.Lists.new_message(**{field: source}), field) == [1, 2]
    builder = schema.Lists.new_message(int8s=array.array("B", [1]), uint8s=array.array("b", [1]))
    assert builder.int8s == [1] == builder.uint8s
    with pytest.raises(EncodeError, match=r"^int8s\[1\]: 200 does not fit in an Int8"):
        schema.Lists.new_message(int8s=bytes([1, 200]))
    with pytest.raises(EncodeError, match=r"^uint32s\[0\]: -1 does not fit in a UInt32"):
        schema.Lists.new_message(uint32s=array.array("i", [-1]))


@EVERY_NUMBER
def test_elements_are_checked_like_fields(schema: Any, number: Number) -> None:
    builder = built(schema, number)
    found, before = getattr(builder, number.list_field), builder.to_bytes()
    is_integer = "int" in number.field
    too_much = (number.low - 1, number.high + 1) if is_integer else (10**400,)
    for value in (*too_much, *((1e39,) if number.field == "float32" else ())):
        with pytest.raises(EncodeError, match=r"^\[2\]: .* does not fit in an? "):
            found[2] = value
        with pytest.raises(EncodeError, match=rf"^{number.list_field}\[1\]: .* does not fit in an? "):
            setattr(builder, number.list_field, [0, value])
    for value in (None, "1", b"1", [1], *((0.5,) if is_integer else ())):
        with pytest.raises(EncodeTypeError, match=r"^\[2\]: .* is set from an? (number|integer), not"):
            found[2] = value
        with pytest.raises(
            EncodeTypeError, match=rf"^{number.list_field}\[1\]: .* is set from an? (number|integer), not"
        ):
            setattr(builder, number.list_field, [0, value])
    assert builder.to_bytes() == before


@pytest.mark.parametrize("field", ["float32s", "float64s"])
def test_nan_in_a_list(schema: Any, field: str) -> None:
    """Each reading makes a new float, and so a NaN equals none, as in a `list` of NaNs that are not one object."""
    builder = schema.Lists.new_message(**{field: [math.nan, math.inf, -math.inf, -0.0]})
    found = getattr(schema.Lists.from_bytes(builder.to_bytes()), field)
    assert math.isnan(found[0]) and found[1:] == [math.inf, -math.inf, 0.0] and math.copysign(1, found[3]) == -1
    assert found.count(math.inf) == 1
    if sys.implementation.name == "cpython":  # to PyPy, floats of the same bits are one object
        assert found != list(found) and found[0] not in found
    assert builder == builder.copy()  # as structs, they have the same bits


@FEWER
@given(data=st.data(), field=st.sampled_from(list(FORMATS)))
def test_a_buffer_and_an_iterable_of_the_same_numbers_give_the_same_list(
    schema: Any, data: st.DataObject, field: str
) -> None:
    number = BY_FIELD[field]
    element = (
        st.integers(number.low, number.high) if "int" in field else st.floats(width=int(field[5:7]), allow_nan=False)
    )
    values = data.draw(st.lists(element))
    by_buffer = schema.Lists.new_message(**{field: array.array(FORMATS[field], values)})
    by_iterable = schema.Lists.new_message(**{field: iter(values)})
    assert by_buffer.to_bytes() == by_iterable.to_bytes() and getattr(by_buffer, field) == values


# ---- lists that a newer schema made wider


def test_a_list_read_out_of_structs_is_a_strided_view(schema: Any) -> None:
    message = schema.Wide.new_message(values=[{"a": 1, "b": 9}, {"a": 255, "b": 8}, {"a": 3}]).to_bytes()
    found = schema.Bytes.from_bytes(message).values
    assert found == [1, 255, 3] and found[::-1] == [3, 255, 1] and found[-1] == 3 and 255 in found
    view = memoryview(found)
    assert view.tolist() == [1, 255, 3] and view.strides == (8,) and view.readonly
    assert bytes(found) == b"\1\xff\3" and list(reversed(found)) == [3, 255, 1]
    assert hashlib.sha256(found).digest() == hashlib.sha256(b"\1\xff\3").digest()  # takes no gaps: gets a copy
    with pytest.raises((TypeError, BufferError)):
        io.BytesIO(bytes(3)).readinto(found)
    copy = schema.Bytes.new_message(values=found)
    assert copy.values == [1, 255, 3] and memoryview(copy.values).contiguous


def test_numpy_sees_a_strided_list_without_a_copy(schema: Any, numpy: Any) -> None:
    builder = ccapnp.MessageBuilder()
    builder.init_root(schema.Wide).values = [{"a": 1, "b": 9}, {"a": 255, "b": 8}]
    narrow = builder.get_root(schema.Bytes)
    seen = numpy.asarray(narrow.values)
    assert seen.tolist() == [1, 255] and seen.strides == (8,)
    seen[:] = [7, 8]
    wide = builder.get_root(schema.Wide).values
    assert [(each.a, each.b) for each in wide] == [(7, 9), (8, 8)]
    narrow.values[1] = 3
    assert wide[1].a == 3 and wide[1].b == 8
