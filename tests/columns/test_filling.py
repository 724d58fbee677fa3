"""Setting columns is as assigning the fields one by one, but nothing is set unless all fits."""

from __future__ import annotations

import array
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import ccapnp
from ccapnp import EncodeError, EncodeTypeError, UnionError, UnknownFieldError
from tests.columns.schema import NUMBERS, built, one_by_one, parking_lot

ALL = {**NUMBERS, "float32": (-2.5, math.inf), "float64": (-1e300, 1e300), "fuel": (0, 2**16 - 1)}
BOTH = pytest.mark.parametrize("type_name", ["Plain", "Preset"])


def assigned(struct_type: Any, field: str, values: Any) -> Any:
    """Structs whose field was assigned one by one."""
    structs = built(struct_type, [{}] * len(values))
    for element, value in zip(structs, values):
        setattr(element, field, value)
    return structs


@BOTH
@pytest.mark.parametrize("field", ALL)
def test_each_kind_of_number(schema: Any, numpy: Any, type_name: str, field: str) -> None:
    struct_type = getattr(schema, type_name)
    values = [*ALL[field], 0, 1, 5]
    expected = assigned(struct_type, field, values)
    structs = built(struct_type, [{}] * 5)
    dtype = structs.column(field).dtype
    for given in (values, tuple(values), iter(values), numpy.array(values, dtype), numpy.array(values, object)):
        structs.set_columns({field: [0] * 5})
        structs.set_columns({field: given})
        assert structs == expected and structs.column(field).tolist() == values
    swapped = numpy.array(values, dtype).astype(dtype.newbyteorder(">"))
    structs.set_columns({field: [0] * 5})
    structs.set_columns(**{field: numpy.repeat(swapped, 2)[::2]})
    assert structs == expected


@BOTH
@pytest.mark.parametrize("field", ["flag", "other"])
def test_bools(schema: Any, numpy: Any, type_name: str, field: str) -> None:
    struct_type = getattr(schema, type_name)
    values = [True, False, False, True]
    for given in (values, numpy.array(values), numpy.array(values, object)):
        structs = built(struct_type, [{"flag": True, "uint8": 1}, {"other": True}, {"other": False}, {}])
        expected = structs.__copy__()
        for element, value in zip(expected, values):
            setattr(element, field, value)
        structs.set_columns({field: given})
        assert structs == expected and structs.column(field).tolist() == values


def test_enums_by_name_and_number(schema: Any, numpy: Any) -> None:
    structs = built(schema.Preset, [{}] * 3)
    for given in (["petrol", "electric", "diesel"], [0, schema.Fuel.electric, 1], numpy.array([0, 2, 1], "i8")):
        structs.set_columns(fuel=[2, 2, 2])
        structs.set_columns(fuel=given)
        assert one_by_one(structs, "fuel") == [0, 2, 1]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
)
@pytest.mark.parametrize("field", ALL)
def test_an_array_of_another_type(schema: Any, numpy: Any, field: str, dtype: str) -> None:
    values = numpy.array([1, 2, 100], dtype)
    structs = built(schema.Plain, [{}] * 3)
    if dtype.startswith("float") and not field.startswith("float"):
        with pytest.raises(EncodeTypeError, match=rf"^{field}\[0\]: "):
            structs.set_columns({field: values})
    else:
        structs.set_columns({field: values})
        assert one_by_one(structs, field) == [1, 2, 100]


def test_bools_are_numbers_as_in_python(schema: Any, numpy: Any) -> None:
    structs = built(schema.Plain, [{}] * 2)
    for values in ([True, False], numpy.array([True, False])):
        structs.set_columns(dict.fromkeys(ALL, [0, 0]))
        structs.set_columns(dict.fromkeys(ALL, values))
        assert all(one_by_one(structs, field) == [1, 0] for field in ALL)


def test_floats_from_arrays(schema: Any, numpy: Any) -> None:
    structs = built(schema.Odd, [{}] * 4)
    values = numpy.array([1.5, math.nan, -math.inf, 0.1])
    structs.set_columns(nan=values, inf=values)
    expected = assigned(schema.Odd, "nan", values.tolist())
    for element, value in zip(expected, values.tolist()):
        element.inf = value
    assert ccapnp.to_bytes(structs[0]) == ccapnp.to_bytes(expected[0])
    assert [ccapnp.canonicalize(each) for each in structs] == [ccapnp.canonicalize(each) for each in expected]
    structs.set_columns(nan=numpy.array([0.5, 1, 2, 3], "f2"), inf=numpy.array([2**63, 1, 0, 3], "u8"))
    assert one_by_one(structs, "nan") == [0.5, 1, 2, 3] and one_by_one(structs, "inf") == [2.0**63, 1, 0, 3]


