"""How the shim gets at the memory of messages."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from ccapnp import DecodeError
from tests.wire.raw import frame, lst, struct, words

codec = pytest.importorskip("ccapnp.native.codec", exc_type=ImportError, reason="the native extension is not built")


def test_a_reader_in_a_cycle_is_collected(official: Any) -> None:
    data = official.TestAllTypes.new_message(textField="text").to_bytes()
    for kind in (bytes, bytearray, memoryview):
        reader = official.TestAllTypes.from_bytes(kind(data))
        assert reader.to_dict()["textField"] == "text"
        cycle: list[Any] = [reader]
        cycle.append(cycle)
        del reader, cycle
        gc.collect()


def test_any_struct_of_a_message_of_several_segments(official: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = official.TestAllTypes.new_message(
        num_first_segment_words=40, structList=[{"textField": "first"}, {"structField": {"textField": "inner"}}]
    )
    assert len(builder.to_segments()) > 1
    decode, decoded = codec.decode, []
    monkeypatch.setattr(codec, "decode", lambda *place: decoded.append(decode(*place)) or decoded[-1])
    first, second = official.TestAllTypes.from_bytes(builder.to_bytes()).structList
    assert first.to_dict()["textField"] == "first" and second.structField.to_dict()["textField"] == "inner"
    assert second.to_dict() == builder.structList[1].to_dict()
    assert all(decoded)


def test_more_structs_than_libcapnp_counts(official: Any) -> None:
    reader = official.TestLists.from_bytes(frame(words(struct(0, 0, 1), lst(0, 7, 0), struct(1 << 29, 1, 0))))
    with pytest.raises(DecodeError, match="claims 536870912 structs"):
        reader.to_dict()
