"""AnyPointer, AnyStruct, AnyList and Capability: what a schema leaves open, read, built, compared and copied."""

from __future__ import annotations

import copy
import pickle
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

import pytest

import ccapnp
from ccapnp import (
    AnyList,
    AnyPointer,
    AnyStruct,
    Capability,
    DecodeError,
    ElementSize,
    EncodeError,
    EncodeTypeError,
    Kind,
    LimitError,
    List,
    MessageBuilder,
    MessageReader,
)
from tests.wire import raw
from tests.wire.arenas import fixed_segments

SCHEMA = """
struct All {  # six data words and twenty pointers, of which a few have names
  bool @0 :Bool; int8 @1 :Int8; int16 @2 :Int16; int32 @3 :Int32; int64 @4 :Int64;
  uint8 @5 :UInt8; uint16 @6 :UInt16; uint32 @7 :UInt32; uint64 @8 :UInt64;
  float32 @9 :Float32; float64 @10 :Float64; color @11 :Color;
  text @12 :Text; data @13 :Data; all @14 :All; voids @15 :List(Void); bools @16 :List(Bool);
  uint8s @17 :List(UInt8); uint16s @18 :List(UInt16); uint32s @19 :List(UInt32); uint64s @20 :List(UInt64);
  texts @21 :List(Text); alls @22 :List(All); lists @23 :List(List(UInt8));
  p1 @24 :Text; p2 @25 :Text; p3 @26 :Text; p4 @27 :Text; p5 @28 :Text; p6 @29 :Text; p7 @30 :Text; p8 @31 :Text;
}
enum Color { red @0; green @1; }
struct Empty {}
struct Old { old1 @0 :Int64; old2 @1 :Text; }
struct New { old1 @0 :Int64; old2 @1 :Text; new1 @2 :Int64 = 987; new2 @3 :Text = "baz"; }
interface Service {}
struct Any {
  any @0 :AnyPointer; struct @1 :AnyStruct; list @2 :AnyList; cap @3 :Capability; service @4 :Service;
  caps @5 :List(Service); lists @6 :List(AnyList);
  group :group { any @7 :AnyPointer; cap @8 :Capability; }
  union { unionStruct @9 :AnyStruct; unionList @10 :AnyList; number @11 :Int32; }
}
struct Just { any @0 :AnyPointer; }
const old :Old = (old1 = 5, old2 = "text");
const numbers :List(Int32) = [1, 2, 3];
const anys :Any = (any = .old, struct = .old, list = .numbers, unionList = .numbers);
const numbersInAny :Just = (any = .numbers);
"""

FIELDS: dict[str, Any] = {
    "bool": True,
    "int32": -5,
    "float64": 1.5,
    "color": "green",
    "text": "foo",
    "data": b"bar",
    "all": {"text": "nested", "all": {"text": "really nested"}},
    "voids": [None] * 3,
    "bools": [True, False, True] * 4,
    "uint8s": [1, 2, 3],
    "texts": ["x", "y"],
    "alls": [{"text": "structlist 1"}, {"text": "structlist 2"}],
    "lists": [[1], [2, 3]],
}

TEXT_INDEX, DATA_INDEX, UINT8S_INDEX = 0, 1, 5


@pytest.fixture
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


@pytest.fixture
def full(schema: Any) -> Any:
    """The builder of an `All` with something of every kind in it."""
    return schema.All.new_message(**FIELDS)


def read_again(builder: Any) -> Any:
    """A reader of a builder's message, as somebody else gets it."""
    return type(builder)._type.from_bytes(builder.to_bytes())


def both(builder: Any) -> tuple[Any, Any]:
    """A builder, and a reader of its message."""
    return builder, read_again(builder)


# ---- AnyPointer


@pytest.mark.conformance("ANY-01", "DYN-04")
def test_an_anypointer_is_made_set_and_read_as_every_type(schema: Any, full: Any) -> None:
    values = {
        schema.All: full,
        ccapnp.Text: "foo",
        ccapnp.Data: b"foo",
        List[Kind.UINT32]: [123, 456],
        List[Kind.TEXT]: ["foo", "bar"],
        List[schema.All]: full.alls,
        AnyStruct: ccapnp.as_any_struct(full),
    }
    for type_name, value in values.items():
        message = MessageBuilder()
        assert message.set_root(value, type_name) == value == message.root.get(type_name)
        assert MessageReader(message.to_bytes()).root.get(type_name) == value
        builder = schema.Any.new_message()
        builder.any = message.root
        for view in both(builder):
            assert view.any.get(type_name) == value and view.has("any")


@pytest.mark.conformance("ANY-01")
def test_elements_that_were_not_set_are_all_zero(schema: Any) -> None:
    builder = schema.Any.new_message()
    made = builder.any.init_as_list(List[schema.All], 3)
    made[0].text, made[2].text = "a", "c"
    for view in both(builder):
        found = view.any.as_list(List[schema.All])
        assert [each.text for each in found] == ["a", "", "c"]
        assert not any(view.any.as_any_list()[1].data)
        assert all(each.kind == "null" for each in view.any.as_any_list()[1].pointers)


@pytest.mark.conformance("ANY-01")
def test_every_kind_of_value_is_made_in_place(schema: Any) -> None:
    builder = schema.Any.new_message()
    builder.any.init(schema.Old).old1 = 1
    assert read_again(builder).any.as_struct(schema.Old).old1 == 1
    builder.any.init(List[Kind.UINT16], 2)[1] = 7
    assert read_again(builder).any.as_list(List[Kind.UINT16]) == [0, 7]
    builder.any.init_data(3)[1] = 9
    assert read_again(builder).any.as_data() == b"\0\11\0"
    builder.any.set_as_text("text")
    assert read_again(builder).any.as_text() == "text"
    with pytest.raises(EncodeTypeError, match="nothing to init"):
        builder.any.init(ccapnp.Text)
    assert builder.any.as_text() == "text"


