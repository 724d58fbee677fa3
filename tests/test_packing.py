"""Packing of words: the official vectors, the edges of runs, what is accepted, and what is refused."""

from __future__ import annotations

import array
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccapnp.errors import CapnpError, DecodeError, EncodeError, LimitError, TruncatedError
from ccapnp.pure.packed_reader import unpack_message
from ccapnp.pure.packing import pack, pack_message, unpack, unpacked_size_in_words
from ccapnp.wire.framing import framed_pieces, parse_table

DENSE = "0103020405070608"
DENSE_2 = "0807060504030201"

VECTORS = {
    "PCK-01 nothing": ("", ""),
    "PCK-02 a zero word": ("0000000000000000", "0000"),
    "PCK-03 two bytes": ("00000c0000220000", "240c22"),
    "PCK-04 a dense word": (DENSE, f"ff{DENSE}00"),
    "PCK-05 zero, dense": ("0000000000000000" + DENSE, f"0000ff{DENSE}00"),
    "PCK-06 two bytes, dense": ("00000c0000220000" + DENSE, f"240c22ff{DENSE}00"),
    "PCK-07 two dense": (DENSE + DENSE_2, f"ff{DENSE}01{DENSE_2}"),
    "PCK-08 a run of four, then another": (
        DENSE * 3 + DENSE_2 + "0002040009000501",
        f"ff{DENSE}03{DENSE}{DENSE}{DENSE_2}d602040905" + "01",
    ),
    "PCK-09 one zero byte stays in the run": (
        DENSE * 2 + "0602040309000501" + DENSE_2 + "0002040009000501",
        f"ff{DENSE}03{DENSE}0602040309000501{DENSE_2}d60204090501",
    ),
    "PCK-10 three zero words inside": (
        "0800640600010102" + "00" * 24 + "0000010002000301",
        "ed0864060101020002d401020301",
    ),
    "PCK-13 a text in a struct": (
        "0000000005000000" + "0000000000000300" + "0900000012000000" + "00" * 16 + "3100000000000000",
        "1005" + "4003" + "110912" + "0001" + "0131",
    ),
    "PCK-15 256 zero words": ("00" * 8 * 256, "00ff"),
    "PCK-15 257 zero words": ("00" * 8 * 257, "00ff0000"),
    "PCK-15 256 dense words": (DENSE * 256, f"ff{DENSE}ff" + DENSE * 255),
    "PCK-15 257 dense words": (DENSE * 257, f"ff{DENSE}ff" + DENSE * 255 + f"ff{DENSE}00"),
    "PCK-15 one zero byte after dense": (DENSE + "0002030405060708", f"ff{DENSE}010002030405060708"),
    "PCK-15 two zero bytes after dense": (DENSE + "0000030405060708", f"ff{DENSE}00fc030405060708"),
    "PCK-15 one zero byte alone": ("0002030405060708", "fe02030405060708"),
}

vectors = pytest.mark.parametrize(
    ("plain", "packed"),
    [(bytes.fromhex(plain), bytes.fromhex(packed)) for plain, packed in VECTORS.values()],
    ids=list(VECTORS),
)


@vectors
def test_vector(plain: bytes, packed: bytes) -> None:
    assert pack(plain) == packed
    assert unpack(packed) == plain
    assert 8 * unpacked_size_in_words(packed) == len(plain)


@pytest.mark.conformance("PCK-12")
@vectors
def test_vector_five_times(plain: bytes, packed: bytes) -> None:
    assert pack_message([plain] * 5) == packed * 5
    assert unpack(packed * 5) == plain * 5


@vectors
@pytest.mark.parametrize("words", [25, 8192, 8193])
def test_vector_after_many_words(plain: bytes, packed: bytes, words: int) -> None:
    before = bytes.fromhex("0000010000000000") * words
    assert pack(before + plain) == bytes.fromhex("0401") * words + packed
    assert unpack(pack(before + plain)) == before + plain


@pytest.mark.parametrize("word", [bytes(8), bytes.fromhex(DENSE)], ids=["zero", "dense"])
@pytest.mark.parametrize("before", range(8186, 8194))
def test_run_where_the_packer_pauses(word: bytes, before: int) -> None:
    """A long message is packed in parts; where they meet makes no difference."""
    other = bytes.fromhex("0100000000000000")
    run = pack(word * 256)
    assert pack(other * before + word * 300 + other * 30) == (
        b"\x01\x01" * before + run + pack(word * 44) + b"\x01\x01" * 30
    )


