"""Orphans: values that belong to a message but are no part of its tree, until they are adopted."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp import AnyPointer, Data, EncodeError, EncodeTypeError, Kind, List, MessageBuilder, Text, UnionError

SCHEMA = """
struct Thing {
  number @0 :Int32 = 5;
  text @1 :Text;
  data @2 :Data;
  thing @3 :Thing;
  things @4 :List(Thing);
  numbers @5 :List(UInt32);
  bits @6 :List(Bool);
  texts @7 :List(Text);
  lists @8 :List(List(Int16));
  any @9 :AnyPointer;
  flag @10 :Bool = true;
  color @11 :Color = green;
  nothing @12 :Void;
  real @13 :Float64 = 1.5;
  colors @14 :List(Color);
  blobs @15 :List(Data);
  cap @16 :Capability;
  voids @17 :List(Void);
  group :group {
    amount @18 :UInt16;
    label @19 :Text;
    union {
      first @20 :Int32;
      second @21 :Text;
      third :group { deep @22 :Data; }
    }
  }
  union {
    left @23 :Int64;
    right @24 :List(Thing);
  }
  structLists @25 :List(List(Thing));
  interfaces @26 :List(Capability);
}
enum Color { red @0; green @1; blue @2; }
interface Capability {}
struct Empty {}
struct OldVersion { old1 @0 :Int64; old2 @1 :Text; old3 @2 :OldVersion; }
struct NewVersion {
  old1 @0 :Int64; old2 @1 :Text; old3 @2 :NewVersion;
  new1 @3 :Int64 = 987; new2 @4 :Text = "baz";
}
"""


@pytest.fixture
def schema(compile_schema: Callable[[str], ModuleType]) -> ModuleType:
    return compile_schema(SCHEMA)


@pytest.fixture
def thing(schema: ModuleType) -> Any:
    """A builder with a value in every field."""
    return filled(schema)


def filled(schema: ModuleType, **more: Any) -> Any:
    return schema.Thing.new_message(
        number=7, text="some text", data=b"some data", thing={"text": "inner", "numbers": [1]},
        things=[{"number": 1, "text": "a"}, {"number": 2, "text": "b"}], numbers=[1, 2, 3], bits=[True, False, True],
        texts=["x", "yz", ""], lists=[[1], [2, 3], []], any="any", flag=False, color="blue", real=2.5,
        colors=["red", "blue"], voids=[None] * 3, group={"amount": 3, "label": "group", "second": "member"},
        structLists=[[{"number": 1}], []], right=[{"number": 4}], blobs=[b"any", b"blob", None],
        cap=ccapnp.Capability(3), interfaces=[ccapnp.Capability(2), None], **more,
    )  # fmt: skip


SCALARS = ["number", "flag", "color", "nothing", "real"]
POINTERS = ["text", "data", "thing", "things", "numbers", "bits", "texts", "lists", "any", "colors", "blobs", "cap"]
POINTERS += ["voids", "right", "structLists", "interfaces"]
FIELDS = [*SCALARS, *POINTERS, "group"]


def plain(value: Any) -> Any:
    """A field's value as something that can be compared."""
    if isinstance(value, ccapnp.AnyPointerReader):
        return (value.kind, value.as_data() if value.kind == "list" else None)
    if isinstance(value, ccapnp.StructView):
        return {name: plain(ccapnp.get_field(value, name)) for name in value.to_dict()}
    if isinstance(value, ccapnp.ListReader):
        return [plain(each) for each in value]
    return value


def segments(message: Any) -> list[bytes]:
    return [bytes(each) for each in message.to_segments()]


def word_count(message: Any) -> int:
    return sum(len(each) for each in message.to_segments()) // 8


def assert_only_zeros_behind(message: Any, words: int) -> None:
    """That the message's first words are what they are, and all others are zero."""
    data = b"".join(segments(message))
    assert not any(data[words * 8 :]), data


# ---- disown and adopt


@pytest.mark.conformance("ORP-01")
def test_a_struct_leaves_the_tree_and_returns(thing: Any) -> None:
    before = thing.to_dict()
    orphan = thing.disown("thing")
    assert not thing.has("thing")
    assert orphan
    assert orphan.get_reader().text == "inner"
    orphan.get().text = "changed"
    assert orphan.get_reader().text == "changed"
    thing.adopt("thing", orphan)
    assert not orphan
    assert thing.has("thing")
    assert thing.to_dict() == {**before, "thing": {**before["thing"], "text": "changed"}}


@pytest.mark.conformance("ORP-01", "ORP-04", "ENC-38")
@pytest.mark.parametrize("name", POINTERS)
def test_a_pointer_of_every_type_goes_to_another_struct_of_the_message(schema: ModuleType, name: str) -> None:
    root = schema.Thing.new_message()
    source, target = root.init("things", 2)
    for each in FIELDS:
        ccapnp.set_field(source, each, ccapnp.get_field(filled(schema), each))
    words, expected = word_count(root), plain(ccapnp.get_field(source, name))
    orphan = source.disown(name)
    assert not source.has(name)
    assert orphan
    assert plain(orphan.get_reader()) == expected
    target.adopt(name, orphan)
    assert not orphan
    assert target.has(name)
    assert plain(ccapnp.get_field(target, name)) == expected
    assert plain(ccapnp.get_field(ccapnp.as_reader(target), name)) == expected
    assert word_count(root) == words
    assert schema.Thing.from_bytes(root.to_bytes()).things[1].to_dict()[name] == target.to_dict()[name]


@pytest.mark.conformance("ORP-02")
def test_an_empty_struct_in_any_pointer_is_not_null(schema: ModuleType) -> None:
    root = schema.Thing.new_message()
    words = word_count(root)
    orphanage = ccapnp.orphanage(root)
    root.any.adopt(orphanage.new(schema.Empty))
    assert root.any.kind == "struct"
    assert root.has("any")
    assert word_count(root) == words
    root.any.set("what is overwritten")
    root.any.adopt(orphanage.new(schema.Empty))
    assert root.any.kind == "struct"
    assert ccapnp.total_size(root.any.as_struct(schema.Empty)) == (0, 0)
    assert_only_zeros_behind(root, words)


@pytest.mark.conformance("ORP-03")
@pytest.mark.parametrize("name", POINTERS)
def test_adopting_a_null_orphan_clears_the_field(schema: ModuleType, name: str) -> None:
    root = filled(schema)
    root.disown(name).discard()
    null = root.disown(name)
    assert not null
    root = filled(schema)
    other = root.init("thing")
    if name == "right":
        other.right = []
        other.right = None
    root.adopt(name, other.disown(name))
    assert not root.has(name)


