"""Text and Data: `str` and `bytes`, empty and unset, defaults, and views of the message."""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccapnp import DecodeError, EncodeError, EncodeTypeError, UnionError, UnknownFieldError
from tests.types.reading import read


@pytest.mark.conformance("PYC-08")
@given(text=st.text(), data=st.binary())
def test_pyc08_text_is_str_and_data_is_bytes(schema: Any, text: str, data: bytes) -> None:
    builder = schema.Blobs.new_message(text=text, data=data)
    for view in (builder, builder.as_reader(), read(builder)):
        assert view.text == text and type(view.text) is str
        assert view.data == data and type(view.data) is bytes


@pytest.mark.conformance("PYC-08")
@pytest.mark.parametrize("text", ["", "\0", "a\0b", "\0" * 9, "\u2603 \U0001f40d", "x" * 100_000], ids=len)
def test_pyc08_text_may_hold_any_character(schema: Any, text: str) -> None:
    assert read(schema.Blobs.new_message(text=text)).text == text


@pytest.mark.parametrize("text", ["\ud800", "ab\udfff", "\ud83d\ude00"], ids=ascii)
def test_a_lone_surrogate_is_no_text(schema: Any, text: str) -> None:
    builder = schema.Blobs.new_message(text="before")
    with pytest.raises(EncodeError, match=r"^text: this str is not Unicode text") as caught:
        builder.text = text
    assert caught.value.field == "text" and not isinstance(caught.value, UnicodeError)
    assert builder.text == "before"


@pytest.mark.parametrize("value", [b"bytes", bytearray(b"x"), memoryview(b"x"), 1, 1.5, ["a"], {}], ids=repr)
@pytest.mark.parametrize("field", ["text", "greeting", "word"])
def test_text_is_only_set_from_str(schema: Any, field: str, value: Any) -> None:
    builder = schema.Blobs.new_message(**{field: "before"})
    for attempt in (
        lambda: setattr(builder, field, value),
        lambda: schema.Blobs.new_message(**{field: value}),
        lambda: schema.Blobs.from_dict({field: value}),
    ):
        with pytest.raises(EncodeTypeError, match=rf"^{field}: a Text is set from a str, not"):
            attempt()
    assert getattr(builder, field) == "before"


@pytest.mark.parametrize("value", ["abcd", "hello", "aGVsbG8=", 3, 1.5, [1, 2], {}, object()], ids=str)
@pytest.mark.parametrize("field", ["data", "bytes", "chunk"])
def test_data_is_only_set_from_buffers(schema: Any, field: str, value: Any) -> None:
    builder = schema.Blobs.new_message(**{field: b"before"})
    for attempt in (
        lambda: setattr(builder, field, value),
        lambda: schema.Blobs.new_message(**{field: value}),
        lambda: schema.Blobs.from_dict({field: value}),
    ):
        with pytest.raises(EncodeTypeError, match=rf"^{field}: a Data is set from bytes or another buffer, not"):
            attempt()
    assert getattr(builder, field) == b"before"


@pytest.mark.parametrize(
    "value",
    [
        b"\0\1\xff",
        bytearray(b"\0\1\xff"),
        memoryview(b"\0\1\xff"),
        memoryview(b"x\0y\1z\xff")[1::2],
        memoryview(b"\xff\1\0")[::-1],
        array.array("B", [0, 1, 255]),
        array.array("b", [0, 1, -1]),
    ],
    ids=repr,
)
def test_data_is_set_from_any_buffer(schema: Any, value: Any) -> None:
    assert read(schema.Blobs.new_message(data=value)).data == b"\0\1\xff"


def test_data_of_wider_items_is_their_bytes(schema: Any) -> None:
    words = array.array("H", [1, 515])
    assert read(schema.Blobs.new_message(data=words)).data == words.tobytes()
    assert read(schema.Blobs.new_message(data=memoryview(bytes(range(6))).cast("B", (2, 3)))).data == bytes(range(6))


def test_data_is_set_from_numpy(schema: Any, numpy: Any) -> None:
    matrix = numpy.arange(6, dtype="<u2").reshape(2, 3)
    for value in (matrix, matrix.T, matrix[:, ::2], matrix[:0]):
        assert read(schema.Blobs.new_message(data=value)).data == value.tobytes()
    with pytest.raises(EncodeError, match="data"):
        schema.Blobs.new_message(data=numpy.array(["2020-01-01"], dtype="M8[D]"))


