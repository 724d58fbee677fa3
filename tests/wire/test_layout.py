"""Plain values in the data section: widths, byte order, defaults, and what lies past its end."""

from __future__ import annotations

import math
import struct as packing
from types import ModuleType
from typing import Any

import pytest

from tests.wire.raw import frame, segments_of, struct, words

WORD = bytes.fromhex("0123456789abcdef")
MESSAGE = frame(words(struct(0, 1, 0)) + WORD)
TYPES = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
DEFAULTS = {"Int8": -77, "UInt8": 77}


def width_of(kind: str) -> int:
    """The bytes of a number type."""
    return int(kind.lstrip("UInt")) // 8


def default_of(kind: str) -> int:
    """The default of all the numbers of a kind: 321 where it fits, negative where there is a sign."""
    return DEFAULTS.get(kind, -321 if kind.startswith("I") else 321)


def schema_text() -> str:
    """For each type a struct without defaults and one with them, of a word's worth of fields and one more; and bits."""
    structs = []
    for kind in TYPES:
        numbers = range(8 // width_of(kind) + 1)
        plain = " ".join(f"f{n} @{n} :{kind};" for n in numbers)
        preset = " ".join(f"f{n} @{n} :{kind} = {default_of(kind)};" for n in numbers)
        structs += [f"struct {kind}s {{ {plain} }}", f"struct Preset{kind}s {{ {preset} }}"]
    for name, default in (("Bits", "false"), ("PresetBits", "true")):
        bits = " ".join(f"f{n} @{n} :Bool = {default};" for n in range(65))
        structs.append(f"struct {name} {{ {bits} }}")
    return "\n".join(structs)


@pytest.fixture(scope="session")
def layout(compile_schema: Any) -> ModuleType:
    """The module of these structs."""
    module: ModuleType = compile_schema(schema_text())
    return module


def values(view: Any) -> list[Any]:
    return [getattr(view, f"f{index}") for index in range(len(view._type._node.fields))]


def stored(kind: str) -> list[int]:
    """The numbers of a kind that the word is."""
    width = width_of(kind)
    parts = (WORD[start : start + width] for start in range(0, 8, width))
    return [int.from_bytes(part, "little", signed=kind.startswith("I")) for part in parts]


def xor(kind: str, number: int, mask: int) -> int:
    """Two numbers of a kind, bit by bit."""
    width = width_of(kind)
    bits = (number ^ mask) & (1 << 8 * width) - 1
    return int.from_bytes(bits.to_bytes(width, "little"), "little", signed=kind.startswith("I"))


@pytest.mark.conformance("LAY-01", "END-01")
@pytest.mark.parametrize("kind", TYPES)
def test_numbers_of_every_width(layout: ModuleType, kind: str) -> None:
    numbers = getattr(layout, f"{kind}s")
    assert values(numbers.from_bytes(MESSAGE)) == [*stored(kind), 0]
    built = numbers.new_message(**{f"f{index}": number for index, number in enumerate(stored(kind))})
    assert segments_of(built)[0][8:] == WORD + bytes(8) and values(built) == [*stored(kind), 0]


@pytest.mark.conformance("LAY-02")
@pytest.mark.parametrize("kind", TYPES)
def test_a_default_is_a_mask_over_what_is_stored(layout: ModuleType, kind: str) -> None:
    numbers, default = getattr(layout, f"Preset{kind}s"), default_of(kind)
    expected = [xor(kind, number, default) for number in stored(kind)]
    assert values(numbers.from_bytes(MESSAGE)) == [*expected, default]
    assert values(numbers.from_bytes(frame(words(0)))) == [default] * (len(expected) + 1)
    built = numbers.new_message(**{f"f{index}": number for index, number in enumerate(expected)})
    assert segments_of(built)[0][8:] == WORD + bytes(8) and values(built) == [*expected, default]


@pytest.mark.conformance("LAY-03")
def test_bits_count_from_the_lowest_of_each_byte(layout: ModuleType) -> None:
    expected = [bool(WORD[index // 8] >> index % 8 & 1) for index in range(64)]
    assert [index for index in range(16) if expected[index]] == [0, 8, 9, 13] and expected[63]
    assert values(layout.Bits.from_bytes(MESSAGE)) == [*expected, False]
    assert values(layout.PresetBits.from_bytes(MESSAGE)) == [*(not bit for bit in expected), True]
    for struct_type, bits in ((layout.Bits, expected), (layout.PresetBits, [not bit for bit in expected])):
        built = struct_type.new_message(**{f"f{index}": bit for index, bit in enumerate(bits)})
        assert segments_of(built)[0][8:] == WORD + bytes(8)


def fields(view: Any, names: str) -> list[Any]:
    return [getattr(view, name) for name in names]


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
