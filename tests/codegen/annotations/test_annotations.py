"""Annotations, declared here or elsewhere, on everything that can carry them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import ccapnp


@pytest.fixture(autouse=True)
def importable(generated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(generated))


def test_on_types(module: Any) -> None:
    note = module.note
    assert note.find(module.Thing) == note.find(module.Thing.schema) == "struct"
    assert note.find(module.Service) == "interface"
    assert note.find(module.Level) == "enum"
    assert module.level.find(module.Thing.schema) is module.Level.high
    assert note.find(module) == note.find(module.Thing.schema.scope) == "file"


def test_on_members(module: Any) -> None:
    note, fields = module.note, module.Thing.schema.fields
    assert note.find(fields["plain"]) is None
    assert note.find(fields["noted"]) == "field"
    assert module.mark.find(fields["noted"]) is True
    assert module.mark.find(fields["plain"]) is None
    assert note.find(fields["group"]) == "group"
    assert note.find(fields["either"]) == "union"
    assert [note.find(each) for each in module.Level.schema.enumerants.values()] == ["enumerant", None]
    assert note.find(module.Service.schema.methods["call"]) == "method"
    assert note.find(module.Service.CallParams.schema.fields["a"]) == "param"
    assert note.find(module.Service.CallResults.schema.fields["b"]) == "result"


def test_on_constants_and_annotations(module: Any) -> None:
    declared = ccapnp.schema_of(module).nested
    assert module.note.find(declared["number"]) == "const"
    assert module.note.find(declared["noted"]) == "annotation"


def test_of_another_file(module: Any) -> None:
    import other_capnp  # type: ignore[import-not-found]

    value = other_capnp.range.find(module.Thing.schema.fields["ranged"])
    assert (value.min, value.max) == (-1, 5)
    assert isinstance(value, other_capnp.Range.Reader)
    del sys.modules["other_capnp"]


def test_declared_within_a_struct(module: Any) -> None:
    assert list(module.Thing.inner.find(module.Inside.schema.fields["numbers"])) == [1, 2]
