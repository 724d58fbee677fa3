"""Packed words and messages on each codec: the official vectors, the standard value, and how streams are cut."""

from __future__ import annotations

import io
from types import ModuleType
from typing import Any

import pytest

from ccapnp.codec import Codec, get_codec
from ccapnp.pure.packing import unpacked_size_in_words
from ccapnp.wire.framing import segment_table
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS as LIMIT
from tests.conformance.all_types import ALL_TYPES, assert_holds, fill_one_by_one
from tests.test_packed_reader import Blocks
from tests.test_packing import OTHER_ENCODINGS, VECTORS
from tests.wire.arenas import fixed_segments

vectors = pytest.mark.parametrize(
    ("plain", "packed"),
    [
        pytest.param(
            *map(bytes.fromhex, vector), id=name, marks=pytest.mark.conformance("PCK-12", name.partition(" ")[0])
        )
        for name, vector in VECTORS.items()
    ],
)


@pytest.fixture
def codec(backend: str) -> Codec:
    return get_codec(backend)


@vectors
@pytest.mark.parametrize("times", [1, 5])
def test_vectors(codec: Codec, plain: bytes, packed: bytes, times: int) -> None:
    assert codec.pack([plain] * times) == packed * times
    message = codec.pack([segment_table([len(plain) // 8] * times)]) + packed * times
    assert codec.unpack_message(message, LIMIT, 0) == ([plain] * times, len(message))
    for size in (1, 2, 4, 8, 16, 1 << 20):
        assert codec.read_packed(Blocks(message, size), LIMIT) == [plain] * times


@pytest.mark.conformance("PCK-15")
@pytest.mark.parametrize(("packed", "plain"), OTHER_ENCODINGS)
def test_other_encodings_are_accepted(codec: Codec, packed: str, plain: str) -> None:
    message = codec.pack([segment_table([len(plain) // 16])]) + bytes.fromhex(packed)
    assert codec.unpack_message(message, LIMIT, 0) == ([bytes.fromhex(plain)], len(message))
    assert codec.read_packed(Blocks(message, 3), LIMIT) == [bytes.fromhex(plain)]


@pytest.mark.conformance("PCK-11")
@pytest.mark.parametrize(("segment_words", "count"), [(1024, 1), (60, 7), (36, 10)])
def test_the_standard_value_in_segments(all_types: ModuleType, codec: Codec, segment_words: int, count: int) -> None:
    kind = all_types.TestAllTypes
    with fixed_segments(segment_words):
        built = kind.new_message(num_first_segment_words=segment_words)
        fill_one_by_one(built, ALL_TYPES)
    assert len(built.to_segments()) == count
    packed = built.to_bytes_packed()
    assert 8 * unpacked_size_in_words(packed) == len(built.to_bytes())
    segments = built.to_segments()
    pieces = [segment_table([len(segment) // 8 for segment in segments]), *segments]
    assert packed == b"".join(codec.pack([piece]) for piece in pieces)  # no run goes from one piece into the next
    read: list[Any] = [kind.from_bytes_packed(packed), kind.from_bytes_packed(bytearray(packed))]
    read += [kind.read_packed(file) for file in (io.BytesIO(packed), Blocks(packed, 1), Blocks(packed, 100))]
    for reader in read:
        assert_holds(reader, ALL_TYPES)
        assert reader.to_bytes() == built.to_bytes() and reader.to_bytes_packed() == packed


@pytest.mark.conformance("PCK-12")
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_messages_follow_each_other_in_a_stream(all_types: ModuleType, size: int) -> None:
    kind = all_types.TestAllTypes
    packed = kind.new_message(**ALL_TYPES).to_bytes_packed() + kind.new_message(textField="next").to_bytes_packed()
    first, second = kind.read_multiple_packed(Blocks(packed, size))
    assert_holds(first, ALL_TYPES)
    assert_holds(second, {"textField": "next"})
    stream = Blocks(packed, size)
    assert_holds(kind.read_packed(stream), ALL_TYPES)
    assert_holds(kind.read_packed(stream), {"textField": "next"})


@pytest.mark.conformance("PCK-13")
def test_a_message_of_zeros_takes_a_few_bytes(all_types: ModuleType) -> None:
    packed = all_types.TestAllTypes.new_message().to_bytes_packed()
    assert packed == bytes.fromhex("10 1b  50 06 14  00 19".replace(" ", ""))
    assert_holds(all_types.TestAllTypes.from_bytes_packed(packed), {})


@pytest.mark.conformance("PCK-14")
@pytest.mark.parametrize(("segment_words", "segments"), [(1024, 1), (27, 2), (1, 3)])
@pytest.mark.parametrize("letters", ["x", "abc\u00e9 "])
def test_a_long_text_goes_through_many_runs(
    all_types: ModuleType, segment_words: int, segments: int, letters: str
) -> None:
    kind = all_types.TestAllTypes
    text = (letters * 5023).encode()[:5022].decode(errors="ignore") + "!"
    with fixed_segments(segment_words):
        built = kind.new_message(num_first_segment_words=segment_words)
        built.textField = text
    assert len(built.to_segments()) == segments
    packed = built.to_bytes_packed()
    assert b"\xff" in packed and 8 * unpacked_size_in_words(packed) == len(built.to_bytes())
    for size in (1, 2, 100, 1 << 20):
        assert kind.read_packed(Blocks(packed, size)).textField == text
    assert kind.from_bytes_packed(packed).textField == text