@pytest.mark.conformance("ORP-05")
def test_an_orphan_of_another_message_is_refused_and_stays(schema: ModuleType, thing: Any) -> None:
    other = filled(schema)
    orphan = other.disown("text")
    before = thing.to_bytes()
    with pytest.raises(EncodeError, match="only be adopted in its own message"):
        thing.adopt("text", orphan)
    with pytest.raises(EncodeError, match="only be adopted in its own message"):
        thing.texts.adopt(0, orphan)
    with pytest.raises(EncodeError, match="only be adopted in its own message"):
        thing.any.adopt(orphan)
    group = other.disown("group")
    with pytest.raises(EncodeError, match="only be adopted in its own message"):
        thing.adopt("group", group)
    assert thing.to_bytes() == before
    other.adopt("text", orphan)
    assert other.text == "some text"


def test_an_orphan_of_another_type_is_refused_and_stays(schema: ModuleType, thing: Any) -> None:
    before = thing.to_bytes()
    text = thing.disown("text")
    cases: list[tuple[str, Any]] = [
        ("data", text), ("numbers", text), ("thing", text), ("number", text), ("group", text), ("cap", text),
        ("text", ccapnp.orphanage(thing).new(List[Text], 0)), ("lists", ccapnp.orphanage(thing).new(List[Text], 1)),
        ("thing", ccapnp.orphanage(thing).new(schema.Empty)), ("text", thing.disown("number")),
        ("color", thing.disown("text")), ("text", "a str"), ("number", 5), ("text", None),
    ]  # fmt: skip
    for name, orphan in cases:
        with pytest.raises(EncodeTypeError) as raised:
            thing.adopt(name, orphan)
        assert raised.value.field == name
    with pytest.raises(EncodeTypeError, match="release_as"):
        thing.adopt("text", thing.disown("any"))
    thing.adopt("text", text)
    assert thing.text == "some text"
    assert len(before) <= len(thing.to_bytes())


def test_an_orphan_is_adopted_once(schema: ModuleType, thing: Any) -> None:
    for name in ("text", "number", "group"):
        orphan = thing.disown(name)
        thing.adopt(name, orphan)
        before = thing.to_bytes()
        for use in (
            lambda name=name, orphan=orphan: thing.adopt(name, orphan),
            orphan.get,
            orphan.get_reader,
            lambda orphan=orphan: thing.any.adopt(orphan),
        ):
            with pytest.raises(EncodeError, match="is no more"):
                use()
        assert not orphan
        orphan.discard()
        assert thing.to_bytes() == before


def test_an_orphan_is_not_adopted_by_what_is_in_it(schema: ModuleType, thing: Any) -> None:
    inner = thing.thing
    deepest = inner.init("things", 3)[2].init("thing")
    inner.any.init_list(List[AnyPointer], 2)
    orphan = thing.disown("thing")
    before, expected = thing.to_bytes(), orphan.get_reader().to_dict()
    for adopt in (
        lambda: deepest.adopt("thing", orphan),
        lambda: orphan.get().adopt("thing", orphan),
        lambda: inner.things.adopt(0, orphan),
        lambda: inner.things[1].any.adopt(orphan),
        lambda: inner.any.as_list(List[AnyPointer])[1].adopt(orphan),
        lambda: inner.any.as_list(List[AnyPointer]).adopt(0, orphan),
    ):
        with pytest.raises(EncodeError, match="by itself, or by what is in it"):
            adopt()
    assert thing.to_bytes() == before
    assert orphan.get_reader().to_dict() == expected
    anything = orphan.release_as(AnyPointer)
    with pytest.raises(EncodeError, match="by itself"):
        anything.get().adopt(anything)
    thing.adopt("thing", anything.release_as(schema.Thing))
    assert thing.thing.to_dict() == expected


@pytest.mark.conformance("ORP-09")
def test_a_struct_and_a_list_leave_and_return_through_any_pointer(schema: ModuleType, thing: Any) -> None:
    thing.any.set(thing.thing)
    orphan = thing.any.disown()
    assert thing.any.kind == "null"
    assert orphan.type is AnyPointer
    assert orphan.get_reader().as_struct(schema.Thing).text == "inner"
    thing.any.adopt(orphan)
    assert thing.any.as_struct(schema.Thing).text == "inner"
    thing.any.set(thing.numbers)
    orphan = thing.disown("any")
    thing.any.adopt(orphan)
    assert thing.any.as_list(List[Kind.UINT32]) == [1, 2, 3]
    thing.any.adopt(thing.disown("things"))
    assert [each.text for each in thing.any.as_list(List[schema.Thing])] == ["a", "b"]


def test_structs_and_lists_of_any_type_leave_and_return(compile_schema: Callable[[str], ModuleType]) -> None:
    module = compile_schema("struct Any { one @0 :AnyStruct; many @1 :AnyList; typed @2 :Any; number @3 :UInt32; }")
    root = module.Any.new_message(typed={"number": 5})
    root.adopt("one", root.disown("typed"))
    assert root.one.as_struct(module.Any).number == 5
    orphan = root.disown("one")
    with pytest.raises(EncodeTypeError, match="release_as"):
        root.adopt("typed", orphan)
    root.adopt("typed", orphan.release_as(module.Any))
    assert root.typed.number == 5
    numbers = ccapnp.orphanage(root).new(List[Kind.UINT16], 2)
    numbers.get()[:] = [1, 2]
    root.adopt("many", numbers)
    with pytest.raises(EncodeTypeError, match="many: a Text cannot be adopted as an AnyList"):
        root.adopt("many", ccapnp.orphanage(root).new(Text, 2))
    orphan = ccapnp.orphanage(root.typed).copy(root.many)
    root.typed.adopt("many", orphan)
    assert list(root.typed.many) == [1, 2]
    root.adopt("many", root.typed.disown("many"))
    assert not root.typed.has("many")
    assert list(root.many) == [1, 2]