@pytest.mark.conformance("PCK-13")
def test_all_zero_message() -> None:
    pieces = framed_pieces([bytes.fromhex("0000000006001400") + bytes(8 * 26)])
    assert len(pack_message(pieces)) <= 7


@pytest.mark.conformance("PCK-14")
@pytest.mark.parametrize("segments", [1, 2, 3])
def test_long_text(segments: int) -> None:
    text = (b"x" * 5023 + b"\0" * 8)[:5024]
    sizes = [5024] if segments == 1 else [8] * (segments - 1) + [5024 - 8 * (segments - 1)]
    parts = [text[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(segments)]
    packed = pack_message(framed_pieces(parts))
    found, end = unpack_message(packed)
    assert found == parts
    assert end == len(packed)


@pytest.mark.parametrize("size", [1, 7, 9, 8 * 100 + 4])
def test_part_of_a_word_is_refused(size: int) -> None:
    with pytest.raises(EncodeError, match="whole number of words"):
        pack(bytes(size))


@pytest.mark.parametrize(
    "buffer",
    [
        bytearray(b"\1" * 16),
        memoryview(b"\1" * 16),
        memoryview(b"\0\1" * 16)[1::2],
        array.array("H", [257] * 8),
        memoryview(b"\1" * 16).cast("B", (2, 8)),
    ],
    ids=["bytearray", "memoryview", "every other byte", "array", "two dimensions"],
)
def test_any_buffer(buffer: object) -> None:
    assert unpack(bytearray(pack(buffer))) == b"\1" * 16


def test_empty_buffers() -> None:
    assert pack(array.array("Q")) == b""
    assert unpack(memoryview(b"")) == b""


def test_text_is_refused() -> None:
    with pytest.raises(TypeError):
        pack("12345678")


OTHER_ENCODINGS = [
    ("0100", "0000000000000000"),
    ("ff000000000000000000", "0000000000000000"),
    ("ff0000000000000000010000000000000000", "00" * 16),
    ("00000000", "00" * 16),
    ("03000103010007ffffff", "00010000000000000100000000000000ffffff0000000000"),
    (f"ff{DENSE}00ff{DENSE}00", DENSE * 2),
]
"""What no packer writes and every unpacker takes: (packed, plain)."""


@pytest.mark.conformance("PCK-15")
@pytest.mark.parametrize(("packed", "plain"), OTHER_ENCODINGS)
def test_other_encodings_are_accepted(packed: str, plain: str) -> None:
    assert unpack(bytes.fromhex(packed)).hex() == plain


@pytest.mark.parametrize("tag", range(1, 255))
def test_every_tag(tag: int) -> None:
    word = bytes(0xA0 + bit if tag >> bit & 1 else 0 for bit in range(8))
    packed = bytes([tag]) + bytes(byte for byte in word if byte)
    assert pack(word) == packed
    assert pack(word * 100) == packed * 100
    assert unpack(packed * 100) == word * 100


@pytest.mark.conformance("PCK-15")
@vectors
def test_every_truncation(plain: bytes, packed: bytes) -> None:
    whole = {0}
    for end in range(1, len(packed) + 1):
        try:
            assert plain.startswith(unpack(packed[:end]))
            whole.add(end)
        except TruncatedError as error:
            assert error.available == end
            assert error.needed is not None and end < error.needed <= len(packed)
            with pytest.raises(TruncatedError):
                unpacked_size_in_words(packed[:end])
        else:
            assert 8 * unpacked_size_in_words(packed[:end]) <= len(plain)
    assert len(packed) in whole


def test_limit_names_the_option() -> None:
    assert len(unpack(b"\0\xff", 256)) == 2048
    with pytest.raises(LimitError) as caught:
        unpack(b"\0\xff", 255)
    assert caught.value.option == "traversal_limit_in_words"
    with pytest.raises(LimitError):
        unpack(b"\x01\x01", 0)
    assert unpack(b"", 0) == b""


def test_bomb_takes_no_memory() -> None:
    tracemalloc = pytest.importorskip("tracemalloc", reason="this Python cannot measure memory", exc_type=ImportError)
    bomb = b"\0\xff" * 100_000  # 200 kB that make 200 MB
    tracemalloc.start()
    try:
        with pytest.raises(LimitError):
            unpack(bomb, 10_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000
    assert unpacked_size_in_words(bomb) == 25_600_000


# Words as they are in messages: mostly zero bytes, or mostly not.
words = st.one_of(
    st.just(bytes(8)),
    st.binary(min_size=8, max_size=8),
    st.lists(st.sampled_from(b"\0\0\0\1\xff"), min_size=8, max_size=8).map(bytes),
    st.lists(st.sampled_from(b"\0abcdefgh"), min_size=8, max_size=8).map(bytes),
)
runs = st.tuples(words, st.sampled_from([1, 1, 1, 2, 30, 255, 256, 257])).map(lambda run: run[0] * run[1])
contents = st.lists(runs, max_size=40).map(b"".join)


@pytest.mark.conformance("PCK-11")
@given(contents)
def test_round_trip(plain: bytes) -> None:
    packed = pack(plain)
    assert unpack(packed, len(plain) // 8) == plain
    assert 8 * unpacked_size_in_words(packed) == len(plain)


@given(contents, st.integers(0, 30))
def test_rows_and_single_words_agree(plain: bytes, few: int) -> None:
    """Few words are packed one by one and many together, to the same result."""
    one_by_one = _pack_slowly(plain[: 8 * few])
    assert pack(plain[: 8 * few]) == one_by_one
    assert pack(plain) == _pack_slowly(plain)


@pytest.mark.conformance("FUZ-07")
@given(st.binary(max_size=200), st.integers(0, 2000))
def test_any_bytes_are_unpacked_or_refused(packed: bytes, limit: int) -> None:
    try:
        plain = unpack(packed, limit)
    except DecodeError:
        return
    assert len(plain) <= 8 * limit
    assert unpack(pack(plain)) == plain


@pytest.mark.conformance("FUZ-07")
@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_refused(packed: bytes) -> None:
    try:
        segments, end = unpack_message(packed, 1000)
    except CapnpError:
        return
    assert 0 < end <= len(packed)
    assert sum(map(len, segments)) <= 8000


def _pack_slowly(data: bytes) -> bytes:
    """Packing as the specification tells it, byte by byte."""
    packed = bytearray()
    position = 0
    while position < len(data):
        word = data[position : position + 8]
        position += 8
        tag = sum(1 << bit for bit, byte in enumerate(word) if byte)
        packed.append(tag)
        packed += bytes(byte for byte in word if byte)
        if tag in (0, 255):
            start = position
            most_zeros = 8 if tag == 0 else 1
            while position < min(len(data), start + 255 * 8):
                zeros = data[position : position + 8].count(0)
                if zeros > most_zeros or (tag == 0 and zeros < 8):
                    break
                position += 8
            packed.append((position - start) // 8)
            if tag:
                packed += data[start:position]
    return bytes(packed)


# ---- judged by the official tool and its files


@pytest.mark.parametrize(("plain", "packed"), [("binary", "packed"), ("segmented", "segmented-packed")])
def test_official_files_CLI_03(plain: str, packed: str, testdata: Path) -> None:
    plain_data, packed_data = (testdata / plain).read_bytes(), (testdata / packed).read_bytes()
    segments, end = parse_table(memoryview(plain_data))
    assert end == len(plain_data)
    assert pack_message(framed_pieces(segments)) == packed_data
    assert unpack(packed_data) == plain_data
    assert unpack_message(packed_data) == (segments, len(packed_data))


def test_official_file_without_a_table_CLI_01(testdata: Path) -> None:
    assert pack((testdata / "flat").read_bytes()) == (testdata / "packedflat").read_bytes()


@pytest.mark.conformance("PCK-11")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=contents)
def test_as_the_tool_packs(content: bytes, capnp_tool: str) -> None:
    """The tool copies a struct with a list of numbers, and packs it; how it cuts segments is its own affair."""

    def convert(conversion: str, data: bytes) -> bytes:
        command = [capnp_tool, "convert", "--quiet", conversion]
        return subprocess.run(command, input=data, capture_output=True, check=True, timeout=60).stdout

    root = bytes.fromhex("0000000000000100")
    numbers = struct.pack("<II", 1, len(content) // 8 << 3 | 5)
    pieces = framed_pieces([root + numbers + content])
    packed = convert("binary:packed", b"".join(pieces))
    plain = convert("packed:binary", pack_message(pieces))
    segments, end = parse_table(memoryview(plain))
    assert end == len(plain)
    assert pack_message(framed_pieces(segments)) == packed
    assert unpack_message(packed) == (segments, len(packed))
