"""Columns hold what a loop over the structs reads."""

from __future__ import annotations

import gc
import random
import sys
from typing import Any

import pytest

import ccapnp
from ccapnp import DecodeError, EncodeError, EncodeTypeError, UnionError, UnknownFieldError
from tests.columns.schema import NUMBERS, built, one_by_one, parking_lot, read

DTYPES = {
    **{name: name for name in NUMBERS},
    "float32": "float32",
    "float64": "float64",
    "fuel": "uint16",
    "flag": "bool",
    "other": "bool",
}
CAR_COLUMNS = ["seats", "weight", "alarm", "tank.litres", "tank.cap.size"]
BELOW = ["engine.power", "engine.size", "engine.fuel", "engine.turbo", "engine.maker.year", "spare.power"]


def numbers(seed: int = 1) -> list[dict[str, Any]]:
    """Values for `Plain` and `Preset`."""
    draw = random.Random(seed)
    made = [
        {
            **{name: draw.choice((low, high, draw.randint(low, high))) for name, (low, high) in NUMBERS.items()},
            "float32": draw.choice((0.5, -0.25, float("inf"))),
            "float64": draw.uniform(-1e300, 1e300),
            "flag": draw.random() < 0.5,
            "other": draw.random() < 0.5,
            "fuel": draw.randint(0, 4),
        }
        for _ in range(20)
    ]
    return [*made, {}]


@pytest.mark.parametrize("type_name", ["Plain", "Preset"])
@pytest.mark.parametrize("field", DTYPES)
def test_a_column_of_each_kind_of_number(schema: Any, type_name: str, field: str) -> None:
    struct_type = getattr(schema, type_name)
    builders = built(struct_type, numbers())
    for structs in (builders, read(struct_type, builders)):
        column = structs.column(field)
        assert column.dtype == DTYPES[field] and column.tolist() == one_by_one(structs, field)


def test_a_default_of_nan_or_infinity(schema: Any) -> None:
    structs = built(schema.Odd, [{}, {"nan": 1.5, "inf": 2.5}, {"nan": float("-inf"), "inf": float("inf")}])
    assert repr(structs.column("nan").tolist()) == "[nan, 1.5, -inf]"
    assert structs.column("inf").tolist() == [float("inf"), 2.5, float("inf")]


@pytest.mark.parametrize("path", [*CAR_COLUMNS, *BELOW])
def test_a_path_through_groups_and_structs(schema: Any, path: str) -> None:
    lot = parking_lot(schema, 50)
    expected = one_by_one(schema.Lot.from_bytes(lot.to_bytes()).cars, path)
    assert len(set(expected)) > 1
    for cars in (lot.cars, lot.as_reader().cars, schema.Lot.from_bytes(lot.to_bytes()).cars):
        assert cars.column(path).tolist() == expected


def test_reading_a_builders_column_changes_nothing(schema: Any) -> None:
    lot = parking_lot(schema)
    before = lot.to_bytes()
    for path in (*CAR_COLUMNS, *BELOW, "engine.maker.name", "tank.cap.color"):
        lot.cars.column(path)
    assert lot.to_bytes() == before and not lot.cars[0].has("engine")


def test_what_is_no_number_is_a_list(schema: Any) -> None:
    lot = schema.Lot.from_bytes(parking_lot(schema).to_bytes())
    cars = lot.cars
    for path in ("make", "tank.cap.color", "engine.maker.name", "spare.maker.name", "doors", "engine", "tank.cap"):
        assert cars.column(path) == one_by_one(cars, path)
    assert cars.column("nothing") == [None] * 10
    assert cars.column("engine")[1].maker.name == "maker 1" and isinstance(cars.column("engine"), list)


def test_several_columns(schema: Any, numpy: Any) -> None:
    cars = parking_lot(schema).cars
    found = cars.columns("seats", "engine.power", "make")
    assert list(found) == ["seats", "engine.power", "make"] and found["make"][2] == "make 2"
    for path in ("seats", "engine.power"):
        assert isinstance(found[path], numpy.ndarray) and found[path].tolist() == cars.column(path).tolist()