@pytest.mark.conformance("PYC-15")
def test_the_root_leaves_and_returns(schema: ModuleType) -> None:
    message = MessageBuilder()
    message.set_root(filled(schema))
    expected = message.get_root(schema.Thing).to_dict()
    orphan = message.disown_root(schema.Thing)
    assert message.root.kind == "null"
    assert orphan.get_reader().to_dict() == expected
    assert orphan.get().to_bytes() != message.to_bytes()
    holder = message.init_root(schema.Thing)
    holder.adopt("thing", orphan)
    assert holder.thing.to_dict() == expected
    message.adopt_root(holder.disown("thing"))
    assert message.get_root(schema.Thing).to_dict() == expected
    message.root.set("text")
    with pytest.raises(ccapnp.DecodeError):
        message.disown_root(schema.Thing)
    assert message.disown_root().release_as(Text).get() == "text"


def test_an_orphan_in_a_message_without_a_root_is_not_its_root(schema: ModuleType) -> None:
    message = MessageBuilder()
    orphan = message.new_orphan(schema.Thing)
    orphan.get().text = "alone"
    assert schema.Thing.from_bytes(orphan.get().to_bytes()).text == "alone"


def test_a_tree_is_built_from_its_leaves(schema: ModuleType) -> None:
    message = MessageBuilder()
    chain = message.new_orphan(schema.Thing)
    for number in range(1000):
        holder = message.new_orphan(schema.Thing)
        holder.get().number = number
        holder.get().adopt("thing", chain)
        chain = holder
    with pytest.raises(EncodeError, match="by what is in it"):
        chain.get().thing.thing.adopt("any", chain)
    message.adopt_root(chain)
    thing = message.get_root(schema.Thing)
    for number in reversed(range(1000)):
        assert thing.number == number
        thing = thing.thing
    assert not thing.has("thing")


def test_orphans_are_made_by_messages_alone() -> None:
    with pytest.raises(TypeError, match="made by disown"):
        ccapnp.Orphan()
    orphan = MessageBuilder().orphanage.copy("text")
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            copied(orphan)


# ---- elements of lists


@pytest.mark.conformance("ENC-38")
def test_elements_of_a_list_of_lists_leave_and_return(thing: Any) -> None:
    lists = thing.lists
    one, three = lists.disown(0), lists.disown(-1)
    assert lists == [[], [2, 3], []]
    lists.adopt(2, one)
    lists.adopt(0, three)
    assert lists == [[], [2, 3], [1]]
    struct_lists = thing.structLists
    orphan = struct_lists.disown(0)
    assert orphan.get()[0].number == 1
    struct_lists.adopt(1, orphan)
    assert [[each.number for each in inner] for inner in struct_lists] == [[], [1]]
    texts = thing.texts
    texts.adopt(0, thing.disown("text"))
    texts.adopt(2, texts.disown(1))
    assert texts == ["some text", "", "yz"]
    with pytest.raises(IndexError):
        texts.disown(3)


@pytest.mark.conformance("ENC-38", "ORP-10")
def test_a_struct_in_a_list_moves_its_contents(schema: ModuleType, thing: Any) -> None:
    things = thing.things
    orphan = things.disown(1)
    assert orphan.type is schema.Thing
    assert things[1].to_dict() == schema.Thing.new_message().to_dict()
    assert orphan.get_reader().text == "b"
    things.adopt(0, orphan)
    assert not orphan
    assert [each.text for each in things] == ["b", ""]
    things.adopt(1, thing.disown("thing"))
    assert things[1].numbers == [1]
    things.adopt(0, things[0].disown("thing"))
    assert things[0].to_dict() == schema.Thing.new_message().to_dict()
    with pytest.raises(EncodeTypeError, match=r"things|\[0\]"):
        things.adopt(0, thing.disown("text"))


def test_plain_elements_leave_their_list_as_values(thing: Any) -> None:
    for items, zero in ((thing.numbers, 0), (thing.bits, False), (thing.colors, 0), (thing.voids, None)):
        value = items[0]
        orphan = items.disown(0)
        assert items[0] == zero
        assert orphan.get() == value
        items.adopt(1, orphan)
        assert items[1] == value
        assert not orphan


@pytest.mark.conformance("CAP-12")
def test_a_capability_moves_with_its_index(thing: Any) -> None:
    orphan = thing.disown("cap")
    assert thing.cap is None
    assert orphan.get() == ccapnp.Capability(3)
    thing.any.adopt(orphan)
    assert thing.any.kind == "capability"
    thing.adopt("cap", thing.any.disown().release_as(ccapnp.Capability))
    assert thing.cap == ccapnp.Capability(3)
    thing.disown("cap").discard()
    assert thing.cap is None
    thing.interfaces.adopt(1, thing.interfaces.disown(0))
    assert list(thing.interfaces) == [None, ccapnp.Capability(2)]


@pytest.mark.conformance("CAP-18")
def test_a_struct_with_a_capability_keeps_its_index_in_a_list(schema: ModuleType, thing: Any) -> None:
    orphan = ccapnp.orphanage(thing).new(schema.Thing)
    orphan.get().cap = ccapnp.Capability(17)
    thing.things.adopt(0, orphan)
    assert thing.things[0].cap == ccapnp.Capability(17)
    assert thing.things.disown(0).get().cap == ccapnp.Capability(17)


# ---- fields of every kind


@pytest.mark.conformance("ORP-12")
def test_every_field_moves_to_another_struct_and_leaves_its_default(schema: ModuleType) -> None:
    root = schema.Thing.new_message()
    source, target = root.init("things", 2)
    for name in FIELDS:
        ccapnp.set_field(source, name, ccapnp.get_field(filled(schema), name))
    expected = plain(source)
    words = word_count(root)
    for name in FIELDS:
        target.adopt(name, source.disown(name))
    assert plain(target) == expected
    assert word_count(root) - words <= ccapnp.total_size(schema.Thing.new_message()).word_count  # a group's own struct
    empty = schema.Thing.new_message()
    empty.right = None
    for name in FIELDS:
        again = source.disown(name)
        value = again.get_reader()
        assert plain(value) == plain(ccapnp.get_field(empty, name)), name
        target.adopt(name, again)
    target.left = 0
    assert plain(target) == plain(schema.Thing.new_message())


@pytest.mark.conformance("ORP-12")
def test_only_the_active_member_of_a_union_can_leave(thing: Any) -> None:
    with pytest.raises(UnionError):
        thing.disown("left")
    with pytest.raises(UnionError):
        thing.group.disown("first")
    orphan = thing.disown("right")
    assert thing.which() == "right"
    thing.left = 1
    thing.adopt("right", orphan)
    assert thing.which() == "right"
    assert thing.right[0].number == 4


