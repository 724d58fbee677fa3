"""AnyPointer fields, generic fields and roots: read, set and made as whatever type one says."""

from __future__ import annotations

from typing import Any

import pytest

import ccapnp
from ccapnp import DecodeError, EncodeTypeError, Kind, List, MessageBuilder
from tests.types.reading import read
from tests.types.schema import LIST_VALUES, NUMBERS


def list_types(schema: Any) -> dict[str, Any]:
    """`ccapnp.List` of each element, by the field of ``Lists`` that has it."""
    numbers = {number.list_field: List(getattr(Kind, number.field.upper())) for number in NUMBERS}
    return {
        **numbers,
        "voids": List(Kind.VOID),
        "bools": List(Kind.BOOL),
        "texts": List(Kind.TEXT),
        "datas": List(Kind.DATA),
        "colors": List(schema.Color),
        "structs": List(schema.Pair),
        "lists": List(List(Kind.UINT16)),
        "structLists": List(List(schema.Pair)),
        "textLists": List(List(Kind.TEXT)),
    }


def test_dyn04_text_and_data(schema: Any) -> None:
    builder = schema.Node.new_message(any="text")
    for view in (builder, builder.as_reader(), read(builder)):
        assert view.any.as_text() == "text" and view.any.kind == "list" and view.has("any")
        assert view.any.as_data() == b"text\0"
    for data in (b"\0\1", bytearray(b"\0\1"), memoryview(b"\0\1")):
        builder.any = data
        assert read(builder).any.as_data() == b"\0\1"
    with pytest.raises(DecodeError, match="does not end in a NUL"):
        builder.any.as_text()


def test_dyn04_structs(schema: Any) -> None:
    pair = schema.Pair.new_message(key="k", value=1)
    for source in (pair, pair.as_reader(), read(pair)):
        builder = schema.Node.new_message(any=source)
        for view in (builder, read(builder)):
            found = view.any.as_struct(schema.Pair)
            assert found == pair and view.any.kind == "struct" and isinstance(found, schema.Pair)
        builder.any.as_struct(schema.Pair).value = 2
        assert read(builder).any.as_struct(schema.Pair).value == 2 and source.value == 1
    made = builder.any.init_struct(schema.Node)
    made.name = "new"
    assert read(builder).any.as_struct(schema.Node).name == "new"
    assert read(builder).any.as_struct(schema.Pair).key == "new"  # nothing in a message says of what type it is


@pytest.mark.parametrize("field", LIST_VALUES)
def test_dyn04_lists(schema: Any, field: str) -> None:
    list_type = list_types(schema)[field]
    owner = schema.Lists.new_message(**{field: LIST_VALUES[field]})
    for source in (getattr(owner, field), getattr(owner.as_reader(), field), getattr(read(owner), field)):
        builder = schema.Node.new_message(any=source)
        for view in (builder, read(builder)):
            assert view.any.as_list(list_type) == source and view.any.kind == "list"
    made = builder.any.init_list(list_type, 2)
    made[1] = LIST_VALUES[field][1]
    assert read(builder).any.as_list(list_type)[1] == made[1] and len(read(builder).any.as_list(list_type)) == 2
    assert repr(list_type) == list_type.name == getattr(owner, field)._type.name


def test_lists_of_anypointers(schema: Any) -> None:
    builder = schema.Node.new_message()
    anys = builder.any.init_list(List(Kind.ANY_POINTER), 4)
    anys[0], anys[1], anys[2] = "text", schema.Pair(key="k"), schema.Lists(int8s=[1]).int8s
    found = read(builder).any.as_list(List(Kind.ANY_POINTER))
    assert [each.kind for each in found] == ["list", "struct", "list", "null"] == [each.kind for each in anys]
    assert found[0].as_text() == "text" and found[1].as_struct(schema.Pair).key == "k"
    assert found[2].as_list(List(Kind.INT8)) == [1]
    anys[3] = anys[0]
    anys[0] = None
    assert anys[3].as_text() == "text" and anys[0].kind == "null"


def test_dyn04_capabilities(schema: Any) -> None:
    builder = schema.Node.new_message(cap=ccapnp.Capability(5))
    for view in (builder, read(builder)):
        assert view.cap == ccapnp.Capability(5) and hash(view.cap) == hash(ccapnp.Capability(5)) and view.cap.index == 5
        assert view.cap != ccapnp.Capability(4) and view.has("cap")
    assert schema.Node.new_message().cap is None and read(schema.Node.new_message()).cap is None
    for value in (5, "x", object()):
        with pytest.raises(EncodeTypeError, match="^cap: a capability is set from a client or a server, not"):
            builder.cap = value
    with pytest.raises(EncodeTypeError, match="^cap: a capability is assigned"):
        builder.init("cap")
    builder.cap = None
    assert builder.cap is None and not builder.has("cap")