def test_buffers_ranges_and_columns(schema: Any, numpy: Any) -> None:
    structs = built(schema.Plain, [{"int16": -5}] * 4)
    structs.set_columns(int32=range(4), int64=array.array("q", [9, 8, 7, 6]), uint8=b"abcd", uint16=memoryview(b"xyz!"))
    assert one_by_one(structs, "int32") == [0, 1, 2, 3] and one_by_one(structs, "int64") == [9, 8, 7, 6]
    assert one_by_one(structs, "uint8") == list(b"abcd") and one_by_one(structs, "uint16") == list(b"xyz!")
    structs.set_columns(int16=structs.column("int32"), int32=structs.column("int16"))
    assert one_by_one(structs, "int16") == [0, 1, 2, 3] and one_by_one(structs, "int32") == [-5] * 4


@pytest.mark.parametrize("path", ["tank.litres", "tank.cap.size", "seats", "weight"])
def test_paths_through_groups(schema: Any, path: str) -> None:
    lot = parking_lot(schema)
    others = lot.cars.columns()
    lot.cars.set_columns({path: range(10, 20)})
    for each, column in lot.cars.columns().items():
        assert column.tolist() == (list(range(10, 20)) if each == path else others[each].tolist())


def test_paths_through_structs(schema: Any) -> None:
    """Null pointers lead to new structs then, or to copies of their defaults."""
    cars = parking_lot(schema).cars
    cars.set_columns(
        {
            "engine.power": range(10),
            "engine.maker.year": range(1990, 2000),
            "engine.turbo": [True, False] * 5,
            "spare.power": range(10),
        },
        seats=range(10),
    )
    for path in ("engine.power", "spare.power", "seats"):
        assert one_by_one(cars, path) == cars.column(path).tolist() == list(range(10))
    assert one_by_one(cars, "engine.maker.year") == list(range(1990, 2000))
    assert [car.engine.size for car in cars[:4]] == [1.5, 2, 4, 1.5] and cars[1].engine.maker.name == "maker 1"
    assert cars[0].spare.maker.name == "spare"


def test_a_member_of_a_union_becomes_the_active_one(schema: Any) -> None:
    structs = built(schema.Choice, [{"number": 5}, {"real": 1.5}, {"inner": {"x": 3}}])
    structs.set_columns(real=[0.5, 1.5, 2.5])
    assert [each.which() for each in structs] == ["real"] * 3 and one_by_one(structs, "real") == [0.5, 1.5, 2.5]
    structs.set_columns(flag=[True, False, True])
    assert one_by_one(structs, "flag") == [True, False, True]


def test_a_path_leads_through_active_members_only(schema: Any) -> None:
    structs = built(schema.Choice, [{"inner": {"x": 1}}, {"number": 5}])
    before = [each.to_bytes() for each in structs]
    with pytest.raises(UnionError, match=r"^\[1\]\.inner: Choice\.inner is not the active member"):
        structs.set_columns({"inner.x": [3, 4]})
    assert [each.to_bytes() for each in structs] == before
    structs[1].init("inner")
    structs.set_columns({"inner.x": [3, 4]})
    assert one_by_one(structs, "inner.x") == [3, 4]


