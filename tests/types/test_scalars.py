"""Fields in the data section: every kind of number, bools, enums and void, with and without a default."""

from __future__ import annotations

import math
import struct
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccapnp import EncodeError, EncodeTypeError
from ccapnp.errors import a
from tests.types.schema import DEFAULTS, FLOATS, INTEGERS, NUMBERS, Number

BOTH = pytest.mark.parametrize("name", ["Scalars", "Defaults"])


def ids(number: Number) -> str:
    return number.field


def after_a_round_trip(builder: Any) -> Any:
    return type(builder)._type.from_bytes(builder.to_bytes())


def same(one: float, other: float) -> bool:
    """Whether two floats are the same to the last bit, or both NaN: under a default, every NaN is one."""
    return struct.pack("<d", one) == struct.pack("<d", other) or (math.isnan(one) and math.isnan(other))


class Index:
    """An integer by ``__index__`` alone."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Float:
    """A float by ``__float__`` alone."""

    def __float__(self) -> float:
        return 2.5


@pytest.mark.parametrize("number", NUMBERS, ids=ids)
@BOTH
def test_pyc05_the_lowest_and_highest_numbers_are_kept(schema: Any, name: str, number: Number) -> None:
    builder = getattr(schema, name).new_message()
    for value in (number.low, number.high, 0, 1):
        setattr(builder, number.field, value)
        assert getattr(builder, number.field) == value
        read = getattr(after_a_round_trip(builder), number.field)
        assert read == value and type(read) is type(number.low)


@pytest.mark.conformance("DYN-08")
@pytest.mark.parametrize("number", INTEGERS, ids=ids)
@BOTH
def test_dyn08_an_overflow_by_one_names_the_field_and_changes_nothing(schema: Any, name: str, number: Number) -> None:
    builder = getattr(schema, name).new_message(**{number.field: 5})
    before = builder.to_bytes()
    for value in (number.low - 1, number.high + 1, 2**200, -(2**200)):
        with pytest.raises(EncodeError, match=rf"^{number.field}: {value} does not fit in (a U|an )Int\d+") as caught:
            setattr(builder, number.field, value)
        assert caught.value.field == number.field and caught.value.type == name
        assert not isinstance(caught.value, TypeError)
    assert builder.to_bytes() == before


@pytest.mark.conformance("DYN-08")
@pytest.mark.parametrize("number", INTEGERS, ids=ids)
@BOTH
@pytest.mark.parametrize(
    "value", [0.5, 1.0, None, "1", b"1", Decimal(1), Fraction(1), [1], 1j], ids=lambda v: type(v).__name__
)
def test_dyn08_an_integer_is_only_set_from_integers(schema: Any, name: str, number: Number, value: Any) -> None:
    builder = getattr(schema, name).new_message(**{number.field: 5})
    with pytest.raises(EncodeTypeError, match=f"^{number.field}: .*is set from an? (number|integer), not"):
        setattr(builder, number.field, value)
    assert getattr(builder, number.field) == 5


@pytest.mark.parametrize("number", FLOATS, ids=ids)
@BOTH
@pytest.mark.parametrize("value", [None, "1.5", b"1.5", bytearray(b"1"), [1.0], 1j], ids=lambda v: type(v).__name__)
def test_a_float_is_only_set_from_numbers(schema: Any, name: str, number: Number, value: Any) -> None:
    builder = getattr(schema, name).new_message(**{number.field: 5})
    with pytest.raises(EncodeTypeError, match=f"^{number.field}: .*is set from an? (number|integer), not"):
        setattr(builder, number.field, value)
    assert getattr(builder, number.field) == 5


@BOTH
def test_a_float32_refuses_what_would_become_infinite(schema: Any, name: str) -> None:
    builder = getattr(schema, name).new_message(float32=0.25)
    for value in (1e39, -1e39, 3.4028235677973366e38, 10**50):
        with pytest.raises(EncodeError, match=r"^float32: .* does not fit in a Float32"):
            builder.float32 = value
    assert builder.float32 == 0.25


@BOTH
def test_a_float64_refuses_an_integer_beyond_its_range(schema: Any, name: str) -> None:
    builder = getattr(schema, name).new_message(float64=0.25)
    with pytest.raises(EncodeError, match=r"^float64: .* does not fit in a Float64"):
        builder.float64 = 10**400
    assert builder.float64 == 0.25


@pytest.mark.parametrize("field", ["int32", "float64", "float32", "color"])
def test_an_integer_too_long_to_print_is_refused_like_any_other(schema: Any, field: str) -> None:
    with pytest.raises(EncodeError, match=f"^{field}: "):
        schema.Scalars.new_message(**{field: 10**5000})


def test_a_value_without_a_repr_is_refused_like_any_other(schema: Any) -> None:
    class Nameless:
        def __repr__(self) -> str:
            raise OSError

    with pytest.raises(EncodeTypeError, match="^int8: an Int8 is set from an integer, not a Nameless$"):
        schema.Scalars.new_message(int8=Nameless())


@pytest.mark.parametrize("number", FLOATS, ids=ids)
@BOTH
def test_infinities_and_nan_are_floats(schema: Any, name: str, number: Number) -> None:
    builder = getattr(schema, name).new_message()
    for value in (math.inf, -math.inf):
        setattr(builder, number.field, value)
        assert getattr(after_a_round_trip(builder), number.field) == value
    setattr(builder, number.field, math.nan)
    assert math.isnan(getattr(after_a_round_trip(builder), number.field))
    setattr(builder, number.field, -0.0)
    assert math.copysign(1, getattr(after_a_round_trip(builder), number.field)) == -1


@pytest.mark.parametrize("number", INTEGERS, ids=ids)
@BOTH
def test_whatever_has_an_index_is_an_integer(schema: Any, name: str, number: Number) -> None:
    builder = getattr(schema, name).new_message()
    setattr(builder, number.field, Index(7))
    assert getattr(builder, number.field) == 7
    with pytest.raises(EncodeError, match="does not fit"):
        setattr(builder, number.field, Index(2**64))
    assert getattr(builder, number.field) == 7
    setattr(builder, number.field, True)  # Python's bool is an integer
    assert getattr(builder, number.field) == 1


@pytest.mark.parametrize("number", FLOATS, ids=ids)
@BOTH
def test_whatever_has_a_float_is_a_float(schema: Any, name: str, number: Number) -> None:
    builder = getattr(schema, name).new_message()
    values: list[tuple[Any, float]] = [(Float(), 2.5), (Fraction(1, 2), 0.5), (Decimal("1.5"), 1.5), (4, 4.0)]
    if sys.implementation.name == "cpython":  # PyPy makes no float of what has an index alone
        values.append((Index(3), 3.0))
    for value, expected in values:
        setattr(builder, number.field, value)
        assert getattr(builder, number.field) == expected


@pytest.mark.conformance("DYN-08")
@pytest.mark.parametrize("value", [0, 1, 1.0, "true", None, [], Index(1)], ids=repr)
@BOTH
def test_dyn08_a_bool_is_only_set_from_bools(schema: Any, name: str, value: Any) -> None:
    builder = getattr(schema, name).new_message()
    for before in (False, True):
        builder.bool = before
        with pytest.raises(EncodeTypeError, match=r"^bool: a Bool is set from True or False, not"):
            builder.bool = value
        assert builder.bool is before


@BOTH
def test_a_bool_leaves_its_neighbours_alone(schema: Any, name: str) -> None:
    builder = getattr(schema, name).new_message()
    for one in (False, True, False):
        for other in (False, True, False):
            builder.bool, builder.other = one, other
            read = after_a_round_trip(builder)
            assert (builder.bool, builder.other) == (read.bool, read.other) == (one, other)
            assert read.bool is one and read.other is other


@BOTH
def test_void_is_none(schema: Any, name: str) -> None:
    builder = getattr(schema, name).new_message(void=None)
    assert builder.void is None and after_a_round_trip(builder).void is None
    for value in (0, False, "", 10**5000):
        with pytest.raises(EncodeTypeError, match=r"^void: a Void is set from None, not"):
            builder.void = value


@pytest.mark.conformance("DYN-02")
def test_dyn02_an_unset_field_reads_as_its_default(schema: Any) -> None:
    builder = schema.Defaults.new_message()
    assert not any(bytes(builder.to_segments()[0])[8:])
    from_nothing = schema.Defaults.from_segments([bytes(8)])
    for field, default in DEFAULTS.items():
        for view in (builder, builder.as_reader(), after_a_round_trip(builder), from_nothing):
            assert getattr(view, field) == default and type(getattr(view, field)) is not float or default != 0


@pytest.mark.conformance("DYN-02")
def test_dyn02_a_field_set_to_its_default_is_zero_in_the_message(schema: Any) -> None:
    builder = schema.Defaults.new_message()
    for field in DEFAULTS:
        zero = {"void": None, "bool": False, "other": False}.get(field, 0)
        setattr(builder, field, zero)
        assert getattr(builder, field) == zero
    assert any(bytes(builder.to_segments()[0])[8:])
    for field, default in DEFAULTS.items():
        setattr(builder, field, default)
    assert not any(bytes(builder.to_segments()[0])[8:])


def test_odd_defaults_are_read_and_written(schema: Any) -> None:
    builder = schema.Odd.new_message()
    expected: dict[str, Any] = {
        "inf32": math.inf,
        "minus64": -math.inf,
        "low8": -128,
        "high64": 2**64 - 1,
        "low64": -(2**63),
    }
    assert math.isnan(builder.nan32) and math.isnan(after_a_round_trip(builder).nan64)
    for field, default in expected.items():
        assert getattr(builder, field) == default == getattr(after_a_round_trip(builder), field)
    for field in (*expected, "nan32", "nan64"):
        for value in (0, 1, 127):
            setattr(builder, field, value)
            assert getattr(builder, field) == value == getattr(after_a_round_trip(builder), field)
    for field in ("nan32", "nan64"):
        setattr(builder, field, math.nan)
        assert math.isnan(getattr(builder, field))
    for field, default in expected.items():
        setattr(builder, field, default)
    assert not any(bytes(builder.to_segments()[0])[8:])  # every NaN is the one of the default


def test_numpy_scalars_are_numbers(schema: Any, numpy: Any) -> None:
    builder = schema.Scalars.new_message()
    for number in INTEGERS:
        for value in (number.low, number.high):
            setattr(builder, number.field, getattr(numpy, number.field)(value))
            assert getattr(builder, number.field) == value
        setattr(builder, number.field, numpy.array(3))
        with pytest.raises(EncodeTypeError, match=number.field):
            setattr(builder, number.field, numpy.float32(1.0))
        with pytest.raises(EncodeTypeError, match=number.field):
            setattr(builder, number.field, numpy.array([3, 4]))
        assert getattr(builder, number.field) == 3
    for number in FLOATS:
        for value in (numpy.float32(1.5), numpy.float64(1.5), numpy.float16(1.5)):
            setattr(builder, number.field, value)
            assert getattr(builder, number.field) == 1.5
        setattr(builder, number.field, numpy.int64(-3))
        assert getattr(builder, number.field) == -3.0
    with pytest.raises(EncodeError, match="float32"):
        builder.float32 = numpy.float64(1e39)
    builder.bool = numpy.bool_(True)
    assert builder.bool is True
    builder.bool = numpy.bool_(False)
    assert builder.bool is False
    with pytest.raises(EncodeTypeError, match="bool"):
        builder.bool = numpy.int8(1)


@given(value=st.floats(width=32), double=st.floats())
def test_every_float_survives(schema: Any, value: float, double: float) -> None:
    for name in ("Scalars", "Defaults"):
        read = after_a_round_trip(getattr(schema, name).new_message(float32=value, float64=double))
        assert same(read.float32, value) and same(read.float64, double)


@given(st.data())
def test_fields_do_not_overlap(schema: Any, data: st.DataObject) -> None:
    """Setting fields in any order gives the last value of each, whatever their defaults."""
    names = [number.field for number in INTEGERS]
    values: dict[str, int] = {}
    builders = (schema.Scalars.new_message(), schema.Defaults.new_message())
    for field in data.draw(st.lists(st.sampled_from(names), max_size=12)):
        number = INTEGERS[names.index(field)]
        values[field] = data.draw(st.integers(number.low, number.high))
        for builder in builders:
            setattr(builder, field, values[field])
    for builder in builders:
        read = after_a_round_trip(builder)
        for field in names:
            default = DEFAULTS[field] if builder is builders[1] else 0
            assert getattr(read, field) == values.get(field, default)


@pytest.mark.parametrize(("name", "shown"), [("Int8", "an Int8"), ("UInt8", "a UInt8"), ("Event", "an Event")])
def test_a_type_has_its_article_in_an_error(name: str, shown: str) -> None:
    assert a(name) == shown
