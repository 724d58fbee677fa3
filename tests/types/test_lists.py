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
from ccapnp import EncodeError, EncodeTypeError
from tests.types.schema import ELEMENTS_IN_PLACE, FEWER, LIST_VALUES, NUMBERS

EVERY_FIELD = pytest.mark.parametrize("field", LIST_VALUES)
STARTS = (-20, -2, 1, 3, 20)
INDEXES = (0, 1, -1, -2, 5, -6, 2**31, -(2**31) - 1, 2**63, -(2**64), sys.maxsize, -sys.maxsize - 1)


def pair(key: str, value: int) -> dict[str, Any]:
    return {"key": key, "value": value}


ELEMENTS: dict[str, st.SearchStrategy[Any]] = {
    **{number.list_field: st.integers(number.low, number.high) for number in NUMBERS[:8]},
    "voids": st.none(),
    "bools": st.booleans(),
    "float32s": st.floats(width=32, allow_nan=False),
    "float64s": st.floats(allow_nan=False),
    "texts": st.text(max_size=9),
    "datas": st.binary(max_size=9),
    "colors": st.integers(0, 65535),
    "structs": st.builds(pair, st.text(max_size=3), st.integers(-9, 9)),
    "lists": st.lists(st.integers(0, 65535), max_size=3),
    "structLists": st.lists(st.builds(pair, st.text(max_size=3), st.integers(-9, 9)), max_size=2),
    "textLists": st.lists(st.text(max_size=2), max_size=2),
}


def views(schema: Any, field: str, values: Sequence[Any]) -> list[Any]:
    """The list in a builder, a reader of the builder, and a message that was read."""
    builder = schema.Lists.new_message(**{field: values})
    return [
        getattr(view, field) for view in (builder, builder.as_reader(), schema.Lists.from_bytes(builder.to_bytes()))
    ]


def model(found: Any) -> list[Any]:
    """The same elements in a `list`."""
    return [found[index] for index in range(len(found))]


def outcome(action: Callable[[Any], Any], target: Any) -> Any:
    """What comes of an action: its value, or the type of its error."""
    try:
        return action(target)
    except Exception as error:  # noqa: BLE001
        return type(error)


@EVERY_FIELD
def test_cpy08_what_was_set_is_what_is_read(schema: Any, field: str) -> None:
    values = ["red", "blue", "green"] if field == "colors" else LIST_VALUES[field]
    for found in views(schema, field, LIST_VALUES[field]):
        assert found.to_list() == values
        assert isinstance(found, Sequence) and isinstance(found, ccapnp.ListReader)
        assert isinstance(found, ccapnp.ListBuilder) == hasattr(found, "__setitem__")
        assert len(found) == len(LIST_VALUES[field])


@EVERY_FIELD
@FEWER
@given(data=st.data())
def test_e2_indexes_and_slices_are_those_of_a_list(schema: Any, field: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(ELEMENTS[field], max_size=10))
    bounds = st.none() | st.integers(-12, 12)
    cut = slice(data.draw(bounds), data.draw(bounds), data.draw(bounds.filter(lambda step: step != 0)))
    for found in views(schema, field, values):
        expected = model(found)
        for index in (*INDEXES, *range(-12, 12)):
            assert outcome(operator.itemgetter(index), found) == outcome(operator.itemgetter(index), expected)
        assert type(found[cut]) is list and found[cut] == expected[cut]


@EVERY_FIELD
def test_e2_what_is_no_index_is_refused_as_by_a_list(schema: Any, field: str) -> None:
    for found in views(schema, field, LIST_VALUES[field]):
        for index in (None, "0", 1.0, (0,), (0, 1), [], ..., b"0"):
            with pytest.raises(TypeError, match="list indices must be integers or slices, not"):
                found[index]
        for step in (slice(None, None, 0), slice("a", None), slice(1.0)):
            with pytest.raises((TypeError, ValueError)):
                found[step]
        assert found[True] == found[1] and found[:True] == found[:1]


