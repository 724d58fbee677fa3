"""The views of a big-endian host, tried on whatever host this is: alone, and under the whole codec."""

from __future__ import annotations

import math
import struct as packing
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from ccapnp import DecodeError, Kind, List, MessageBuilder, canonicalize
from ccapnp.wire import views
from ccapnp.wire.views import FORMATS, SwappedView
from tests.conformance.all_types import ALL_TYPES, FIELDS, assert_defaults, assert_holds
from tests.wire.raw import root_of
from tests.wire.test_list_evolution import BYTES, INTS, LOW_SHORTS, SHORTS, builder_of, numbers, stored

DATA = bytes(range(0x70, 0x90))
_REFUSALS = (TypeError, ValueError, OverflowError)


@pytest.mark.conformance("END-01")
@pytest.mark.parametrize("letter", FORMATS.values())
def test_items_are_little_endian(letter: str) -> None:
    view = SwappedView(memoryview(DATA), letter)
    expected = [item for (item,) in packing.iter_unpack(f"<{letter}", DATA)]
    assert len(view) == len(expected) and view.itemsize == packing.calcsize(f"<{letter}")
    assert [view[index] for index in range(len(view))] == expected and view[-1] == expected[-1]
    for chosen in (slice(None), slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(1, 99, 3)):
        assert view[chosen].tolist() == expected[chosen] and list(view[chosen]) == expected[chosen]
        assert len(view[chosen]) == len(expected[chosen]) and view[chosen][:1].tolist() == expected[chosen][:1]
    for index in (len(view), -len(view) - 1):
        with pytest.raises(IndexError):
            view[index]


@pytest.mark.conformance("END-01")
@pytest.mark.parametrize("letter", FORMATS.values())
def test_items_are_written_as_a_memoryview_would(letter: str) -> None:
    memory = bytearray(DATA)
    view = SwappedView(memoryview(memory), letter)
    view[1] = value = 100 if letter not in "fd" else 1.5
    size = view.itemsize
    assert memory == DATA[:size] + packing.pack(f"<{letter}", value) + DATA[2 * size :]
    view[:] = [value] * len(view)
    assert memory == packing.pack(f"<{letter}", value) * len(view)
    view[::2] = view[1::2]
    with pytest.raises(ValueError, match="differ"):
        view[::2] = [value]
    before = bytes(memory)
    native = memoryview(bytearray(DATA)).cast(letter)
    for wrong in (None, "x", 2**64, -(2**63) - 1, 1.5, object()):
        try:
            native[0] = wrong
        except _REFUSALS as expected:
            with pytest.raises(type(expected) if sys.implementation.name == "cpython" else _REFUSALS):
                view[0] = wrong
            assert memory == before
    with pytest.raises(IndexError):
        view[len(view)] = value


@pytest.fixture
def swapped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """From here on every segment is read and written as on a big-endian host."""
    from ccapnp.pure import opening, segment

    modules = [opening, segment]
    if find_spec("ccapnp.native._shim") is not None:
        from ccapnp.native import shapes

        modules.append(shapes)
    for module in modules:
        monkeypatch.setattr(module, "caster", views._caster_swapped)
    yield


@pytest.mark.conformance("END-01")
@pytest.mark.usefixtures("swapped")
@pytest.mark.parametrize("name", ["binary", "segmented"])
def test_the_golden_message(official: Any, testdata: Any, name: str) -> None:
    data = (testdata / name).read_bytes()
    reader = official.TestAllTypes.from_bytes(data)
    assert isinstance(reader._c.u16, SwappedView)
    assert_holds(reader, ALL_TYPES)
    builder = reader.as_builder()
    assert_holds(builder, ALL_TYPES)
    assert name != "binary" or builder.to_bytes() == data
    assert canonicalize(reader) == (testdata / "binary.canonical").read_bytes()
    assert reader == builder and reader.total_size == builder.total_size
    values = reader.to_dict()
    again = official.TestAllTypes.from_dict({**values, "float32List": [math.nan], "float64List": [math.inf]})
    assert again.structField.structList[2].textField == "x structlist 3" and math.isnan(again.float32List[0])
    assert_holds(official.TestAllTypes.from_bytes_packed(builder.to_bytes_packed()), ALL_TYPES)


@pytest.mark.conformance("END-01")
@pytest.mark.usefixtures("swapped")
def test_defaults_unions_and_upgrades(all_types: Any, shapes: Any) -> None:
    assert_defaults(all_types.TestDefaults.new_message(), FIELDS)
    root = all_types.TestUnion.new_message()
    root.union1.u1f0s64 = -5
    assert root.as_reader().union1.u1f0s64 == -5 and root.union1.which() == "u1f0s64"
    floats = shapes.Floats.new_message(a=1.5, b=-2.5, c=1.5, d=math.nan, e=3.5)
    assert [floats.a, floats.b, floats.c, floats.e] == [1.5, -2.5, 1.5, 3.5] and math.isnan(floats.d)
    assert math.isnan(floats.f) and bytes(floats.to_segments()[0])[8:12] == packing.pack("<f", 1.5)
    assert numbers(INTS, Kind.UINT16) == LOW_SHORTS
    for which, name in ((BYTES, "Byte8"), (SHORTS, "Short16"), (INTS, "Int32")):
        read = [item.f for item in stored(which).as_list(List(getattr(shapes, name)))]
        assert read == [item.f for item in builder_of(which).root.as_list(List(getattr(shapes, name)))]
        assert read == list(numbers(which, {"Byte8": Kind.UINT8, "Short16": Kind.UINT16, "Int32": Kind.UINT32}[name]))
    builder = MessageBuilder()
    old = builder.root.init_struct(shapes.Old)
    old.old1, old.old2 = -123, "x"
    new = builder.root.as_struct(shapes.New)
    assert (new.old1, new.old2, new.new1, new.new2) == (-123, "x", 987, "baz")


@pytest.mark.conformance("END-01")
@pytest.mark.usefixtures("swapped")
def test_number_lists(all_types: Any) -> None:
    root = all_types.TestAllTypes.new_message(int16List=[1, -2, 3], uInt64List=range(5), float64List=(1, 2.5))
    assert list(root.int16List) == [1, -2, 3] and root.int16List[-2:] == [-2, 3] and root.int16List[1] == -2
    root.int16List[1] = 500
    root.uInt64List[1:3] = [7, 8]
    with pytest.raises(ValueError, match="Int16"):
        root.int16List[0] = 70000
    with pytest.raises(DecodeError):
        root_of(b"\1\0\0\0\2\0\0\0").as_list(List(Kind.INT64))
    reader = all_types.TestAllTypes.from_bytes(root.to_bytes())
    assert list(reader.int16List) == [1, 500, 3] and list(reversed(reader.uInt64List)) == [4, 3, 8, 7, 0]
    other = all_types.TestAllTypes.new_message(int16List=reader.int16List, float64List=root.float64List)
    assert other.int16List == root.int16List == [1, 500, 3] and list(other.float64List) == [1.0, 2.5]
