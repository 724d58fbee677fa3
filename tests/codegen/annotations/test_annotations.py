"""Annotations, declared here or elsewhere, on everything that can carry them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def importable(generated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(generated))


def test_on_types(module: Any) -> None:
    note = module.note
    assert note.find(module.Thing.schema) == "struct"
    assert note.find(module.Service.schema) == "interface"
    registry = module.Thing._registry
    assert note.find(registry.node(module.Level._node_id)) == "enum"
    assert module.level.find(module.Thing.schema) is module.Level.high
    assert note.find(registry.node(registry.node(module.Thing._node_id).scope_id)) == "file"


def test_on_members(module: Any) -> None:
    note, fields = module.note, module.Thing.schema.fields_by_name
    assert note.find(fields["plain"]) is None
    assert note.find(fields["noted"]) == "field"
    assert module.mark.find(fields["noted"]) is True
    assert module.mark.find(fields["plain"]) is None
    assert note.find(fields["group"]) == "group"
    assert note.find(fields["either"]) == "union"
    level = module.Thing._registry.node(module.Level._node_id)
    assert [note.find(each) for each in level.enumerants] == ["enumerant", None]
    assert note.find(module.Service.schema.methods[0]) == "method"
    assert note.find(module.Service.CallParams.schema.fields[0]) == "param"
    assert note.find(module.Service.CallResults.schema.fields[0]) == "result"


def test_on_constants_and_annotations(module: Any) -> None:
    registry, declared = module.Thing._registry, {}
    for nested in registry.node(registry.node(module.Thing._node_id).scope_id).nested:
        declared[nested.name] = registry.node(nested.id)
    assert module.note.find(declared["number"]) == "const"
    assert module.note.find(declared["noted"]) == "annotation"


def test_of_another_file(module: Any) -> None:
    import other_capnp  # type: ignore[import-not-found]

    value = other_capnp.range.find(module.Thing.schema.fields_by_name["ranged"])
    assert (value.min, value.max) == (-1, 5)
    assert isinstance(value, other_capnp.Range.Reader)
    del sys.modules["other_capnp"]


def test_declared_within_a_struct(module: Any) -> None:
    assert list(module.Thing.inner.find(module.Inside.schema.fields[0])) == [1, 2]
