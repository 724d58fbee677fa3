"""Packed messages from buffers and streams: block sizes, file positions, boundaries, ends and limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import threading
import zipfile
from pathlib import Path
from typing import Any, Callable

import pytest

from ccapnp.codec import Codec, get_codec
from ccapnp.errors import DecodeError, LimitError, TruncatedError
from ccapnp.pure.packing import pack, pack_message
from ccapnp.wire.framing import framed_pieces, segment_table
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS as LIMIT

TEXT = b"The quick brown fox jumps over the lazy dog"
MIXED = b"".join(bytes([i % 7, 0, 0, i % 256]) + (b"\0\0\0\0" if i % 3 else b"abcd") for i in range(1, 700))


def message(count: int) -> list[bytes]:
    """The segments of a message; with zeros, text and numbers in them."""
    parts = [bytes(8 * 5), (TEXT + bytes(8))[:48], MIXED, bytes(8 * 300), b"\1" * 8 * 300, b""]
    return [(parts * count)[index] for index in range(count)]


MESSAGES = [message(count) for count in (1, 2, 7, 3, 10)]
PACKED = [pack_message(framed_pieces(segments)) for segments in MESSAGES]
STREAM = b"".join(PACKED)


class Blocks:
    """An object with ``read`` alone, which gives at most ``size`` bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = data
        self._size = size
        self.position = 0

    def read(self, count: int) -> bytes:
        data = self._data[self.position : self.position + min(count, self._size)]
        self.position += len(data)
        return data


