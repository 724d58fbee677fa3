"""Messages from and to file-like objects: partial reads and writes, ends, limits, and objects that misbehave."""

from __future__ import annotations

import gzip
import io
import os
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from ccapnp.errors import DecodeError, LimitError, TruncatedError
from ccapnp.pure.packing import pack_message
from ccapnp.wire import streams
from ccapnp.wire.framing import framed_pieces, segment_table
from ccapnp.wire.streams import read_message, write_pieces
from tests.segments import ROOT, framed, message

COUNTS = [1, 7, 10, 2]
STREAM = b"".join(framed(message(count)) for count in COUNTS)


class Blocks:
    """An object with ``read`` alone, which gives at most ``size`` bytes at a time and notes what it was asked for."""

    def __init__(self, data: bytes, size: int = 1 << 30) -> None:
        self._data = data
        self._size = size
        self.position = 0
        self.asked: list[int] = []

    def read(self, count: int) -> bytes:
        self.asked.append(count)
        data = self._data[self.position : self.position + min(count, self._size)]
        self.position += len(data)
        return data


class IntoBlocks:
    """An object with ``readinto`` alone."""

    def __init__(self, data: bytes, size: int) -> None:
        self._blocks = Blocks(data, size)

    def readinto(self, buffer: Any) -> int:
        data = self._blocks.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def read_all(file: Any) -> None:
    for count in COUNTS:
        assert read_message(file) == message(count)
    assert read_message(file) is None
    assert read_message(file) is None


@pytest.mark.conformance("SER-06", "SER-09")
@pytest.mark.parametrize("size", [1, 2, 4, 7, 8, 64, 1 << 20])
def test_short_reads(size: int) -> None:
    read_all(Blocks(STREAM, size))
    read_all(IntoBlocks(STREAM, size))


@pytest.mark.conformance("SER-09")
def test_files(tmp_path: Path) -> None:
    read_all(io.BytesIO(STREAM))
    path = tmp_path / "messages"
    path.write_bytes(STREAM)
    for buffering in (0, -1):
        with open(path, "rb", buffering=buffering) as file:
            read_all(file)
    path.write_bytes(gzip.compress(STREAM))
    with gzip.open(path) as zipped:
        read_all(zipped)


@pytest.mark.conformance("SER-06")
def test_socket() -> None:
    here, there = socket.socketpair()
    with here, there, here.makefile("rb") as file:
        here.settimeout(20)
        for count in COUNTS:
            there.sendall(framed(message(count)))
            assert read_message(file) == message(count)
        there.shutdown(socket.SHUT_WR)
        assert read_message(file) is None


def test_no_byte_too_many_is_read() -> None:
    file = Blocks(STREAM)
    position = 0
    for count in COUNTS:
        read_message(file)
        position += len(framed(message(count)))
        assert file.position == position


def test_segments_are_read_only() -> None:
    assert all(segment.readonly for segment in read_message(Blocks(STREAM, 3)) or [])


def test_large_message() -> None:
    segments = [os.urandom(1 << 20), bytes(3 << 20)]
    assert read_message(io.BytesIO(framed(segments))) == segments
    assert read_message(Blocks(framed(segments), 100_000)) == segments


@pytest.mark.conformance("ASY-08")
@pytest.mark.parametrize("count", [1, 7, 10])
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_every_truncation(count: int, size: int) -> None:
    data = framed(message(count))
    for end in range(1, len(data)):
        with pytest.raises(TruncatedError) as caught:
            read_message(Blocks(data[:end], size))
        assert caught.value.available == end
        assert caught.value.needed is not None and end < caught.value.needed <= len(data)
        assert isinstance(caught.value, EOFError)


def test_header_byte_by_byte_ASY_05() -> None:
    class Waiting(Blocks):
        def read(self, count: int) -> bytes:
            assert self.position < len(self._data), "asked for more than the message"
            return super().read(count)

    for size in (1, 3, 5):
        assert read_message(Waiting(framed(message(10)), size)) == message(10)


@pytest.mark.conformance("SER-10")
def test_most_segments() -> None:
    for count in (510, 511):
        assert read_message(io.BytesIO(framed([ROOT] + [b""] * (count - 1)))) == [ROOT] + [b""] * (count - 1)
    for count in (512, 1025):
        with pytest.raises(DecodeError, match=f"too many segments: {count}"):
            read_message(io.BytesIO(framed([ROOT] + [b""] * (count - 1))))


def test_segment_count_that_overflows_ASY_07() -> None:
    with pytest.raises(DecodeError, match="too many segments"):
        read_message(io.BytesIO(b"\xff" * 64))


@pytest.mark.conformance("SER-11")
def test_limit_comes_before_the_data() -> None:
    data = framed([ROOT + bytes(8), bytes(8)])
    assert read_message(io.BytesIO(data), 3)
    assert read_message(io.BytesIO(data), None)
    file = Blocks(data)
    with pytest.raises(LimitError, match="traversal_limit_in_words") as caught:
        read_message(file, 2)
    assert caught.value.option == "traversal_limit_in_words"
    assert file.position == 16


def test_default_limit() -> None:
    with pytest.raises(TruncatedError):
        read_message(Blocks(segment_table([8 << 20])))
    with pytest.raises(LimitError):
        read_message(Blocks(segment_table([(8 << 20) + 1])))


@pytest.mark.parametrize("limit", [1 << 40, None])
def test_claims_cost_nothing(limit: int | None) -> None:
    """A header that claims 4 GiB, and 16 bytes."""
    file = Blocks(segment_table([1 << 29]) + bytes(8))
    with pytest.raises(TruncatedError) as caught:
        read_message(file, limit)
    assert (caught.value.needed, caught.value.available) == (8 + (4 << 30), 16)
    assert max(file.asked) <= 1 << 20