@EVERY_FIELD
def test_e2_numpy_integers_are_indexes(schema: Any, field: str, numpy: Any) -> None:
    for found in views(schema, field, LIST_VALUES[field]):
        assert found[numpy.int8(-1)] == found[len(found) - 1]
        assert found[: numpy.uint64(2)] == found[:2]


@EVERY_FIELD
def test_an_empty_list_is_falsy_and_has_no_elements(schema: Any, field: str) -> None:
    for found in (*views(schema, field, []), getattr(schema.Lists.new_message(), field)):
        assert not found and len(found) == 0 and list(found) == [] and list(reversed(found)) == [] and found == []
        assert found[:] == [] and found[::-1] == []
        for index in (0, -1, -100):
            with pytest.raises(IndexError, match="out of range for a list of 0"):
                found[index]


@EVERY_FIELD
@FEWER
@given(data=st.data())
def test_e4_searching_and_iterating_are_those_of_a_list(schema: Any, field: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(ELEMENTS[field], max_size=8))
    for found in views(schema, field, values):
        expected = model(found)
        assert list(found) == expected and list(reversed(found)) == expected[::-1]
        assert found == expected and expected == found and (found != expected) is False
        assert found == found and found == views(schema, field, values)[2]
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


@EVERY_FIELD
def test_cpy08_a_list_is_no_tuple_and_has_no_order(schema: Any, field: str) -> None:
    for found in views(schema, field, LIST_VALUES[field]):
        for other in (tuple(found), "text", 5, None):
            assert found != other and other != found
        with pytest.raises(TypeError):
            _ = found < found
        with pytest.raises(TypeError, match="unhashable"):
            hash(found)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 63, 64, 65])
def test_e7_bools_are_packed_and_their_padding_is_zero(schema: Any, count: int) -> None:
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


# ---- building


@EVERY_FIELD
def test_e5_a_list_is_set_from_any_iterable(schema: Any, field: str) -> None:
    values = LIST_VALUES[field]
    expected = schema.Lists.new_message(**{field: values})
    sources: list[Any] = [
        tuple(values),
        iter(values),
        (value for value in values),
        dict(enumerate(values)).values(),
        *views(schema, field, values),
        getattr(expected, field)[:],
    ]
    for source in sources:
        builder = schema.Lists.new_message(**{field: values[:1]})
        setattr(builder, field, source)
        assert builder == expected and builder.has(field)


