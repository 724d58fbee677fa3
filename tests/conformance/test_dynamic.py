"""Fields by name, where the program does not know the type beforehand: what C++ calls the dynamic API."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable

import pytest

import ccapnp
from ccapnp import EncodeError, EncodeTypeError, UnionError, UnknownFieldError, get_field, has, init, set_field

SCHEMA = """
struct All {
  void @0 :Void; bool @1 :Bool; int8 @2 :Int8; int16 @3 :Int16; int32 @4 :Int32; int64 @5 :Int64;
  uInt8 @6 :UInt8; uInt16 @7 :UInt16; uInt32 @8 :UInt32; uInt64 @9 :UInt64; float32 @10 :Float32; float64 @11 :Float64;
  text @12 :Text; data @13 :Data; struct @14 :All; enum @15 :Color;
  voids @16 :List(Void); bools @17 :List(Bool); int16s @18 :List(Int16); uInt64s @19 :List(UInt64);
  float64s @20 :List(Float64); texts @21 :List(Text); datas @22 :List(Data); structs @23 :List(All);
  enums @24 :List(Color); lists @25 :List(List(Int32)); structLists @26 :List(List(All)); any @27 :AnyPointer;
}
enum Color { red @0; green @1; blue @2; }

struct Presets {
  bool @0 :Bool = true; int8 @1 :Int8 = -12; int64 @2 :Int64 = 5; float64 @3 :Float64 = nan; enum @4 :Color = blue;
  text @5 :Text = "t"; data @6 :Data = 0x"01"; struct @7 :Point = (x = 3); list @8 :List(Int8) = [1, 2];
  group :group { x @9 :Int16 = 7; inner :union { none @10 :Void; one @11 :Text; } }
  plain @12 :Int32; void @13 :Void;
}
struct Point { x @0 :Int32; y @1 :Int32; }

struct Unions {
  before @0 :UInt8;
  union { num @1 :Int32; str @2 :Text; point @3 :Point; none @7 :Void; }
  named :union { foo @4 :Int64; bar @5 :Text; }
  after @6 :Text;
}

