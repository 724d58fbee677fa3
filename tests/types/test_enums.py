"""Enums: open `enum.IntEnum` classes, in which a number without a name stays that number."""

from __future__ import annotations

import copy
import enum
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp import EncodeError, EncodeTypeError
from tests.types.reading import read


def test_an_enum_is_an_int_enum(schema: Any) -> None:
    color = schema.Color
    assert issubclass(color, enum.IntEnum) and issubclass(color, ccapnp.Enum)
    assert [(each.name, int(each)) for each in color] == [
        ("red", 0), ("green", 1), ("blue", 2), ("from_", 3), ("lightGrey", 4)
    ]  # fmt: skip
    assert color.green == 1 and hash(color.green) == hash(1) and int(color.green) == 1 and color(1) is color.green
    assert color["green"] is color.green and len(color) == 5 and list(color)[4] is color.lightGrey
    assert {1: "x"}[color.green] == "x" and color.green in {1} and color.green in color
    assert color.green < color.blue and color.green + 1 == 2 and [10, 20][color.green] == 20
    assert color.green != "green" and color.green is not schema.Shape.square
    assert json.dumps(color.green) == "1"


def test_the_text_of_a_member(schema: Any) -> None:
    color = schema.Color
    for member, name in ((color.green, "green"), (color.from_, "from_"), (color(9), "(9)")):
        assert str(member) == f"{member}" == f"{member!s}" == member.name == name
        assert repr(member) == f"<Color.{name}: {int(member)}>"
        assert f"{member:>8}" == f"{name:>8}"
        assert f"{member:03d}" == f"{int(member):03d}" and f"{member:x}" == f"{int(member):x}"


@pytest.mark.conformance("PYC-06")
def test_pyc06_a_member_is_read_as_one(schema: Any) -> None:
    builder = schema.Scalars.new_message(color="blue")
    for view in (builder, builder.as_reader(), read(builder)):
        assert view.color is schema.Color.blue
    assert schema.Defaults.new_message().color is schema.Color.blue


@pytest.mark.conformance("PYC-06")
@pytest.mark.parametrize("name", ["Scalars", "Defaults"])
def test_pyc06_a_member_its_name_or_its_number_set_it(schema: Any, name: str) -> None:
    class Mine(enum.IntEnum):
        LIGHT = 4

    color = schema.Color
    builder = getattr(schema, name).new_message()
    for value, member in (
        (color.green, color.green), ("green", color.green), (1, color.green), ("from", color.from_),
        ("lightGrey", color.lightGrey), (Mine.LIGHT, color.lightGrey), (color(77), color(77)), (65535, color(65535)),
    ):  # fmt: skip
        builder.color = value
        assert builder.color is member and read(builder).color is member


@pytest.mark.conformance("PYC-06")
@pytest.mark.parametrize("name", ["Scalars", "Defaults"])
def test_pyc06_anything_else_is_refused(schema: Any, name: str) -> None:
    builder = getattr(schema, name).new_message(color="green")
    for value, kind, message in (
        ("grene", EncodeError, "color: Color has no 'grene'; did you mean 'green'"),
        ("", EncodeError, "color: Color has no ''"),
        ("Green", EncodeError, "color: Color has no 'Green'"),
        (-1, EncodeError, "color: -1 is not a number of an enum; they go from 0 to 65535"),
        (65536, EncodeError, "color: 65536 is not a number"),
        (None, EncodeTypeError, "color: a Color is set from a member, its name or its number, not None"),
        (1.0, EncodeTypeError, "color: a Color is set from"),
        (b"green", EncodeTypeError, "color: a Color is set from"),
        (schema.Shape.circle, EncodeTypeError, "color: a Shape is not a Color"),
    ):
        with pytest.raises(kind, match=f"^{message}") as caught:
            builder.color = value
        assert caught.value.field == "color" and caught.value.type == name
    assert builder.color is schema.Color.green