def test_packed_message_is_recognized() -> None:
    packed = pack_message(framed_pieces([ROOT + b"\1" * 16]))
    with pytest.raises(DecodeError, match="looks packed"):
        read_message(io.BytesIO(packed))


@pytest.mark.parametrize("wrong", [io.StringIO("12345678" * 3), type("Reader", (), {"read": lambda self, n: 5})()])
def test_reader_that_gives_no_bytes(wrong: Any) -> None:
    with pytest.raises(TypeError, match="read"):
        read_message(wrong)


@pytest.mark.parametrize("wrong", [None, 3, "name", b"data", object()])
def test_no_reader_and_no_writer(wrong: Any) -> None:
    with pytest.raises(TypeError, match="neither read"):
        read_message(wrong)
    with pytest.raises(TypeError, match="no write"):
        write_pieces(wrong, [b"12345678"])


def test_reader_that_gives_too_much() -> None:
    with pytest.raises(OSError, match="returned"):
        read_message(type("Reader", (), {"read": lambda self, n: bytes(n + 1)})())


@pytest.mark.parametrize(("count", "error"), [(-1, OSError), (9, OSError), ("8", TypeError)])
def test_readinto_that_returns_nonsense(count: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"readinto\(\).* returned"):
        read_message(type("Reader", (), {"readinto": lambda self, buffer: count})())


@pytest.mark.parametrize("name", ["read", "readinto"])
def test_reader_that_would_block(name: str) -> None:
    with pytest.raises(BlockingIOError):
        read_message(type("Reader", (), {name: lambda self, n: None})())


def test_pipe_that_would_block() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with open(writing, "wb", buffering=0) as there, open(reading, "rb", buffering=0) as here:
        there.write(STREAM[:12])
        with pytest.raises(BlockingIOError):
            read_message(here)


# ---- writing


class Sink:
    """An object with ``write`` alone, which takes at most ``size`` bytes at a time."""

    def __init__(self, size: int = 1 << 40, quiet: bool = False) -> None:
        self.data = bytearray()
        self.calls: list[int] = []
        self._size = size
        self._quiet = quiet

    def write(self, data: Any) -> int | None:
        taken = min(len(data), self._size)
        self.calls.append(len(data))
        self.data += data[:taken]
        return None if self._quiet else taken


class RawSink(io.RawIOBase):
    """A raw file that takes ``room`` bytes, at most 5 at a time, and then would block."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        taken = min(len(data), self._room, 5)
        self._room -= taken
        return taken or None


@pytest.mark.conformance("SER-08")
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("size", [1, 3, 8, 1000])
def test_short_writes(count: int, size: int) -> None:
    sink = Sink(size)
    write_pieces(sink, framed_pieces(message(count)))
    assert sink.data == framed(message(count))


def test_small_message_is_one_write() -> None:
    sink = Sink()
    write_pieces(sink, framed_pieces(message(10)))
    assert len(sink.calls) == 1


def test_large_segments_are_not_copied_together() -> None:
    segments = [ROOT, bytes(1 << 20), b"\1" * 8, b"\2" * 8, b"\3" * (1 << 20)]
    sink = Sink()
    write_pieces(sink, framed_pieces(segments))
    assert sink.data == framed(segments)
    assert len(sink.calls) == 4


@pytest.mark.conformance("SER-08")
def test_writes_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems refuse writes of 2 GiB; here they are cut at a size that a test can afford."""
    monkeypatch.setattr(streams, "_MOST_BYTES_PER_WRITE", 100_000)
    segments = [bytes(range(256)) * 2000]
    sink = Sink()
    write_pieces(sink, framed_pieces(segments))
    assert sink.data == framed(segments)
    assert max(sink.calls) == 100_000


def test_writer_that_returns_nothing() -> None:
    sink = Sink(quiet=True)
    write_pieces(sink, framed_pieces(message(7)))
    assert sink.data == framed(message(7))


def test_nothing_to_write() -> None:
    sink = Sink()
    write_pieces(sink, [])
    write_pieces(sink, [b""])
    assert sink.data == b""


def test_raw_writer_that_would_block() -> None:
    write_pieces(RawSink(16), framed_pieces([ROOT]))
    with pytest.raises(BlockingIOError) as caught:
        write_pieces(RawSink(12), framed_pieces([ROOT]))
    assert caught.value.characters_written == 12


@pytest.mark.parametrize(("returned", "error"), [(0, OSError), (-1, OSError), (17, OSError), ("16", TypeError)])
def test_writer_that_returns_nonsense(returned: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="returned"):
        write_pieces(type("Writer", (), {"write": lambda self, data: returned})(), framed_pieces([ROOT]))


def test_files_and_pipes_SER_08(tmp_path: Path) -> None:
    for opener in (open, gzip.open):
        with opener(tmp_path / "x", "wb") as file:
            for count in COUNTS:
                write_pieces(file, framed_pieces(message(count)))
        with opener(tmp_path / "x", "rb") as file:
            read_all(file)


def test_large_message_through_a_pipe_ASY_02() -> None:
    segments = [bytes(1 << 18), b"\1" * (1 << 20)]
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb", buffering=0) as file:
            write_pieces(file, framed_pieces(segments))

    writer = threading.Thread(target=write)
    writer.start()
    with open(reading, "rb", buffering=0) as file:
        assert read_message(file) == segments
        assert read_message(file) is None
    writer.join()
