"""Interfaces: their schemas, and the structs that their methods' parameters and results are."""

from __future__ import annotations

from typing import Any

import ccapnp


def test_classes(module: Any) -> None:
    assert issubclass(module.Store, ccapnp.Interface)
    assert module.Store.Entry.__qualname__ == "Store.Entry"


def test_methods(module: Any) -> None:
    methods = {method.name: method for method in module.Store.schema.methods}
    assert list(methods) == ["get", "put", "swap", "list"]
    registry = module.Store._registry
    assert registry.struct(methods["get"].params_id) is module.Store.GetParams
    assert registry.struct(methods["get"].results_id) is module.Store.GetResults
    assert registry.struct(methods["swap"].params_id) is module.Store.Entry
    assert registry.node(methods["put"].results_id).name == "StreamResult"
    assert methods["list"].implicit_parameters == ("T",)


def test_superclasses(module: Any) -> None:
    assert [node_id for node_id, _ in module.Store.schema.superclasses] == [module.Base._node_id]


def test_structs_of_methods(module: Any) -> None:
    results = module.Store.GetResults.new_message(value=b"x", found=True)
    assert module.Store.GetResults.from_bytes(results.to_bytes()).to_dict() == {"value": b"x", "found": True}
    assert [field.name for field in module.Store.ListResults.schema.fields] == ["entries", "store"]


def test_fields_of_interface_types(module: Any) -> None:
    entry = module.Store.Entry.new_message(key="k")
    assert not entry.has("owner")
    assert len(entry.as_reader().stores) == 0
