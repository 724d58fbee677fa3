"""Interfaces: their schemas, and the structs that their methods' parameters and results are."""

from __future__ import annotations

from typing import Any

import ccapnp


def test_classes(module: Any) -> None:
    assert issubclass(module.Store, ccapnp.Interface)
    assert module.Store.Entry.__qualname__ == "Store.Entry"


def test_methods(module: Any) -> None:
    methods = module.Store.schema.methods
    assert list(methods) == ["get", "put", "swap", "list"]
    assert methods["get"].param_type is module.Store.GetParams.schema
    assert methods["get"].result_type is module.Store.GetResults.schema
    assert methods["swap"].param_type is module.Store.Entry.schema
    assert methods["put"].result_type.short_display_name == "StreamResult"
    assert methods["list"].implicit_parameters == ("T",)


def test_superclasses(module: Any) -> None:
    assert module.Store.schema.superclasses == (module.Base.schema,)


def test_structs_of_methods(module: Any) -> None:
    results = module.Store.GetResults.new_message(value=b"x", found=True)
    assert module.Store.GetResults.from_bytes(results.to_bytes()).to_dict() == {"value": b"x", "found": True}
    assert module.Store.ListResults.schema.fieldnames == ("entries", "store")


def test_fields_of_interface_types(module: Any) -> None:
    entry = module.Store.Entry.new_message(key="k")
    assert not entry.has("owner")
    assert len(entry.as_reader().stores) == 0