def test_dyn04_an_unset_pointer_is_null(schema: Any) -> None:
    builder = schema.Node.new_message()
    for view in (builder, builder.as_reader(), read(builder), schema.Node.from_segments([bytes(8)])):
        assert view.any.kind == "null" and not view.has("any")
    for view in (builder.as_reader(), read(builder)):
        found = view.any
        assert found.as_text() == "" and found.as_data() == b"" and found.as_struct(schema.Pair).key == ""
        assert found.as_list(List(Kind.INT8)) == [] and found.as_list(List(schema.Pair)) == []
    assert not builder.has("any")


def test_dyn04_one_pointer_is_set_from_another(schema: Any) -> None:
    source = schema.Node.new_message(any="text")
    for pointer in (source.any, source.as_reader().any, read(source).any):
        builder = schema.Node.new_message(any=pointer)
        assert builder.any.as_text() == "text"
        builder.any.set(builder.any)
        builder.any = builder.any
        assert builder.any.as_text() == "text"
    builder.any.set(None)
    assert not builder.has("any") and builder.any.kind == "null"
    builder.any = source.any
    builder.any = None
    assert not builder.has("any")
    builder.any = "x"
    assert builder.init("any").kind == "null" and not builder.has("any")


@pytest.mark.parametrize("value", [5, 1.5, True, {"a": 1}, [1, 2], ("a",), object()], ids=str)
def test_dyn04_what_has_no_type_of_its_own_is_refused(schema: Any, value: Any) -> None:
    builder = schema.Node.new_message(any="before")
    for attempt in (lambda: setattr(builder, "any", value), lambda: builder.any.set(value)):
        with pytest.raises(
            EncodeTypeError,
            match="an AnyPointer is set from str, bytes, a capability, or a struct or list of a message",
        ):
            attempt()
    assert builder.any.as_text() == "before"


def test_the_wrong_kind_is_an_error(schema: Any) -> None:
    pair, text = schema.Node.new_message(any=schema.Pair(key="k")), schema.Node.new_message(any="text")
    cap = MessageBuilder()
    caps = cap.root.init_list(List(Kind.INTERFACE), 1)
    caps[0] = ccapnp.Capability(0)
    wrong = (
        (pair.as_reader().any.as_text, "expected a text but .* to a struct"),
        (pair.as_reader().any.as_data, "expected a data but .* to a struct"),
        (lambda: pair.as_reader().any.as_list(List(Kind.INT8)), "expected a list but .* to a struct"),
        (lambda: text.as_reader().any.as_struct(schema.Pair), "expected a struct but .* to a list of bytes"),
        (lambda: text.as_reader().any.as_list(List(Kind.INT64)), "cannot be read as a list of 64-bit elements"),
        (lambda: text.as_reader().any.as_list(List(Kind.TEXT)), "cannot be read as a list of pointers elements"),
        (lambda: text.any.as_struct(schema.Pair), "expected a struct"),
        (lambda: pair.any.as_list(List(schema.Pair)), "expected a list of structs"),
    )
    for attempt, message in wrong:
        with pytest.raises(DecodeError, match=message):
            attempt()


def test_dyn04_a_pointer_is_equal_to_one_to_the_same_value(schema: Any) -> None:
    one, other = schema.Node(any="text").any, read(schema.Node(child={}, any="text")).any
    assert one == other and (one != other) is False and one != schema.Node(any="texts").any and one != "text"
    assert schema.Node(any=schema.Pair(key="k")).any == read(schema.Node(any=schema.Pair(key="k"))).any
    assert schema.Node().any == read(schema.Node()).any != one
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_field_of_an_unbound_parameter_is_an_anypointer(schema: Any) -> None:
    builder = schema.Box.new_message(value="t")
    for view in (builder, read(builder)):
        assert view.value.as_text() == "t"
    builder.value = schema.Lists(int32s=[1, 2]).int32s
    for view in (builder, read(builder)):
        assert view.value.as_list(List(Kind.INT32)) == [1, 2]


def test_union_members_may_be_anypointers(schema: Any) -> None:
    builder = schema.Shapes.new_message(any="text")
    assert builder.which() == "any" and read(builder).any.as_text() == "text"
    builder.count = 1
    builder.init("any").set("again")
    assert builder.which() == "any" and read(builder).any.as_text() == "again"


def test_what_names_no_element_is_refused(schema: Any) -> None:
    for element in (int, "Text", None, Kind.LIST, Kind.STRUCT, Kind.ENUM, 5, ccapnp.Enum):
        with pytest.raises((TypeError, AttributeError)):
            List(element)
    assert List(schema.Pair) is List(schema.Pair) and List(Kind.TEXT) is List(Kind.TEXT)
    assert List(List(Kind.TEXT)) is List(List(Kind.TEXT))
