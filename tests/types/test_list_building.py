"""Lists being built: set from any iterable, element by element and slice by slice, or grown outside the message."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import EncodeError, EncodeTypeError
from tests.types.schema import ELEMENTS_IN_PLACE, FEWER, LIST_VALUES
from tests.types.values import ELEMENTS, list_views

EVERY_FIELD = pytest.mark.parametrize("field", LIST_VALUES)


@EVERY_FIELD
def test_a_list_is_set_from_any_iterable(schema: Any, field: str) -> None:
    values = LIST_VALUES[field]
    expected = schema.Lists.new_message(**{field: values})
    sources: list[Any] = [
        tuple(values),
        iter(values),
        (value for value in values),
        dict(enumerate(values)).values(),
        *list_views(schema, field, values),
        getattr(expected, field)[:],
    ]
    for source in sources:
        builder = schema.Lists.new_message(**{field: values[:1]})
        setattr(builder, field, source)
        assert builder == expected and builder.has(field)


@EVERY_FIELD
def test_a_list_is_set_from_itself(schema: Any, field: str) -> None:
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


def test_other_sources(schema: Any) -> None:
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
def test_str_mappings_and_what_cannot_be_iterated_are_refused(schema: Any, field: str, value: Any) -> None:
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


def test_a_list_that_grows_while_it_is_assigned_is_the_one_it_was(schema: Any) -> None:
    class Number:
        def __index__(self) -> int:
            values.extend([2] * 9)
            return 1

    values: list[Any] = [Number(), 3]
    builder = schema.Lists.new_message(colors=values)
    assert builder.colors == [1, 3]


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
def test_to_grow_or_shrink_says_what_to_use_instead(schema: Any, field: str) -> None:
    found = getattr(schema.Lists.new_message(**{field: LIST_VALUES[field]}), field)
    value = LIST_VALUES[field][0]
    changes = (
        lambda: found.append(value),
        lambda: found.extend([value]),
        lambda: found.insert(0, value),
        lambda: operator.iadd(found, [value]),
        found.pop,
        lambda: found.remove(value),
        found.clear,
        lambda: operator.delitem(found, 0),
    )
    for change in changes:
        with pytest.raises(TypeError, match=r"fixed length: assign .*init\(field, n\), or use init_resizable_list"):
            change()


@EVERY_FIELD
def test_a_readers_list_cannot_be_changed(schema: Any, field: str) -> None:
    for found in list_views(schema, field, LIST_VALUES[field])[1:]:
        with pytest.raises(TypeError, match="does not support item assignment"):
            found[0] = LIST_VALUES[field][0]
        assert not hasattr(found, "append") and not hasattr(found, "init")


@EVERY_FIELD
@pytest.mark.conformance("ENC-16")
def test_an_empty_list_is_set_whatever_it_came_from(schema: Any, field: str) -> None:
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
        with pytest.raises(EncodeTypeError, match=f"^{field}: init of a list .*, an integer, not "):
            builder.init(field, bad)
    assert len(getattr(builder, field)) == 3


def test_elements_are_inited_where_there_is_something_to_fill(schema: Any) -> None:
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
def test_elements_that_are_assigned_are_not_inited(schema: Any, field: str) -> None:
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


def test_a_resizable_list_may_be_finished_twice_and_grow(schema: Any) -> None:
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


def test_a_list_of_capabilities(schema: Any) -> None:
    builder = schema.Lists.new_message(caps=[ccapnp.Capability(3), None])
    assert builder.caps == [ccapnp.Capability(3), None]
    assert schema.Lists.from_bytes(builder.to_bytes()).caps[0].index == 3
