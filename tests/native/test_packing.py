"""Packing on the native codec: what the shim does equals what Python does, and what it leaves to Python is refused.

The shim is called directly where it must do the work itself, so that no test passes by the way back to Python.
"""

from __future__ import annotations

import array
import io
import struct
from random import Random
from typing import Any, Optional

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccapnp.codec import get_codec
from ccapnp.errors import DecodeError, EncodeError, LimitError
from ccapnp.pure import packed_reader as pure_reader
from ccapnp.pure import packing as pure
from ccapnp.wire.framing import framed_pieces, segment_table

packing = pytest.importorskip("ccapnp.native.packing", reason="the extension is not built", exc_type=ImportError)
shim: Any = pytest.importorskip("ccapnp.native._lib", reason="the extension is not built", exc_type=ImportError)


def unpack(packed: Any, limit: Optional[int] = None, start: int = 0) -> Optional[tuple[list[bytes], int]]:
    """A message unpacked by the shim alone."""
    found = packing.unpack_message(packed, limit, start)
    return found and (list(map(bytes, found[0])), found[1])


def expand(packed: bytes, want_bytes: int) -> Optional[tuple[int, bytes]]:
    """(end, bytes) of what the shim alone makes of whole tokens."""
    made = shim.lib.ccp_expand(packed, len(packed), 0, want_bytes)
    if not made:
        return None
    try:
        return made.end, shim.ffi.unpack(made.bytes, made.size)
    finally:
        shim.lib.ccp_free(made)


def expand_in_python(packed: bytes, want_bytes: int) -> Optional[tuple[int, bytes]]:
    """The same by Python; ``None`` where a run goes past the end."""
    words: list[bytes] = []
    position, made = pure.expand(packed, 0, want_bytes, words)
    return None if made > want_bytes else (position, b"".join(words))


# Words as they are in messages: mostly zero bytes, or mostly not.
words = st.one_of(
    st.just(bytes(8)),
    st.binary(min_size=8, max_size=8),
    st.lists(st.sampled_from(b"\0\0\0\1\xff"), min_size=8, max_size=8).map(bytes),
    st.lists(st.sampled_from(b"\0abcdefgh"), min_size=8, max_size=8).map(bytes),
)
runs = st.tuples(words, st.sampled_from([1, 1, 1, 2, 30, 255, 256, 257])).map(lambda run: run[0] * run[1])
contents = st.lists(runs, max_size=40).map(b"".join)
segments = st.lists(contents, min_size=1, max_size=5).filter(lambda given: bool(given[0]))


def token(tag: int, filler: bytes, count: int) -> bytes:
    """A token of that tag, with its bytes, zero or not, from ``filler``."""
    if tag == 0:
        return bytes([0, count])
    size = bin(tag).count("1")
    return bytes([tag]) + filler[:size] + (bytes([count]) + bytes([count]) * 8 * count if tag == 0xFF else b"")


tokens = st.builds(
    token,
    st.one_of(st.integers(0, 255), st.sampled_from([0, 255])),
    st.binary(min_size=8, max_size=8),
    st.one_of(st.integers(0, 3), st.integers(0, 255)),
)
streams = st.lists(tokens, max_size=40).map(b"".join)

# ---- out


@given(st.lists(contents, max_size=5))
def test_pieces_are_packed_as_in_python(pieces: list[bytes]) -> None:
    assert packing.pack(pieces) == pure.pack_message(pieces)


@pytest.mark.parametrize("tag", range(256))
def test_every_tag(tag: int) -> None:
    word = bytes(0xA0 + bit if tag >> bit & 1 else 0 for bit in range(8))
    for count in (1, 2, 25, 255, 256, 257, 600):
        packed = packing.pack([word * count])
        assert packed == pure.pack(word * count)
        assert expand(packed, 8 * count) == (len(packed), word * count)


@pytest.mark.parametrize("value", [0x01, 0x7F, 0x80, 0xFF])
def test_every_place_of_a_byte(value: int) -> None:
    """A byte is not zero whatever its bits and its neighbours are."""
    for place in range(8):
        for other in (0x00, 0x01, 0x80, 0xFF):
            word = bytes(value if index == place else other for index in range(8))
            assert packing.pack([word]) == pure.pack(word)