def test_all_columns_are_the_numbers_outside_unions(schema: Any) -> None:
    assert list(parking_lot(schema).cars.columns()) == CAR_COLUMNS
    assert list(built(schema.Plain, [{}]).columns()) == [
        "flag", "other", *NUMBERS, "float32", "float64", "fuel"
    ]  # fmt: skip
    assert built(schema.Choice, [{}]).columns() == {} == built(schema.Nothing, [{}]).columns()


def test_the_schemas_name_and_the_attributes(schema: Any) -> None:
    structs = built(schema.Odd, [{"from": 3}])
    assert structs.column("from").tolist() == structs.column("from_").tolist() == [3]
    assert list(structs.columns()) == ["nan", "inf", "from"]


# ---- memory


@pytest.mark.parametrize("path", ["seats", "weight", "tank.litres", "tank.cap.size"])
def test_a_column_of_the_structs_own_is_a_view(schema: Any, numpy: Any, path: str) -> None:
    lot = parking_lot(schema)
    data = bytearray(lot.to_bytes())
    column = schema.Lot.from_bytes(data).cars.column(path)
    assert numpy.shares_memory(column, numpy.frombuffer(data, "u1")) and not column.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        column.flags.writeable = True
    column = lot.cars.column(path)
    column[3] = 99
    assert one_by_one(lot.cars, path)[3] == 99 == one_by_one(schema.Lot.from_bytes(lot.to_bytes()).cars, path)[3]


@pytest.mark.parametrize("path", ["alarm", "engine.power", "engine.size"])
def test_a_copy_cannot_be_written_to(schema: Any, path: str) -> None:
    column = parking_lot(schema).cars.column(path)
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 1


def test_a_copy_of_defaults_cannot_be_written_to(schema: Any) -> None:
    structs = built(schema.Preset, numbers())
    assert not any(column.flags.writeable for column in structs.columns().values())


def test_an_array_keeps_the_message_alive(schema: Any) -> None:
    if sys.implementation.name != "cpython":
        pytest.skip("needs the reference counts of CPython")
    lot = parking_lot(schema, 100)
    of_builder = lot.cars.column("weight")
    of_reader = schema.Lot.from_bytes(lot.to_bytes()).cars.column("weight")
    expected = of_builder.tolist()
    del lot
    gc.collect()
    filler = [bytes(100_000) for _ in range(20)]
    assert of_reader.tolist() == of_builder.tolist() == expected and filler


def test_memory_that_an_array_looks_into_stays_where_it_is(schema: Any) -> None:
    data = bytearray(parking_lot(schema).to_bytes())
    array = schema.Lot.from_bytes(data).cars.column("weight")
    gc.collect()
    with pytest.raises(BufferError):
        data.clear()
    assert array[2] == 0.5


def test_bytes_that_are_not_aligned(schema: Any) -> None:
    data = parking_lot(schema).to_bytes()
    for shift in range(8):
        cars = schema.Lot.from_bytes(memoryview(bytes(shift) + data)[shift:]).cars
        for path in (*CAR_COLUMNS, *BELOW):
            assert cars.column(path).tolist() == one_by_one(cars, path)


# ---- lists of other shapes


def test_an_empty_list(schema: Any) -> None:
    empty = schema.Lot.new_message(cars=[])
    for cars in (empty.cars, schema.Lot.from_bytes(empty.to_bytes()).cars, schema.Lot.new_message().as_reader().cars):
        assert cars.column("weight").dtype == "float64" and cars.column("alarm").dtype == bool
        for path in ("weight", "alarm", "engine.power", "price", "make"):
            assert len(cars.column(path)) == 0
    assert len(schema.Lot.new_message().cars.column("weight")) == 0