@pytest.mark.conformance("ORP-13")
def test_a_group_moves_with_the_state_of_its_union(schema: ModuleType, thing: Any) -> None:
    orphan = thing.disown("group")
    assert thing.group.to_dict() == {"amount": 0, "first": 0}
    assert orphan.get_reader().to_dict() == {"amount": 3, "label": "group", "second": "member"}
    other = thing.init("thing")
    other.adopt("group", orphan)
    assert other.group.to_dict() == {"amount": 3, "label": "group", "second": "member"}
    other.group.init("third").deep = b"deep"
    thing.adopt("group", other.disown("group"))
    assert thing.group.third.deep == b"deep"
    assert other.group.which() == "first"
    orphan = thing.group.disown("third")
    assert thing.group.which() == "third"
    assert thing.group.third.deep == b""
    thing.group.first = 3
    thing.group.adopt("third", orphan)
    assert thing.group.third.deep == b"deep"
    with pytest.raises(EncodeTypeError):
        thing.any.adopt(thing.disown("group"))


# ---- new orphans


@pytest.mark.conformance("ORP-06", "ORP-10")
def test_an_orphanage_makes_new_values(schema: ModuleType) -> None:
    root = schema.Thing.new_message()
    orphanage = ccapnp.orphanage(root)
    new = orphanage.new(schema.Thing)
    new.get().number = 3
    assert new.type is schema.Thing
    root.adopt("thing", new)
    assert root.thing.number == 3
    things = orphanage.new(List[schema.Thing], 2)
    things.get()[1].text = "x"
    assert things.type is List[schema.Thing]
    root.adopt("things", things)
    assert [each.text for each in root.things] == ["", "x"]
    numbers = orphanage.new(List[Kind.UINT32], 3)
    numbers.get()[1] = 7
    root.adopt("numbers", numbers)
    assert root.numbers == [0, 7, 0]
    text = orphanage.new(Text, 3)
    assert text.get_reader() == "\0\0\0"
    assert len(text) == 3
    root.adopt("text", text)
    assert root.text == "\0\0\0"
    data = orphanage.new(Data, 5)
    data.get()[1:3] = b"ab"
    root.adopt("data", data)
    assert root.data == b"\0ab\0\0"
    for name, type_name, size in (
        ("bits", List[Kind.BOOL], 9), ("voids", List[Kind.VOID], 4), ("colors", List[schema.Color], 3),
        ("texts", List[Text], 2), ("lists", List[List[Kind.INT16]], 1), ("blobs", List[Data], 2),
    ):  # fmt: skip
        orphan = orphanage.new(type_name, size)
        assert len(orphan) == size
        root.adopt(name, orphan)
        assert len(ccapnp.get_field(root, name)) == size


def test_an_orphanage_refuses_what_it_cannot_make(schema: ModuleType) -> None:
    orphanage = MessageBuilder().orphanage
    for arguments in (
        (schema.Thing, 3), (List[Text],), (Text,), (Data,), (Data, "3"), (schema.Thing.schema and AnyPointer, 3),
        (schema.Thing.Group, None) if hasattr(schema.Thing, "Group") else (ccapnp.Capability,),
    ):  # fmt: skip
        with pytest.raises(EncodeTypeError):
            orphanage.new(*arguments)
    for size in (-1, 2**29, 10**30):
        for type_name in (List[Kind.BOOL], Data, Text, List[schema.Thing]):
            with pytest.raises(EncodeError):
                orphanage.new(type_name, size)
    with pytest.raises(TypeError):
        orphanage.new("Thing")


@pytest.mark.conformance("ORP-07", "ORP-10")
def test_an_orphanage_copies_values_of_another_message(schema: ModuleType) -> None:
    source = schema.Thing.from_bytes(filled(schema).to_bytes())
    root = schema.Thing.new_message()
    orphanage = ccapnp.orphanage(root)
    for name in ("thing", "things", "numbers", "bits", "texts", "lists", "colors", "text", "data", "structLists"):
        orphan = orphanage.copy(ccapnp.get_field(source, name))
        assert plain(orphan.get_reader()) == plain(ccapnp.get_field(source, name))
        root.adopt(name, orphan)
        assert plain(ccapnp.get_field(root, name)) == plain(ccapnp.get_field(source, name))
    root.any.adopt(orphanage.copy(source.any))
    assert root.any.as_text() == "any"
    words = word_count(root)
    with pytest.raises(EncodeTypeError):
        orphanage.copy(object())
    assert word_count(root) == words
    root.adopt("thing", orphanage.copy(root.things[1]))
    assert root.thing.text == "b"


@pytest.mark.conformance("ORP-11")
def test_an_orphan_is_released_as_another_type(schema: ModuleType, thing: Any) -> None:
    expected = thing.thing.to_dict()
    orphan = thing.disown("thing").release_as(AnyPointer)
    assert orphan.get().kind == "struct"
    with pytest.raises(ccapnp.DecodeError):
        orphan.release_as(Text)
    with pytest.raises(ccapnp.DecodeError):
        orphan.release_as(List[schema.Thing])
    assert orphan
    typed = orphan.release_as(schema.Thing)
    assert not orphan
    with pytest.raises(EncodeError):
        orphan.get()
    thing.adopt("thing", typed)
    assert thing.thing.to_dict() == expected
    numbers = thing.disown("numbers").release_as(AnyPointer).release_as(List[Kind.UINT32])
    assert numbers.get_reader() == [1, 2, 3]
    with pytest.raises(EncodeTypeError):
        thing.disown("number").release_as(Text)


@pytest.mark.conformance("ORP-14")
def test_an_orphanage_is_had_of_any_builder(schema: ModuleType, thing: Any) -> None:
    for builder in (thing, thing.group, thing.things, thing.texts, thing.lists, thing.any, thing.things[0]):
        orphan = ccapnp.orphanage(builder).new(Text, 1)
        thing.adopt("text", orphan)
        assert thing.text == "\0"
    message = MessageBuilder()
    message.root.adopt(message.orphanage.new(Text, 1))
    message.root.adopt(message.new_orphan(Text, 2))
    assert message.root.as_text() == "\0\0"
    reader = ccapnp.as_reader(thing)
    for other in (reader, reader.things, thing.numbers, None, "text", schema.Thing.new_message().things):
        with pytest.raises(EncodeTypeError):
            ccapnp.orphanage(other)


# ---- memory