@pytest.mark.parametrize(
    "piece",
    [
        bytearray(b"\1" * 16),
        memoryview(b"\1" * 17)[1:],
        array.array("H", [257] * 8),
        memoryview(b"\1" * 16).cast("B", (2, 8)),
        memoryview(b""),
        array.array("Q"),
    ],
    ids=["bytearray", "not at a word", "array", "two dimensions", "nothing", "empty array"],
)
def test_contiguous_buffers(piece: Any) -> None:
    assert packing.pack([piece, b"\1" * 8]) == pure.pack_message([piece, b"\1" * 8])


def test_no_pieces() -> None:
    assert packing.pack([]) == b""


def test_what_is_left_to_python() -> None:
    strided = memoryview(b"\0\1" * 16)[1::2]
    assert packing.pack([strided]) is None
    assert get_codec("native").pack([strided]) == pure.pack(b"\1" * 16)
    assert packing.pack([bytes(8), bytes(9)]) is None
    with pytest.raises(EncodeError, match="9 bytes are not a whole number of words"):
        get_codec("native").pack([bytes(8), bytes(9)])
    with pytest.raises(TypeError):
        get_codec("native").pack(["12345678"])


def test_long_input_of_every_kind() -> None:
    """More than is looked at in one go, whatever is at the borders, and cut off anywhere."""
    random = Random(1)
    plain = b"".join(
        bytes(random.choice((0, 0, 1, 200)) for _ in range(8)) * random.choice((1, 1, 1, 2, 30)) for _ in range(4000)
    )
    packed = packing.pack([plain])
    assert packed == pure.pack(plain)
    assert expand(packed, len(plain)) == (len(packed), plain)
    for end in range(400, 1200):
        assert expand(packed[:end], len(plain)) == expand_in_python(packed[:end], len(plain))
    for words in range(100, 400):
        assert expand(packed, 8 * words) == expand_in_python(packed, 8 * words)


# ---- in: messages


@given(segments)
def test_messages_are_unpacked(parts: list[bytes]) -> None:
    packed = pure.pack_message(framed_pieces(parts))
    total = sum(map(len, parts)) // 8
    assert unpack(packed, total) == (parts, len(packed))
    assert unpack(packed, total - 1) is None
    assert unpack(b"\7" * 3 + packed + packed, total, 3) == (parts, 3 + len(packed))


@given(segments)
def test_each_segment_is_bytes_of_its_own(parts: list[bytes]) -> None:
    """Text is read fastest from `bytes`."""
    found = packing.unpack_message(packing.pack(framed_pieces(parts)), None, 0)
    assert found is not None
    assert all(type(view.obj) is bytes and view.obj == part for view, part in zip(found[0], parts))


def test_as_many_segments_as_may_be() -> None:
    parts = [struct.pack("<Q", index) for index in range(511)]
    packed = packing.pack(framed_pieces(parts))
    assert unpack(packed) == (parts, len(packed))
    assert unpack(packing.pack(framed_pieces([*parts, bytes(8)]))) is None


@given(segments, st.integers(0, 3))
def test_every_truncation(parts: list[bytes], phase: int) -> None:
    packed = pure.pack_message(framed_pieces([part[:400] for part in parts]))
    for end in range(len(packed)):
        if end < 40 or end % 4 == phase:
            assert unpack(packed[:end]) is None


@given(streams, st.integers(0, 2000))
def test_any_tokens_are_as_in_python(packed: bytes, limit: int) -> None:
    _check_against_python(packed, limit)


@given(st.integers(0, 3), st.lists(st.integers(0, 40), min_size=4, max_size=4), streams)
def test_any_tokens_after_a_table(last: int, sizes: list[int], packed: bytes) -> None:
    _check_against_python(pure.pack(segment_table(sizes[: last + 1])) + packed, 100)


@given(st.binary(max_size=200))
def test_any_bytes_are_as_in_python(packed: bytes) -> None:
    _check_against_python(packed, 1000)


def _check_against_python(packed: bytes, limit: int) -> None:
    """The shim takes what Python does; but for a message without a root, which it leaves to Python."""
    try:
        parts, end = pure_reader.unpack_message(packed, limit)
    except DecodeError:
        assert unpack(packed, limit) is None
    else:
        assert unpack(packed, limit) == ((parts, end) if parts[0] else None)


