"""The official golden messages: one value in many encodings, and its text."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp.codec import get_codec
from tests.conformance.all_types import (
    ALL_TYPES,
    FIELDS,
    LISTS,
    WAYS_TO_BUILD,
    assert_holds,
    fill_one_by_one,
)

ENCODINGS = ("binary", "flat", "packed", "segmented", "segmented-packed", "binary.canonical")


def open_golden(struct_type: Any, folder: Path, name: str) -> Any:
    """A reader of one of the files, whichever way it is encoded."""
    data = (folder / name).read_bytes()
    if name in ("flat", "binary.canonical"):
        return struct_type.from_segments([data])
    return struct_type.from_bytes_packed(data) if name.endswith("packed") else struct_type.from_bytes(data)


# ---- reading


@pytest.mark.conformance("FIX-3", "ENC-01")
@pytest.mark.parametrize("name", ENCODINGS)
def test_every_field_of_every_encoding_is_read(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    assert_holds(reader, ALL_TYPES)
    assert_holds(reader.as_builder(), ALL_TYPES)


@pytest.mark.conformance("FIX-3")
def test_every_field_of_the_lists_is_read(official: ModuleType, testdata: Path) -> None:
    assert_holds(official.TestLists.from_bytes((testdata / "lists.binary").read_bytes()), LISTS)


@pytest.mark.parametrize("name", ENCODINGS)
def test_all_encodings_are_equal(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    assert reader == open_golden(official.TestAllTypes, testdata, "binary")
    assert reader.as_builder() == reader
    assert hash(reader) == hash(open_golden(official.TestAllTypes, testdata, "segmented"))


# ---- re-encoding


@pytest.mark.parametrize("name", ["binary", "segmented"])
def test_cli_03_a_message_is_written_as_it_was_read(official: ModuleType, testdata: Path, name: str) -> None:
    data = (testdata / name).read_bytes()
    packed = (testdata / {"binary": "packed"}.get(name, f"{name}-packed")).read_bytes()
    plain = official.TestAllTypes.from_bytes(data)
    assert plain.to_bytes() == data
    assert plain.to_bytes_packed() == packed
    unpacked = official.TestAllTypes.from_bytes_packed(packed)
    assert unpacked.to_bytes() == data
    assert unpacked.to_bytes_packed() == packed


def test_cli_03_flat_is_the_segment_alone(official: ModuleType, testdata: Path, backend: str) -> None:
    flat = (testdata / "flat").read_bytes()
    (segment,) = open_golden(official.TestAllTypes, testdata, "packed").to_segments()
    assert bytes(segment) == flat
    assert get_codec(backend).pack([flat]) == (testdata / "packedflat").read_bytes()
    packed_table = get_codec(backend).pack([(testdata / "binary").read_bytes()[:8]])
    assert packed_table + (testdata / "packedflat").read_bytes() == (testdata / "packed").read_bytes()


@pytest.mark.parametrize("name", ENCODINGS)
def test_can_01_all_encodings_have_the_same_canonical_form(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    assert ccapnp.canonicalize(reader) == (testdata / "binary.canonical").read_bytes()
    assert ccapnp.canonicalize(reader.as_builder()) == (testdata / "binary.canonical").read_bytes()


# ---- building


ways_to_build = pytest.mark.parametrize("build", WAYS_TO_BUILD, ids=lambda build: build.__name__)


@pytest.mark.conformance("ENC-01", "FIX-3")
@ways_to_build
def test_what_is_built_is_the_golden_message(official: ModuleType, testdata: Path, build: Any) -> None:
    builder = build(official)
    assert_holds(builder, ALL_TYPES)
    assert_holds(builder.as_reader(), ALL_TYPES)
    assert ccapnp.canonicalize(builder) == (testdata / "binary.canonical").read_bytes()
    assert builder == open_golden(official.TestAllTypes, testdata, "binary")


@pytest.mark.conformance("FIX-3")
def test_lists_built_by_hand_are_the_golden_ones(official: ModuleType, testdata: Path) -> None:
    golden = official.TestLists.from_bytes((testdata / "lists.binary").read_bytes())
    by_hand = official.TestLists.new_message()
    fill_one_by_one(by_hand, LISTS)
    for builder in (by_hand, official.TestLists.new_message(**LISTS)):
        assert_holds(builder, LISTS)
        assert builder == golden
        assert ccapnp.canonicalize(builder) == ccapnp.canonicalize(golden)


# ---- text


@pytest.mark.conformance("TXT-07")
@pytest.mark.parametrize("name", ENCODINGS)
def test_the_golden_texts(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    for view in (reader, reader.as_builder()):
        assert f"{view}\n" == (testdata / "short.txt").read_text()
        assert view.to_text() + "\n" == (testdata / "short.txt").read_text()
        assert view.to_text(pretty=True) + "\n" == (testdata / "pretty.txt").read_text()


@pytest.mark.conformance("TXT-08")
def test_the_golden_text_of_lists(official: ModuleType, testdata: Path) -> None:
    reader = official.TestLists.from_bytes((testdata / "lists.binary").read_bytes())
    assert reader.to_text(pretty=True) + "\n" == (testdata / "lists.txt").read_text()


@pytest.mark.conformance("TXT-01")
def test_defaults_are_printed_where_they_are_set(official: ModuleType, testdata: Path) -> None:
    builder = official.TestDefaults.new_message()
    assert (
        official.TestDefaults.new_message().as_reader().to_text().endswith("enumField = corge, interfaceField = void)")
    )
    for name in FIELDS:
        value = getattr(builder, name)  # a builder's default becomes part of the message when it is looked at
        if isinstance(value, (str, bytes)):
            setattr(builder, name, value)  # unless it cannot be changed
    assert builder.to_text(pretty=True) + "\n" == (testdata / "pretty.txt").read_text()
    lists = official.TestListDefaults.new_message()
    assert lists.lists.to_text(pretty=True) + "\n" == (testdata / "lists.txt").read_text()
