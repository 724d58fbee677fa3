"""Plain values in the data section: widths, byte order, defaults, and what lies past its end."""

from __future__ import annotations

import math
import struct as packing
from typing import Any

import pytest

from tests.wire.raw import frame, segments_of, struct, words

ONE_WORD = frame(words("0000000001000000", "0123456789abcdef"))
NO_WORDS = frame(words(struct(-1, 0, 0)))


def fields(view: Any, names: str) -> list[Any]:
    return [getattr(view, name) for name in names]


@pytest.mark.conformance("LAY-01")
def test_numbers_are_little_endian_and_zero_past_the_end(shapes: Any) -> None:
    assert fields(shapes.One64.from_bytes(ONE_WORD), "ab") == [0xEFCDAB8967452301, 0]
    assert fields(shapes.As32.from_bytes(ONE_WORD), "abc") == [0x67452301, 0xEFCDAB89, 0]
    assert fields(shapes.As16.from_bytes(ONE_WORD), "abcde") == [0x2301, 0x6745, 0xAB89, 0xEFCD, 0]
    assert fields(shapes.As8.from_bytes(ONE_WORD), "abcdefghi") == [1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0]


@pytest.mark.conformance("LAY-02")
def test_defaults_are_xored_and_read_past_the_end(shapes: Any) -> None:
    wide, middle, narrow = (kind.from_bytes(ONE_WORD) for kind in (shapes.D64, shapes.D32, shapes.D16))
    assert fields(wide, "abc") == [0xEFCDAB8967452301 ^ 321, 321, -321]
    assert fields(middle, "abc") == [0x67452301 ^ 321, 0xEFCDAB89 ^ 321, 321]
    signed = packing.unpack("<h", packing.pack("<H", 0xAB89 ^ (-321 & 0xFFFF)))[0]
    assert fields(narrow, "abcde") == [0x2301 ^ 321, 0x6745 ^ 321, signed, 0xEFCD ^ 321, 321]
    assert fields(shapes.D64.from_bytes(NO_WORDS), "abc") == [321, 321, -321]


@pytest.mark.conformance("LAY-02")
def test_defaults_are_xored_when_written(shapes: Any) -> None:
    built = shapes.D64.new_message(a=0xEFCDAB8967452301 ^ 321, b=321, c=-321)
    assert segments_of(built) == [words(struct(0, 3, 0), "0123456789abcdef", 0, 0)]
    built.a = 321
    assert segments_of(built) == [words(struct(0, 3, 0), 0, 0, 0)]


@pytest.mark.conformance("LAY-03")
def test_bits_are_little_endian_within_bytes(shapes: Any) -> None:
    reader = shapes.Bits.from_bytes(ONE_WORD)
    assert [name for name in "abcdefghijklmnop" if getattr(reader, name)] == ["a", "i", "j", "n"]
    inverted = shapes.TrueBits.from_bytes(ONE_WORD)
    assert [name for name in "abcdefghi" if not getattr(inverted, name)] == ["a", "i"]


@pytest.mark.conformance("LAY-03")
def test_bits_past_the_end_are_their_default(shapes: Any) -> None:
    beyond = shapes.Beyond.from_bytes(ONE_WORD)
    assert beyond.bit is False and beyond.set is True
    assert shapes.Bits.from_bytes(NO_WORDS).a is False
    assert shapes.TrueBits.from_bytes(NO_WORDS).a is True


@pytest.mark.conformance("LAY-03")
def test_setting_a_bit_leaves_its_neighbours(shapes: Any) -> None:
    built = shapes.Bits.new_message()
    for name in "aijn":
        setattr(built, name, True)
    assert segments_of(built) == [words(struct(0, 1, 0), "0123000000000000")]
    built.i = False
    assert [name for name in "abcdefghijklmnop" if getattr(built, name)] == ["a", "j", "n"]
    inverted = shapes.TrueBits.new_message(a=False)
    assert segments_of(inverted)[0][8:] == words(1)
    inverted.a = True
    assert segments_of(inverted)[0][8:] == words(0)


@pytest.mark.conformance("LAY-08")
@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800001, 0xFFC12345, 0xFFFFFFFF])
def test_any_nan_is_read_as_nan(shapes: Any, bits: int) -> None:
    data = words(struct(0, 1, 0), bits)
    assert math.isnan(shapes.Floats.from_bytes(frame(data)).a)
    masked = packing.unpack("<I", packing.pack("<f", 1.5))[0]
    plain = words(struct(0, 1, 0), (bits ^ masked) << 32)
    assert math.isnan(shapes.Floats.from_bytes(frame(plain)).c)


@pytest.mark.conformance("LAY-08")
def test_a_nan_is_canonical_where_there_is_a_default(shapes: Any) -> None:
    odd32 = packing.unpack("<f", packing.pack("<I", 0xFFC12345))[0]
    odd64 = packing.unpack("<d", packing.pack("<Q", 0xFFF8123456789ABC))[0]
    built = shapes.Floats.new_message(c=odd32, d=odd64, e=odd32, f=odd64)
    masked32 = 0x7FC00000 ^ packing.unpack("<I", packing.pack("<f", 1.5))[0]
    masked64 = 0x7FF8000000000000 ^ packing.unpack("<Q", packing.pack("<d", 2.5))[0]
    # What is stored in e and f is zero: they got the very NaN that is their default.
    assert packing.unpack("<II5Q", segments_of(built)[0]) == (0, 5, masked32 << 32, 0, masked64, 0, 0)
    assert all(math.isnan(value) for value in fields(built, "cdef"))


@pytest.mark.conformance("LAY-08")
def test_a_nan_without_a_default_keeps_its_bits(shapes: Any) -> None:
    odd64 = packing.unpack("<d", packing.pack("<Q", 0xFFF8123456789ABC))[0]
    built = shapes.Floats.new_message(b=odd64, a=math.nan)
    first, second = packing.unpack("<2Q", segments_of(built)[0][8:24])
    assert second == 0xFFF8123456789ABC
    assert first & 0xFFFFFFFF == 0x7FC00000


@pytest.mark.conformance("ENC-51")
def test_a_nan_in_a_field_with_a_default(shapes: Any) -> None:
    built = shapes.Floats.new_message(c=math.nan, d=math.nan)
    again = shapes.Floats.from_bytes(built.to_bytes())
    assert math.isnan(again.c) and math.isnan(again.d)
    built.c = built.d = -0.0
    assert math.copysign(1, built.c) == math.copysign(1, built.d) == -1


@pytest.mark.conformance("END-01")
def test_every_width_is_little_endian(all_types: Any) -> None:
    built = all_types.TestAllTypes.new_message(
        int8Field=-2,
        int16Field=0x0123,
        int32Field=-0x01234567,
        int64Field=0x0123456789ABCDEF,
        uInt8Field=0xFE,
        uInt16Field=0xFEDC,
        uInt32Field=0xFEDCBA98,
        uInt64Field=0xFEDCBA9876543210,
        float32Field=1234.5,
        float64Field=-123e45,
    )
    data = segments_of(built)[0][8:56]
    assert packing.unpack_from("<xbhi q BxHI Q f4x d".replace(" ", ""), data) == (
        *(-2, 0x0123, -0x01234567, 0x0123456789ABCDEF),
        *(0xFE, 0xFEDC, 0xFEDCBA98, 0xFEDCBA9876543210, 1234.5, -123e45),
    )