def test_data_is_copied_when_it_is_set(schema: Any) -> None:
    source = bytearray(b"abc")
    builder = schema.Blobs.new_message(data=source)
    source[:] = b"xyz and more"  # the buffer is not held
    assert builder.data == b"abc"


def test_data_may_be_set_from_its_own_view(schema: Any) -> None:
    builder = schema.Blobs.new_message(data=b"abcdefghij")
    builder.data = builder.get_data_as_view("data")
    assert builder.data == b"abcdefghij"
    builder.data = builder.get_data_as_view("data")[2:5]
    assert builder.data == b"cde"
    builder.data = builder.get_data_as_view("data")[::-1]
    assert read(builder).data == b"edc"


# ---- empty, unset, default


def test_unset_is_not_empty(schema: Any) -> None:
    builder = schema.Blobs.new_message()
    for view in (builder, builder.as_reader(), read(builder)):
        assert view.text == "" and view.data == b"" and not view.has("text") and not view.has("data")
        assert view.greeting == "hello" and view.bytes == b"\0\xffA"
        assert not view.has("greeting") and not view.has("bytes")
    assert not builder.has("greeting")  # reading has not set it
    for field in ("text", "data", "greeting", "bytes"):
        setattr(builder, field, "" if field in ("text", "greeting") else b"")
    for view in (builder, read(builder)):
        assert view.text == "" == view.greeting and view.data == b"" == view.bytes
        assert all(view.has(field) for field in ("text", "data", "greeting", "bytes"))


def test_none_clears_what_was_set(schema: Any) -> None:
    builder = schema.Blobs.new_message(text="secret", greeting="secret", data=b"secret", bytes=b"secret")
    for field in ("text", "data", "greeting", "bytes"):
        setattr(builder, field, None)
        assert not builder.has(field)
    assert builder.greeting == "hello" and builder.text == ""
    assert b"secret" not in builder.to_bytes()
    assert not schema.Blobs.new_message(text=None, data=None).has("text")


def test_a_text_set_anew_leaves_nothing_of_the_old_one(schema: Any) -> None:
    builder = schema.Blobs.new_message(text="a secret that is long", data=b"another secret")
    builder.text, builder.data = "short", b""
    assert b"secret" not in builder.to_bytes()
    assert builder.copy().to_bytes() == schema.Blobs.new_message(text="short", data=b"").to_bytes()


# ---- views


@pytest.mark.conformance("PYC-08")
def test_pyc08_a_readers_view_is_of_the_message_and_cannot_be_written_to(schema: Any) -> None:
    message = bytearray(schema.Blobs.new_message(data=b"abc", text="xyz").to_bytes())
    reader = schema.Blobs.from_bytes(message)
    for field, value in (("data", b"abc"), ("text", b"xyz")):
        view = reader.get_data_as_view(field)
        assert type(view) is memoryview and view == value and view.readonly
        with pytest.raises(TypeError):
            view[0] = 1
        message[message.index(value)] ^= 32
        assert bytes(view) == value[:1].upper() + value[1:]


@pytest.mark.conformance("PYC-08")
def test_pyc08_a_builders_view_can_be_written_to(schema: Any) -> None:
    builder = schema.Blobs.new_message(data=b"abc", text="xyz")
    view = builder.get_data_as_view("data")
    view[1:] = b"BC"
    assert builder.data == b"aBC" and read(builder).data == b"aBC"
    assert builder.get_data_as_view("text").readonly  # it has to stay UTF-8
    assert builder.as_reader().get_data_as_view("data").readonly


@pytest.mark.conformance("PYC-08")
def test_pyc08_a_view_of_an_unset_field_is_of_its_default(schema: Any) -> None:
    builder = schema.Blobs.new_message()
    for view in (builder, builder.as_reader(), read(builder)):
        for field, default in (("text", b""), ("data", b""), ("greeting", b"hello"), ("bytes", b"\0\xffA")):
            found = view.get_data_as_view(field)
            assert found == default and found.readonly, field