struct Late {
  # foo was a plain field before it became the first member of a union.
  union { baz @2 :Int32; foo @0 :Text; qux @3 :Text; }
  bar @1 :Int16;
}
"""

NESTED = {"int8": 1, "text": "nested", "struct": {"text": "really nested"}}
VALUES: dict[str, Any] = {
    "void": None,
    "bool": True,
    "int8": -123,
    "int16": -12345,
    "int32": -12345678,
    "int64": -123456789012345,
    "uInt8": 234,
    "uInt16": 45678,
    "uInt32": 3456789012,
    "uInt64": 12345678901234567890,
    "float32": 1234.5,
    "float64": -123e45,
    "text": "foo",
    "data": b"bar",
    "struct": NESTED,
    "enum": "green",
    "voids": [None] * 6,
    "bools": [True, False, False, True],
    "int16s": [11111, -11111],
    "uInt64s": [11111111111111111111],
    "float64s": [7777.75, float("inf"), float("-inf")],
    "texts": ["plugh", "xyzzy", "thud"],
    "datas": [b"oops", b"exhausted", b"rfc3092"],
    "structs": [{"text": "structlist 1"}, NESTED, {}],
    "enums": ["blue", "red"],
    "lists": [[1, 2], [], [-3]],
    "structLists": [[{"int8": 3}], []],
}
"""For every field of ``All`` but the AnyPointer."""


@pytest.fixture(scope="session")
def module(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


def fill(builder: Any, values: dict[str, Any]) -> None:
    """Set fields by name alone, and nested values through `init`."""
    schema = ccapnp.schema_of(builder)
    for name, value in values.items():
        kind = schema.fields[name].type.kind
        if kind == ccapnp.Kind.STRUCT:
            fill(init(builder, name), value)
        elif kind == ccapnp.Kind.LIST and value:
            fill_list(init(builder, name, len(value)), value)
        else:
            set_field(builder, name, value)


def fill_list(builder: Any, values: list[Any]) -> None:
    kind = ccapnp.schema_of(builder).element_type.kind
    for index, value in enumerate(values):
        if kind == ccapnp.Kind.STRUCT:
            fill(builder[index], value)
        elif kind == ccapnp.Kind.LIST:
            fill_list(builder.init(index, len(value)), value)
        else:
            builder[index] = value


def plain(value: Any) -> Any:
    """What is read by name alone as plain values, without what is null and what is zero."""
    if isinstance(value, ccapnp.StructView):
        names = [name for name in ccapnp.schema_of(value).fields if has(value, name, non_default=True)]
        return {name: plain(get_field(value, name)) for name in names}
    if isinstance(value, ccapnp.ListReader):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, ccapnp.Enum) else value


def readers(builder: Any) -> list[Any]:
    """The builder, and readers of it and of its message."""
    return [builder, builder.as_reader(), ccapnp.type_of(builder).from_bytes(builder.to_bytes())]


# ---- building and reading


@pytest.mark.conformance("DYN-01")
def test_what_is_built_by_name_is_what_is_built_by_attributes(module: Any) -> None:
    builder = module.All.new_message()
    fill(builder, VALUES)
    assert builder == module.All.new_message(**VALUES)
    for view in readers(builder):
        assert (view.int8, view.text, view.enum) == (-123, "foo", module.Color.green)
        assert view.struct.struct.text == "really nested" and view.structs[1].struct.text == "really nested"


@pytest.mark.conformance("DYN-01")
def test_what_is_built_by_attributes_is_read_by_name(module: Any) -> None:
    builder = module.All.new_message(**VALUES)
    for view in readers(builder):
        assert plain(view) == {name: value for name, value in VALUES.items() if value is not None}


@pytest.mark.conformance("DYN-02")
def test_defaults_are_read_by_name_and_become_the_builders_own(module: Any) -> None:
    reader = module.Presets.from_segments([bytes(8)])
    for view in (reader, module.Presets.new_message().as_reader()):
        assert get_field(view, "int8") == -12 and get_field(view, "enum") is module.Color.blue
        assert get_field(view, "text") == "t" and get_field(view, "data") == b"\1"
        assert get_field(get_field(view, "struct"), "x") == 3 and list(get_field(view, "list")) == [1, 2]
        assert get_field(get_field(view, "group"), "x") == 7
    builder = module.Presets.new_message()
    for name in ("struct", "list"):
        assert not has(builder, name)
        get_field(builder, name)
        assert has(builder, name)
    get_field(builder, "struct").y = 4
    assert module.Presets.from_bytes(builder.to_bytes()).struct.to_dict() == {"x": 3, "y": 4}


@pytest.mark.conformance("DYN-03")
def test_an_empty_message_is_zero_in_every_field(module: Any) -> None:
    for view in (module.All.from_segments([bytes(8)]), *readers(module.All.new_message())):
        for name, field in ccapnp.schema_of(view).fields.items():
            assert has(view, name) is not field.type.kind.is_pointer
            if field.type.kind == ccapnp.Kind.LIST:
                assert list(get_field(view, name)) == []
            elif field.type.kind not in (ccapnp.Kind.STRUCT, ccapnp.Kind.ANY_POINTER):
                assert not get_field(view, name)
    assert plain(module.All.new_message().struct) == plain(module.All.new_message().as_reader().struct) == {}


@pytest.mark.conformance("DYN-03")
def test_lists_of_lists_by_name(module: Any) -> None:
    builder = module.All.new_message()
    fill_list(init(builder, "lists", 3), [[1, 2, 3], [], [-4]])
    fill_list(init(builder, "structLists", 2), [[{"int8": 1}, {"text": "x"}], [NESTED]])
    for view in readers(builder):
        lists, structs = get_field(view, "lists"), get_field(view, "structLists")
        assert plain(lists) == [[1, 2, 3], [], [-4]]
        assert plain(structs) == [[{"int8": 1}, {"text": "x"}], [NESTED]]


# ---- unions


@pytest.mark.conformance("DYN-06")
def test_members_of_a_named_union_are_no_fields_of_the_struct(module: Any) -> None:
    builder = module.Unions.new_message(named={"bar": "b"})
    for view in readers(builder):
        named = get_field(view, "named")
        assert ccapnp.which(named) == "bar" and get_field(named, "bar") == "b"
        with pytest.raises(UnknownFieldError, match="Unions has no field 'bar'"):
            get_field(view, "bar")
    with pytest.raises(UnknownFieldError, match="Unions has no field 'foo'"):
        set_field(builder, "foo", 1)
    set_field(get_field(builder, "named"), "foo", 1)
    assert builder.named.which() == "foo" and builder.named.foo == 1


@pytest.mark.conformance("DYN-07")
def test_an_inactive_member_cannot_be_read_by_name(module: Any) -> None:
    builder = module.Unions.new_message(before=1, after="a")
    for name, value in (("str", "s"), ("num", 3), ("point", {"x": 1}), ("none", None), ("str", "t"), ("num", 4)):
        set_field(builder, name, value)
        for view in readers(builder):
            assert ccapnp.which(view) == name
            assert has(view, name)
            for other in {"num", "str", "point", "none"} - {name}:
                assert not has(view, other)
                with pytest.raises(UnionError, match=rf"{other} is not the active member of its union; that is {name}"):
                    get_field(view, other)
        assert (builder.before, builder.after) == (1, "a")
    with pytest.raises(UnionError, match="Point has no unnamed union"):
        ccapnp.which(module.Point.new_message())


@pytest.mark.conformance("DYN-09")
def test_a_field_that_became_a_member_of_a_union_later(module: Any) -> None:
    assert module.Late.schema.union_fields[0] == "foo" and module.Late.schema.fieldnames[0] == "foo"
    builder = module.Late.new_message(bar=1)
    for name, value in (("foo", "f"), ("baz", 5), ("qux", "q"), ("foo", "g")):
        set_field(builder, name, value)
        for view in readers(builder):
            assert ccapnp.which(view) == name and get_field(view, name) == value and view.bar == 1


# ---- has


@pytest.mark.conformance("DYN-10")
def test_plain_values_are_always_set_unless_defaults_are_left_out(module: Any) -> None:
    changed = {"bool": False, "int8": 0, "int64": 0, "float64": 0.0, "enum": "red", "plain": 1}
    builder = module.Presets.new_message()
    for name, value in changed.items():
        default = module.Presets.schema.fields[name].default
        for view in readers(builder):
            assert has(view, name) and not has(view, name, non_default=True)
        set_field(builder, name, value)
        for view in readers(builder):
            assert has(view, name) and has(view, name, non_default=True) and view.has(name, non_default=True)
        set_field(builder, name, default)
        assert not has(builder, name, non_default=True)
    assert has(builder, "void") and not has(builder, "void", non_default=True)


@pytest.mark.conformance("DYN-10")
@pytest.mark.parametrize("name", ["text", "data", "struct", "list"])
@pytest.mark.parametrize("non_default", [False, True])
def test_pointers_are_set_once_they_are_not_null(module: Any, name: str, non_default: bool) -> None:
    builder = module.Presets.new_message()
    for view in readers(builder):
        assert not has(view, name, non_default=non_default)
    set_field(builder, name, {"text": "", "data": b"", "struct": {}, "list": []}[name])
    for view in readers(builder):
        assert has(view, name, non_default=non_default)
    set_field(builder, name, None)
    assert not has(builder, name, non_default=non_default)


@pytest.mark.conformance("DYN-10")
def test_a_group_has_something_if_a_field_of_it_has(module: Any) -> None:
    builder = module.Presets.new_message()
    assert has(builder, "group") and not has(builder, "group", non_default=True)
    for values in ({"x": 0}, {"inner": {"one": "x"}}, {"inner": {"one": None}}):
        builder.group = values
        assert has(builder, "group", non_default=True)
    builder.group = {}
    assert not has(builder, "group", non_default=True)


@pytest.mark.conformance("DYN-10")
def test_an_inactive_member_is_not_set(module: Any) -> None:
    builder = module.Unions.new_message(num=5)
    assert has(builder, "num", non_default=True) and not has(builder, "str") and not has(builder, "none")
    builder.str = "s"
    assert not has(builder, "num", non_default=True)
    builder.none = None
    assert has(builder, "none") and not has(builder, "none", non_default=True)


@pytest.mark.conformance("DYN-11")
def test_an_empty_message_has_no_more_than_plain_values(module: Any) -> None:
    empty = module.Presets.from_segments([bytes(8)])
    for name, field in module.Presets.schema.fields.items():
        assert has(empty, name) is not field.type.kind.is_pointer or field.is_group
        assert not has(empty, name, non_default=True)


# ---- values of the wrong type


@pytest.mark.conformance("DYN-08")
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("int8", 1234, EncodeError),
        ("uInt32", -1, EncodeError),
        ("int16", 0.5, EncodeTypeError),
        ("bool", 1, EncodeTypeError),
        ("float64", "1", EncodeTypeError),
        ("text", b"bytes", EncodeTypeError),
        ("struct", [1], EncodeTypeError),
        ("int16s", {"a": 1}, EncodeTypeError),
        ("void", 0, EncodeTypeError),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(module: Any, name: str, value: Any, error: Any) -> None:
    builder = module.All.new_message(**VALUES)
    before = builder.to_bytes()
    with pytest.raises(error, match=f"^{name}: "):
        set_field(builder, name, value)
    assert builder.to_bytes() == before


@pytest.mark.conformance("DYN-12")
def test_an_enum_is_set_by_member_name_or_number(module: Any) -> None:
    builder = module.All.new_message()
    for value in (module.Color.green, "green", 1):
        set_field(builder, "enum", value)
        set_field(builder, "enums", [value, 9])
        for view in readers(builder):
            assert get_field(view, "enum") is module.Color.green
            assert [int(each) for each in get_field(view, "enums")] == [1, 9]
        set_field(builder, "enum", "red")
    with pytest.raises(EncodeError, match="^enum: Color has no 'gren'; did you mean 'green'"):
        set_field(builder, "enum", "gren")
    with pytest.raises(EncodeError, match="^enum: 65536 is not a number of an enum"):
        set_field(builder, "enum", 65536)
    set_field(builder, "enum", 65535)
    assert get_field(builder, "enum") == 65535


@pytest.mark.conformance("DYN-13")
def test_a_text_is_no_data_and_data_is_no_text(module: Any) -> None:
    """C++ takes a literal for either, for there it is an array of bytes; in Python it has to be encoded."""
    builder = module.All.new_message()
    with pytest.raises(EncodeTypeError, match="^data: .*not str; encode it first"):
        set_field(builder, "data", "text")
    with pytest.raises(EncodeTypeError, match="^text: a Text is set from a str, not bytes"):
        set_field(builder, "text", b"data")
    set_field(builder, "data", b"text")
    assert get_field(builder, "data") == b"text"


@pytest.mark.conformance("DYN-15")
def test_a_group_is_set_by_name_from_one_of_another_message(module: Any) -> None:
    source = module.Presets.new_message(group={"x": 5, "inner": {"one": "pointer"}})
    for view in readers(source):
        builder = module.Presets.new_message(plain=3)
        set_field(builder, "group", get_field(view, "group"))
        assert builder.group == source.group and builder.group.inner.one == "pointer" and builder.plain == 3
        set_field(builder.group, "inner", get_field(module.Presets.new_message().group, "inner"))
        assert builder.group.inner.which() == "none" and builder.group.x == 5
    other = module.Unions.new_message().named
    with pytest.raises(EncodeTypeError, match=r"^group: "):
        set_field(module.Presets.new_message(), "group", other)


# ---- names, indexes and sizes


@pytest.mark.conformance("DYN-16")
@pytest.mark.parametrize("use", [get_field, has, init, lambda view, name: set_field(view, name, 1)])
def test_a_name_that_is_no_field_is_refused(module: Any, use: Any) -> None:
    for name in ("int9", "Int8", "", "which", "_c"):
        with pytest.raises(UnknownFieldError, match="All has no field") as caught:
            use(module.All.new_message(), name)
        assert caught.value.field == name
    assert caught.value.nearest == ()


@pytest.mark.conformance("DYN-16")
def test_an_index_out_of_range_is_refused(module: Any) -> None:
    builder = module.All.new_message(**VALUES)
    for name in ("int16s", "texts", "structs", "enums", "lists", "voids", "bools"):
        for view in readers(builder):
            values = get_field(view, name)
            for index in (len(values), -len(values) - 1):
                with pytest.raises(IndexError):
                    values[index]


@pytest.mark.conformance("DYN-16")
@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("int8", None, "int8: a plain value is assigned; there is nothing to init"),
        ("enum", 3, "enum: a plain value is assigned"),
        ("text", 3, "text: a Text is assigned as a whole"),
        ("data", None, "data: init of a Data needs its size in bytes"),
        ("struct", 1, "struct: an All has no size"),
        ("int16s", None, "int16s: init of a list needs its number of elements"),
        ("structs", "1", "structs: init of a list needs its number of elements, an integer, not '1'"),
        ("int16s", -1, "int16s: "),
        ("int16s", 1 << 29, "int16s: "),
    ],
)
def test_init_wants_a_size_where_there_is_one(module: Any, name: str, size: Any, message: str) -> None:
    builder = module.All.new_message(**VALUES)
    with pytest.raises(EncodeError, match=f"^{message}"):
        init(builder, name, size)
    assert plain(builder) == plain(module.All.new_message(**VALUES))


@pytest.mark.conformance("DYN-16")
def test_a_group_has_no_size(module: Any) -> None:
    builder = module.Presets.new_message(group={"x": 1})
    with pytest.raises(EncodeTypeError, match="^group: a group has no size"):
        init(builder, "group", 1)
    assert init(builder, "group").x == 7


@pytest.mark.conformance("DYN-16")
def test_init_makes_structs_groups_lists_and_data(module: Any) -> None:
    builder = module.All.new_message(**VALUES)
    assert init(builder, "struct").to_dict()["int8"] == 0
    assert list(init(builder, "int16s", 3)) == [0, 0, 0]
    assert len(init(builder, "data", 4)) == 4 and builder.data == bytes(4)
    assert init(builder, "any").kind == "null"


@pytest.mark.conformance("DYN-16")
def test_a_list_is_copied_into_a_slice_of_its_own_length(module: Any) -> None:
    builder = module.All.new_message(int16s=[1, 2, 3])
    builder.int16s[:] = module.All.new_message(int16s=[4, 5, 6]).int16s
    assert list(builder.int16s) == [4, 5, 6]
    with pytest.raises(ValueError, match="cannot assign 2 values to 3 elements"):
        builder.int16s[:] = module.All.new_message(int16s=[7, 8]).int16s
    assert list(builder.int16s) == [4, 5, 6]


@pytest.mark.conformance("DYN-16")
def test_a_struct_is_not_set_from_one_of_another_type(module: Any) -> None:
    builder = module.All.new_message()
    with pytest.raises(EncodeTypeError, match="^struct: an All cannot be set from a Point"):
        set_field(builder, "struct", module.Point.new_message())
    with pytest.raises(EncodeTypeError, match=r"^structs\[0\]: an All cannot be set from a Point"):
        set_field(builder, "structs", [module.Point.new_message()])


@pytest.mark.conformance("DYN-16")
def test_a_reader_is_not_set_by_name(module: Any) -> None:
    reader = module.All.new_message().as_reader()
    for use in (lambda: set_field(reader, "int8", 1), lambda: init(reader, "struct")):
        with pytest.raises(EncodeTypeError, match="this is a reader"):
            use()