def test_a_numpy_integer_sets_an_enum(schema: Any, numpy: Any) -> None:
    assert schema.Scalars.new_message(color=numpy.uint8(2)).color is schema.Color.blue
    assert schema.Color(numpy.uint8(2)) is schema.Color.blue and schema.Color(numpy.int64(7)) is schema.Color(7)


@pytest.mark.conformance("DYN-12")
@given(number=st.integers(0, 65535))
def test_dyn12_an_unknown_number_stays_that_number(schema: Any, number: int) -> None:
    for name in ("Scalars", "Defaults"):
        builder = getattr(schema, name).new_message(color=number)
        member = read(builder).color
        assert int(member) == number and isinstance(member, schema.Color) and member is schema.Color(number)
        again = getattr(schema, name).new_message(color=member)
        assert again == builder and again.to_bytes() == builder.to_bytes()


@pytest.mark.conformance("DYN-12")
def test_dyn12_an_unknown_member_is_in_no_list_of_members(schema: Any) -> None:
    unknown = schema.Color(500)
    assert unknown not in list(schema.Color) and len(schema.Color) == 5 and "(500)" not in schema.Color.__members__
    assert unknown == 500 and unknown is schema.Color(500) and {unknown: 1}[500] == 1
    for bad in (-1, 65536, "red", None, 1.5):
        with pytest.raises(ValueError):
            schema.Color(bad)


@pytest.mark.conformance("DYN-12")
def test_dyn12_lists_of_enums(schema: Any) -> None:
    builder = schema.Lists.new_message(colors=["green", 2, schema.Color.red, 999])
    for found in (builder.colors, read(builder).colors):
        assert list(found) == [1, 2, 0, 999] and found[0] is schema.Color.green and found[3] is schema.Color(999)
        assert all(isinstance(each, schema.Color) for each in found)
        assert found.to_list() == ["green", "blue", "red", 999]
    builder.colors[0] = "from"
    assert builder.colors[0] is schema.Color.from_
    with pytest.raises(EncodeError, match=r"^\[1\]: Color has no 'rde'; did you mean 'red'"):
        builder.colors[1] = "rde"
    with pytest.raises(EncodeTypeError, match=r"^colors\[1\]: a Shape is not a Color"):
        builder.colors = [schema.Color.red, schema.Shape.circle]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_member_is_pickled_and_copied_as_itself(schema: Any, protocol: int) -> None:
    for member in (schema.Color.green, schema.Color.from_, schema.Color(1234)):
        assert pickle.loads(pickle.dumps(member, protocol)) is member
        assert copy.copy(member) is member and copy.deepcopy(member) is member
        assert copy.deepcopy([member])[0] is member


def test_enumerants_may_have_the_names_of_an_enums_own_attributes(compile_schema: Any) -> None:
    names = ("name", "value", "names", "mro", "real", "imag", "numerator", "index", "values", "none", "class", "import")
    text = " ".join(f"{name} @{number};" for number, name in enumerate(names))
    module = compile_schema(f"enum Odd {{ {text} }} struct S {{ odd @0 :Odd; odds @1 :List(Odd); }}")
    for number, name in enumerate(names):
        member = module.Odd(number)
        assert str(member) == member._name_ and repr(member) == f"<Odd.{member._name_}: {number}>"
        builder = module.S.new_message(odd=name, odds=[name])
        assert int(builder.odd) == number and builder.to_dict() == {"odd": name, "odds": [name]}
        assert read(builder).odd is member and str(builder) == f"(odd = {name}, odds = [{name}])"
        assert pickle.loads(pickle.dumps(member)) is member


def test_an_enum_without_names_reads_numbers(compile_schema: Any) -> None:
    module = compile_schema("enum None0 {} struct S { none @0 :None0; nones @1 :List(None0); }")
    builder = module.S.new_message(none=3, nones=[0, 1])
    assert (
        read(builder).none == 3
        and list(read(builder).nones) == [0, 1]
        and builder.to_dict() == {"none": 3, "nones": [0, 1]}
    )
    member = builder.none
    assert pickle.loads(pickle.dumps(member)) is member is builder.none and str(member) == "(3)"