class RawBlocks(io.RawIOBase):
    """A raw file that neither seeks nor peeks."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__()
        self._blocks = Blocks(data, size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._blocks.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Read1Blocks(Blocks):
    """An object with ``read1`` besides, which gives more at a time."""

    def read1(self, count: int) -> bytes:
        return Blocks.read(self, count)


class IntoBlocks:
    """An object with ``readinto`` alone."""

    def __init__(self, data: bytes, size: int) -> None:
        self._blocks = Blocks(data, size)

    def readinto(self, buffer: Any) -> int:
        data = self._blocks.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def _pipe(path: Path) -> Any:
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb", buffering=0) as file:
            for start in range(0, len(STREAM), 1000):
                file.write(STREAM[start : start + 1000])

    threading.Thread(target=write).start()
    return open(reading, "rb", buffering=0)


COMPRESSIONS: dict[str, Any] = {"gz": gzip, "bz2": bz2, "xz": lzma}


def _file(buffering: int = -1) -> Callable[[Path], Any]:
    return lambda path: open(_written(path / "x", STREAM), "rb", buffering=buffering)


def _compressed(kind: str) -> Callable[[Path], Any]:
    module = COMPRESSIONS[kind]
    return lambda path: module.open(_written(path / kind, module.compress(STREAM)))


SOURCES: dict[str, Callable[[Path], Any]] = {
    "BytesIO": lambda path: io.BytesIO(STREAM),
    "buffered file": _file(),
    "tiny buffer": _file(buffering=2),
    "raw file": _file(buffering=0),
    "gzip": _compressed("gz"),
    "bz2": _compressed("bz2"),
    "lzma": _compressed("xz"),
    "pipe": _pipe,
    "read, 1 byte": lambda path: Blocks(STREAM, 1),
    "read, 2 bytes": lambda path: Blocks(STREAM, 2),
    "read, 4 bytes": lambda path: Blocks(STREAM, 4),
    "read, any": lambda path: Blocks(STREAM, 1 << 20),
    "readinto": lambda path: IntoBlocks(STREAM, 100),
    "raw, 1 byte": lambda path: RawBlocks(STREAM, 1),
    "raw, 7 bytes": lambda path: RawBlocks(STREAM, 7),
    "raw, 5000 bytes": lambda path: RawBlocks(STREAM, 5000),
    "buffered, 1 byte": lambda path: io.BufferedReader(RawBlocks(STREAM, 1)),
    "buffered, 9 bytes": lambda path: io.BufferedReader(RawBlocks(STREAM, 9)),
    "read1, 3 bytes": lambda path: Read1Blocks(STREAM, 3),
}

sources = pytest.mark.parametrize("source", list(SOURCES.values()), ids=list(SOURCES))


@pytest.fixture
def codec(backend: str) -> Codec:
    return get_codec(backend)


def _close(file: Any) -> None:
    if hasattr(file, "close"):
        file.close()


@pytest.mark.conformance("PCK-12")
@sources
def test_many_messages_from_one_reader(codec: Codec, source: Callable[[Path], Any], tmp_path: Path) -> None:
    file = source(tmp_path)
    reader = codec.packed_reader(file)
    for segments in MESSAGES:
        assert reader.read_message(LIMIT) == segments
    assert reader.read_message(LIMIT) is None
    assert reader.read_message(LIMIT) is None
    _close(file)


@pytest.mark.conformance("PCK-12")
@sources
def test_file_stands_behind_each_message(codec: Codec, source: Callable[[Path], Any], tmp_path: Path) -> None:
    file = source(tmp_path)
    for segments in MESSAGES:
        assert codec.read_packed(file, LIMIT) == segments
    assert codec.read_packed(file, LIMIT) is None
    _close(file)


def test_zip_member(codec: Codec, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("x", STREAM)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive, archive.open("x") as file:
        assert [codec.read_packed(file, LIMIT) for _ in MESSAGES] == MESSAGES


@pytest.mark.parametrize("kind", ["BytesIO", "buffered file", "raw file"])
def test_other_readers_may_go_on_where_a_message_ended(codec: Codec, kind: str, tmp_path: Path) -> None:
    file = SOURCES[kind](tmp_path)
    reader = codec.packed_reader(file)
    position = 0
    for packed in PACKED[:3]:
        reader.read_message(LIMIT)
        position += len(packed)
        assert file.tell() == position
    assert file.read(len(PACKED[3])) == PACKED[3]
    assert reader.read_message(LIMIT) == MESSAGES[4]
    _close(file)


@pytest.mark.parametrize("buffering", [-1, 0])
def test_live_socket_is_not_waited_on_for_more_than_a_message(codec: Codec, buffering: int) -> None:
    here, there = socket.socketpair()
    with here, there, here.makefile("rb", buffering=buffering) as file:
        here.settimeout(20)
        reader = codec.packed_reader(file)
        for segments, packed in zip(MESSAGES, PACKED):
            there.sendall(packed)
            assert reader.read_message(LIMIT) == segments
        there.sendall(PACKED[0] + PACKED[1])
        assert reader.read_message(LIMIT) == MESSAGES[0]
        assert reader.read_message(LIMIT) == MESSAGES[1]
        there.shutdown(socket.SHUT_WR)
        assert reader.read_message(LIMIT) is None


def test_reader_with_read_alone_is_asked_for_no_byte_too_many(codec: Codec) -> None:
    file = Blocks(STREAM, 1 << 20)
    reader = codec.packed_reader(file)
    position = 0
    for packed in PACKED:
        reader.read_message(LIMIT)
        position += len(packed)
        assert file.position == position


def test_buffer_with_several_messages(codec: Codec) -> None:
    position = 0
    for segments, packed in zip(MESSAGES, PACKED):
        found, end = codec.unpack_message(memoryview(STREAM), LIMIT, position)
        assert found == segments
        assert end == position + len(packed)
        position = end
    with pytest.raises(TruncatedError):
        codec.unpack_message(STREAM, LIMIT, position)


def test_segments_are_read_only(codec: Codec) -> None:
    assert all(segment.readonly for segment in codec.unpack_message(PACKED[2], LIMIT, 0)[0])


@pytest.mark.conformance("PCK-15")
@pytest.mark.parametrize("index", [0, 1, 3])
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_every_truncation(codec: Codec, index: int, size: int) -> None:
    packed = PACKED[index]
    assert codec.read_packed(Blocks(b"", size), LIMIT) is None
    for end in range(1, len(packed)):
        if end > 60 and end % 7:
            continue  # the rest repeats it
        with pytest.raises(TruncatedError) as caught:
            codec.read_packed(Blocks(packed[:end], size), LIMIT)
        assert caught.value.needed is not None and caught.value.available is not None
        assert 0 <= caught.value.available < caught.value.needed
        with pytest.raises(TruncatedError):
            codec.unpack_message(packed[:end], LIMIT, 0)


def test_empty_buffer(codec: Codec) -> None:
    with pytest.raises(TruncatedError, match="empty"):
        codec.unpack_message(b"", LIMIT, 0)


ONE_WORD = pack(b"\1" + bytes(7))


@pytest.mark.parametrize(
    "packed",
    [
        b"\xff" + segment_table([1, 1])[:8] + b"\1" + segment_table([1, 1])[8:] + ONE_WORD * 2,
        b"\xff" + segment_table([2]) + b"\1" + bytes(8) + ONE_WORD,
        pack(segment_table([1, 1]))[:-2] + b"\xff" + segment_table([1, 1])[8:] + b"\1" + bytes(8) + ONE_WORD,
        pack(segment_table([2])) + b"\0\2",
        pack(segment_table([2])) + ONE_WORD + b"\0\1",
        pack(segment_table([1])) + b"\xff" + b"\1" * 8 + b"\1" + b"\1" * 8,
    ],
    ids=[
        "first word, rest of the table",
        "table, segment",
        "rest of the table, segment",
        "segment, what follows: zeros",
        "last word, what follows: zeros",
        "segment, what follows: copied words",
    ],
)
@pytest.mark.conformance("PCK-15")
def test_run_past_a_read(codec: Codec, packed: bytes) -> None:
    for read in (
        lambda data: codec.unpack_message(data, LIMIT, 0),
        lambda data: codec.read_packed(io.BytesIO(data), LIMIT),
    ):
        with pytest.raises(DecodeError, match="did not end cleanly on a segment boundary"):
            read(packed)


@pytest.mark.conformance("PCK-15")
def test_run_over_two_segments(codec: Codec) -> None:
    """The C++ reader asks for all segments together, so that a run may go from one into the next."""
    packed = pack(segment_table([1, 1])) + b"\0\1"
    assert codec.unpack_message(packed, LIMIT, 0) == ([bytes(8), bytes(8)], len(packed))


@pytest.mark.conformance("SER-11")
def test_limit_comes_before_the_data(codec: Codec) -> None:
    packed = pack(segment_table([2])) + b"\0\1"
    assert codec.unpack_message(packed, 2, 0)[0] == [bytes(16)]
    for read in (
        lambda data, limit: codec.unpack_message(data, limit, 0),
        lambda data, limit: codec.read_packed(io.BytesIO(data), limit),
    ):
        with pytest.raises(LimitError, match="traversal_limit_in_words") as caught:
            read(packed, 1)
        assert caught.value.option == "traversal_limit_in_words"
        with pytest.raises(LimitError):
            read(pack(segment_table([0xFFFFFFFF])), 8 << 20)


def test_no_limit(codec: Codec) -> None:
    assert codec.unpack_message(pack(segment_table([2])) + b"\0\1", None, 0)[0] == [bytes(16)]


@pytest.mark.conformance("SER-10")
def test_too_many_segments(codec: Codec) -> None:
    assert len(codec.unpack_message(pack(segment_table([0] * 511)), LIMIT, 0)[0]) == 511
    with pytest.raises(DecodeError, match="512"):
        codec.unpack_message(pack(segment_table([0] * 512)), LIMIT, 0)


def test_claims_cost_nothing(codec: Codec) -> None:
    tracemalloc = pytest.importorskip("tracemalloc", reason="this Python cannot measure memory", exc_type=ImportError)
    packed = pack(segment_table([1 << 29])) + b"\xff" + b"\1" * 8
    tracemalloc.start()
    try:
        with pytest.raises(TruncatedError):
            codec.read_packed(io.BytesIO(packed), None)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_plain_message_is_recognized(codec: Codec) -> None:
    plain = b"".join(framed_pieces([bytes.fromhex("0000000001000100") + bytes(16)]))
    for read in (
        lambda data: codec.unpack_message(data, LIMIT, 0),
        lambda data: codec.read_packed(io.BytesIO(data), LIMIT),
    ):
        with pytest.raises(DecodeError, match="looks unpacked"):
            read(plain)


def test_text_is_recognized(codec: Codec) -> None:
    with pytest.raises(DecodeError, match="looks like text"):
        codec.unpack_message(b"Hello, this is not a message.", LIMIT, 0)