@EVERY_FIELD
def test_e5_a_list_is_set_from_itself(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    before = builder.copy()
    setattr(builder, field, getattr(builder, field))
    assert builder == before
    setattr(builder, field, getattr(builder, field)[::-1])
    assert getattr(builder, field) == getattr(before, field)[::-1]
    setattr(builder, field, reversed(getattr(builder, field)))
    assert builder == before
    setattr(builder, field, getattr(builder.as_reader(), field)[1:])
    assert getattr(builder, field) == getattr(before, field)[1:]


def test_e5_other_sources(schema: Any) -> None:
    builder = schema.Lists.new_message(
        int32s=range(5), uint8s=b"\0\xff", uint16s=b"ab", float64s=range(2), voids=iter([None])
    )
    assert builder.int32s == [0, 1, 2, 3, 4] and builder.uint8s == [0, 255] and builder.uint16s == [97, 98]
    assert builder.float64s == [0.0, 1.0] and builder.voids == [None]
    builder.int32s = {7}
    assert builder.int32s == [7]
    builder.int32s = builder.uint8s  # another type of numbers
    assert builder.int32s == [0, 255]
    builder.texts = {"a": 1}.keys()
    assert builder.texts == ["a"]


@EVERY_FIELD
@pytest.mark.parametrize("value", ["ab", {"a": 1}, {}, "", 5, 1.5, object()], ids=str)
def test_e5_str_mappings_and_what_cannot_be_iterated_are_refused(schema: Any, field: str, value: Any) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    before = builder.to_bytes()
    with pytest.raises(EncodeTypeError, match=rf"^{field}: a List\(.*\) is set from a list or another iterable, not"):
        setattr(builder, field, value)
    assert builder.to_bytes() == before


@EVERY_FIELD
def test_a_bad_element_is_named_by_its_index_and_changes_nothing(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    before = builder.to_bytes()
    good = LIST_VALUES[field][:2]
    for bad in ([*good, object()], iter([*good, object()]), (*good, object())):
        with pytest.raises(EncodeTypeError) as caught:
            setattr(builder, field, bad)
        assert str(caught.value).startswith(f"{field}[2]: ") and caught.value.field == f"{field}[2]"
        assert caught.value.type == "Lists"
    found = getattr(builder, field)
    for change in (lambda: found.__setitem__(1, object()), lambda: found.__setitem__(slice(1, 3), [good[0], object()])):
        with pytest.raises(EncodeTypeError, match=r"^\[1\]: "):
            change()
    assert builder.to_bytes() == before


def test_an_error_deep_inside_names_the_whole_path(schema: Any) -> None:
    for values, path in (
        ({"lists": [[1], [2, 70000]]}, r"lists\[1\]\[1\]: 70000 does not fit in a UInt16"),
        ({"structLists": [[{"key": 1}]]}, r"structLists\[0\]\[0\]\.key: a Text is set"),
        ({"structs": [{}, {"kye": 1}]}, r"structs\[1\]\.kye: .*has no field 'kye'; did you mean 'key'"),
        ({"textLists": [["a", "b"], ["\ud800"]]}, r"textLists\[1\]\[0\]: .*not Unicode"),
    ):
        with pytest.raises(ccapnp.CapnpError, match=f"^{path}"):
            schema.Lists.new_message(**values)


@EVERY_FIELD
@FEWER
@given(data=st.data())
def test_elements_and_slices_are_set_as_those_of_a_list(schema: Any, field: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(ELEMENTS[field], max_size=6))
    builder = schema.Lists.new_message(**{field: values})
    found, expected = getattr(builder, field), values[:]
    for _ in range(data.draw(st.integers(0, 3))):
        bounds = st.none() | st.integers(-8, 8)
        cut = slice(data.draw(bounds), data.draw(bounds), data.draw(bounds.filter(lambda step: step != 0)))
        count = len(expected[cut])
        new = data.draw(st.lists(ELEMENTS[field], min_size=count, max_size=count))
        found[cut] = new
        if new:
            expected[cut] = new
        if expected:
            index = data.draw(st.integers(-len(expected), len(expected) - 1))
            found[index] = expected[index] = data.draw(ELEMENTS[field])
    assert builder == schema.Lists.new_message(**{field: expected})


@EVERY_FIELD
def test_an_index_or_length_that_does_not_fit_is_refused(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    before, found = builder.to_bytes(), getattr(builder, field)
    count, value = len(found), LIST_VALUES[field][0]
    for index in (count, -count - 1, 2**70):
        with pytest.raises(IndexError, match="out of range"):
            found[index] = value
    for index in ("0", None, 1.0, (0,)):
        with pytest.raises(TypeError, match="list indices must be integers or slices"):
            found[index] = value
    for cut, new in ((slice(None), [value]), (slice(1, 1), [value]), (slice(None, None, 2), [value] * 9)):
        with pytest.raises(ValueError, match="a list's length is fixed; .*init_resizable_list"):
            found[cut] = new
    with pytest.raises(TypeError, match="fixed length"):
        del found[0]
    assert builder.to_bytes() == before


@EVERY_FIELD
def test_a_slice_is_set_from_the_list_itself(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    found, before = getattr(builder, field), builder.copy()
    found[:] = reversed(found)
    assert found == getattr(before, field)[::-1]
    found[::-1] = found[:]
    assert builder == before
    found[1:] = found[:-1]
    assert found == [getattr(before, field)[0], *getattr(before, field)[:-1]]


def test_null_elements_stay_null_in_a_slice(schema: Any) -> None:
    builder = schema.Lists.new_message(texts=["x", "x", "x"], lists=[[1], [1], [1]])
    empty = schema.Lists.new_message()
    empty.init("texts", 3)
    empty.init("lists", 3)
    builder.texts[:] = [None] * 3
    builder.lists[:] = [None] * 3
    assert builder == empty


@EVERY_FIELD
def test_e3_growing_says_what_to_use_instead(schema: Any, field: str) -> None:
    found = getattr(schema.Lists.new_message(**{field: LIST_VALUES[field]}), field)
    value = LIST_VALUES[field][0]
    for grow in (lambda: found.append(value), lambda: found.extend([value]), lambda: found.insert(0, value)):
        with pytest.raises(TypeError, match=r"fixed length: assign .*init\(field, n\), or use init_resizable_list"):
            grow()


@EVERY_FIELD
def test_a_readers_list_cannot_be_changed(schema: Any, field: str) -> None:
    for found in views(schema, field, LIST_VALUES[field])[1:]:
        with pytest.raises(TypeError, match="does not support item assignment"):
            found[0] = LIST_VALUES[field][0]
        assert not hasattr(found, "append") and not hasattr(found, "init")


@EVERY_FIELD
def test_enc16_an_empty_list_is_set_whatever_it_came_from(schema: Any, field: str) -> None:
    """From a reader's null field, a builder's, an empty reader's, and a list of no elements."""
    empty = schema.Lists.new_message()
    sources = (
        getattr(schema.Lists.from_bytes(empty.to_bytes()), field),
        getattr(empty, field),
        getattr(schema.Lists.from_segments([bytes(8)]), field),
        schema.Lists.new_message().init(field, 0),
        [],
        (),
    )
    for source in sources:
        builder = schema.Lists.new_message()
        assert not builder.has(field)
        setattr(builder, field, source)
        assert builder.has(field) and len(getattr(builder, field)) == 0
        assert schema.Lists.from_bytes(builder.to_bytes()).has(field)
        setattr(builder, field, None)
        assert not builder.has(field)


@EVERY_FIELD
def test_init_gives_as_many_elements_as_were_asked_for(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message()
    made = builder.init(field, 3)
    assert len(made) == 3 and made == getattr(builder, field) and builder.has(field)
    made[1] = LIST_VALUES[field][1]
    assert getattr(builder, field)[1] == made[1]
    for size in (-1, 2**29):
        with pytest.raises(EncodeError, match=f"^{field}: .*cannot have"):
            builder.init(field, size)
    with pytest.raises(EncodeTypeError, match=f"^{field}: init of a list needs its number of elements"):
        builder.init(field)
    for bad in ("3", 3.0):
        with pytest.raises(TypeError):
            builder.init(field, bad)
    assert len(getattr(builder, field)) == 3


def test_e6_elements_are_inited_where_there_is_something_to_fill(schema: Any) -> None:
    builder = schema.Lists.new_message()
    lists = builder.init("lists", 2)
    lists.init(1, 3)[2] = 9
    lists.init(-2, 1)
    assert lists == [[0], [0, 0, 9]]
    datas = builder.init("datas", 1)
    datas.init(0, 2)[:] = b"ab"
    assert datas == [b"ab"]
    structs = builder.init("structs", 2)
    structs[1] = {"key": "old", "value": 1}
    structs.init(1).key = "new"
    assert structs.to_list() == [{"value": 0}, {"key": "new", "value": 0}]
    nested = builder.init("structLists", 1)
    nested.init(0, 2)[1].value = 5
    assert nested[0][1].value == 5
    with pytest.raises(IndexError):
        lists.init(2, 1)
    with pytest.raises(EncodeTypeError, match=r"^\[0\]: a Pair has no size"):
        structs.init(0, 3)
    with pytest.raises(EncodeTypeError, match=r"^\[1\]: init of a list needs its number"):
        lists.init(1)
    with pytest.raises(EncodeError, match=r"^\[1\]: a list cannot have -1 elements"):
        lists.init(-1, -1)
    assert lists == [[0], [0, 0, 9]]


@pytest.mark.parametrize("field", ["bools", "voids", "int8s", "float32s", "colors", "texts"])
def test_e6_elements_that_are_assigned_are_not_inited(schema: Any, field: str) -> None:
    made = schema.Lists.new_message().init(field, 1)
    with pytest.raises(EncodeTypeError, match="nothing to init"):
        made.init(0)


@pytest.mark.parametrize("field", ELEMENTS_IN_PLACE)
def test_a_builders_list_shows_what_is_written_to_it(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    one, other, reader = getattr(builder, field), getattr(builder, field), getattr(builder.as_reader(), field)
    one[0] = LIST_VALUES[field][1]
    assert other[0] == one[0] == reader[0] == one[1]


def test_a_default_list_is_read_and_copied_when_it_is_built_on(schema: Any) -> None:
    builder = schema.Lists.new_message()
    reader = schema.Lists.from_bytes(builder.to_bytes())
    assert reader.preset == [1, -2, 3] and reader.presetStructs.to_list() == [{"key": "a", "value": 1}]
    assert not reader.has("preset")
    builder.preset[1] = 7
    builder.presetStructs[0].key = "b"
    assert builder.preset == [1, 7, 3] and builder.presetStructs[0].key == "b" and builder.presetStructs[0].value == 1
    assert schema.Lists.new_message().preset == [1, -2, 3] and reader.presetStructs[0].key == "a"
    builder.preset = None
    assert builder.as_reader().preset == [1, -2, 3]


# ---- resizable lists


def test_c3_a_resizable_list_may_be_finished_twice_and_grow(schema: Any) -> None:
    builder = schema.Lists.new_message()
    growing = builder.init_resizable_list("structs")
    growing.add().value = 1
    growing.finish()
    growing.finish()
    assert [each.value for each in builder.structs] == [1]
    growing.add().value = 2
    growing.append({"value": 3})
    assert len(growing) == 3 and len(builder.structs) == 1
    growing.finish()
    assert [each.value for each in builder.structs] == [1, 2, 3]


@EVERY_FIELD
def test_a_resizable_list_takes_every_kind_of_element(schema: Any, field: str) -> None:
    builder = schema.Lists.new_message()
    with builder.init_resizable_list(field) as growing:
        for value in LIST_VALUES[field]:
            growing.append(value)
        assert not builder.has(field)
    assert builder == schema.Lists.new_message(**{field: LIST_VALUES[field]})


def test_a_resizable_list_of_no_elements_is_an_empty_list(schema: Any) -> None:
    builder = schema.Lists.new_message()
    builder.init_resizable_list("structs").finish()
    assert builder.has("structs") and len(builder.structs) == 0


def test_a_resizable_list_is_not_finished_by_an_error(schema: Any) -> None:
    builder = schema.Lists.new_message(int8s=[1])
    with pytest.raises(RuntimeError), builder.init_resizable_list("int8s") as growing:
        growing.append(2)
        raise RuntimeError
    assert builder.int8s == [1]
    growing.append(300)
    with pytest.raises(EncodeError, match=r"^int8s\[1\]: 300"):
        growing.finish()
    assert builder.int8s == [1]


def test_resizable_lists_of_what_is_no_list_are_refused(schema: Any) -> None:
    with pytest.raises(EncodeTypeError, match="^text: text is not a list"):
        schema.Blobs.new_message().init_resizable_list("text")
    with pytest.raises(EncodeTypeError, match=r"use append\(value\)"):
        schema.Lists.new_message().init_resizable_list("int8s").add()


def test_a_broken_element_is_named_by_its_index(schema: Any) -> None:
    data = schema.Lists.new_message(texts=["good", "????"], textLists=[[], ["????"]]).to_bytes()
    reader = schema.Lists.from_bytes(data.replace(b"????", b"\xff???"))
    assert reader.texts[0] == "good" and len(reader.texts) == 2
    for attempt in (lambda: reader.texts[-1], lambda: list(reader.texts), lambda: reader.texts[::-1]):
        with pytest.raises(ccapnp.DecodeError, match=r"^\[1\]: a text is not valid UTF-8"):
            attempt()
    with pytest.raises(ccapnp.DecodeError, match=r"^\[0\]: a text is not valid UTF-8"):
        reader.textLists[1][0]


def test_e13_a_list_of_capabilities(schema: Any) -> None:
    builder = schema.Lists.new_message(caps=[ccapnp.Capability(3), None])
    assert builder.caps == [ccapnp.Capability(3), None]
    assert schema.Lists.from_bytes(builder.to_bytes()).caps[0].index == 3