@pytest.mark.conformance("ORP-08", "ORP-15")
@pytest.mark.parametrize("name", POINTERS)
@pytest.mark.parametrize("words", [1, 1024])
def test_an_orphan_that_is_dropped_becomes_zero(schema: ModuleType, name: str, words: int) -> None:
    root = schema.Thing.new_message(num_first_segment_words=words)
    root.text = "before"
    root.init("thing")
    before, expected = word_count(root), segments(root)
    ccapnp.set_field(root.thing, name, ccapnp.get_field(filled(schema), name))
    neighbour = root.thing
    neighbour.adopt("text" if name != "text" else "data", ccapnp.orphanage(root).copy("z" if name != "text" else b"z"))
    orphan = neighbour.disown(name)
    del orphan
    gc.collect()
    neighbour.disown("text" if name != "text" else "data").discard()
    if name == "right":
        neighbour.left = 0
    data = segments(root)
    assert b"".join(data[: len(expected)])[: len(expected[0])] == expected[0]
    assert not any(any(each[len(old) :]) for each, old in zip(data, expected + [b""] * len(data)))
    assert word_count(root) >= before


@pytest.mark.conformance("ORP-15")
@pytest.mark.parametrize("size", [0, 1, 3])
def test_abandoned_memory_is_zero_without_its_neighbours(schema: ModuleType, size: int) -> None:
    types = [Text, Data, List[Kind.UINT32], List[schema.Thing], List[Text], List[Kind.BOOL]]
    for type_name in [*types, schema.Thing]:
        message = MessageBuilder()
        orphanage = message.orphanage
        before, after = orphanage.copy(b"\xff" * 8), None
        orphan = orphanage.new(type_name) if type_name is schema.Thing else orphanage.new(type_name, size)
        if type_name is schema.Thing:
            orphan.get().text = "text"
        after = orphanage.copy(b"\xff" * 8)
        orphan.discard()
        (data,) = segments(message)
        assert data[:16] == bytes(8) + b"\xff" * 8
        assert data[-8:] == b"\xff" * 8
        assert not any(data[16:-8])
        assert before
        assert after


def test_an_orphan_ends_with_its_context(thing: Any) -> None:
    words = word_count(thing)
    with thing.disown("text") as orphan:
        assert orphan.get() == "some text"
    assert not orphan
    with ccapnp.orphanage(thing).copy("new text") as orphan:
        thing.adopt("text", orphan)
    assert thing.text == "new text"
    with thing.disown("number") as value:
        assert value.get() == 7
    assert not value
    assert b"some text" not in thing.to_bytes()
    assert word_count(thing) > words


@pytest.mark.conformance("ORP-16")
@pytest.mark.parametrize("name", FIELDS)
def test_orphans_survive_far_pointers(schema: ModuleType, name: str) -> None:
    root = schema.Thing.new_message(num_first_segment_words=1)
    ccapnp.orphanage(root).new(Data, 8)
    for each in FIELDS:
        ccapnp.set_field(root, each, ccapnp.get_field(filled(schema), each))
    assert len(root.to_segments()) > 1
    other = (root.thing if name == "right" else root.right[0]).init("thing")
    expected = plain(root)
    value = plain(ccapnp.get_field(root, name))
    for _ in range(3):
        other.adopt(name, root.disown(name))
        assert plain(ccapnp.get_field(other, name)) == value
        root.adopt(name, other.disown(name))
    other.left = 0
    for view in (
        root,
        schema.Thing.from_bytes(root.to_bytes()),
        schema.Thing.from_bytes_packed(root.to_bytes_packed()),
    ):
        assert {each: plain(ccapnp.get_field(view, each)) for each in expected} == expected


@pytest.mark.conformance("ORP-16")
def test_every_orphan_in_a_segment_of_its_own(schema: ModuleType) -> None:
    message = MessageBuilder(1)
    orphans = [message.orphanage.copy(text) for text in ("a", "bb" * 10, "c" * 100)]
    holder = message.orphanage.new(List[Text], 3)
    for index, orphan in enumerate(orphans):
        holder.get().adopt(index, orphan)
    message.adopt_root(holder)
    read = ccapnp.MessageReader(message.to_bytes()).root.as_list(List[Text])
    assert read == ["a", "bb" * 10, "c" * 100]


@pytest.mark.conformance("ORP-17")
def test_an_older_struct_moves_only_when_it_is_built(schema: ModuleType) -> None:
    message = MessageBuilder()
    old = message.init_root(schema.Thing).any.init_struct(schema.OldVersion)
    old.old1, old.old2 = 1234, "foo"
    orphan = message.get_root(schema.Thing).any.disown().release_as(schema.NewVersion)
    reader = orphan.get_reader()
    words = word_count(message)
    assert (reader.old1, reader.old2, reader.new1, reader.new2) == (1234, "foo", 987, "baz")
    assert word_count(message) == words
    old.old1 = 321
    assert reader.old1 == 321
    new = orphan.get()
    assert word_count(message) == words + 5
    assert (old.old1, old.old2) == (0, "")
    assert (new.old1, new.old2, new.new1, new.new2) == (321, "foo", 987, "baz")
    new.new2 = "qux"
    message.adopt_root(orphan)
    read = ccapnp.MessageReader(message.to_bytes()).get_root(schema.NewVersion)
    assert (read.old1, read.old2, read.new2) == (321, "foo", "qux")


@pytest.mark.conformance("ORP-17")
def test_an_older_list_moves_only_when_it_is_built(schema: ModuleType) -> None:
    message = MessageBuilder()
    old = message.init_root(schema.Thing).any.init_list(List[schema.OldVersion], 2)
    old[0].old1, old[1].old2 = 1234, "foo"
    orphan = message.get_root(schema.Thing).any.disown().release_as(List[schema.NewVersion])
    words = word_count(message)
    assert [each.new1 for each in orphan.get_reader()] == [987, 987]
    assert old[0].old1 == 1234
    assert word_count(message) == words
    new = orphan.get()
    assert word_count(message) > words
    assert (old[0].old1, old[1].old2) == (0, "")
    assert (new[0].old1, new[1].old2) == (1234, "foo")