@pytest.mark.conformance("DYN-04", "ENC-35")
def test_an_anypointer_is_set_from_all_that_messages_hold(schema: Any, full: Any) -> None:
    values = [
        *(full, full.as_reader(), read_again(full)),
        *(ccapnp.as_any_struct(full), ccapnp.as_any_struct(read_again(full)), full.alls, read_again(full).alls),
        *(full.uint8s, full.texts, full.bools, full.voids, "text", b"data", bytearray(b"data"), memoryview(b"data")),
    ]
    for value in values:
        source = schema.Any.new_message(any=value)
        anys = [source.any, read_again(source).any]
        anys += [each.as_any_struct() if each.kind == "struct" else each.as_any_list() for each in anys]
        for again in anys:
            builder = schema.Any.from_dict({"any": again})
            assert ccapnp.equal(builder.any, source.any) is True
    builder = schema.Any.new_message(any=full)
    full.int32 = 6
    assert builder.any.as_struct(schema.All).int32 == -5  # it is a copy


@pytest.mark.conformance("DYN-04")
@pytest.mark.parametrize("wrong", [1, [1], {"text": "x"}, object()], ids=repr)
def test_what_has_no_type_is_refused_and_nothing_is_changed(schema: Any, wrong: Any) -> None:
    builder = schema.Any.new_message(any="before", list=schema.All(uint8s=[1]).uint8s, struct=schema.Old(old1=1))
    before = builder.to_bytes()
    for field in ("any", "list", "struct", "cap"):
        with pytest.raises(EncodeTypeError, match=f"^{field}: .* set from .*, not {type(wrong).__name__}"):
            setattr(builder, field, wrong)
    assert builder.to_bytes() == before


@pytest.mark.conformance("ANY-01")
def test_the_wrong_kind_is_an_error_and_nothing_is_changed(schema: Any) -> None:
    values = {"struct": schema.Old(old1=1), "list": b"data", "capability": Capability(3)}
    readings: dict[str, Callable[[Any], Any]] = {
        "struct": lambda pointer: pointer.as_struct(schema.New),
        "struct ": lambda pointer: pointer.as_any_struct(),
        "list": lambda pointer: pointer.as_any_list(),
        "list ": lambda pointer: pointer.as_data(),
        "capability": lambda pointer: pointer.as_capability(),
        "capability ": lambda pointer: pointer.as_interface(schema.Service),
    }
    for kind, value in values.items():
        builder = schema.Any.new_message(any=value)
        before = builder.to_bytes()
        for view in both(builder):
            assert view.any.kind == kind
            for expected, reading in readings.items():
                if expected.strip() != kind:
                    with pytest.raises(DecodeError, match="expected a"):
                        reading(view.any)
        assert builder.to_bytes() == before


def test_names_that_name_no_fitting_type_are_refused(schema: Any) -> None:
    pointer = schema.Any.new_message(any="text").any
    for attempt in (
        lambda: pointer.get(int),
        lambda: pointer.get("Text"),
        lambda: pointer.as_list(schema.Old),
        lambda: pointer.as_list(ccapnp.Text),
        lambda: pointer.as_struct(List[schema.Old]),
        lambda: pointer.as_interface(schema.Old),
        lambda: pointer.init(Kind.INT32),
    ):
        with pytest.raises(TypeError):
            attempt()
    assert pointer.as_text() == "text"


@pytest.mark.conformance("ANY-06")
def test_to_ask_for_the_kind_of_a_far_root_leaves_the_builder_as_it_was(schema: Any) -> None:
    with fixed_segments(1):
        message = MessageBuilder(num_first_segment_words=1)
        message.init_root(schema.All).text = "far"
        before = message.to_bytes()
        assert len(message.to_segments()) > 1 and message.root.kind == "struct"
        assert message.root.as_any_struct().pointers[TEXT_INDEX].kind == "list" and message.to_bytes() == before
        message.init_root(schema.All).text = "again"
        assert message.root.kind == "struct" and message.get_root(schema.All).text == "again"
    assert MessageReader(message.to_bytes()).get_root(schema.All).text == "again"


@pytest.mark.conformance("ENC-44")
def test_typed_values_in_constants_are_read_after_a_cast(schema: Any) -> None:
    found = schema.anys
    assert found.any.as_struct(schema.Old).old2 == "text" and found.struct.as_struct(schema.Old).old1 == 5
    assert schema.numbersInAny.any.as_list(List[Kind.INT32]) == [1, 2, 3]
    for numbers in (found.list, found.unionList):
        assert numbers.as_list(List[Kind.INT32]) == [1, 2, 3] and numbers.element_size == ElementSize.FOUR_BYTES


@pytest.mark.conformance("ENC-44", "ANY-02", "ANY-03")
def test_official_values_are_read_as_anything(official: Any, testdata: Path) -> None:
    found = official.anyPointerConstants
    assert found.anyKindAsStruct.as_struct(official.TestAllTypes).int32Field == -78901234
    assert found.anyStructAsStruct == found.anyKindAsStruct.as_any_struct()
    assert found.anyKindAsList.as_list(List[Kind.INT32]) == found.anyListAsList.as_list(List[Kind.INT32])
    assert list(found.anyListAsList) == [111111111, 2**32 - 111111111]
    for name in ("binary", "segmented"):
        root = MessageReader((testdata / name).read_bytes()).get_root(AnyStruct)
        assert (len(root.data), len(root.pointers)) == (48, 20) and root.pointers[0].as_text() == "foo"
        assert root.as_struct(official.TestAllTypes).textField == "foo"


