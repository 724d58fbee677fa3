"""A list of structs as numpy sees it."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

import ccapnp
from tests.columns.schema import NUMBERS, built, one_by_one, parking_lot, read

IN_PLACE = {"seats": "u1", "weight": "f8", "tank.litres": "f4", "tank.cap.size": "i2"}


def test_the_fields_and_their_names(schema: Any, numpy: Any) -> None:
    array = numpy.asarray(parking_lot(schema).cars)
    assert {name: array.dtype[name].str[1:] for name in array.dtype.names} == IN_PLACE
    assert array.shape == (10,) and array.dtype.itemsize == 8 * schema.Car._node.data_words
    for path in IN_PLACE:
        assert array[path].tolist() == one_by_one(parking_lot(schema).cars, path)
    plain = numpy.asarray(built(schema.Plain, [{}]))
    assert plain.dtype.names == (*NUMBERS, "float32", "float64", "fuel")
    assert plain.dtype["fuel"] == "uint16"


def test_a_view_where_no_default_is_in_the_way(schema: Any, numpy: Any) -> None:
    lot = parking_lot(schema)
    data = bytearray(lot.to_bytes())
    array = numpy.asarray(schema.Lot.from_bytes(data).cars)
    assert numpy.shares_memory(array, numpy.frombuffer(data, "u1"))
    with pytest.raises(ValueError, match="read-only"):
        array["seats"] = 1
    with pytest.raises(ValueError, match="read-only"):
        array[0] = array[1]
    del lot
    with pytest.raises(BufferError):
        data.clear()


def test_a_builders_array_writes_into_the_message(schema: Any, numpy: Any) -> None:
    lot = parking_lot(schema)
    array = numpy.asarray(lot.cars)
    array["seats"] += 1
    array["tank.cap.size"][::2] = 77
    assert [car.seats for car in lot.cars] == list(range(1, 11))
    assert lot.cars[4].tank.cap.size == 77 and lot.cars[4].make == "make 4"
    array[3] = array[8]
    assert lot.cars[3].weight == 2.0 and lot.cars[3].make == "make 3"
    assert not numpy.asarray(lot.as_reader().cars).flags.writeable


def test_a_copy_has_the_same_type(schema: Any, numpy: Any) -> None:
    cars = parking_lot(schema).cars
    older = read(schema.Car, built(schema.Nothing, [{}] * 3))
    array = numpy.asarray(older)
    assert array.dtype == numpy.asarray(cars).dtype and not array.flags.writeable
    assert array.tolist() == [(0, 0.0, 0.0, 0)] * 3
    preset = numpy.asarray(built(schema.Preset, [{}, {"int16": 5, "fuel": 1}]))
    assert preset["int16"].tolist() == [-12345, 5] and preset["fuel"].tolist() == [2, 1]
    assert not preset.flags.writeable


@pytest.mark.parametrize("type_name", ["Plain", "Preset", "Engine", "Choice", "Odd", "Pointer", "Nothing", "Narrow"])
@pytest.mark.parametrize("written_as", ["Car", "Plain", "Nothing", "Maker"])
def test_elements_of_any_shape(schema: Any, numpy: Any, type_name: str, written_as: str) -> None:
    structs = read(getattr(schema, type_name), built(getattr(schema, written_as), [{}] * 3))
    array = numpy.asarray(structs)
    assert array.shape == (3,)
    for path in array.dtype.names:
        assert repr(array[path].tolist()) == repr(structs.column(path).tolist())


def test_numbers_read_as_structs(schema: Any, numpy: Any) -> None:
    for kind in (ccapnp.Kind.UINT8, ccapnp.Kind.INT32, ccapnp.Kind.UINT64):
        message = ccapnp.MessageBuilder()
        message.set_root([1, 2, 3], ccapnp.List[kind])
        structs = ccapnp.MessageReader(message.to_bytes()).get_root(ccapnp.List[schema.Number])
        array = numpy.asarray(structs)
        assert array["value"].tolist() == one_by_one(structs, "value") and array["more"].tolist() == [-7] * 3


def test_an_empty_list(schema: Any, numpy: Any) -> None:
    lot = schema.Lot.new_message(cars=[])
    for cars in (lot.cars, lot.as_reader().cars, schema.Lot.new_message().as_reader().cars):
        array = numpy.asarray(cars)
        assert array.shape == (0,) and array.dtype.names == tuple(IN_PLACE)


def test_numpy_array_copies(schema: Any, numpy: Any) -> None:
    lot = parking_lot(schema)
    for cars in (lot.cars, lot.as_reader().cars, read(schema.Preset, built(schema.Preset, [{}, {}]))):
        array = numpy.array(cars)
        array[array.dtype.names[0]] = 1
        assert not numpy.shares_memory(array, numpy.asarray(cars))
    assert lot.cars[5].seats == 5


def test_the_protocol_of_old_and_new_numpy(schema: Any, numpy: Any) -> None:
    lot = parking_lot(schema)
    cars, preset = lot.cars, built(schema.Preset, [{}])
    assert numpy.shares_memory(cars.__array__(), cars.__array__(None, copy=False))
    assert cars.__array__(copy=False).flags.writeable
    assert not numpy.shares_memory(cars.__array__(), cars.__array__(copy=True))
    assert preset.__array__(copy=True).flags.writeable and not preset.__array__().flags.writeable
    with pytest.raises(ValueError, match="without a copy"):
        preset.__array__(copy=False)
    narrower = numpy.dtype([("seats", "i4"), ("weight", "f4"), ("litres", "f8"), ("size", "i8")])
    assert numpy.asarray(cars, narrower)["size"].tolist() == cars.column("tank.cap.size").tolist()
    with pytest.raises(ValueError, match="without a copy"):
        cars.__array__(narrower, copy=False)
    assert numpy.shares_memory(cars.__array__(cars.__array__().dtype), cars.__array__())


def test_arrays_are_pickled_and_copied(schema: Any, numpy: Any) -> None:
    cars = parking_lot(schema).as_reader().cars
    for value in (numpy.asarray(cars), cars.column("weight"), cars.column("alarm"), cars.column("engine.power")):
        for made in (pickle.loads(pickle.dumps(value, protocol=5)), copy.deepcopy(value), value.copy()):
            assert made.dtype == value.dtype and made.tolist() == value.tolist()


def test_a_list_of_structs_is_still_a_sequence(schema: Any, numpy: Any) -> None:
    lot = parking_lot(schema)
    other = schema.Lot.new_message(cars=lot.cars)
    assert other.cars == lot.cars and pickle.loads(pickle.dumps(lot.cars)) == lot.cars
    assert numpy.array([*lot.cars[0].doors]).tolist() == [0]


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
import ccapnp
schema = ccapnp.load_text("@0xbdd2e2d5e2d5f3a1; struct Pair { x @0 :Int32; } struct Pairs { all @0 :List(Pair); }")
pairs = schema.Pairs.new_message(all=[{"x": 1}]).all
for use in (lambda: pairs.column("x"), lambda: pairs.columns(), lambda: pairs.set_columns(x=[1]), pairs.__array__):
    try:
        use()
    except ImportError as error:
        assert "pip install 'ccapnp[numpy]'" in str(error), error
        assert error.__cause__ is not None
    else:
        raise AssertionError
assert pairs[0].x == 1
"""


def test_without_numpy_the_error_says_what_to_install() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], check=True)