@pytest.mark.conformance("ORP-18")
def test_a_null_orphan_reads_as_default_and_only_a_struct_is_made(schema: ModuleType) -> None:
    root = schema.Thing.new_message()
    struct = root.disown("thing")
    assert struct.get_reader().number == 5
    assert not struct
    assert struct.get().number == 5
    assert struct
    defaults = [
        ("things", []),
        ("numbers", []),
        ("bits", []),
        ("texts", []),
        ("voids", []),
        ("text", ""),
        ("data", b""),
    ]
    for name, empty in defaults:
        orphan = root.disown(name)
        assert orphan.get_reader() == empty
        assert orphan.get() == empty
        assert len(orphan) == 0
        assert not orphan


# ---- external data


@pytest.mark.conformance("ORP-19")
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_external_data_is_a_segment_of_its_own_that_nobody_writes(schema: ModuleType, kind: Any) -> None:
    root = schema.Thing.new_message(text="before")
    words, count = word_count(root), len(root.to_segments())
    external: Any = kind(b"external" * 3)
    orphan = ccapnp.orphanage(root).reference(external)
    assert len(root.to_segments()) == count + 1
    assert word_count(root) == words + 3
    assert orphan.get_reader() == b"external" * 3
    with pytest.raises(EncodeError, match="cannot be written"):
        orphan.get()
    for size in (0, 8, 100):
        with pytest.raises(EncodeError, match="cannot be resized"):
            orphan.resize(size)
    root.adopt("data", orphan)
    root.numbers = [1, 2, 3]  # goes on in the first segment
    assert len(root.to_segments()) == count + 1 + (words + 5 > 1024)
    with pytest.raises(EncodeError, match="cannot be written"):
        root.get_data_as_view("data")
    assert schema.Thing.from_bytes(root.to_bytes()).data == b"external" * 3
    assert schema.Thing.from_bytes_packed(root.to_bytes_packed()).data == b"external" * 3
    assert root.as_builder().data == b"external" * 3
    again = root.disown("data")
    with pytest.raises(EncodeError, match="cannot be written"):
        again.get()
    root.any.adopt(again)
    for list_type in (List[Kind.UINT8], List[schema.Empty]):
        with pytest.raises(EncodeError):
            root.any.as_list(list_type)
    root.any.set("overwritten")
    assert bytes(external) == b"external" * 3
    ccapnp.orphanage(root).reference(external).discard()
    assert bytes(external) == b"external" * 3


@pytest.mark.conformance("ORP-19")
def test_external_data_is_kept_alive_and_not_copied(schema: ModuleType) -> None:
    external = bytearray(b"12345678")
    root = schema.Thing.new_message()
    root.adopt("data", ccapnp.orphanage(root).reference(external))
    external[0] = ord("X")
    assert root.data == b"X2345678"
    with pytest.raises(BufferError):
        external.append(1)
    del external
    gc.collect()
    assert root.data == b"X2345678"


@pytest.mark.conformance("ORP-19")
def test_external_data_is_a_contiguous_buffer_of_whole_words(schema: ModuleType) -> None:
    root = schema.Thing.new_message()
    before = root.to_bytes()
    orphanage = ccapnp.orphanage(root)
    with pytest.raises(EncodeError, match="whole number of words"):
        orphanage.reference(b"1234567")
    with pytest.raises(EncodeError, match="contiguous"):
        orphanage.reference(memoryview(bytes(32))[::2])
    for wrong in ("12345678", None, [1] * 8):
        with pytest.raises(EncodeTypeError):
            orphanage.reference(wrong)
    assert root.to_bytes() == before
    root.adopt("data", orphanage.reference(b""))
    assert root.has("data")
    assert root.data == b""
    root.adopt("data", orphanage.reference(memoryview(bytes(range(16))).cast("I")))
    assert root.data == bytes(range(16))


# ---- resizing


@pytest.mark.conformance("ORP-20")
def test_data_at_the_end_shrinks_and_grows_where_it_is() -> None:
    message = MessageBuilder()
    orphan = message.orphanage.copy(b"0123456789ABCDEFG")
    assert word_count(message) == 4
    orphan.resize(2)
    assert word_count(message) == 2
    assert segments(message)[0][8:] == b"01" + bytes(6)
    orphan.resize(27)
    assert word_count(message) == 5
    assert orphan.get_reader() == b"01" + bytes(25)
    message.adopt_root(orphan)
    assert message.root.as_data() == b"01" + bytes(25)


@pytest.mark.conformance("ORP-20")
def test_data_before_another_object_leaves_zeros() -> None:
    message = MessageBuilder()
    orphan = message.orphanage.copy(b"0123456789ABCDEFG")
    other = message.orphanage.copy(b"xxxxxxxx")
    orphan.resize(2)
    assert word_count(message) == 5
    assert segments(message)[0][8:] == b"01" + bytes(22) + b"x" * 8
    orphan.resize(24)
    assert word_count(message) == 8
    assert orphan.get_reader() == b"01" + bytes(22)
    assert segments(message)[0][8:] == bytes(24) + b"x" * 8 + b"01" + bytes(22)
    assert other.get_reader() == b"xxxxxxxx"


@pytest.mark.conformance("ORP-20")
def test_what_has_no_room_to_grow_moves_to_another_segment() -> None:
    message = MessageBuilder(4)
    orphan = message.orphanage.copy(b"0123456789ABCDEFG")
    orphan.resize(24)
    assert len(message.to_segments()) == 1
    orphan.resize(25)
    first, second = segments(message)
    assert not any(first)
    assert second == b"0123456789ABCDEFG" + bytes(15)


@pytest.mark.conformance("ORP-21")
@pytest.mark.parametrize("size", [0, 1, 8, 17])
def test_a_null_orphan_is_resized_to_zeros(schema: ModuleType, size: int) -> None:
    root = schema.Thing.new_message()
    data, text = root.disown("data"), root.disown("text")
    data.resize(size)
    text.resize(size)
    assert data.get_reader() == bytes(size)
    assert text.get_reader() == "\0" * size
    assert data
    assert text
    root.adopt("text", text)
    assert root.text == "\0" * size


@pytest.mark.conformance("ORP-22")
def test_a_text_keeps_its_nul() -> None:
    message = MessageBuilder()
    orphan = message.orphanage.copy("0123456789ABCDEF")
    assert word_count(message) == 4
    orphan.resize(2)
    assert word_count(message) == 2
    assert orphan.get() == "01"
    assert segments(message)[0][8:] == b"01" + bytes(6)
    orphan.resize(26)
    assert word_count(message) == 5
    assert orphan.get() == "01" + "\0" * 24
    other = message.orphanage.copy("another")
    orphan.resize(1)
    assert word_count(message) == 6
    orphan.resize(40)
    assert orphan.get() == "0" + "\0" * 39
    assert other.get() == "another"
    message.adopt_root(orphan)
    assert message.root.as_text() == "0" + "\0" * 39