@pytest.mark.conformance("ENC-47")
def test_an_empty_struct_in_an_anypointer_takes_no_words(schema: Any) -> None:
    builder = schema.Just.new_message()
    assert builder.total_size == (1, 0) and not builder.has("any")
    builder.any.init_struct(schema.Empty)
    assert builder.has("any") and builder.total_size == (1, 0)
    assert bytes(builder.to_segments()[0][8:]) == bytes.fromhex("fcffffff00000000")
    assert builder.any.total_size == (0, 0) and read_again(builder).has("any")


@pytest.mark.conformance("ENC-48")
def test_an_empty_list_of_numbers_takes_no_words(schema: Any) -> None:
    builder = schema.Just.new_message()
    builder.any.init_list(List[Kind.INT32], 0)
    assert builder.has("any") and builder.total_size == (1, 0) and len(read_again(builder).any.as_any_list()) == 0


@pytest.mark.conformance("ENC-49")
def test_an_empty_list_of_structs_takes_the_word_of_its_tag(schema: Any) -> None:
    builder = schema.Just.new_message()
    builder.any.init_list(List[schema.All], 0)
    assert builder.has("any") and builder.total_size == (2, 0) and builder.any.total_size == (1, 0)


@pytest.mark.conformance("ENC-35")
def test_setting_a_root_and_an_anypointer_copies_deeply(schema: Any, full: Any) -> None:
    message = MessageBuilder()
    root = message.set_root(full.as_reader())
    builder = schema.Any.new_message(any=root)
    root.all.all.text = "changed"
    assert full.all.all.text == "really nested" == builder.any.as_struct(schema.All).all.all.text


# ---- AnyStruct


