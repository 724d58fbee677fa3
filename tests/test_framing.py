"""The segment table in memory: sizes, edges, truncation, and the guess at what an input is instead."""

from __future__ import annotations

import array
import gzip
import mmap
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccapnp.errors import DecodeError, EncodeError, TruncatedError
from ccapnp.pure.packing import pack_message
from ccapnp.wire.framing import byte_view, expected_size_in_words, framed_pieces, parse_table, segment_table
from ccapnp.wire.hints import format_hint
from tests.segments import ROOT, framed, message


@pytest.mark.parametrize(
    ("sizes", "table"),
    [
        ([0], "0000000000000000"),
        ([351], "000000005f010000"),
        ([1, 2], "01000000010000000200000000000000"),
        ([1, 2, 3], "02000000010000000200000003000000"),
        ([0xFFFFFFFF], "00000000ffffffff"),
    ],
)
def test_table(sizes: list[int], table: str) -> None:
    assert segment_table(sizes).hex() == table


@pytest.mark.parametrize("count", [*range(1, 12), 511, 512, 1025])
def test_table_is_whole_words(count: int) -> None:
    assert len(segment_table([1] * count)) == 8 * (count // 2 + 1)


@pytest.mark.parametrize("sizes", [[], [-1], [1, 1 << 32]])
def test_impossible_tables(sizes: list[int]) -> None:
    with pytest.raises(EncodeError):
        segment_table(sizes)


@pytest.mark.conformance("SER-01")
@pytest.mark.parametrize("count", [1, 2, 7, 10, 511, 512, 1025])
def test_round_trip(count: int) -> None:
    """A message in memory may have more segments than one in a stream."""
    segments = message(count)
    data = framed(segments)
    assert parse_table(memoryview(data)) == (segments, len(data))


@pytest.mark.conformance("SER-01")
@pytest.mark.parametrize("count", [1, 7, 10])
def test_what_follows_is_left(count: int) -> None:
    data = framed(message(count))
    assert parse_table(memoryview(data + bytes(40))) == (message(count), len(data))
    assert parse_table(memoryview(b"xyz" + data + b"x"), 3) == (message(count), 3 + len(data))


@pytest.mark.conformance("SER-09")
def test_messages_in_a_row() -> None:
    view = memoryview(b"".join(framed(message(count)) for count in range(1, 20)))
    position = 0
    for count in range(1, 20):
        segments, position = parse_table(view, position)
        assert segments == message(count)
    assert position == len(view)


@pytest.mark.conformance("SER-05")
def test_segments_are_not_copied() -> None:
    data = bytearray(framed(message(3)))
    segments, end = parse_table(memoryview(data))
    data[end - 1] = 99
    assert segments[2][-1] == 99


def test_padding_is_not_checked() -> None:
    data = bytearray(framed(message(2)))
    data[12:16] = b"\xff" * 4
    assert parse_table(memoryview(data))[0] == message(2)


@pytest.mark.conformance("SER-12")
def test_table_is_the_first_piece() -> None:
    pieces = framed_pieces(message(7))
    assert pieces[0] == segment_table([len(segment) // 8 for segment in message(7)])
    assert pieces[1:] == message(7)


@pytest.mark.parametrize("count", [1, 2, 7, 10])
def test_every_truncation(count: int) -> None:
    data = framed(message(count))
    table_bytes = 8 * (count // 2 + 1)
    for end in range(len(data)):
        with pytest.raises(TruncatedError) as caught:
            parse_table(memoryview(data)[:end])
        error = caught.value
        assert error.available == end
        assert error.needed is not None and end < error.needed <= len(data)
        if end < 8:
            assert error.needed == 8
        elif end < table_bytes:
            assert "segment table is longer" in str(error)
            assert error.needed == table_bytes
        elif end < table_bytes + 8:
            assert "first segment is longer" in str(error)
            assert error.segment == 0
        else:
            assert f"of {count} is longer" in str(error)
            assert error.segment


def test_empty_input() -> None:
    for start in (0, 5):
        with pytest.raises(TruncatedError, match="empty") as caught:
            parse_table(memoryview(b"12345"[:start]), start)
        assert (caught.value.needed, caught.value.available) == (8, 0)


def test_errors_count_from_the_start() -> None:
    with pytest.raises(TruncatedError) as caught:
        parse_table(memoryview(bytes(16) + framed([ROOT])[:-1]), 16)
    assert (caught.value.needed, caught.value.available) == (16, 15)


@pytest.mark.conformance("SER-13")
def test_most_segments() -> None:
    with pytest.raises(DecodeError, match="too many segments"):
        parse_table(memoryview(b"\xff" * 64))
    with pytest.raises(TruncatedError, match="17179869184 bytes"):
        parse_table(memoryview(b"\xfe" + b"\xff" * 63))
    with pytest.raises(DecodeError, match="too many segments"):
        expected_size_in_words(b"\xff" * 8)


def test_sizes_near_the_limit_of_32_bits() -> None:
    with pytest.raises(TruncatedError) as caught:
        parse_table(memoryview(struct.pack("<4I", 1, 0xFFFFFFFF, 0xFFFFFFFF, 0)))
    assert caught.value.needed == 16 + 8 * 0xFFFFFFFF


@pytest.mark.conformance("FUZ-07")
@given(st.binary(max_size=100))
def test_any_bytes_are_split_or_refused(data: bytes) -> None:
    try:
        segments, end = parse_table(memoryview(data))
    except DecodeError:
        return
    assert framed([bytes(segment) for segment in segments])[: end - 4] in data or len(segments) % 2 == 0
    assert end <= len(data)


@pytest.mark.conformance("SER-02", "SER-03", "SER-04")
@pytest.mark.parametrize("count", [1, 7, 10])
def test_expected_size(count: int) -> None:
    data = framed(message(count))
    total_words = len(data) // 8
    table_words = count // 2 + 1
    assert expected_size_in_words(b"") == expected_size_in_words(data[:7]) == 1
    for words in range(1, total_words + 1):
        expected = expected_size_in_words(data[: 8 * words])
        assert expected == total_words if words >= table_words else words < expected < total_words


def test_expected_size_leads_to_the_message() -> None:
    data = framed(message(9)) + b"\xff" * 100
    size = 0
    while size < (expected := 8 * expected_size_in_words(data[:size])):
        size = expected
    assert data[:size] == framed(message(9))


# ---- buffers


def _mapped() -> Any:
    mapped = mmap.mmap(-1, 16)
    mapped[:16] = framed([ROOT])
    return mapped


@pytest.mark.conformance("SER-05")
@pytest.mark.parametrize(
    "make",
    [
        lambda: framed([ROOT]),
        lambda: bytearray(framed([ROOT])),
        lambda: memoryview(b"x" + framed([ROOT]))[1:],
        lambda: array.array("I", struct.unpack("4I", framed([ROOT]))),
        lambda: memoryview(framed([ROOT])).cast("B", (4, 4)),
        lambda: memoryview(framed([ROOT])[::-1])[::-1],
        _mapped,
    ],
    ids=["bytes", "bytearray", "odd offset", "array", "two dimensions", "backwards", "mmap"],
)
def test_any_buffer(make: Any) -> None:
    view = byte_view(make())
    assert (view.format, view.ndim, len(view)) == ("B", 1, 16)
    assert parse_table(view) == ([ROOT], 16)


def test_no_buffer() -> None:
    for wrong in ("text", 5, None, [1, 2]):
        with pytest.raises(TypeError):
            byte_view(wrong)


# ---- guesses


REALISTIC = [
    framed([ROOT + bytes(16)]),
    framed([bytes.fromhex("000000000b001400") + b"\1\2\3\4" * 200]),
    framed([bytes.fromhex("0200000001000000"), ROOT + b"text\0\0\0\0"]),
    framed([bytes.fromhex("010000001a000000") + b"abc\0\0\0\0\0"]),
    framed([bytes(8)]),
    framed([bytes.fromhex("fcffffff00000000")]),
]


@pytest.mark.parametrize("data", REALISTIC)
@pytest.mark.parametrize("end", [1, 2, 3, 7, 8, 15, 16, 24, 100])
def test_a_real_message_gets_no_hint(data: bytes, end: int) -> None:
    packed = pack_message(framed_pieces([bytes(segment) for segment in parse_table(memoryview(data))[0]]))
    assert format_hint(data[:end]) == ""
    assert format_hint(packed[:end], packed=True) == ""


@pytest.mark.parametrize("data", REALISTIC)
@pytest.mark.parametrize("prefix_bytes", [8, 32])
def test_packed_for_plain(data: bytes, prefix_bytes: int) -> None:
    packed = pack_message(framed_pieces([bytes(segment) for segment in parse_table(memoryview(data))[0]]))
    assert "looks packed" in format_hint(packed[:prefix_bytes])
    assert "read_packed" in format_hint(packed[:prefix_bytes])
    assert "looks unpacked" in format_hint(data[:prefix_bytes], packed=True)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (gzip.compress(b"x"), "gzip"),
        (b"\x28\xb5\x2f\xfd" + bytes(20), "Zstandard"),
        (b"PK\x03\x04" + bytes(20), "zip"),
        (b'{"name": "Alice"}', "text"),
        (b"@0xdbb9ad1f14bf0b36;\n", "schema"),
        (b"\x93\xf0\x91\x88\x07\x10\xfe\xca", "does not look like a Cap'n Proto message"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_something_else(data: bytes, name: str, packed: bool) -> None:
    assert name in format_hint(data, packed)


def test_errors_carry_the_guess() -> None:
    packed = pack_message(framed_pieces([ROOT + bytes(16)]))
    for data, guess in ((packed, "looks packed"), (b"Hello, World! Hello, World!", "looks like text")):
        with pytest.raises(DecodeError, match=guess):
            parse_table(memoryview(data))