# ---- what is refused


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (lambda np: {"seats": [1, 2, 256]}, r"^seats\[2\]: 256 does not fit in a UInt8"),
        (lambda np: {"seats": np.array([1, -1, 3])}, r"^seats\[1\]: -1 does not fit in a UInt8"),
        (lambda np: {"seats": np.array([1, 2, 300], "u2")}, r"^seats\[2\]: .*300.* does not fit in a UInt8"),
        (lambda np: {"seats": np.array([1, 2, 3.0])}, r"^seats\[0\]: a UInt8 is set from an integer"),
        (lambda np: {"seats": ["1", 2, 3]}, r"^seats\[0\]: "),
        (lambda np: {"seats": [1, None, 3]}, r"^seats\[1\]: "),
        (lambda np: {"weight": np.array([1, 2j, 3])}, r"^weight\[0\]: a Float64 is set from a number"),
        (lambda np: {"tank.litres": np.array([1, 1e39, 3])}, r"^tank\.litres\[1\]: .*does not fit in a Float32"),
        (lambda np: {"tank.cap.size": [0, 0, 2**15]}, r"^tank\.cap\.size\[2\]: 32768 does not fit"),
        (lambda np: {"engine.fuel": [0, "steam", 1]}, r"^engine\.fuel\[1\]: Fuel has no 'steam'"),
        (lambda np: {"engine.fuel": np.array([0, 65536, 1])}, r"^engine\.fuel\[1\]: .*65536"),
        (lambda np: {"alarm": np.array([0, 1, 0])}, r"^alarm\[0\]: a Bool is set from True or False"),
        (lambda np: {"seats": [1, 2]}, r"^seats: 2 values cannot be set in a list of 3 structs"),
        (lambda np: {"seats": np.arange(4)}, r"^seats: 4 values cannot be set in a list of 3 structs"),
        (lambda np: {"seats": np.ones((3, 2), int)}, r"^seats\[0\]: "),
        (lambda np: {"seats": 5}, r"^seats: a List\(UInt8\) is set from a list or another iterable, not int"),
        (lambda np: {"seats": "abc"}, r"^seats: a List\(UInt8\) is set from a list or another iterable, not str"),
        (lambda np: {"make": ["a", "b", "c"]}, r"^make: numbers, enums and Bools are set as columns"),
        (lambda np: {"engine": [{}, {}, {}]}, r"^engine: numbers, enums and Bools are set as columns"),
        (lambda np: {"tank": [{}, {}, {}]}, r"^tank: numbers, enums and Bools are set as columns"),
        (lambda np: {"nothing": [None] * 3}, r"^nothing: numbers, enums and Bools are set as columns"),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(
    schema: Any, numpy: Any, columns: Callable[[Any], dict[str, Any]], reason: str
) -> None:
    lot = parking_lot(schema, 3)
    before = lot.to_bytes()
    with pytest.raises(EncodeError, match=reason):
        lot.cars.set_columns({"weight": [7.5] * 3, "engine.power": [1, 2, 3], **columns(numpy)})
    assert lot.to_bytes() == before


def test_two_members_of_one_union(schema: Any) -> None:
    cars = parking_lot(schema, 3).cars
    for columns in (
        {"price": [1, 2, 3], "lease.rate": [1, 2, 3]},
        {"lease.rate": [1, 2, 3], "loan.year": [1, 2, 3]},
    ):
        with pytest.raises(EncodeError, match="are members of one union: only one of them can be set"):
            cars.set_columns(columns)
    assert all(car.which() == "new" for car in cars)


def test_names_that_are_unknown(schema: Any) -> None:
    cars = parking_lot(schema, 3).cars
    with pytest.raises(UnknownFieldError, match="did you mean 'seats'"):
        cars.set_columns(seat=[1, 2, 3])
    with pytest.raises(EncodeTypeError, match=r"List\(UInt8\) has no columns"):
        cars[0].doors.set_columns(x=[1])
    assert not hasattr(parking_lot(schema).as_reader().cars, "set_columns")


def test_an_empty_list_and_no_columns(schema: Any, numpy: Any) -> None:
    lot = schema.Lot.new_message(cars=[])
    lot.cars.set_columns({"engine.power": []}, weight=numpy.zeros(0), alarm=[])
    lot.cars.set_columns()
    parking_lot(schema).cars.set_columns({})
    with pytest.raises(EncodeError, match="1 values cannot be set in a list of 0"):
        lot.cars.set_columns(seats=[1])


def test_a_list_made_from_columns(schema: Any, numpy: Any) -> None:
    draw = random.Random(3)
    columns = {
        "seats": numpy.array([draw.randrange(256) for _ in range(1000)]),
        "weight": numpy.array([draw.random() for _ in range(1000)]),
        "alarm": numpy.array([draw.random() < 0.5 for _ in range(1000)]),
        "tank.cap.size": numpy.array([draw.randint(-9, 9) for _ in range(1000)]),
        "engine.power": numpy.array([draw.randrange(500) for _ in range(1000)]),
    }
    lot = schema.Lot.new_message()
    lot.init("cars", 1000).set_columns(columns)
    cars = schema.Lot.from_bytes_packed(lot.to_bytes_packed()).cars
    for path, column in cars.columns(*columns).items():
        assert column.tolist() == columns[path].tolist() == one_by_one(cars, path)
