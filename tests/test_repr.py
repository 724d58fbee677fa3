"""`repr` and `str` of readers and builders: they work whatever the bytes, and cost the reader nothing."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ccapnp
from ccapnp.errors import CapnpError, LimitError

SCHEMA = """@0xc7a1b2d3e4f50617;
enum Color { red @0; green @1; }
struct Person {
  id @0 :UInt32;
  name @1 :Text;
  photo @2 :Data;
  tags @3 :List(Text);
  friends @4 :List(Person);
  best @5 :Person;
  numbers @6 :List(Int64);
  nothings @7 :List(Void);
  anything @8 :AnyPointer;
  color @9 :Color;
  lists @10 :List(List(Text));
  work :union { none @11 :Void; school @12 :Text; }
  flags @13 :List(Bool);
  second @14 :Person;
}
"""
MAX_LENGTH = 3000


@pytest.fixture(scope="module")
def person(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA).Person


def with_pointer(person: Any, name: str, pointer: int, *words: int, **options: Any) -> Any:
    """A reader of a struct whose one pointer is that of field ``name``; ``words`` follow the struct."""
    schema = person.schema
    pointers = [0] * schema.pointer_count
    pointers[schema.fields[name].offset] = pointer
    data = [schema.data_words << 32 | schema.pointer_count << 48, *[0] * schema.data_words, *pointers, *words]
    return person.from_segments([struct.pack(f"<{len(data)}Q", *data)], **options)


def list_behind(person: Any, name: str, element: int, count: int, *words: int, **options: Any) -> Any:
    """As `with_pointer`, for a list that begins right behind the struct."""
    schema = person.schema
    offset = schema.pointer_count - schema.fields[name].offset - 1
    return with_pointer(person, name, offset << 2 | 1 | element << 32 | count << 35, *words, **options)


# ---- what is shown


def test_a_struct_shows_its_type_role_and_fields(person: Any) -> None:
    builder = person.new_message(id=1, name="Alice", friends=[{"name": "Bob"}])
    fields = (
        '(id = 1, name = "Alice", friends = [(id = 0, name = "Bob", color = red, work = (none = void))], '
        "color = red, work = (none = void))"
    )
    assert repr(builder) == f"<test.capnp:Person builder {fields}>"
    assert repr(builder.as_reader()) == f"<test.capnp:Person reader {fields}>"
    assert str(builder) == str(builder.as_reader()) == fields
    assert repr(builder.work) == "<test.capnp:Person.work builder (none = void)>"


def test_a_list_shows_its_type_role_and_elements(person: Any) -> None:
    builder = person.new_message(
        numbers=[1, -2], tags=["a", "b"], friends=[{"id": 7}], nothings=[None], flags=[True], lists=[["x"], []]
    )
    reader = builder.as_reader()
    assert repr(builder.numbers) == "<List(Int64) builder [1, -2]>"
    assert repr(reader.numbers) == "<List(Int64) reader [1, -2]>"
    assert repr(reader.tags) == '<List(Text) reader ["a", "b"]>'
    assert repr(reader.friends) == "<List(Person) reader [(id = 7, color = red, work = (none = void))]>"
    assert repr(reader.nothings) == "<List(Void) reader [void]>"
    assert repr(reader.flags) == "<List(Bool) reader [true]>"
    assert repr(reader.lists) == '<List(List(Text)) reader [["x"], []]>'
    assert repr(person.new_message().tags) == "<List(Text) builder []>"


def test_an_any_pointer_shows_kind_and_size(person: Any) -> None:
    shown = {
        "null": None,
        "list of 6 bytes": "hello",
        "list of 1 byte": b"x",
        "list of 2 64-bit numbers": person.new_message(numbers=[1, 2]).numbers,
        "list of 3 bits": person.new_message(flags=[True] * 3).flags,
        "list of 5 voids": person.new_message(nothings=[None] * 5).nothings,
        "list of 2 pointers": person.new_message(tags=["a", "b"]).tags,
        "list of 1 struct of 1 data word and 12 pointers": person.new_message(friends=[{}]).friends,
        "struct of 1 data word and 12 pointers": person.new_message(),
    }
    for text, value in shown.items():
        message = person.new_message(anything=value)
        assert repr(message.anything) == f"<AnyPointer builder {text}>"
        assert repr(message.as_reader().anything) == f"<AnyPointer reader {text}>"


def test_an_any_pointer_that_is_wrong(person: Any) -> None:
    assert repr(with_pointer(person, "anything", 3 | 7 << 32).anything) == "<AnyPointer reader capability 7>"
    assert "of an unknown kind" in repr(with_pointer(person, "anything", 7).anything)
    assert "names segment 9" in repr(with_pointer(person, "anything", 2 | 9 << 32).anything)
    assert "out of its segment" in repr(with_pointer(person, "anything", 1 | 2 << 32 | 999 << 35).anything)


# ---- what is left out


def test_long_values_are_cut(person: Any) -> None:
    message = person.new_message(
        name="n" * 1000, photo=bytes(1000), numbers=range(1000), tags=["t"] * 100, nothings=[None] * 50
    )
    text = repr(message)
    assert f'name = "{"n" * 80}"... 920 more bytes' in text
    assert rf'photo = "{chr(92)}000' in text and '"... 920 more bytes' in text
    assert "numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ... 984 more]" in text
    assert '"t", ... 84 more]' in text
    assert "void, ... 34 more]" in text
    assert "..." not in str(message)
    assert repr(message.numbers).endswith("15, ... 984 more]>")


def test_text_is_cut_between_characters(person: Any) -> None:
    for shift in range(4):
        text = repr(person.new_message(name="x" * shift + "€" * 100))
        assert "\\" not in text
        assert "€" * 25 in text
    assert repr(person.new_message(name="é" * 40)).count("é") == 40


def test_depth_is_cut(person: Any) -> None:
    message = inner = person.new_message()
    for _ in range(100):
        inner = inner.init("best")
    assert "best = (...)" in repr(message)
    nested = person.new_message(lists=[[str(number)] for number in range(99)])
    assert len(repr(nested)) < MAX_LENGTH


def test_all_together_is_cut(person: Any) -> None:
    friend: dict[str, Any] = {"name": "n" * 60, "tags": ["t" * 60] * 20}
    message = person.new_message(friends=[{**friend, "friends": [friend] * 20}] * 20)
    assert 1500 < len(repr(message)) < MAX_LENGTH
    assert repr(message).endswith("...)>")
    assert len(repr(message.friends)) < MAX_LENGTH


# ---- what is wrong


def test_a_text_without_nul(compile_schema: Callable[[str], ModuleType]) -> None:
    module = compile_schema("@0xf1e2d3c4b5a69788; struct TX { t @0 :Text; }")
    framed = struct.pack("<II4Q", 0, 4, 1 << 48, 1 | 2 << 32 | 3 << 35, 0x616161, 0)
    text = "(t = <error: a text does not end in a NUL byte>)"
    assert repr(module.TX.from_bytes(framed)) == f"<test.capnp:TX reader {text}>"
    assert str(module.TX.from_bytes(framed)) == text


def test_an_unknown_union_member_is_marked(person: Any) -> None:
    message = person.new_message(id=1)
    message._c.u16[(message._w << 2) + person.Work.schema.discriminant_offset] = 77
    assert repr(message).endswith("work = (<unknown union member 77>))>")
    assert repr(message.work) == "<test.capnp:Person.work builder (<unknown union member 77>)>"
    message._c.u16[(message._w << 2) + person.schema.fields["color"].offset] = 99
    assert "color = (99)" in repr(message)


def test_elements_that_are_wrong_are_marked(person: Any) -> None:
    reader = list_behind(person, "tags", 6, 3, 0, 7, 0)
    assert '["", <error: expected a text but the pointer' in repr(reader)
    assert '["", <error: expected a text but the pointer' in repr(reader.tags)
    assert '["", <error: expected a text but the pointer' in str(reader.tags)


def test_pointers_that_lead_back_to_their_own_struct(person: Any) -> None:
    """Two fields of each struct lead to that very struct: without limits, there are 2**64 of them."""
    schema = person.schema
    words = [0] * (1 + schema.data_words + schema.pointer_count)
    words[0] = sizes = schema.data_words << 32 | schema.pointer_count << 48
    for name in ("best", "second"):
        at = 1 + schema.data_words + schema.fields[name].offset
        words[at] = -at << 2 & 0xFFFFFFFF | sizes
    reader = person.from_segments([struct.pack(f"<{len(words)}Q", *words)], traversal_limit_in_words=5000)
    assert len(repr(reader)) < MAX_LENGTH
    assert "best = (id = 0, best = (" in repr(reader)
    assert "<error: " in str(reader)
    assert reader.best.best.id == 0


AMPLIFIED = {
    "void": ("nothings", 0, 2**29 - 1, ()),
    "void structs": ("friends", 0, 2**29 - 1, ()),
    "empty structs": ("friends", 7, 0, ((2**29 - 1) << 2,)),
}


@pytest.mark.conformance("ENC-41")
@pytest.mark.parametrize(("name", "element", "count", "words"), AMPLIFIED.values(), ids=list(AMPLIFIED))
def test_lists_that_take_no_room(person: Any, name: str, element: int, count: int, words: Any) -> None:
    reader = list_behind(person, name, element, count, *words)
    text = repr(reader)
    assert f"... {2**29 - 1 - 16} more]" in text
    assert len(text) < MAX_LENGTH
    assert "went past its limit" in str(reader)
    with pytest.raises(LimitError):
        getattr(reader, name)


@pytest.mark.conformance("ENC-42")
def test_lists_that_share_their_elements(person: Any) -> None:
    """A list of a thousand pointers to one list of a thousand pointers to one text."""
    outer, inner = 1000, 1000
    words = [((outer - index - 1) << 2 | 1) | 6 << 32 | inner << 35 for index in range(outer)]
    words += [((inner - index - 1) << 2 | 1) | 2 << 32 | 2 << 35 for index in range(inner)]
    reader = list_behind(person, "lists", 6, outer, *words, ord("x"), traversal_limit_in_words=20_000)
    assert len(repr(reader)) < MAX_LENGTH
    assert reader.lists[999][999] == "x"
    assert len(repr(reader.lists)) < MAX_LENGTH
    assert "<error: " in str(reader)


def test_repr_does_not_use_up_the_traversal_limit(person: Any) -> None:
    data = person.new_message(name="x" * 200, friends=[{"name": "y" * 200}]).to_bytes()
    reader = person.from_bytes(data, traversal_limit_in_words=100)
    friends = reader.friends
    for _ in range(20):
        assert "x" * 80 in repr(reader)
        assert "y" * 80 in repr(friends)
        assert repr(reader.as_reader()) == repr(reader)
    assert reader.name == "x" * 200


def test_repr_works_when_the_limit_is_used_up(person: Any) -> None:
    reader = person.from_bytes(person.new_message(name="x" * 80).to_bytes(), traversal_limit_in_words=40)
    with pytest.raises(LimitError):
        for _ in range(100):
            reader.name
    assert f'name = "{"x" * 80}"' in repr(reader)
    assert f'name = "{"x" * 80}"' in str(reader)
    with pytest.raises(LimitError):
        reader.name


def test_memory_that_was_released(person: Any) -> None:
    reader = person.from_bytes(person.new_message(name="x").to_bytes())
    assert 'name = "x"' in repr(reader)
    for name in ("u8", "u16", "u32", "u64"):
        getattr(reader._c, name).release()
    assert repr(reader) == "<test.capnp:Person reader <error: operation forbidden on released memoryview object>>"
    assert str(reader) == "<error: operation forbidden on released memoryview object>"


# ---- any bytes at all


def assert_shown(view: Any) -> None:
    assert len(repr(view)) < MAX_LENGTH
    assert str(view)
    for name in type(view)._type.schema.fieldnames:
        try:
            value = ccapnp.get_field(view, name)
        except CapnpError:
            continue
        assert len(repr(value)) < MAX_LENGTH or isinstance(value, (str, bytes))


@given(words=st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 2**16), max_size=30))
def test_any_bytes_have_a_repr(person: Any, words: list[int]) -> None:
    root = struct.pack("<Q", person.schema.data_words << 32 | person.schema.pointer_count << 48)
    size = person.schema.data_words + person.schema.pointer_count
    body = struct.pack(f"<{len(words)}Q", *words).ljust(size * 8, b"\0")
    assert_shown(person.from_segments([root + body], traversal_limit_in_words=1000))


def corrupted(data: bytes, seed: int) -> bytes:
    """A few bytes or bits of a message changed."""
    chance = random.Random(seed)
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(changed))
        changed[at] = chance.choice([0, 1, 0xFF, chance.randrange(256), changed[at] ^ 1 << chance.randrange(8)])
    return bytes(changed)


@given(seed=st.integers(0, 2**32))
def test_corrupted_messages_have_a_repr(official: ModuleType, testdata: Path, seed: int) -> None:
    data = corrupted((testdata / "binary").read_bytes(), seed)
    try:
        reader = official.TestAllTypes.from_bytes(data, traversal_limit_in_words=5000)
    except CapnpError:
        return
    assert_shown(reader)


@given(seed=st.integers(0, 2**32))
def test_corrupted_segments_have_a_repr(official: ModuleType, testdata: Path, seed: int) -> None:
    data = (testdata / "segmented").read_bytes()
    table = 4 * 126
    try:
        reader = official.TestAllTypes.from_bytes(
            data[:table] + corrupted(data[table:], seed), traversal_limit_in_words=5000
        )
    except CapnpError:
        return
    assert_shown(reader)
