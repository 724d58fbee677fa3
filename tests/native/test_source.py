"""How the shim gets at the memory of messages."""

from __future__ import annotations

import gc
from typing import Any

import pytest

pytest.importorskip("ccapnp.native._lib", reason="the native extension is not built")


def test_a_reader_in_a_cycle_is_collected(official: Any) -> None:
    data = official.TestAllTypes.new_message(textField="text").to_bytes()
    for kind in (bytes, bytearray, memoryview):
        reader = official.TestAllTypes.from_bytes(kind(data))
        assert reader.to_dict()["textField"] == "text"
        cycle: list[Any] = [reader]
        cycle.append(cycle)
        del reader, cycle
        gc.collect()