def test_structs_without_a_size(schema: Any) -> None:
    nothing = built(schema.Nothing, [{}] * 5)
    for structs in (read(schema.Plain, nothing), read(schema.Car, nothing)):
        for path, column in structs.columns().items():
            assert column.tolist() == one_by_one(structs, path)
    assert read(schema.Car, nothing).column("spare.power").tolist() == [7] * 5
    assert read(schema.Nothing, built(schema.Plain, [{}] * 5)).columns() == {}


@pytest.mark.parametrize("stored", ["UINT8", "INT16", "UINT32", "UINT64", "VOID"])
@pytest.mark.parametrize("read_as", ["Number", "Narrow", "Plain", "Preset", "Car"])
def test_a_list_of_numbers_as_structs(schema: Any, stored: str, read_as: str) -> None:
    message = ccapnp.MessageBuilder()
    values = [None] * 5 if stored == "VOID" else [1, 2, 127, 0, 100]
    message.set_root(values, ccapnp.List[getattr(ccapnp.Kind, stored)])
    structs = ccapnp.MessageReader(message.to_bytes()).get_root(ccapnp.List[getattr(schema, read_as)])
    for path, column in structs.columns().items():
        assert column.tolist() == one_by_one(structs, path)


def test_a_list_of_pointers_as_structs(schema: Any) -> None:
    message = ccapnp.MessageBuilder()
    message.set_root(["a", "bc"], ccapnp.List[ccapnp.Text])
    structs = ccapnp.MessageReader(message.to_bytes()).get_root(ccapnp.List[schema.Maker])
    assert structs.column("name") == ["a", "bc"] and structs.column("year").tolist() == [1900, 1900]


@pytest.mark.parametrize("read_as", ["Plain", "Preset", "Car", "Engine", "Number", "Choice", "Pointer"])
@pytest.mark.parametrize("written_as", ["Plain", "Preset", "Engine", "Narrow", "Maker", "Number"])
def test_elements_of_an_older_or_a_newer_schema(schema: Any, numpy: Any, written_as: str, read_as: str) -> None:
    """Whatever the elements' sections are, what lies there is read as the field's type."""
    written = built(getattr(schema, written_as), [{}] * 4)
    for index, (path, column) in enumerate(written.columns().items()):
        written.set_columns({path: (numpy.arange(4) * 3 + index).astype(column.dtype)})
    structs = read(getattr(schema, read_as), written)
    for path, column in structs.columns().items():
        assert repr(column.tolist()) == repr([column.dtype.type(each).item() for each in one_by_one(structs, path)])


# ---- unions


def mixed(schema: Any) -> Any:
    cars: list[dict[str, Any]] = [
        {"price": 5},
        {"lease": {"rate": 7, "months": 12}},
        {},
        {"price": 6},
        {"loan": {"year": 3}},
    ]
    return schema.Lot.from_bytes(schema.Lot.new_message(cars=cars).to_bytes()).cars


def test_a_member_that_is_active_everywhere_is_a_view(schema: Any, numpy: Any) -> None:
    lot = schema.Lot.new_message(cars=[{"price": index} for index in range(5)])
    column = lot.cars.column("price")
    column[2] = 44
    assert one_by_one(lot.cars, "price") == [0, 1, 44, 3, 4]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("price", r"^\[1\]\.price: Car\.price is not the active member of its union; that is lease$"),
        ("lease.months", r"^\[0\]\.lease: Car\.lease is not the active member"),
        ("loan.year", r"^\[0\]\.loan: "),
        ("loan", r"^\[0\]\.loan: "),
        ("new", r"^\[0\]\.new: "),
    ],
)
def test_a_member_that_is_not_active_is_an_error(schema: Any, path: str, reason: str) -> None:
    with pytest.raises(UnionError, match=reason) as caught:
        mixed(schema).column(path)
    assert caught.value.type == "Car"


