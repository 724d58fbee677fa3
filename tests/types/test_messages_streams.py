"""Messages in and out: buffers, segments and files, whole or in pieces, one or many."""

from __future__ import annotations

import array
import gzip
import io
import mmap
import socket
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp import DecodeError, Kind, List, MessageBuilder, MessageReader, TruncatedError
from tests.types.schema import LIST_VALUES


def node(schema: Any) -> Any:
    return schema.Node.new_message(name="n", child={"name": "c"}, children=[{"name": "a" * 50}, {"name": "b"}])


class OneByteReader:
    """A file that gives one byte at a time."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        return self.file.read(min(size, 1))


class ReadIntoOnly:
    """A file that only fills buffers, and never more than three bytes of one."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def readinto(self, buffer: Any) -> int:
        return self.file.readinto(memoryview(buffer)[:3])


class ShortWriter:
    """A file that takes at most seven bytes at a time."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: Any) -> int:
        self.data += bytes(data[:7])
        return min(len(data), 7)


PACKINGS = pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])


def encode(view: Any, packed: bool) -> bytes:
    return view.to_bytes_packed() if packed else view.to_bytes()


def decode(struct_type: Any, packed: bool) -> Callable[..., Any]:
    return struct_type.from_bytes_packed if packed else struct_type.from_bytes


# ---- buffers


@pytest.mark.conformance("PYC-10", "SER-05")
@PACKINGS
def test_a_message_is_read_from_any_buffer(schema: Any, packed: bool, tmp_path: Path) -> None:
    data = encode(node(schema), packed)
    (tmp_path / "message").write_bytes(data)
    with (tmp_path / "message").open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        sources = [data, bytearray(data), memoryview(data), array.array("B", data), mapped]
        sources += [memoryview(bytes(start) + data)[start:] for start in range(1, 9)]
        if not packed:
            sources += [memoryview(data).cast("Q"), array.array("I", data)]
        for source in sources:
            reader = decode(schema.Node, packed)(source)
            assert reader == node(schema) and reader.children[0].name == "a" * 50
            root = MessageReader(source, packed=packed).get_root(schema.Node)
            assert root == reader and root.to_dict() == reader.to_dict()
            del reader, root
        del source, sources


@pytest.mark.conformance("PYC-10")
@pytest.mark.parametrize("value", [5, None, "text", [1], {}, io.BytesIO(b"")], ids=lambda v: type(v).__name__)
def test_what_is_no_buffer_is_a_type_error(schema: Any, value: Any) -> None:
    for attempt in (
        schema.Node.from_bytes, schema.Node.from_bytes_packed, schema.Node.read_multiple_bytes,
        schema.Node.read_multiple_bytes_packed, MessageReader, ccapnp.read_multiple_bytes,
    ):  # fmt: skip
        with pytest.raises(TypeError):
            attempt(value)
    with pytest.raises(TypeError):
        schema.Node.from_segments([value])


def test_reading_is_in_place(schema: Any) -> None:
    data = bytearray(node(schema).to_bytes())
    reader = schema.Node.from_bytes(data)
    data[data.index(b"c\0")] = ord("d")
    assert reader.child.name == "d"


@pytest.mark.conformance("PYC-10", "CPY-01")
@PACKINGS
def test_bytes_behind_the_message_are_refused(schema: Any, packed: bool) -> None:
    data = encode(node(schema), packed)
    for extra in (b"\0", bytes(8), data):
        for attempt in (decode(schema.Node, packed), lambda source: MessageReader(source, packed=packed)):
            with pytest.raises(
                DecodeError, match=rf"{len(extra)} bytes follow the message; read_multiple_bytes"
            ) as caught:
                attempt(data + extra)
            assert not isinstance(caught.value, EOFError)


@pytest.mark.conformance("PYC-10", "CPY-01")
@PACKINGS
def test_a_message_cut_at_any_byte_is_truncated(schema: Any, packed: bool) -> None:
    for words in (1024, 4):
        builder = schema.Node.new_message(num_first_segment_words=words, name="n" * 20, children=[{"name": "x"}])
        data = encode(builder, packed)
        for end in range(len(data)):
            for attempt in (decode(schema.Node, packed), partial(MessageReader, packed=packed)):
                with pytest.raises(TruncatedError) as caught:
                    attempt(data[:end])
                assert isinstance(caught.value, (EOFError, ValueError))
            for file in (io.BytesIO(data[:end]), OneByteReader(data[:end])):
                read = schema.Node.read_packed if packed else schema.Node.read
                if end == 0:
                    assert read(file) is None
                    continue
                with pytest.raises(TruncatedError):
                    read(file)


@pytest.mark.conformance("CPY-01")
def test_an_empty_message_has_no_root_or_a_null_one(schema: Any) -> None:
    assert schema.Node.from_segments([bytes(8)]).to_dict() == schema.Node().to_dict()
    assert schema.Node.from_bytes(bytes(4) + b"\1" + bytes(3) + bytes(8)).name == ""
    for attempt in (
        lambda: schema.Node.from_bytes(bytes(8)),
        lambda: schema.Node.from_segments([b""]),
        lambda: schema.Node.from_segments([]),
        lambda: MessageReader.from_segments([]),
        lambda: MessageReader(bytes(8)).root,
    ):
        with pytest.raises(DecodeError):
            attempt()


def test_an_error_in_the_root_names_its_type_and_no_field(schema: Any) -> None:
    with pytest.raises(DecodeError, match="^Node: the message has no root pointer") as caught:
        schema.Node.from_bytes(bytes(8))
    assert caught.value.type == "Node" and caught.value.field is None


# ---- segments


@pytest.mark.conformance("PYC-10")
def test_segments_are_views_that_cannot_be_written_to(schema: Any) -> None:
    builder = schema.Node.new_message(num_first_segment_words=2, name="n" * 30, children=[{"name": "x" * 50}] * 3)
    segments = builder.to_segments()
    assert len(segments) > 1 and all(type(each) is memoryview and each.readonly for each in segments)
    assert all(len(each) % 8 == 0 for each in segments)
    for sources in (segments, [bytes(each) for each in segments], tuple(map(bytearray, segments)), iter(segments)):
        assert schema.Node.from_segments(sources) == builder
    assert MessageReader.from_segments(segments).get_root(schema.Node) == builder
    builder.value = 77
    assert schema.Node.from_segments(segments).value == 77  # without a copy
    with pytest.raises(TypeError):
        segments[0][0] = 1
    reader = schema.Node.from_segments(segments)
    assert [bytes(each) for each in reader.to_segments()] == [bytes(each) for each in segments]
    assert all(each.readonly for each in schema.Node.from_bytes(bytearray(builder.to_bytes())).to_segments())


@pytest.mark.conformance("PYC-10")
def test_segments_keep_the_builder_alive(schema: Any) -> None:
    segments = node(schema).to_segments()
    assert schema.Node.from_segments(segments) == node(schema)
    builder = node(schema)
    view = builder.to_segments()[0]
    builder.children = [{"name": "z" * 20_000}]  # more segments; those that exist do not move
    assert view == bytes(builder.to_segments()[0])[: len(view)]


# ---- writing


@pytest.mark.conformance("PYC-10", "SER-08")
@PACKINGS
def test_a_message_is_written_to_any_file(schema: Any, packed: bool, tmp_path: Path) -> None:
    builder = schema.Node.new_message(num_first_segment_words=4, name="n" * 300, children=[{"name": "a" * 70_000}])
    expected = encode(builder, packed)
    for view in (builder, builder.as_reader(), schema.Node.from_bytes(builder.to_bytes())):
        memory, short = io.BytesIO(), ShortWriter()
        with (
            (tmp_path / "plain").open("wb") as plain,
            gzip.open(tmp_path / "zipped", "wb") as zipped,
            (tmp_path / "raw").open("wb", buffering=0) as raw,
        ):
            for file in (memory, short, plain, zipped, raw):
                (view.write_packed if packed else view.write)(file)
        written = [memory.getvalue(), short.data, (tmp_path / "plain").read_bytes(), (tmp_path / "raw").read_bytes()]
        assert written == [expected] * 4
        with gzip.open(tmp_path / "zipped", "rb") as zipped:
            assert (schema.Node.read_packed if packed else schema.Node.read)(zipped) == builder


@pytest.mark.conformance("PYC-11")
@PACKINGS
def test_a_builder_is_written_as_often_as_one_likes(schema: Any, packed: bool) -> None:
    builder, file = node(schema), io.BytesIO()
    for number in range(3):
        builder.value = number
        (ccapnp.write_packed if packed else ccapnp.write)(builder, file)
    file.seek(0)
    found = (schema.Node.read_multiple_packed if packed else schema.Node.read_multiple)(file)
    assert [each.value for each in found] == [0, 1, 2]


def test_what_has_no_write_or_read_is_a_type_error(schema: Any) -> None:
    for file in (5, None, b"", "name"):
        with pytest.raises(TypeError, match=r"has no write\(\)"):
            node(schema).write(file)
        for attempt in (schema.Node.read, schema.Node.read_packed, ccapnp.read):
            with pytest.raises(TypeError, match=r"has neither read\(\) nor readinto\(\)"):
                attempt(file)
    with pytest.raises(TypeError, match="what is in memory is read with from_bytes or read_multiple_bytes"):
        list(schema.Node.read_multiple(node(schema).to_bytes()))
    with pytest.raises(TypeError, match="binary mode"):
        schema.Node.read(io.StringIO("text"))


# ---- reading files


@pytest.mark.conformance("PYC-10")
@PACKINGS
def test_the_end_of_a_file_is_no_error(schema: Any, packed: bool) -> None:
    data = encode(node(schema), packed)
    read = schema.Node.read_packed if packed else schema.Node.read
    multiple = schema.Node.read_multiple_packed if packed else schema.Node.read_multiple
    for kind in (io.BytesIO, OneByteReader, ReadIntoOnly, lambda data: io.BufferedReader(io.BytesIO(data))):
        file = kind(data * 2)
        assert read(file) == node(schema) == read(file) and read(file) is None and read(file) is None
        assert [each == node(schema) for each in multiple(kind(data * 3))] == [True] * 3
        assert list(multiple(kind(b""))) == [] and ccapnp.read(kind(b""), packed=packed) is None
        assert len(list(ccapnp.read_multiple(kind(data * 3), packed=packed))) == 3
        with pytest.raises(TruncatedError):
            list(multiple(kind(data + data[:-1])))


@PACKINGS
def test_reading_takes_no_more_than_the_message(schema: Any, packed: bool) -> None:
    file = io.BytesIO(encode(node(schema), packed) + b"rest")
    (schema.Node.read_packed if packed else schema.Node.read)(file)
    assert file.read() == b"rest"


@pytest.mark.conformance("PYC-10", "SER-01")
@PACKINGS
def test_many_messages_in_one_buffer(schema: Any, packed: bool) -> None:
    pairs = [schema.Pair.new_message(key="k" * number, value=number) for number in range(5)]
    data = b"".join(encode(pair, packed) for pair in pairs)
    multiple = schema.Pair.read_multiple_bytes_packed if packed else schema.Pair.read_multiple_bytes
    for source in (data, bytearray(data), memoryview(b"x" + data)[1:]):
        assert list(multiple(source)) == pairs
        found = ccapnp.read_multiple_bytes(source, packed=packed)
        assert [each.get_root(schema.Pair) for each in found] == pairs
    assert list(multiple(b"")) == [] == list(ccapnp.read_multiple_bytes(b"", packed=packed))
    found = multiple(data[:-1])
    assert [next(found) for _ in range(4)] == pairs[:4]
    with pytest.raises(TruncatedError):
        next(found)


@PACKINGS
def test_messages_go_through_a_socket(schema: Any, packed: bool) -> None:
    sent = schema.Node.new_message(name="n" * 100_000, numbers=bytes(range(256)) * 1000)
    left, right = socket.socketpair()
    with left, right, left.makefile("wb") as out, right.makefile("rb") as incoming:

        def send() -> None:
            for _ in range(3):
                (sent.write_packed if packed else sent.write)(out)
            out.flush()
            left.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=send)
        thread.start()
        found = list((schema.Node.read_multiple_packed if packed else schema.Node.read_multiple)(incoming))
        thread.join()
    assert found == [sent] * 3


def test_a_stream_of_several_types(schema: Any) -> None:
    file = io.BytesIO()
    node(schema).write(file)
    schema.Pair.new_message(key="k").write(file)
    builder = MessageBuilder()
    builder.root.set("just a text")
    builder.write(file)
    file.seek(0)
    messages = list(ccapnp.read_multiple(file))
    assert messages[0].get_root(schema.Node) == node(schema)
    assert messages[1].get_root(schema.Pair).key == "k"
    assert messages[2].root.as_text() == "just a text"
    with pytest.raises(DecodeError, match="^Node: expected a struct"):
        messages[2].get_root(schema.Node)


# ---- messages without a type


@pytest.mark.conformance("PYC-10")
def test_a_message_builder_has_any_root(schema: Any) -> None:
    builder = MessageBuilder()
    root = builder.init_root(schema.Node)
    root.name = "first"
    assert builder.get_root(schema.Node).name == "first"
    assert builder.set_root(node(schema)) == node(schema) == builder.get_root(schema.Node)
    assert b"first" not in builder.to_bytes()
    assert MessageBuilder().set_root(builder.get_root(schema.Node).child).name == "c"
    inside = MessageBuilder()
    inside.set_root(node(schema))
    assert inside.set_root(inside.get_root(schema.Node).child).name == "c"
    for reader in (
        MessageReader(builder.to_bytes()),
        MessageReader(builder.to_bytes_packed(), packed=True),
        MessageReader.from_segments(builder.to_segments()),
    ):
        assert reader.get_root(schema.Node) == node(schema)
    with pytest.raises(TypeError, match="the root is set from str, bytes, .* of a message, not dict"):
        builder.set_root({"name": "x"})
    packed, plain = io.BytesIO(), io.BytesIO()
    builder.write(plain)
    builder.write_packed(packed)
    assert (plain.getvalue(), packed.getvalue()) == (builder.to_bytes(), builder.to_bytes_packed())
    assert MessageBuilder().get_root(schema.Pair).value == 0


@pytest.mark.parametrize("wrong", [int, None, "Node", 5, ccapnp.Struct])
def test_the_type_of_a_root_is_one_of_pointers(schema: Any, wrong: Any) -> None:
    built, read = MessageBuilder(), MessageReader(schema.Node().to_bytes())
    for attempt in (built.init_root, built.get_root, built.root.init_struct, read.get_root, read.root.as_struct):
        with pytest.raises(TypeError, match="is not the type of a schema's struct$|does not name a type that pointers"):
            attempt(wrong)
        with pytest.raises(ccapnp.EncodeTypeError, match="Point is a group"):
            attempt(schema.Node.Point)


def test_roots_of_every_kind(schema: Any) -> None:
    lists = schema.Lists.new_message(**LIST_VALUES)
    for field in LIST_VALUES:
        builder = MessageBuilder(num_first_segment_words=1)
        found = getattr(lists, field)
        builder.root.set(found)
        list_type = found._type
        assert MessageReader(builder.to_bytes()).root.as_list(list_type) == found
        assert builder.root.kind == "list" == MessageReader(builder.to_bytes()).root.kind
    builder = MessageBuilder()
    builder.root.set("text")
    assert MessageReader(builder.to_bytes()).root.as_text() == "text"
    builder.root.set(b"data")
    assert MessageReader(builder.to_bytes()).root.as_data() == b"data"
    builder.root.init_list(List(Kind.UINT16), 2)[1] = 5
    assert MessageReader(builder.to_bytes()).root.as_list(List(Kind.UINT16)) == [0, 5]
    builder.root.set(None)
    assert MessageReader(builder.to_bytes()).root.kind == "null"
    assert MessageReader(builder.to_bytes()).get_root(schema.Node).name == ""


def test_packed_and_plain_are_told_apart(schema: Any) -> None:
    builder = node(schema)
    with pytest.raises(DecodeError, match="looks packed"):
        schema.Node.from_bytes(builder.to_bytes_packed())
    with pytest.raises(DecodeError, match="looks unpacked"):
        schema.Node.from_bytes_packed(builder.to_bytes())


def test_segments_are_not_one_buffer(schema: Any) -> None:
    data = schema.Node.new_message(name="a").to_bytes()
    for one in (data, bytearray(data), memoryview(data)):
        for from_segments in (schema.Node.from_segments, MessageBuilder.from_segments, MessageReader.from_segments):
            with pytest.raises(TypeError, match="list of buffers"):
                from_segments(one)
    for wrong in (None, 5, schema.Node.new_message(), MessageBuilder()):
        for take in (schema.Node.from_segments, MessageBuilder.from_segments, MessageReader.from_segments):
            with pytest.raises(TypeError, match="segments are given as a list of buffers, not an? "):
                take(wrong)