@pytest.mark.conformance("PYC-08")
def test_pyc08_views_of_what_is_neither_text_nor_data_are_refused(schema: Any) -> None:
    builder = schema.Blobs.new_message(chunk=b"x")
    for view in (builder, read(builder)):
        with pytest.raises(TypeError, match="number is neither Data nor Text"):
            view.get_data_as_view("number")
        with pytest.raises(TypeError, match="none is neither Data nor Text"):
            view.get_data_as_view("none")
        with pytest.raises(AttributeError, match="no field 'dta'; did you mean 'data'"):
            view.get_data_as_view("dta")
        with pytest.raises(UnionError, match="chunk"):
            view.get_data_as_view("word")
        assert view.get_data_as_view("chunk") == b"x"


def test_a_view_of_a_broken_text_says_which_field(schema: Any) -> None:
    message = bytearray(schema.Blobs.new_message(text="abc").to_bytes())
    message[message.index(b"abc\0") + 3] = 1
    reader = schema.Blobs.from_bytes(message)
    for attempt in (lambda: reader.get_data_as_view("text"), lambda: reader.text, reader.to_dict):
        with pytest.raises(DecodeError, match=r"^text: a text does not end in a NUL byte"):
            attempt()


@pytest.mark.conformance("PYC-13")
@pytest.mark.parametrize("broken", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"], ids=repr)
def test_pyc13_text_that_is_not_utf8_is_an_error_with_the_fields_name(schema: Any, broken: bytes) -> None:
    message = schema.Blobs.new_message(text="?" * len(broken)).to_bytes().replace(b"?" * len(broken), broken)
    for source in (message, memoryview(message)):
        reader = schema.Blobs.from_bytes(source)
        with pytest.raises(DecodeError, match=r"^text: a text is not valid UTF-8 at its byte 0") as caught:
            _ = reader.text
        assert caught.value.field == "text" and caught.value.type == "Blobs"
        assert reader.get_data_as_view("text") == broken


# ---- init


@pytest.mark.parametrize("data", [b"abcd", b"abc\0", b"\0\0\0\0"], ids=repr)
def test_a_text_takes_the_place_of_as_many_bytes(schema: Any, data: bytes) -> None:
    builder = schema.Blobs.new_message(chunk=data)
    builder.word = "xyz"
    assert builder.word == read(builder).word == "xyz"
    node = schema.Node.new_message()
    for value in (data, "xyz"):
        node.any.set(value)
    assert node.any.as_text() == read(node).any.as_text() == "xyz"


def test_init_gives_a_writable_view_of_new_bytes(schema: Any) -> None:
    builder = schema.Blobs.new_message(data=b"something longer than before")
    view = builder.init("data", 5)
    assert type(view) is memoryview and view == bytes(5) and not view.readonly
    view[:] = b"abcde"
    assert builder.data == b"abcde" and read(builder).data == b"abcde"
    assert builder.init("data", 0) == b"" and builder.has("data")
    builder.init("chunk", 2)[0] = 65
    assert builder.which() == "chunk" and builder.chunk == b"A\0"


def test_init_of_text_and_of_data_without_a_size_is_refused(schema: Any) -> None:
    builder = schema.Blobs.new_message(text="before", data=b"before")
    cases: tuple[tuple[Callable[[], Any], str], ...] = (
        (lambda: builder.init("text", 3), "text: a Text is assigned"),
        (lambda: builder.init("data"), "data: init of a Data needs its size"),
        (lambda: builder.init("number"), "number: a plain value is assigned"),
    )
    for attempt, message in cases:
        with pytest.raises(EncodeTypeError, match=f"^{message}"):
            attempt()
    for size in (-1, 2**29):
        with pytest.raises(EncodeError, match="^data: .*cannot have"):
            builder.init("data", size)
    for bad in (1.0, "1", b"1"):
        with pytest.raises(EncodeTypeError, match="^data: init of a Data needs its size in bytes, an integer, not "):
            builder.init("data", bad)
    builder.text = "before"  # nothing was taken from the segment
    with pytest.raises(UnknownFieldError, match="did you mean 'data'"):
        builder.init("dat", 1)
    assert builder.text == "before" and builder.data == b"before"


def test_a_subclass_of_str_is_text(schema: Any) -> None:
    class Name(str):
        __slots__ = ()

    assert type(read(schema.Blobs.new_message(text=Name("x"))).text) is str
