"""Lists as sequences: they behave as a `list` of the same elements does, whatever the elements are."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from tests.types.schema import FEWER, LIST_VALUES
from tests.types.values import ELEMENTS, list_views

EVERY_FIELD = pytest.mark.parametrize("field", LIST_VALUES)
STARTS = (-20, -2, 1, 3, 20)
INDEXES = (0, 1, -1, -2, 5, -6, 2**31, -(2**31) - 1, 2**63, -(2**64), sys.maxsize, -sys.maxsize - 1)


def model(found: Any) -> list[Any]:
    """The same elements in a `list`."""
    return [found[index] for index in range(len(found))]


def outcome(action: Callable[[Any], Any], target: Any) -> Any:
    """What comes of an action: its value, or the type of its error."""
    try:
        return action(target)
    except Exception as error:  # noqa: BLE001
        return type(error)


@pytest.mark.conformance("CPY-08")
@EVERY_FIELD
def test_cpy08_what_was_set_is_what_is_read(schema: Any, field: str) -> None:
    values = ["red", "blue", "green"] if field == "colors" else LIST_VALUES[field]
    for found in list_views(schema, field, LIST_VALUES[field]):
        assert found.to_list() == values
        assert isinstance(found, Sequence) and isinstance(found, ccapnp.ListReader)
        assert isinstance(found, ccapnp.ListBuilder) == hasattr(found, "__setitem__")
        assert len(found) == len(LIST_VALUES[field])


@pytest.mark.conformance("CPY-08")
@EVERY_FIELD
@FEWER
@given(data=st.data())
def test_indexes_and_slices_are_those_of_a_list(schema: Any, field: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(ELEMENTS[field], max_size=10))
    bounds = st.none() | st.integers(-12, 12)
    cut = slice(data.draw(bounds), data.draw(bounds), data.draw(bounds.filter(lambda step: step != 0)))
    for found in list_views(schema, field, values):
        expected = model(found)
        for index in (*INDEXES, *range(-12, 12)):
            assert outcome(operator.itemgetter(index), found) == outcome(operator.itemgetter(index), expected)
        assert type(found[cut]) is list and found[cut] == expected[cut]


@EVERY_FIELD
def test_what_is_no_index_is_refused_as_by_a_list(schema: Any, field: str) -> None:
    for found in list_views(schema, field, LIST_VALUES[field]):
        for index in (None, "0", 1.0, (0,), (0, 1), [], ..., b"0"):
            with pytest.raises(TypeError, match="list indices must be integers or slices, not"):
                found[index]
        for step in (slice(None, None, 0), slice("a", None), slice(1.0)):
            with pytest.raises((TypeError, ValueError)):
                found[step]
        assert found[True] == found[1] and found[:True] == found[:1]


@EVERY_FIELD
def test_numpy_integers_are_indexes(schema: Any, field: str, numpy: Any) -> None:
    for found in list_views(schema, field, LIST_VALUES[field]):
        assert found[numpy.int8(-1)] == found[len(found) - 1]
        assert found[: numpy.uint64(2)] == found[:2]


@EVERY_FIELD
def test_an_empty_list_is_falsy_and_has_no_elements(schema: Any, field: str) -> None:
    for found in (*list_views(schema, field, []), getattr(schema.Lists.new_message(), field)):
        assert not found and len(found) == 0 and list(found) == [] and list(reversed(found)) == [] and found == []
        assert found[:] == [] and found[::-1] == []
        for index in (0, -1, -100):
            with pytest.raises(IndexError, match="out of range for a list of 0"):
                found[index]


@EVERY_FIELD
@FEWER
@given(data=st.data())
def test_searching_and_iterating_are_those_of_a_list(schema: Any, field: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(ELEMENTS[field], max_size=8))
    for found in list_views(schema, field, values):
        expected = model(found)
        assert list(found) == expected and list(reversed(found)) == expected[::-1]
        assert found == expected and expected == found and (found != expected) is False
        assert found == found and found == list_views(schema, field, values)[2]
        assert bool(found) is bool(expected)
        for value in [*expected, object(), None, 1, "a"]:
            assert (value in found) is (value in expected)
            assert found.count(value) == expected.count(value)
            for arguments in (
                (value,),
                *((value, start) for start in STARTS),
                *((value, start, -1) for start in STARTS),
            ):
                search = operator.methodcaller("index", *arguments)
                assert outcome(search, found) == outcome(search, expected)
        for other in ([*expected, None], [None, *expected]):
            assert found != other
        if expected:
            assert found != expected[1:] and found != [*expected[:-1], object()]


@pytest.mark.conformance("CPY-08")
@EVERY_FIELD
def test_cpy08_a_list_is_no_tuple_and_has_no_order(schema: Any, field: str) -> None:
    for found in list_views(schema, field, LIST_VALUES[field]):
        for other in (tuple(found), "text", 5, None):
            assert found != other and other != found
        with pytest.raises(TypeError):
            _ = found < found
        with pytest.raises(TypeError, match="unhashable"):
            hash(found)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 63, 64, 65])
def test_bools_are_packed_and_their_padding_is_zero(schema: Any, count: int) -> None:
    values = [index % 3 != 1 for index in range(count)]
    builder = schema.Lists.new_message(bools=[True] * count)
    builder.bools[:] = values
    assert builder.bools == values and all(type(value) is bool for value in builder.bools)
    packed = int.from_bytes(builder.to_segments()[0][-8 * ((count + 63) // 64) :], "little") if count else 0
    assert packed == sum(1 << index for index, value in enumerate(values) if value)
    for index in range(count):
        builder.bools[index] = not values[index]
        assert builder.bools == [*values[:index], not values[index], *values[index + 1 :]]
        builder.bools[index] = values[index]
    assert schema.Lists.from_bytes(builder.to_bytes()).bools == values


def test_a_long_list_is_iterated_in_pieces(schema: Any) -> None:
    count = (1 << 16) + 3
    found = schema.Lists.from_bytes(schema.Lists.new_message(uint16s=[1] * count).to_bytes()).uint16s
    assert sum(found) == count and sum(reversed(found)) == count


def test_a_list_of_void_has_any_length_at_no_cost(schema: Any) -> None:
    builder = schema.Lists.new_message()
    voids = builder.init("voids", 2**29 - 1)
    assert len(voids) == 2**29 - 1 and voids[-1] is None and voids[5:7] == [None, None]
    assert len(builder.to_bytes()) < 300