def test_what_stands_for_a_member_that_is_not_active(schema: Any) -> None:
    cars = mixed(schema)
    assert cars.column("price", fill=-1).tolist() == [5, -1, -1, 6, -1]
    assert cars.column("lease.months", fill=0).tolist() == [0, 12, 0, 0, 0]
    assert cars.column("loan.year", fill=9).tolist() == [9, 9, 9, 9, 3]
    assert cars.column("loan.name", fill=None) == [None, None, None, None, ""]
    assert cars.columns("price", "lease.rate", fill=1)["lease.rate"].tolist() == [1, 7, 1, 1, 1]
    assert not cars.column("price", fill=-1).flags.writeable
    with pytest.raises(UnionError):
        cars.columns("seats", "price")


def test_a_masked_array(schema: Any, numpy: Any) -> None:
    cars = mixed(schema)
    prices, all_seats = cars.columns("price", "seats", fill=numpy.ma.masked).values()
    assert prices.tolist() == [5, None, None, 6, None] and prices.sum() == 11
    assert all_seats.mask.tolist() == [False] * 5 and all_seats.dtype == "uint8"
    assert cars.column("loan.year", fill=numpy.ma.masked).tolist() == [None, None, None, None, 3]
    assert cars.column("loan.name", fill=numpy.ma.masked)[0] is numpy.ma.masked
    changed = parking_lot(schema).cars
    changed.column("seats", fill=numpy.ma.masked)[2] = 9
    assert changed[2].seats == 9
    with pytest.raises(ValueError, match="read-only"):
        prices[0] = 1


def test_a_union_that_is_not_there_has_its_first_member(schema: Any) -> None:
    structs = read(schema.Choice, built(schema.Nothing, [{}] * 3))
    assert structs.column("number").tolist() == [0, 0, 0]
    assert structs.column("inner.x", fill=5).tolist() == [5, 5, 5]


def test_a_fill_must_fit(schema: Any) -> None:
    cars = mixed(schema)
    for fill in (1.5, None, "x"):
        with pytest.raises(EncodeTypeError, match=r"^fill\[0\]: "):
            cars.column("price", fill=fill)
    with pytest.raises(EncodeError, match="does not fit in an Int16"):
        cars.column("lease.months", fill=2**15)
    assert cars.column("engine.fuel", fill="electric").tolist() == [1] * 5


# ---- what is refused


def test_a_path_that_leads_nowhere(schema: Any) -> None:
    cars = parking_lot(schema).cars
    with pytest.raises(UnknownFieldError, match=r"Car has no field 'seat'; did you mean 'seats'\?"):
        cars.column("seat")
    with pytest.raises(UnknownFieldError, match="Engine has no field 'horses'"):
        cars.column("engine.horses")
    for path in ("seats.x", "make.x", "doors.x", "any.x", "engine.maker.name.x"):
        with pytest.raises(UnknownFieldError, match="is neither a struct nor a group, and has no field 'x'"):
            cars.column(path)
    for path in ("", ".", "engine.", ".engine", "tank..cap"):
        with pytest.raises(UnknownFieldError):
            cars.column(path)
    for path in (None, 1, b"seats"):
        with pytest.raises(TypeError, match="named by a str"):
            cars.column(path)


def test_only_structs_have_columns(schema: Any) -> None:
    car = parking_lot(schema).cars[0]
    for numbers in (car.doors, car.as_reader().doors):
        for use in (lambda numbers: numbers.column("x"), lambda numbers: numbers.columns()):
            with pytest.raises(EncodeTypeError, match=r"List\(UInt8\) has no columns"):
                use(numbers)


def test_a_wrong_text_is_located(schema: Any) -> None:
    data = parking_lot(schema).to_bytes().replace(b"maker 2\0", b"maker \xff\0")
    with pytest.raises(DecodeError, match=r"^\[2\]\.engine\.maker\.name: a text is not valid UTF-8"):
        schema.Lot.from_bytes(data).cars.column("engine.maker.name")