@pytest.mark.conformance("ORP-23")
def test_a_list_of_numbers_shrinks_and_grows(schema: ModuleType) -> None:
    message = MessageBuilder()
    orphan = message.orphanage.new(List[Kind.UINT32], 7)
    orphan.get()[:] = range(123, 130)
    assert word_count(message) == 5
    orphan.resize(3)
    assert word_count(message) == 3
    assert orphan.get_reader() == [123, 124, 125]
    orphan.resize(11)
    assert word_count(message) == 7
    assert orphan.get_reader() == [123, 124, 125] + [0] * 8
    other = message.orphanage.new(Data, 8)
    orphan.resize(13)
    assert word_count(message) == 8 + 7
    assert orphan.get_reader() == [123, 124, 125] + [0] * 10
    assert not any(segments(message)[0][8:64])
    message.adopt_root(orphan)
    assert message.root.as_list(List[Kind.UINT32])[:3] == [123, 124, 125]
    assert other
    null = schema.Thing.new_message().disown("numbers")
    null.resize(123)
    assert null.get_reader() == [0] * 123


@pytest.mark.conformance("ORP-23")
def test_a_list_of_bits_is_cut_within_its_byte() -> None:
    message = MessageBuilder()
    orphan = message.orphanage.new(List[Kind.BOOL], 77)
    orphan.get()[:] = [True] * 77
    orphan.resize(11)
    assert segments(message)[0][8:] == b"\xff\x07" + bytes(6)
    orphan.resize(70)
    assert orphan.get_reader() == [True] * 11 + [False] * 59
    voids = message.orphanage.new(List[Kind.VOID], 3)
    voids.resize(5)
    assert len(voids) == 5
    message.adopt_root(voids)
    assert message.root.as_list(List[Kind.VOID]) == [None] * 5


@pytest.mark.conformance("ORP-24")
def test_a_list_of_pointers_before_other_objects_shrinks_and_grows() -> None:
    message = MessageBuilder()
    orphan = message.orphanage.new(List[Text], 7)
    for index in range(7):
        orphan.get()[index] = f"text {index}"
    words = word_count(message)
    orphan.resize(3)
    assert word_count(message) == words
    assert orphan.get_reader() == ["text 0", "text 1", "text 2"]
    data = segments(message)[0]
    assert b"text 3" not in data
    assert b"text 2" in data
    orphan.resize(5)
    assert orphan.get_reader() == ["text 0", "text 1", "text 2", "", ""]
    assert not any(segments(message)[0][8 : 8 + 7 * 8])
    message.adopt_root(orphan)
    assert ccapnp.MessageReader(message.to_bytes()).root.as_list(List[Text])[2:] == ["text 2", "", ""]


@pytest.mark.conformance("ORP-24")
def test_a_list_of_pointers_at_the_end_shrinks_and_grows(schema: ModuleType) -> None:
    message = MessageBuilder()
    texts = [message.orphanage.copy(f"text {index}") for index in range(3)]
    orphan = message.orphanage.new(List[Text], 3)
    words = word_count(message)
    for index, text in enumerate(texts):
        orphan.get().adopt(index, text)
    orphan.resize(1)
    assert word_count(message) == words - 2
    orphan.resize(4)
    assert word_count(message) == words + 1
    assert orphan.get_reader() == ["text 0", "", "", ""]
    null = schema.Thing.new_message().disown("texts")
    null.resize(2)
    assert null.get_reader() == ["", ""]


@pytest.mark.conformance("ORP-25")
@pytest.mark.parametrize("in_place", [True, False])
def test_a_list_of_structs_shrinks_and_grows(schema: ModuleType, in_place: bool) -> None:
    message = MessageBuilder()
    texts = [message.orphanage.copy(f"text {index}") for index in range(4)]
    orphan = message.orphanage.new(List[schema.OldVersion], 4)
    for index, text in enumerate(texts):
        orphan.get()[index].old1 = index
        orphan.get()[index].adopt("old2", text)
    follower = None if in_place else message.orphanage.copy("follower")
    words = word_count(message)
    orphan.resize(2)
    assert word_count(message) == words - (2 * 3 if in_place else 0)
    assert b"text 2" not in segments(message)[0]
    orphan.resize(6)
    assert word_count(message) == words + (2 * 3 if in_place else 1 + 6 * 3)
    assert [(each.old1, each.old2) for each in orphan.get_reader()] == [(0, "text 0"), (1, "text 1")] + [(0, "")] * 4
    assert follower is None or follower.get() == "follower"
    message.adopt_root(orphan)
    read = ccapnp.MessageReader(message.to_bytes()).root.as_list(List[schema.OldVersion])
    assert [each.old2 for each in read] == ["text 0", "text 1", "", "", "", ""]
    null = schema.Thing.new_message().disown("things")
    null.resize(3)
    assert [each.number for each in null.get()] == [5, 5, 5]


def test_what_has_no_length_is_not_resized(schema: ModuleType, thing: Any) -> None:
    for name in ("thing", "any", "cap", "number", "group"):
        orphan = thing.disown(name)
        with pytest.raises(EncodeTypeError):
            orphan.resize(3)
        with pytest.raises(EncodeTypeError):
            len(orphan)
        thing.adopt(name, orphan)
    for name in ("text", "data", "numbers", "things", "texts", "bits", "voids"):
        orphan = thing.disown(name)
        before = plain(orphan.get_reader())
        for size in (-1, 2**29, 10**30):
            with pytest.raises(EncodeError):
                orphan.resize(size)
        for size in (None, "3", 1.5):
            with pytest.raises(EncodeTypeError):
                orphan.resize(size)
        assert plain(orphan.get_reader()) == before


# ---- concatenation


