"""Records of the official golden messages: what a reader says of each, field by field."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.records.model import exact, modelled
from tests.test_golden import ENCODINGS, open_golden


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_gives_the_record_that_a_reader_says(official: ModuleType, testdata: Path, name: str) -> None:
    reader = open_golden(official.TestAllTypes, testdata, name)
    record = reader.to_record()
    assert exact(record) == exact(modelled(reader))
    assert exact(official.TestAllTypes.decode(official.TestAllTypes.encode(record))) == exact(record)


@pytest.mark.parametrize("packed", [False, True])
def test_it_is_decoded_from_bytes(official: ModuleType, testdata: Path, packed: bool) -> None:
    data = (testdata / ("packed" if packed else "binary")).read_bytes()
    record = official.TestAllTypes.decode(data, packed)
    assert exact(record) == exact(modelled(open_golden(official.TestAllTypes, testdata, "binary")))


@pytest.mark.parametrize("name", ["TestAllTypes", "TestDefaults", "TestLists", "TestListDefaults", "TestUnion"])
def test_what_is_unset_has_the_official_defaults(official: ModuleType, name: str) -> None:
    struct_type: Any = getattr(official, name)
    record = struct_type.decode(struct_type.new_message().to_bytes())
    assert exact(record) == exact(struct_type.Record()) == exact(modelled(struct_type.new_message().as_reader()))
    assert exact(struct_type.decode(struct_type.encode(record))) == exact(record)
