"""What users call is done by the shim where a message is an ordinary one: here Python would fail at it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

import ccapnp
from ccapnp.convert.json import codec as json_codec
from ccapnp.convert.json.plan import JsonStruct
from ccapnp.pure import codec as pure_codec
from ccapnp.pure import packing as pure_packing
from ccapnp.pure.building import BuildShape
from ccapnp.types.struct_type import StructType
from tests.native.conftest import Codecs

codec = pytest.importorskip("ccapnp.native.codec", reason="the native extension is not built", exc_type=ImportError)

VALUES: dict[str, Any] = {
    "name": "caf\xe9",
    "value": 7,
    "child": {"name": "child", "data": b"data", "point": {"x": 1, "label": "p"}},
    "children": [{"name": str(number), "value": number} for number in range(20)],
}
JSON = json.dumps({**VALUES, "child": {"name": "child", "data": [1, 2, 255], "point": {"x": 1, "label": "p"}}})
IN_PYTHON = [
    (JsonStruct, "parse"),
    (json_codec, "plain"),
    (codec, "decode_struct"),
    (pure_codec.PureCodec, "total_size"),
    (pure_codec.PureCodec, "equal"),
    (pure_codec.PureCodec, "canonicalize"),
    (pure_codec.PureCodec, "pack"),
    (pure_codec.PureCodec, "unpack_message"),
    (pure_packing, "expand"),
    (BuildShape, "_copy_pointer"),
    (BuildShape, "_copy_struct"),
    (BuildShape, "_copy_structs"),
    (StructType, "_fill"),
    (codec, "total_words"),
]


def into_field(native: Any, reader: Any) -> Any:
    builder = native.Node.new_message()
    builder.child = reader
    return builder.child


def into_list(native: Any, reader: Any) -> Any:
    builder = native.Node.new_message()
    builder.children = reader.children
    return builder.children[19]


def into_any_pointer(native: Any, reader: Any) -> Any:
    builder = native.Node.new_message()
    builder.any.set(reader)
    other = native.Node.new_message()
    other.any.set(builder.any)
    return other.any.as_struct(native.Node)


def list_from_dicts(native: Any, reader: Any) -> Any:
    builder = native.Node.new_message()
    builder.children = VALUES["children"]
    return builder.children[19]


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "to_dict": lambda native, reader: reader.to_dict(),
    "to_dict_verbose": lambda native, reader: reader.to_dict(verbose=True),
    "to_dict_omit_defaults": lambda native, reader: reader.to_dict(omit_defaults=True),
    "to_dict_of_a_part": lambda native, reader: reader.children[3].to_dict(),
    "from_dict": lambda native, reader: native.Node.from_dict(VALUES).to_bytes(),
    "new_message": lambda native, reader: native.Node.new_message(**VALUES).to_bytes(),
    "list_from_dicts": list_from_dicts,
    "bound_types": lambda native, reader: native.Box[native.Node].from_dict({"value": VALUES}).to_dict(),
    "to_json": lambda native, reader: reader.to_json(),
    "to_json_of_a_part": lambda native, reader: reader.children[3].to_json(),
    "from_json": lambda native, reader: native.Node.from_json(JSON).to_bytes(),
    "from_json_of_what_was_parsed": lambda native, reader: native.Node.from_json(json.loads(JSON)).to_bytes(),
    "as_builder": lambda native, reader: reader.as_builder(),
    "copy_of_a_part": lambda native, reader: reader.child.copy(),
    "into_field": into_field,
    "into_list": into_list,
    "into_any_pointer": into_any_pointer,
    "equal": lambda native, reader: reader == native.Node.from_bytes(reader.to_bytes()),
    "hash": lambda native, reader: hash(reader),
    "canonicalize": lambda native, reader: ccapnp.canonicalize(reader),
    "total_size": lambda native, reader: reader.total_size,
    "pack": lambda native, reader: reader.to_bytes_packed(),
    "unpack": lambda native, reader: native.Node.from_bytes_packed(reader.to_bytes_packed()),
    "read_packed": lambda native, reader: native.Node.read_packed(io.BytesIO(reader.to_bytes_packed())),
    "read_multiple_packed": lambda native, reader: list(
        native.Node.read_multiple_packed(io.BytesIO(reader.to_bytes_packed() * 2))
    )[1],
}


def refused(*arguments: Any, **named: Any) -> Any:
    raise AssertionError("this was left to Python")


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_shim_does_it(codecs: Codecs, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    data = codecs.pure.Node.from_dict(VALUES).to_bytes()
    codecs.native.Node.from_bytes(data).to_dict(verbose=True)  # once, so that defaults are known
    expected = OPERATIONS[name](codecs.pure, codecs.pure.Node.from_bytes(data))
    with monkeypatch.context() as patch:
        for owner, method in IN_PYTHON:
            patch.setattr(owner, method, refused)
        found = OPERATIONS[name](codecs.native, codecs.native.Node.from_bytes(data))
    if isinstance(found, ccapnp.StructView):
        found, expected = found.to_dict(), expected.to_dict()
    assert found == expected