@pytest.mark.conformance("ORP-26")
def test_lists_are_concatenated_in_order(schema: ModuleType) -> None:
    one = filled(schema)
    other = schema.Thing.new_message(
        numbers=[4, 5], bits=[True, True], texts=["q"], lists=[[9]], colors=["green"], voids=[None]
    )
    more = schema.Thing.new_message(bits=[False, True, True, False])
    root = schema.Thing.new_message()
    orphanage = ccapnp.orphanage(root)
    for name in ("numbers", "bits", "texts", "lists", "colors", "voids"):
        parts = [ccapnp.get_field(each, name) for each in (one, other, more)]
        orphan = orphanage.concatenate(parts)
        expected = [plain(value) for part in parts for value in part]
        assert plain(orphan.get_reader()) == expected
        root.adopt(name, orphan)
        assert plain(ccapnp.get_field(root, name)) == expected
    root.adopt("numbers", orphanage.concatenate([root.numbers, root.numbers]))
    assert root.numbers == [1, 2, 3, 4, 5] * 2
    anything = root.any.init_list(List[AnyPointer], 2)
    anything[1].set("text")
    orphan = orphanage.concatenate([anything] * 2)
    assert [each.kind for each in orphan.get_reader()] == ["null", "list"] * 2


@pytest.mark.conformance("ORP-27")
def test_structs_of_several_versions_are_concatenated_without_loss(schema: ModuleType) -> None:
    def version(struct: Any, count: int, **fields: Any) -> Any:
        source = MessageBuilder()
        made = source.root.init_list(List[struct], count)
        for each in made:
            for name, value in fields.items():
                ccapnp.set_field(each, name, value)
        return ccapnp.MessageReader(source.to_bytes()).root.as_list(List[schema.OldVersion])

    parts = [
        version(schema.OldVersion, 2, old1=12, old2="old"),
        version(schema.NewVersion, 1, old1=34, new1=56, new2="new"),
    ]
    message = MessageBuilder()
    orphan = message.orphanage.concatenate(parts)
    assert word_count(message) >= 1 + 1 + 3 * 5
    message.adopt_root(orphan)
    read = ccapnp.MessageReader(message.to_bytes()).root.as_list(List[schema.NewVersion])
    assert [(each.old1, each.old2, each.new1, each.new2) for each in read] == [
        (12, "old", 987, "baz"), (12, "old", 987, "baz"), (34, "", 56, "new"),
    ]  # fmt: skip


@pytest.mark.conformance("ORP-28")
def test_structs_and_numbers_that_are_read_as_structs_are_concatenated(schema: ModuleType) -> None:
    source = MessageBuilder()
    source.root.set(schema.Thing.new_message(numbers=[1, 2]).numbers)
    numbers = ccapnp.MessageReader(source.to_bytes()).root.as_list(List[schema.OldVersion])
    source.root.init_list(List[schema.OldVersion], 1)[0].old2 = "text"
    structs = ccapnp.MessageReader(source.to_bytes()).root.as_list(List[schema.OldVersion])
    message = MessageBuilder()
    message.adopt_root(message.orphanage.concatenate([structs, numbers]))
    made = message.root.as_list(List[schema.OldVersion])
    assert [(each.old1, each.old2, each.has("old2")) for each in made] == [
        (0, "text", True),
        (1, "", False),
        (2, "", False),
    ]


@pytest.mark.conformance("ORP-26")
def test_only_lists_of_one_type_are_concatenated(schema: ModuleType, thing: Any) -> None:
    orphanage = ccapnp.orphanage(thing)
    before = thing.to_bytes()
    with pytest.raises(EncodeError):
        orphanage.concatenate([])
    for wrong in ([thing.numbers, thing.texts], [[1, 2]], [thing.text], [thing.numbers, [1]]):
        with pytest.raises(EncodeTypeError):
            orphanage.concatenate(wrong)
    assert thing.to_bytes() == before


# ---- what must not happen


def test_stale_views_do_not_reach_beyond_the_message(schema: ModuleType, thing: Any) -> None:
    views: list[Any] = []
    for name in ("thing", "things", "texts", "any", "numbers"):
        orphan = thing.disown(name)
        views.append(orphan.get())
        orphan.discard()
    anything = thing.disown("any")
    stale = anything.get()
    stale.set("text")
    thing.any.adopt(anything)
    for view in views:
        if isinstance(view, ccapnp.StructBuilder):
            view.text = "written"
            view.number = 3
            view.init("things", 2)
    with pytest.raises(EncodeError, match="is no more"):
        stale.set("text")
    assert stale.kind == "null"
    assert schema.Thing.from_bytes(thing.to_bytes()).any.as_text() == "text"


def test_an_orphan_made_while_a_value_is_replaced_survives_its_failure(schema: ModuleType, thing: Any) -> None:
    made: list[Any] = []

    def values() -> Any:
        made.append(ccapnp.orphanage(thing).copy("made meanwhile"))
        made.append(thing.disown("text"))
        yield 1
        made[0].resize(3)
        yield "wrong"

    class Fields(dict):  # type: ignore[type-arg]
        def items(self) -> Any:
            made.append(ccapnp.orphanage(thing).copy(b"made meanwhile"))
            yield "number", 1
            made.append(thing.disown("data"))
            yield "text", 3

    with pytest.raises(EncodeError):
        thing.numbers = values()
    with pytest.raises(EncodeError):
        thing.thing = Fields()
    assert [each.get_reader() for each in made] == ["mad", "some text", b"made meanwhile", b"some data"]
    assert thing.numbers == [1, 2, 3]
    assert thing.thing.text == "inner"


def test_a_failure_leaves_an_orphan_of_any_type_as_it_was(schema: ModuleType, thing: Any) -> None:
    orphan = thing.disown("any")
    words = word_count(thing)
    source = schema.Thing.from_bytes(filled(schema).to_bytes(), traversal_limit_in_words=60)
    with pytest.raises(ccapnp.LimitError):
        for _ in range(100):
            orphan.get().set(source.things)
    orphan.get().set("new")
    assert orphan.get().as_text() == "new"
    orphan.get().set(thing.things)
    thing.any.adopt(orphan)
    assert [each.text for each in thing.any.as_list(List[schema.Thing])] == ["a", "b"]
    assert word_count(thing) > words


def test_functions_stand_in_for_fields_of_the_same_name(compile_schema: Callable[[str], ModuleType]) -> None:
    module = compile_schema("struct Clash { adopt @0 :Text; disown @1 :Text; }")
    root = module.Clash.new_message(adopt="a", disown="b")
    ccapnp.adopt(root, "adopt", ccapnp.disown(root, "disown"))
    assert root.adopt == "b"
    assert not ccapnp.has(root, "disown")
    for call in (lambda: ccapnp.disown(ccapnp.as_reader(root), "adopt"), lambda: ccapnp.disown(root, "other")):
        with pytest.raises(ccapnp.CapnpError):
            call()
