"""A reader reads the caller's memory itself, holds it, and lets go of it with its last part, whatever was done."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import sys
from collections.abc import Callable
from typing import Any

import pytest

import ccapnp
from tests.schema_request import schema_request

pytestmark = pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="only CPython lets go of an object as soon as nothing refers to it"
)

VALUES: dict[str, Any] = {
    "displayName": "a name",
    "nestedNodes": [{"name": "first", "id": 1}, {"name": "second", "id": 2}],
    "annotations": [{"value": {"data": b"data"}}],
}


@pytest.fixture(scope="module")
def kind(backend: str) -> Any:
    return ccapnp.load_request(schema_request(), backend=backend).Node  # type: ignore[attr-defined]


WAYS_IN: dict[str, Callable[[Any, Any], Any]] = {
    "bytes": lambda kind, data: kind.from_bytes(data, None),
    "view": lambda kind, data: kind.from_bytes(memoryview(data), None),
    "segments": lambda kind, data: kind.from_segments([memoryview(data)[8:]], None),
    "many": lambda kind, data: next(kind.read_multiple_bytes(data, None)),
    "message": lambda kind, data: ccapnp.MessageReader(data, None).get_root(kind),
}
USES: dict[str, Callable[[Any], Any]] = {
    "to_dict": ccapnp.to_dict,
    "to_dict of a part": lambda view: view.nestedNodes[1].to_dict(),
    "text": str,
    "hash": hash,
    "equality": lambda view: view == view,
    "size": ccapnp.total_size,
    "builder": ccapnp.as_builder,
    "copy": copy.deepcopy,
    "packed": ccapnp.to_bytes_packed,
    "bytes": ccapnp.to_bytes,
    "pickle": lambda view: pickle.loads(pickle.dumps(view)),
    "set": lambda view: ccapnp.MessageBuilder().set_root(view),
    "error": lambda view: refused(lambda: type(view)._type.from_dict({"nestedNodes": [view, {"id": -1}]})),
    "refused tree": lambda view: refused(small(view).to_dict),
}


def refused(action: Callable[[], Any]) -> None:
    """The error, whose frames hold the reader too, goes at once."""
    try:
        action()
    except ccapnp.CapnpError:
        return
    raise AssertionError("there was no error")


def small(view: Any) -> Any:
    """A reader of the same message that may read only a little of it."""
    return type(view)._type.from_segments(ccapnp.to_segments(view), 20)


@pytest.mark.parametrize("way_in", WAYS_IN)
def test_a_reader_reads_the_callers_memory_itself(kind: Any, way_in: str) -> None:
    data = bytearray(kind.from_dict(VALUES).to_bytes())
    reader = WAYS_IN[way_in](kind, data)
    before = reader.to_dict()
    data[data.index(b"second")] = ord("S")
    assert reader.nestedNodes[1].name == "Second" == reader.to_dict()["nestedNodes"][1]["name"]
    assert (
        reader.to_dict() != before and b"Second" in reader.to_bytes() and reader.copy().nestedNodes[1].name == "Second"
    )


@pytest.mark.parametrize("way_in", WAYS_IN)
@pytest.mark.parametrize("use", USES)
def test_memory_is_let_go_whatever_was_done_with_it(kind: Any, way_in: str, use: str) -> None:
    data = bytearray(kind.from_dict(VALUES).to_bytes())
    reader = WAYS_IN[way_in](kind, data)
    gc.collect()
    gc.disable()
    try:
        made = USES[use](reader)
        with pytest.raises(BufferError):
            data.append(0)
        part = reader.nestedNodes[0]
        del reader
        with pytest.raises(BufferError):
            data.append(0)
        del part
        data.append(0)  # and what was made has memory of its own
        del made
    finally:
        gc.enable()


@pytest.mark.parametrize("offset", range(1, 8))
def test_a_message_at_any_address_is_read(kind: Any, offset: int) -> None:
    data = bytearray(bytes(offset) + kind.from_dict(VALUES).to_bytes())
    reader = kind.from_bytes(memoryview(data)[offset:])
    assert reader == kind.from_dict(VALUES) and reader.to_dict()["displayName"] == "a name"
    del reader
    data.append(0)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_a_message_of_a_file_has_memory_of_its_own(kind: Any, packed: bool) -> None:
    builder = kind.from_dict(VALUES)
    data = bytearray(builder.to_bytes_packed() if packed else builder.to_bytes())
    reader = (kind.from_bytes_packed if packed else lambda each: kind.read(io.BytesIO(each)))(data)
    data[:] = bytes(len(data))
    data.clear()
    assert reader == builder


def test_a_builders_memory_never_moves(kind: Any) -> None:
    builder = kind.new_message(1)
    builder.displayName = "here"
    views = builder.to_segments()
    view = ccapnp.get_data_as_view(builder, "displayName")
    for number in range(200):
        builder.nestedNodes = [{"name": "x" * number}] * 3
        builder.to_dict(), builder.copy(), builder == builder, kind.from_dict(VALUES)
    assert bytes(view) == b"here" and [bytes(each) for each in views if b"here" in bytes(each)]
    builder.displayName = None
    assert bytes(view) == bytes(4), "what is cleared becomes zero, where it was"