@pytest.mark.conformance("ANY-02", "DYN-05")
def test_an_anystruct_shows_both_sections_and_shares_memory(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(any=full, struct=full)
    for view in both(builder):
        for found in (view.any.as_any_struct(), view.struct, ccapnp.as_any_struct(view.any.as_struct(schema.All))):
            assert len(found.data) == 48 and len(found.pointers) == 20 and found.kind == "struct"
            assert found.as_struct(schema.All) == full
    reader = read_again(builder).struct
    assert reader.data.readonly and builder.struct.as_reader().data.readonly
    builder.struct.data[4:8] = (77).to_bytes(4, "little")
    builder.struct.pointers[TEXT_INDEX] = "through the pointer"
    typed = builder.struct.as_struct(schema.All)
    assert typed.int32 == 77 and typed.text == "through the pointer" and full.int32 == -5
    typed.int32 = 78
    assert builder.struct.data[4] == 78 == builder.struct.as_reader().data[4]
    with pytest.raises(TypeError):
        reader.data[0] = 1


@pytest.mark.conformance("ANY-02")
def test_an_anystruct_is_made_with_sections_of_any_size(schema: Any) -> None:
    builder = schema.Any.new_message()
    made = [
        builder.any.init_any_struct(2, 1),
        builder.init("struct", (2, 1)),
        MessageBuilder().init_root(AnyStruct, (2, 1)),
    ]
    for each in made:
        assert bytes(each.data) == bytes(16) and len(each.pointers) == 1 and each.total_size == (3, 0)
    assert builder.any.init_any_struct(0xFFFF, 0xFFFF).total_size == (0x1FFFE, 0)
    for size in ((0x10000, 0), (0, 0x10000), (-1, 0)):
        with pytest.raises(EncodeError, match="a struct has 0 to 65535 data words"):
            builder.init("struct", size)
    for wrong in (None, 3, (1, 2, 3), (1, "x")):
        with pytest.raises(EncodeTypeError, match="^struct: init of an AnyStruct needs"):
            builder.init("struct", wrong)
    assert len(builder.struct.data) == 16


@pytest.mark.conformance("ANY-02")
def test_a_builder_that_has_too_little_room_for_a_type_is_moved(schema: Any) -> None:
    builder = schema.Any.new_message(struct=schema.Old(old1=1, old2="old"))
    found = builder.struct
    for newer in (found.as_struct(schema.New), found.as_struct(schema.New), builder.struct.as_struct(schema.New)):
        assert newer.old1 == 1 and newer.old2 == "old" and newer.new1 == 987 and newer.new2 == "baz"
        newer.new2 = "new"
        assert found.pointers[1].as_text() == "new" and len(found.data) == 16
        newer.new2 = None
    assert builder.struct == schema.Any.new_message(struct=schema.Old(old1=1, old2="old")).struct
    stale = schema.Any.new_message(struct=schema.Old(old1=1))
    view = stale.struct
    stale.struct = schema.Old(old1=2)
    with pytest.raises(EncodeError, match="no longer where its pointer leads"):
        view.as_struct(schema.New)
    stale.struct = None
    with pytest.raises(EncodeError, match="no longer where its pointer leads"):
        view.as_struct(schema.New)
    with pytest.raises(EncodeError, match="too little room for a New and cannot be moved"):
        ccapnp.as_any_struct(schema.Old.new_message()).as_struct(schema.New)


@pytest.mark.conformance("DYN-05")
def test_an_older_struct_reads_as_a_newer_type(schema: Any) -> None:
    found = ccapnp.as_any_struct(read_again(schema.Old.new_message(old1=1))).as_struct(schema.New)
    assert found.old1 == 1 and found.new1 == 987 and found.new2 == "baz" and found.old2 == ""
    with pytest.raises(EncodeTypeError, match="is a group"):
        ccapnp.as_any_struct(schema.Any.new_message().group)


@pytest.mark.conformance("ANY-03")
def test_pointers_of_a_section_are_anypointers(schema: Any, full: Any) -> None:
    for view in both(full):
        pointers = ccapnp.as_any_struct(view).pointers
        assert pointers[TEXT_INDEX].as_text() == "foo" and pointers[DATA_INDEX].as_data() == b"bar"
        assert pointers[UINT8S_INDEX].as_list(List[Kind.UINT8]) == [1, 2, 3]
        assert [each.kind for each in pointers][-3:] == ["null"] * 3 and len(list(pointers)) == 20
    pointers = ccapnp.as_any_struct(full).pointers
    pointers[DATA_INDEX] = pointers[TEXT_INDEX]
    assert full.data == b"foo\0"
    pointers[TEXT_INDEX] = None
    assert not full.has("text")


@pytest.mark.conformance("ANY-02")
def test_the_element_of_a_list_is_an_anystruct_too(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(list=full.alls)
    element = builder.list[1]
    element.as_struct(schema.All).text = "changed"
    element.data[4] = 9
    assert read_again(builder).list.as_list(List[schema.All])[1].to_dict()["text"] == "changed"
    assert read_again(builder).list[1].as_struct(schema.All).int32 == 9
    numbers = schema.Any.new_message(any=schema.All(uint16s=[1, 2]).uint16s)
    spread = read_again(numbers).any.as_list(List[AnyStruct])
    assert [bytes(each.data) for each in spread] == [b"\1\0", b"\2\0"]  # a list of numbers as one of structs


# ---- AnyList


@pytest.mark.conformance("ANY-04")
def test_an_anylist_of_structs_is_a_list_of_anystructs(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(any=full.alls, list=full.alls)
    for view in both(builder):
        for found in (view.any.as_any_list(), view.list):
            assert len(found) == 2 and found.element_size == ElementSize.COMPOSITE and found.kind == "list"
            structs = found.as_list(List[AnyStruct])
            assert [each.as_struct(schema.All).text for each in structs] == ["structlist 1", "structlist 2"]
            assert [each.pointers[TEXT_INDEX].as_text() for each in found] == ["structlist 1", "structlist 2"]
            assert found.as_list(List[schema.All]) == full.alls and found[-1] == structs[1]
            with pytest.raises(DecodeError, match="more than its bytes"):
                _ = found.data
            with pytest.raises(IndexError):
                found[2]
            with pytest.raises(TypeError, match="is not the type of a list"):
                found.as_list(schema.All)


@pytest.mark.conformance("ANY-04")
@pytest.mark.parametrize(
    ("field", "size", "items", "data"),
    [
        ("voids", ElementSize.VOID, [None] * 3, b""),
        ("bools", ElementSize.BIT, [True, False, True] * 4, b"\x6d\x0b"),
        ("uint8s", ElementSize.BYTE, [1, 2, 3], b"\1\2\3"),
        ("uint16s", ElementSize.TWO_BYTES, [1, 258], b"\1\0\2\1"),
        ("uint32s", ElementSize.FOUR_BYTES, [1], b"\1\0\0\0"),
        ("uint64s", ElementSize.EIGHT_BYTES, [2], b"\2" + bytes(7)),
    ],
)
def test_an_anylist_of_numbers_shows_them_and_their_bytes(
    schema: Any, field: str, size: ElementSize, items: list[Any], data: bytes
) -> None:
    builder = schema.Any.new_message(list=getattr(schema.All.new_message(**{field: items}), field))
    for view in both(builder):
        assert view.list.element_size is size and list(view.list) == items and len(view.list) == len(items)
        assert bytes(view.list.data) == data and view.list.data.readonly is (view is not builder)
    if data and items[0] is not True:
        builder.list[0] = 9
        builder.list.data[-1] = 0
        assert read_again(builder).list[0] == 9


@pytest.mark.conformance("ANY-04")
def test_an_anylist_of_pointers_has_anypointers(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(list=full.texts)
    for view in both(builder):
        assert [each.as_text() for each in view.list] == ["x", "y"] and view.list.element_size == ElementSize.POINTER
        assert view.list.as_list(List[Kind.TEXT]) == ["x", "y"] == [each.get(ccapnp.Text) for each in view.list]
        with pytest.raises(DecodeError, match="more than its bytes"):
            _ = view.list.data
    builder.list[0] = full
    assert read_again(builder).list[0].as_struct(schema.All) == full


@pytest.mark.conformance("ANY-05")
def test_an_anylist_is_made_of_elements_of_any_size(schema: Any) -> None:
    builder = schema.Any.new_message()
    for element in (size for size in ElementSize if size != ElementSize.COMPOSITE):
        for made in (builder.init("list", (element, 3)), builder.any.init_any_list(element, 3)):
            assert made.element_size is element and len(made) == 3
        assert read_again(builder).list.element_size is element
    made = builder.any.init_any_list((1, 2), 3)
    assert [(len(each.data), len(each.pointers)) for each in made] == [(8, 2)] * 3 and made.total_size == (10, 0)
    before = builder.to_bytes()
    for wrong in (None, 3, (ElementSize.COMPOSITE, 1), ("x", 1), ((1, "x"), 1), ((1, 2), "x"), (ElementSize.BIT, None)):
        with pytest.raises(EncodeTypeError, match="^list: "):
            builder.init("list", wrong)
    with pytest.raises(EncodeError, match="cannot have -1 elements"):
        builder.init("list", (ElementSize.BYTE, -1))
    assert builder.to_bytes() == before


@pytest.mark.conformance("ANY-04")
def test_a_builder_s_list_makes_room_for_a_newer_type_in_all_elements(schema: Any) -> None:
    old = MessageBuilder()
    made = old.root.init_any_list((1, 1), 2)
    with pytest.raises(EncodeError, match=r"as_list\(List\[\.\.\.\]\) of that makes room in all"):
        made[0].as_struct(schema.New)
    made[1].as_struct(schema.Old).old1 = 5
    newer = made.as_list(List[schema.New])
    newer[1].new2 = "new"
    assert newer[1].old1 == 5 and made[1].as_struct(schema.New).new2 == "new" and len(made[0].data) == 16


def test_lists_of_anystructs_are_set_from_structs_of_any_type(schema: Any, full: Any) -> None:
    message = MessageBuilder()
    made = message.set_root([full, schema.Old(old1=3), ccapnp.as_any_struct(full)], List[AnyStruct])
    found = MessageReader(message.to_bytes()).get_root(List[AnyStruct])
    for each in (made, found):
        assert each[0].as_struct(schema.All) == full and each[1].as_struct(schema.Old).old1 == 3 and each[0] == each[2]
    made[0] = schema.Old(old1=4)
    assert made[0].as_struct(schema.Old).old1 == 4 and made[0].as_struct(schema.All).text == ""
    with pytest.raises(EncodeTypeError, match=r"\[1\]: an AnyStruct is set from"):
        message.set_root([full, "x"], List[AnyStruct])
    assert len(message.get_root(List[AnyStruct])) == 3
    assert message.init_root(List[AnyStruct], ((1, 2), 2))[1].pointers[1].kind == "null"
    assert str(found) == "[<opaque pointer>, <opaque pointer>, <opaque pointer>]"
    assert repr(found).startswith("<List(AnyStruct) reader [<opaque pointer>")
    assert [type(each) for each in found.to_list()] == [ccapnp.AnyStructReader] * 3
    assert pickle.loads(pickle.dumps(found)) == found == copy.deepcopy(found)


# ---- fields of these types


@pytest.mark.conformance("ANY-05")
def test_fields_are_declared_anystruct_anylist_and_capability(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message()
    for view in both(builder):
        assert not any(view.has(name) for name in ("struct", "list", "cap", "any")) and view.cap is None
        assert len(view.list) == 0 and view.list.element_size == ElementSize.VOID
    assert len(read_again(builder).struct.data) == len(read_again(builder).struct.pointers) == 0
    builder.struct, builder.list, builder.cap = full, full.uint8s, Capability(2)
    assert builder.has("struct") and builder.has("list") and builder.has("cap")
    for view in both(builder):
        assert isinstance(view.struct, ccapnp.AnyStructReader) and isinstance(view.list, ccapnp.AnyListReader)
        assert view.struct.as_struct(schema.All) == full and list(view.list) == [1, 2, 3] and view.cap.index == 2
    builder.struct = builder.list = builder.cap = None
    assert not builder.has("struct") and not builder.has("list") and not builder.has("cap")
    builder.unionStruct = full
    assert builder.which() == "unionStruct" and len(builder.unionStruct.pointers) == 20
    builder.init("unionList", (ElementSize.BYTE, 2))
    assert builder.which() == "unionList" and read_again(builder).unionList.data == b"\0\0"
    builder.lists = [full.uint8s, full.alls, builder.unionList]
    for view in both(builder):
        assert [each.element_size for each in view.lists] == [ElementSize.BYTE, ElementSize.COMPOSITE, ElementSize.BYTE]


@pytest.mark.conformance("ANY-05")
def test_fields_are_set_from_pointers_of_the_right_kind_alone(schema: Any, full: Any) -> None:
    anys = {"struct": full, "list": full.alls, "text": "text", "cap": Capability(0)}
    sources = {name: schema.Any.new_message(any=value).any for name, value in anys.items()}
    builder = schema.Any.new_message(struct=sources["struct"], list=sources["text"])
    assert builder.struct.as_struct(schema.All) == full and bytes(builder.list.data) == b"text\0"
    builder.list = sources["list"]
    assert builder.list.as_list(List[schema.All]) == full.alls
    for field, wrong in (("struct", "list"), ("struct", "cap"), ("list", "struct"), ("list", "cap")):
        with pytest.raises(EncodeTypeError, match=f"^{field}: an Any"):
            setattr(builder, field, sources[wrong])
    with pytest.raises(EncodeTypeError, match="is a group"):
        builder.struct = builder.group
    assert builder.struct.as_struct(schema.All) == full and builder.list.as_list(List[schema.All]) == full.alls


@pytest.mark.conformance("CAP-12", "ANY-05", "DYN-04")
def test_capabilities_are_held_wherever_pointers_are(schema: Any) -> None:
    builder = schema.Any.from_dict(
        {
            "any": Capability(1),
            "cap": Capability(2),
            "service": Capability(3),
            "caps": [Capability(4), None],
            "group": {"any": Capability(5), "cap": Capability(6)},
        }
    )
    nested = schema.Any.new_message(any=builder)
    again = nested.any.as_struct(schema.Any)
    for view in (*both(builder), again, read_again(nested).any.as_struct(schema.Any), copy.deepcopy(builder)):
        assert view.any.kind == "capability" and view.any.as_capability() == Capability(1) == view.any.get(Capability)
        assert view.any.as_interface(schema.Service) == Capability(1) == view.any.get(schema.Service)
        assert view.cap == Capability(2) and view.service == Capability(3) and list(view.caps) == [Capability(4), None]
        assert view.group.any.as_capability() == Capability(5) and view.group.cap == Capability(6)
        assert ccapnp.total_size(view).cap_count == 6
    builder.caps[1] = Capability(7)
    message = MessageBuilder()
    assert message.set_root(builder.caps) == [Capability(4), Capability(7)]
    assert message.set_root(Capability(8)) == Capability(8)
    assert MessageReader(message.to_bytes()).get_root(Capability) == Capability(8)
    builder.any = None
    assert builder.any.as_capability() is None and not builder.has("any")
    with pytest.raises(EncodeError, match="index into a capability table"):
        builder.cap = Capability(2**32)


@pytest.mark.conformance("DYN-04")
def test_dicts_give_and_take_these_values(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(struct=full, list=full.uint8s, any="text", cap=Capability(1))
    for view in both(builder):
        found = view.to_dict()
        assert isinstance(found["struct"], ccapnp.AnyStructReader) and found["cap"] == Capability(1)
        assert isinstance(found["list"], ccapnp.AnyListReader) and isinstance(found["any"], ccapnp.AnyPointerReader)
        assert ccapnp.equal(schema.Any.from_dict(found), builder) is None  # for the capability
        assert ccapnp.to_text(schema.Any.from_dict(found)) == ccapnp.to_text(view)
    assert "struct" not in schema.Any.new_message(number=1).to_dict()
    verbose = schema.Any.new_message(number=1).to_dict(verbose=True)
    assert verbose["struct"] is verbose["list"] is verbose["any"] is verbose["cap"] is None


def test_text_does_not_show_what_has_no_type(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(struct=full, list=full.uint8s, any="text", cap=Capability(1), lists=[full.uint8s])
    opaque = "<opaque pointer>"
    assert builder.to_text() == (
        f"(any = {opaque}, struct = {opaque}, list = {opaque}, cap = {opaque}, lists = [{opaque}], group = ())"
    )
    assert repr(builder.struct) == "<AnyStruct builder struct of 6 data words and 20 pointers>"
    assert repr(read_again(builder).list) == "<AnyList reader list of 3 bytes>"
    assert repr(ccapnp.as_any_struct(full).pointers[0]) == "<AnyPointer builder list of 4 bytes>"


def test_text_is_what_the_official_tool_prints(schema: Any, full: Any, capnp_tool: str, tmp_path: Path) -> None:
    simple = "struct Opaque { any @0 :AnyPointer; struct @1 :AnyStruct; list @2 :AnyList; cap @3 :Capability; }"
    path = tmp_path / "opaque.capnp"
    path.write_text(f"@0xd3a86b1c3b5f4e01;\n{simple}\n")
    made = ccapnp.load(path).Opaque
    for fields in ({}, {"any": "text", "struct": full, "list": full.alls}, {"list": full.voids, "cap": Capability(0)}):
        message = made.new_message(**fields)
        command = [capnp_tool, "decode", "--short", str(path), "Opaque"]
        done = subprocess.run(command, input=message.to_bytes(), capture_output=True, check=True)
        assert done.stdout.decode() == f"{message}\n"


# ---- roots


@pytest.mark.conformance("ANY-01", "DYN-04")
def test_a_root_is_of_any_type(schema: Any, full: Any) -> None:
    roots: list[tuple[Any, Any]] = [
        *((ccapnp.Text, "text"), (ccapnp.Data, b"data"), (List[Kind.UINT8], full.uint8s), (schema.All, full)),
        *((AnyStruct, ccapnp.as_any_struct(full)), (AnyList, schema.Any.new_message(list=full.alls).list)),
        (AnyPointer, schema.Any.new_message(any=full).any),
    ]
    for type_name, value in roots:
        message = MessageBuilder()
        assert message.set_root(value) == value == message.get_root(type_name)
        reader = MessageReader(message.to_bytes())
        assert reader.get_root(type_name) == value == reader.root.get(type_name)
        assert reader.get_root_as_any() == message.get_root_as_any()
    assert message.init_root(List[Kind.TEXT], 2) == ["", ""]
    assert message.init_root(AnyList, (ElementSize.BIT, 3)).element_size == ElementSize.BIT
    assert MessageReader(MessageBuilder().set_root(full).to_bytes()).get_root(AnyStruct).as_struct(schema.All) == full
    with pytest.raises(DecodeError, match="no root pointer"):
        MessageReader.from_segments([b""]).get_root(ccapnp.Text)
    with pytest.raises(TypeError, match="does not name a type"):
        message.set_root(1, int)
    with pytest.raises(EncodeTypeError, match="the root is set from"):
        message.set_root(1)


# ---- equality


@pytest.mark.conformance("ANY-07")
def test_equality_follows_every_edit(schema: Any) -> None:
    changes: list[Callable[[Any], None]] = [
        lambda each: setattr(each, "bool", False),
        lambda each: setattr(each, "color", "red"),
        lambda each: setattr(each.all.all, "text", "other"),
        lambda each: setattr(each, "voids", [None] * 4),
        lambda each: each.bools.__setitem__(1, True),
        lambda each: setattr(each.alls[1], "text", "other"),
    ]
    for change in changes:
        one, other = schema.All.new_message(**FIELDS), schema.All.new_message(**FIELDS)
        assert one == other and ccapnp.equal(one, read_again(other)) is True
        change(one)
        first, second = (schema.Any.new_message(any=each, struct=each) for each in (one, other))
        for left, right in ((one, other), (first.any, second.any), (first.struct, read_again(second).struct)):
            assert ccapnp.equal(left, right) is False and left != right
        change(other)
        assert ccapnp.equal(ccapnp.as_any_struct(one), other) is True and one == other


@pytest.mark.conformance("ANY-08")
def test_bits_are_equal_whatever_is_behind_the_last(backend: str) -> None:
    one, other, less = (
        raw.root_of(raw.words(raw.lst(0, 1, count), data)) for count, data in ((11, "ee0f"), (11, "ee07"), (11, "ee03"))
    )
    assert one == other and one.as_any_list() == other.as_any_list() and hash(one) == hash(other)
    assert one != less and ccapnp.equal(one.as_any_list(), less) is False


@pytest.mark.conformance("ANY-09")
def test_empty_lists_of_pointers_and_of_structs_differ(schema: Any) -> None:
    pointers, structs = schema.Any.new_message(), schema.Any.new_message()
    pointers.any.init_list(List[Kind.TEXT], 0)
    structs.any.init_list(List[schema.All], 0)
    assert pointers.any != structs.any and ccapnp.equal(pointers.any, structs.any) is False
    assert len(pointers.any.as_any_list()) == len(structs.any.as_any_list()) == 0


@pytest.mark.conformance("ANY-10")
def test_zeros_at_the_end_of_a_section_do_not_count(backend: str) -> None:
    one = raw.root_of(raw.words(raw.struct(0, 1, 1), 5, raw.lst(0, 2, 8), b"textabc\0"))
    longer = raw.root_of(raw.words(raw.struct(0, 2, 3), 5, 0, raw.lst(2, 2, 8), 0, 0, b"textabc\0"))
    one_more = raw.root_of(raw.words(raw.struct(0, 1, 2), 5, raw.lst(1, 2, 8), 0xFFFFFFFC, b"textabc\0"))
    another = raw.root_of(raw.words(raw.struct(0, 2, 1), 5, 1, raw.lst(0, 2, 8), b"textabc\0"))
    assert one == longer and hash(one) == hash(longer) and one.as_any_struct() == longer.as_any_struct()
    assert hash(one.as_any_struct()) == hash(longer.as_any_struct())
    assert ccapnp.equal(one, one_more) is ccapnp.equal(longer, another) is False


@pytest.mark.conformance("ANY-11")
def test_null_is_no_empty_struct_and_element_sizes_count(schema: Any) -> None:
    null, empty = schema.Any.new_message(), schema.Any.new_message(any=schema.Empty())
    assert ccapnp.equal(null.any, empty.any) is False and null.any != empty.any
    small, large = (
        schema.Any.new_message(any=each) for each in (schema.All(uint8s=[]).uint8s, schema.All(uint16s=[]).uint16s)
    )
    assert ccapnp.equal(small.any, large.any) is False and small.any != large.any
    assert ccapnp.equal(schema.All(uint8s=[1]).uint8s, schema.All(uint16s=[1]).uint16s) is False


@pytest.mark.conformance("ANY-11")
def test_of_capabilities_equality_is_not_known(schema: Any) -> None:
    one, other = (schema.Any.new_message(any=Capability(0), number=1) for _ in range(2))
    boxes = [schema.Any.new_message(any=each, struct=each, list=schema.Any(lists=[]).lists) for each in (one, other)]
    for left, right in (
        (one, read_again(other)),
        *zip(*([each.any, each.struct] for each in boxes)),
        (one.any, other.any),
    ):
        assert ccapnp.equal(left, right) is None
        with pytest.raises(ccapnp.CapnpError, match="capabilities"):
            _ = left == right
    other.number = 2
    assert ccapnp.equal(one, other) is False and one != other  # whatever the capabilities are
    with pytest.raises(EncodeError, match="capabilities"):
        hash(read_again(one).any)


def test_all_kinds_of_views_can_be_compared(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(any=full, struct=full, list=full.alls)
    structs = [full, ccapnp.as_any_struct(full), builder.any, builder.struct, builder.any.as_struct(schema.All)]
    lists = [full.alls, builder.list, builder.list.as_list(List[AnyStruct])]
    for equals, others in ((structs, lists), (lists, structs)):
        for one in equals:
            assert all(ccapnp.equal(one, each) is True for each in equals)
            assert all(ccapnp.equal(one, each) is False for each in others)
    for wrong in (1, "text", None, [1]):
        with pytest.raises(TypeError, match="only what messages hold can be compared"):
            ccapnp.equal(full, wrong)
    assert builder.any != full and builder.struct != "x" and builder.list != [1]


def test_comparing_and_hashing_does_not_use_up_a_limit(schema: Any, full: Any) -> None:
    data = schema.Any.new_message(any=full, struct=full, list=full.alls).to_bytes()
    reader = schema.Any.from_bytes(data, traversal_limit_in_words=1000)
    any_, struct, list_, typed = reader.any, reader.struct, reader.list, reader.list.as_list(List[schema.All])
    for _ in range(100):
        assert any_ == any_ and struct == struct and list_ == list_ and ccapnp.equal(typed, list_)
        hash(any_), hash(struct), hash(list_), repr(any_), repr(list_), bytes(struct.data)


# ---- copies, and what a program does with objects


def test_copies_and_pickles_are_in_messages_of_their_own(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(any=full, struct=full, list=full.alls)
    for view in both(builder):
        for found in (view.any, view.struct, view.list, ccapnp.as_any_struct(full), view.list[0]):
            for again in (found.copy(), copy.deepcopy(found), pickle.loads(pickle.dumps(found)), found.as_builder()):
                assert again == found and again.kind == found.kind
            is_builder = type(found).__name__.endswith("Builder")
            assert type(found.copy()) is type(found) is type(pickle.loads(pickle.dumps(found)))
            assert (copy.copy(found) is found) is not is_builder
    twin = builder.struct.copy()
    twin.as_struct(schema.All).text = "changed"
    assert builder.struct.as_struct(schema.All).text == "foo"
    for unhashable in (builder.any, builder.struct, builder.list):
        with pytest.raises(TypeError, match="unhashable"):
            hash(unhashable)
    with pytest.raises(pickle.PicklingError, match="capabilities"):
        pickle.dumps(schema.Any.new_message(any=Capability(0)).any)
    null = schema.Any.new_message()
    assert pickle.loads(pickle.dumps(null.as_reader().any)).kind == "null" and null.any.copy().kind == "null"


def test_sizes_and_canonical_forms_are_those_of_the_struct(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(any=full, struct=full, list=full.alls)
    for view in both(builder):
        assert view.struct.total_size == full.total_size == view.any.total_size == view.any.as_any_struct().total_size
        assert ccapnp.canonicalize(view.struct) == ccapnp.canonicalize(full)
    assert builder.list.total_size == (1 + 2 * 26 + 4, 0)
    assert schema.Any.new_message().any.total_size == (0, 0)


# ---- limits, and views that have become stale


def test_what_is_read_counts_and_nests_as_any_other(schema: Any) -> None:
    words = raw.words(raw.lst(0, 0, 1000))  # a thousand times nothing
    with pytest.raises(LimitError):
        raw.root_of(words, traversal_limit_in_words=100).as_any_list()
    assert len(raw.root_of(words, traversal_limit_in_words=1002).as_any_list()) == 1000
    loop = raw.root_of(raw.words(raw.struct(-1, 0, 1)), nesting_limit=5)
    pointer = loop
    for _ in range(5):
        pointer = pointer.as_any_struct().pointers[0]
    with pytest.raises(LimitError, match="nested"):
        pointer.as_any_struct()
    far = raw.words(raw.far(0, 1)), raw.words(raw.lst(0, 2, 8), 5)
    assert bytes(raw.root_of(*far, traversal_limit_in_words=2 + 1 + 1).as_any_list().data) == b"\5" + bytes(7)
    counted = raw.root_of(raw.words(raw.struct(0, 3, 0), 0, 0, 0), traversal_limit_in_words=2 + 2 * 3)
    assert len(counted.as_any_struct().data) == 24 == len(counted.as_any_struct().data)
    with pytest.raises(LimitError):
        counted.as_any_struct()


@pytest.mark.parametrize(
    "words",
    [
        raw.words(raw.struct(0, 9, 9)),
        raw.words(raw.lst(0, 2, 100)),
        raw.words(raw.lst(0, 7, 4), raw.struct(100, 1, 1), 0, 0, 0, 0),
        raw.words(raw.lst(0, 7, 1), 1, 0),
        raw.words(7),
        raw.words(raw.far(0, 9)),
    ],
    ids=["struct", "bytes", "tag's count", "tag's kind", "unknown", "far"],
)
def test_what_is_wrong_is_an_error(backend: str, words: bytes) -> None:
    root = raw.root_of(words)
    for reading in (root.as_any_struct, root.as_any_list):
        with pytest.raises(DecodeError):
            reading()
    assert "error" in repr(root) or root.kind in ("struct", "list")


def test_far_pointers_lead_to_these_too(schema: Any, full: Any) -> None:
    with fixed_segments(2):
        builder = schema.Any.new_message(num_first_segment_words=2, any=full, struct=full, list=full.alls)
        builder.struct.as_struct(schema.All).text = "changed"
        assert builder.list.as_list(List[schema.All]) == full.alls
    reader = read_again(builder)
    assert len(builder.to_segments()) > 5 and reader.struct.as_struct(schema.All).text == "changed"
    assert reader.any.as_any_struct() == ccapnp.as_any_struct(full) and reader.list == builder.list


def test_views_of_what_was_replaced_do_not_harm(schema: Any, full: Any) -> None:
    builder = schema.Any.new_message(any=full, struct=full, list=full.alls)
    pointer, struct, list_, element = builder.any, builder.struct, builder.list, builder.list[0]
    builder.any = builder.struct = builder.list = None
    assert pointer.kind == "null" and not any(struct.data) and all(each.kind == "null" for each in struct.pointers)
    assert list_.as_list(List[schema.All]) == [] and element.as_struct(schema.All).text == ""
    struct.pointers[0] = "written into nothing"
    builder.list = full.bools
    with pytest.raises(DecodeError, match="a list of bits"):
        list_.as_list(List[schema.All])
    assert list(builder.list) == FIELDS["bools"] and not builder.has("struct")
    bytes(list_.as_reader().data), repr(list_), repr(struct), repr(element)


# ---- text and data


@pytest.mark.conformance("BLB-01")
def test_texts_compare_by_their_bytes(schema: Any) -> None:
    texts = ["foo", "fo", "", "foobar", "\u00e9", "\U0001f600", "z", "\uffff"]
    builder = schema.All.new_message(texts=texts)
    for view in both(builder):
        assert sorted(view.texts) == sorted(texts, key=str.encode) and view.texts[1] < view.texts[0] < view.texts[3]
    builder.text = "foo bar"
    assert builder.text == "foo bar" != "foo" and builder.text[4:] == "bar" and len(builder.text) == 7
    assert len(read_again(builder).get_data_as_view("text")) == 7


@pytest.mark.conformance("BLB-02")
def test_data_compares_slices_and_is_changed_in_place(schema: Any) -> None:
    builder = schema.All.new_message(data=b"foobar")
    for view in both(builder):
        assert view.data == b"foobar" != b"fooba" and view.data[3:] == b"bar" and len(view.data) == 6
        assert b"fooba" < view.data < b"foobas"
    builder.get_data_as_view("data")[0:3] = b"FOO"
    assert read_again(builder).data == b"FOObar"
    view = builder.init("data", 3)
    view[1:] = b"ab"
    assert read_again(builder).data == b"\0ab"
