"""Messages as streams of bytes: framed, one after the other, whole, cut, and in pieces."""

from __future__ import annotations

import io
import mmap
import os
import socket
import struct
import threading
from array import array
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp import (
    DecodeError,
    EncodeError,
    LimitError,
    MessageBuilder,
    MessageReader,
    StreamDecoder,
    TruncatedError,
    expected_size_in_words,
)
from ccapnp.wire.framing import segment_table
from tests.segments import framed, message
from tests.types.schema import SCHEMA
from tests.wire.raw import frame
from tests.wire.raw import struct as struct_pointer
from tests.wire.raw import words as raw_words

NODE = {"name": "n" * 30, "value": 7, "child": {"name": "c"}, "children": [{"name": "x"}, {"data": b"123"}]}
COUNTS = pytest.mark.parametrize("count", [1, 7, 10])
PACKINGS = pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])


@pytest.fixture(scope="session")
def schema(compile_schema: Callable[[str], ModuleType]) -> Any:
    return compile_schema(SCHEMA)


class Trickle:
    """A file that gives at most so many bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self.file = io.BytesIO(data)
        self.most = most

    def read(self, size: int) -> bytes:
        return self.file.read(min(size, self.most))


def in_segments(schema: Any, count: int) -> Any:
    """A `Node` in so many segments."""
    builder = MessageBuilder(1, allocator=lambda words: bytearray(words << 3))
    root = builder.init_root(schema.Node) if count > 1 else schema.Node.new_message()
    for _ in range(count - 2):
        root.init("numbers", 8)
    assert len(root.to_segments()) == count
    return root


def encoded(view: Any, packed: bool) -> bytes:
    return view.to_bytes_packed() if packed else view.to_bytes()  # type: ignore[no-any-return]


def segments_of(reader: MessageReader) -> list[bytes]:
    return [bytes(each) for each in reader._root.pieces()]


# ---- buffers


@COUNTS
@pytest.mark.conformance("SER-01", "SER-02")
def test_a_message_in_a_buffer_and_what_follows_it(schema: Any, count: int) -> None:
    root = in_segments(schema, count)
    data = root.to_bytes()
    assert schema.Node.from_bytes(data) == root and expected_size_in_words(data) == len(data) >> 3
    rest = bytes(range(40))
    for buffer in (data + rest, bytearray(data + rest), memoryview(data + rest), array("Q", data + rest)):
        end = 8 * expected_size_in_words(buffer)
        view = memoryview(buffer).cast("B")
        assert end == len(data) and view[end:] == rest
        assert schema.Node.from_bytes(view[:end]) == root
        assert schema.Node.from_bytes(view[:end]).as_builder() == root
        with pytest.raises(DecodeError, match="40 bytes follow the message"):
            schema.Node.from_bytes(buffer)
    assert list(schema.Node.read_multiple_bytes(data * 3)) == [root] * 3
    assert list(schema.Node.read_multiple_bytes(b"")) == []


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(("count", "table_words"), [(1, 1), (7, 4), (10, 6)])
@pytest.mark.conformance("SER-02", "SER-03", "SER-04")
def test_the_size_of_a_message_from_its_first_words(count: int, table_words: int) -> None:
    data = framed(message(count))
    total = len(data) >> 3
    assert expected_size_in_words(b"") == expected_size_in_words(data[:7]) == 1
    for words in range(1, total + 1):
        expected = expected_size_in_words(bytearray(data[: words * 8]))
        assert words < expected < total if words < table_words else expected == total
    read = 0
    while read < expected_size_in_words(data[: read * 8]):  # what a reader does that asks for what it lacks
        read = expected_size_in_words(data[: read * 8])
    assert read == total
    for wrong in ("text", 5, None):
        with pytest.raises(TypeError):
            expected_size_in_words(wrong)  # type: ignore[arg-type]


@pytest.mark.conformance("SER-05")
def test_a_buffer_at_any_address_is_read_where_it_is(schema: Any) -> None:
    data = schema.Node.new_message(**NODE).to_bytes()
    for offset in range(9):
        memory = bytearray(bytes(offset) + data)
        reader = schema.Node.from_bytes(memoryview(memory)[offset:])
        assert reader.to_dict()["name"] == NODE["name"]
        memory[memory.index(b"nnn")] = ord("N")
        assert reader.name == "N" + "n" * 29
    for cut in range(1, 8):
        with pytest.raises(TruncatedError):
            schema.Node.from_bytes(data[:-cut])
        with pytest.raises(DecodeError, match="not a whole number of words"):
            schema.Node.from_segments([data[8:-cut]])


@COUNTS
@pytest.mark.conformance("SER-12")
def test_the_table_and_the_segments_are_the_message(schema: Any, count: int) -> None:
    root = in_segments(schema, count)
    segments = root.to_segments()
    sizes = [len(each) >> 3 for each in segments]
    table = struct.pack(f"<{count + 1}I{'' if count % 2 else '4x'}", count - 1, *sizes)
    assert table == segment_table(sizes) and table + b"".join(segments) == root.to_bytes()
    assert root.framed_size == len(table) + 8 * sum(sizes)
    assert schema.Node.from_segments(segments) == root


@pytest.mark.conformance("SER-13", "CPY-01")
@pytest.mark.usefixtures("backend")
def test_a_table_that_claims_2_to_the_32_segments() -> None:
    data = b"\xff" * 64
    for attempt in (
        lambda: MessageReader(data),
        lambda: ccapnp.read(io.BytesIO(data)),
        lambda: next(ccapnp.read_multiple_bytes(data)),
        lambda: MessageReader(b"\x0f\xff\xff\xff\xff\xff\xff\xff\xff" * 2, packed=True),
        lambda: StreamDecoder().feed(data),
        lambda: expected_size_in_words(data),
    ):
        with pytest.raises(DecodeError, match="too many segments"):
            attempt()


@PACKINGS
@pytest.mark.conformance("PYC-10")
def test_every_way_out_and_in(schema: Any, packed: bool) -> None:
    node = schema.Node.new_message(**NODE)
    data = encoded(node, packed)
    from_bytes = schema.Node.from_bytes_packed if packed else schema.Node.from_bytes
    mapped = mmap.mmap(-1, len(data))
    mapped.write(data)
    for buffer in (data, bytearray(data), memoryview(data), mapped):
        with from_bytes(buffer) as reader:
            assert reader == node
        del reader
    assert schema.Node.from_segments(node.to_segments()) == node
    for segment in node.to_segments():
        assert segment.readonly
    segments = schema.Node.new_message(**NODE).to_segments()
    assert schema.Node.from_segments(segments) == node  # nothing else keeps the builder alive
    with pytest.raises(ccapnp.EncodeTypeError, match="is a group"):
        node.point.to_bytes()
    read_multiple = schema.Node.read_multiple_packed if packed else schema.Node.read_multiple
    assert list(read_multiple(io.BytesIO(data * 2))) == [node] * 2 and list(read_multiple(io.BytesIO())) == []


# ---- files


@COUNTS
@pytest.mark.parametrize("most", [1, 3, 8, 1 << 20])
@pytest.mark.conformance("SER-06", "SER-09", "CPY-01")
def test_messages_are_read_from_a_file_however_little_it_gives(schema: Any, count: int, most: int) -> None:
    root = in_segments(schema, count)
    file = Trickle(root.to_bytes() * 2, most)
    assert schema.Node.read(file) == root
    found = ccapnp.read(file)
    assert found is not None and found.get_root(schema.Node) == root
    assert schema.Node.read(file) is None


@pytest.mark.conformance("SER-07")
def test_a_message_is_read_to_be_changed(schema: Any) -> None:
    root = in_segments(schema, 7)
    builder = schema.Node.read(Trickle(root.to_bytes(), 5)).as_builder()
    builder.name = "changed"
    assert builder.name == "changed" and builder != root
    decoded = StreamDecoder().feed(root.to_bytes())[0]
    memory = [bytearray(each) for each in decoded._root.pieces()]
    in_place = MessageBuilder.from_segments(memory).get_root(schema.Node)
    in_place.value = 5
    assert in_place == schema.Node.from_segments(memory) != root


@COUNTS
@pytest.mark.conformance("SER-08", "SER-09")
def test_what_is_written_is_what_the_bytes_are(schema: Any, count: int) -> None:
    root = in_segments(schema, count)
    read_end, write_end = os.pipe()
    with open(write_end, "wb") as out, open(read_end, "rb") as incoming:
        root.write(out)
        root.write(out)
        out.close()
        assert incoming.read() == root.to_bytes() * 2
    read_end, write_end = os.pipe()
    with open(write_end, "wb", buffering=0) as out, open(read_end, "rb") as incoming:
        root.write(out)
        in_segments(schema, 2).write(out)
        assert schema.Node.read(incoming) == root
        assert schema.Node.read(incoming) == in_segments(schema, 2)


@pytest.mark.conformance("CPY-01")
def test_messages_over_a_socket(schema: Any) -> None:
    node = schema.Node.new_message(**NODE)
    here, there = socket.socketpair()
    with here, there, there.makefile("rb") as file:
        here.settimeout(20)
        there.settimeout(20)
        thread = threading.Thread(target=lambda: (here.sendall(node.to_bytes() * 3), here.shutdown(socket.SHUT_WR)))
        thread.start()
        assert list(schema.Node.read_multiple(file)) == [node] * 3
        thread.join()


@pytest.mark.conformance("SER-10", "CPY-01")
@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("count", [511, 512, 1025])
def test_a_stream_has_messages_of_511_segments_at_most(count: int) -> None:
    data = frame(*[bytes(8)] * count)
    for read in (lambda: ccapnp.read(io.BytesIO(data)), lambda: StreamDecoder().feed(data)[0]):
        if count < 512:
            found = read()
            assert found is not None and len(segments_of(found)) == count
        else:
            with pytest.raises(DecodeError, match=f"too many segments: {count}, where 511 is the most"):
                read()
    assert len(segments_of(MessageReader(data))) == count  # in memory there may be more


@PACKINGS
@pytest.mark.conformance("SER-11")
@pytest.mark.usefixtures("backend")
def test_the_limit_is_checked_before_a_message_is_read(packed: bool) -> None:
    builder = MessageBuilder()
    builder.root.set(b"0123456789")  # the root pointer and two words
    data = builder.to_bytes_packed() if packed else builder.to_bytes()
    head = data[: 4 if packed else 8]
    for words in (3, None, 0):
        assert ccapnp.read(io.BytesIO(data), words, packed=packed) is not None
        assert len(StreamDecoder(words, packed=packed).feed(data)) == 1
    for attempt in (
        lambda: ccapnp.read(io.BytesIO(head), 2, packed=packed),
        lambda: StreamDecoder(2, packed=packed).feed(head),
    ):
        with pytest.raises(LimitError, match="has 3 words, more than the limit of 2") as caught:
            attempt()
        assert caught.value.option == "traversal_limit_in_words"


@COUNTS
@pytest.mark.conformance("CPY-01", "ASY-08")
def test_a_stream_that_is_cut_says_what_is_missing(schema: Any, count: int) -> None:
    data = in_segments(schema, count).to_bytes()
    for end in range(1, len(data)):
        for attempt in (lambda end=end: MessageReader(data[:end]), lambda end=end: ccapnp.read(io.BytesIO(data[:end]))):
            with pytest.raises(TruncatedError) as caught:
                attempt()
            assert caught.value.available == end < (caught.value.needed or 0) <= len(data)
    with pytest.raises(EOFError):
        MessageReader(b"")
    assert ccapnp.read(io.BytesIO(b"")) is None


# ---- into a buffer


@COUNTS
@pytest.mark.conformance("SER-08")
def test_a_message_is_written_into_a_buffer(schema: Any, count: int) -> None:
    root = in_segments(schema, count)
    builder = MessageBuilder()
    builder.set_root(root)
    for source, data in ((root, root.to_bytes()), (root.as_reader(), root.to_bytes()), (builder, builder.to_bytes())):
        size = len(data)
        for memory in (bytearray(size + 20), mmap.mmap(-1, size + 20), memoryview(array("H", bytes(size + 20)))):
            for offset in (0, 1, 20):
                assert source.write_into(memory, offset) == size == source.framed_size
                assert bytes(memory)[offset : offset + size] == data
        exact = bytearray(size)
        assert source.write_into(exact) == size and exact == data
        before = bytes(exact)
        for offset in (1, size, size + 1, -1, -size):
            with pytest.raises(EncodeError, match=f"a message of {size} bytes has no room at byte {offset}"):
                source.write_into(exact, offset)
        assert exact == before
        for wrong in (bytes(size), memoryview(bytearray(2 * size))[::2], "text", 5):
            with pytest.raises(TypeError):
                source.write_into(wrong)
        with pytest.raises(TypeError, match="offset must be an integer"):
            source.write_into(exact, 0.0)
    assert ccapnp.write_into(root, bytearray(root.framed_size)) == ccapnp.framed_size(root)
    child = schema.Node.new_message(**NODE).child
    assert child.write_into(bytearray(child.framed_size)) == len(child.to_bytes())


# ---- pieces


@PACKINGS
@pytest.mark.parametrize("size", [1, 2, 5, 8, 13, 100, 1 << 20])
@pytest.mark.conformance("SER-06", "SER-09")
def test_a_decoder_takes_a_stream_in_any_pieces(schema: Any, packed: bool, size: int) -> None:
    nodes = [in_segments(schema, count) for count in (1, 7, 10, 2)] + [schema.Node.new_message(**NODE)]
    data = b"".join(encoded(node, packed) for node in nodes)
    decoder = StreamDecoder(packed=packed)
    found = []
    for start in range(0, len(data), size):
        found += decoder.feed(memoryview(data)[start : start + size])
    assert [each.get_root(schema.Node) for each in found] == nodes
    decoder.close()
    assert decoder.feed(b"") == [] and decoder.feed(bytearray(data[: len(encoded(nodes[0], packed))])) != []


@PACKINGS
@pytest.mark.conformance("SER-06")
def test_a_decoder_says_how_much_it_may_be_given(schema: Any, packed: bool) -> None:
    nodes = [in_segments(schema, count) for count in (1, 7, 10, 2)] + [schema.Node.new_message(**NODE)]
    file = io.BytesIO(b"".join(encoded(node, packed) for node in nodes))
    decoder = StreamDecoder(packed=packed)
    position = 0
    for node in nodes:
        found: list[MessageReader] = []
        while not found:
            assert decoder.missing_bytes > 0
            found = decoder.feed(file.read(decoder.missing_bytes))
        position += len(encoded(node, packed))
        assert found[0].get_root(schema.Node) == node and file.tell() == position


@PACKINGS
@pytest.mark.conformance("ASY-08")
def test_a_stream_that_ends_inside_a_message(schema: Any, packed: bool) -> None:
    node = schema.Node.new_message(**NODE)
    data = encoded(node, packed)
    for end in range(1, len(data)):
        decoder = StreamDecoder(packed=packed)
        assert len(decoder.feed(data + data[:end])) == 1
        with pytest.raises(TruncatedError, match="ends inside a message") as caught:
            decoder.close()
        assert (caught.value.available or 0) < (caught.value.needed or 0) <= node.framed_size
        if not packed:
            assert caught.value.available == end
        assert len(decoder.feed(data[end:])) == 1  # it is no error of what came before
        decoder.close()


@pytest.mark.conformance("ASY-06", "ASY-07")
def test_messages_before_garbage_are_not_lost(schema: Any) -> None:
    data = schema.Node.new_message(**NODE).to_bytes()
    decoder = StreamDecoder()
    assert len(decoder.feed(data * 2 + b"GET / HTTP/1.1\r\n")) == 2
    for attempt in (lambda: decoder.feed(data), lambda: decoder.feed(b""), decoder.close):
        with pytest.raises(DecodeError, match="too many segments.*looks like text"):
            attempt()
    with pytest.raises(TypeError):
        StreamDecoder().feed("text")
    with pytest.raises(ValueError, match="traversal_limit_in_words"):
        StreamDecoder(-1)


@pytest.mark.conformance("PYC-12")
@pytest.mark.usefixtures("backend")
def test_the_limits_of_a_decoder_are_those_of_its_messages() -> None:
    deep = frame(raw_words(struct_pointer(-1, 0, 1)))
    inside = StreamDecoder(nesting_limit=2).feed(deep)[0]
    outside = MessageReader(deep, nesting_limit=2)
    assert inside._root.limits == outside._root.limits
    assert StreamDecoder(5).feed(deep)[0]._root.limits.traversal_limit_in_words == 5


@pytest.mark.conformance("SER-11")
@pytest.mark.usefixtures("backend")
def test_a_packed_run_past_the_end_of_its_piece_is_refused() -> None:
    for data in (b"\x10\x02" + b"\x00\x05", b"\x00\x01", b"\x10\x01\x00\x01"):
        with pytest.raises(DecodeError, match="did not end cleanly on a segment boundary"):
            StreamDecoder(packed=True).feed(data)