@pytest.mark.parametrize("count", range(256))
def test_runs_end_where_the_message_does(count: int) -> None:
    """A run may fill the message, and no more; of 0xff the words must be there."""
    table = packing.pack([segment_table([count + 1])])
    zeros, dense = b"\0" + bytes([count]), b"\xff" + b"\1" * 8 + bytes([count]) + b"\2" * 8 * count
    assert unpack(table + zeros) == ([bytes(8 * (count + 1))], len(table) + 2)
    assert unpack(table + dense) == ([b"\1" * 8 + b"\2" * 8 * count], len(table + dense))
    assert unpack(table + dense[:-1]) is None
    for before in (zeros, dense):
        shorter = packing.pack([segment_table([count])])
        assert unpack(shorter + before) is None


@pytest.mark.parametrize(
    "wrap", [bytearray, lambda data: memoryview(b"\0" + data)[1:], lambda data: array.array("b", data)]
)
def test_any_contiguous_buffer(wrap: Any) -> None:
    parts = [b"\1" * 24, b"\2" * 8]
    packed = pure.pack_message(framed_pieces(parts))
    assert unpack(wrap(packed)) == (parts, len(packed))


def test_scattered_buffer_is_left_to_python() -> None:
    packed = pure.pack_message(framed_pieces([b"\1" * 24]))
    scattered = memoryview(b"".join(bytes([byte, 7]) for byte in packed))[::2]
    assert packing.unpack_message(scattered, None, 0) is None
    assert get_codec("native").unpack_message(scattered, None, 0) == ([b"\1" * 24], len(packed))


def test_start_behind_the_end() -> None:
    packed = pure.pack_message(framed_pieces([b"\1" * 24]))
    for start in (len(packed), len(packed) + 1, 1 << 70):
        assert unpack(packed, None, start) is None


def test_limits_of_any_size() -> None:
    packed = pure.pack_message(framed_pieces([b"\1" * 24]))
    assert unpack(packed, 1 << 80) == unpack(packed) == unpack(packed, 3) == ([b"\1" * 24], len(packed))
    with pytest.raises(LimitError, match="3 words, more than the limit of 2"):
        get_codec("native").unpack_message(packed, 2, 0)


def test_claims_take_no_memory() -> None:
    """What the table claims must be able to follow: 511 segments of 4 Gi words are more than there is."""
    assert unpack(pure.pack(segment_table([0xFFFFFFFF] * 511)) + b"\0\xff" * 10) is None
    assert unpack(pure.pack(segment_table([1 << 29])) + b"\xff" + b"\1" * 8) is None
    assert expand(b"\1\2", 1 << 60) == (2, b"\2" + bytes(7))


# ---- in: files


@given(streams, st.integers(0, 300))
def test_windows_are_expanded_as_in_python(packed: bytes, want_words: int) -> None:
    for end in {len(packed), max(0, len(packed) - 1), len(packed) // 2}:
        assert expand(packed[:end], 8 * want_words) == expand_in_python(packed[:end], 8 * want_words)


def test_no_part_of_a_word_is_expanded() -> None:
    packed = bytes([0x01, 0x05]) * 3
    for want_bytes in range(25):
        assert expand(packed, want_bytes) == (want_bytes // 8 * 2, bytes([5, 0, 0, 0, 0, 0, 0, 0]) * (want_bytes // 8))


def test_a_window_goes_on_at_its_position() -> None:
    made: list[bytes] = [b"before"]
    packed = b"\xff" + b"\1" * 8 + b"\0" + b"\1\5" + b"\3\6"
    assert packing.expand(packed, 10, 1000, made) == (12, 8)
    assert made == [b"before", b"\5" + bytes(7)]
    assert packing.expand(packed, 12, 1000, made) == (12, 0)
    assert packing.expand(packed, 14, 1000, made) == (14, 0)


class OneByte:
    """An object with ``read`` alone, which gives a byte at a time."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, count: int) -> bytes:
        return self._file.read(min(count, 1))


@settings(max_examples=20)
@given(st.lists(segments, max_size=3), st.sampled_from([io.BytesIO, OneByte]))
def test_files(messages: list[list[bytes]], source: Any) -> None:
    codec = get_codec("native")
    stream = b"".join(pure.pack_message(framed_pieces(parts)) for parts in messages)
    file = source(stream)
    assert [codec.read_packed(file, None) for _ in messages] == messages
    assert codec.read_packed(file, None) is None
    reader = codec.packed_reader(source(stream))
    assert [reader.read_message(None) for _ in messages] == messages
    assert reader.read_message(None) is None
