"""Schemas that no compiler makes of a text, but that follow the format: any names, and types that lead far."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

import ccapnp
from ccapnp.loading.sources import compile_text
from ccapnp.schema import schema_capnp

_IDS = count(2**63 + 2**60, 2**20)
_ALONE = 0xFFFF


def load(backend: str, structs: list[list[dict[str, Any]]], enumerants: list[str]) -> Any:
    """The module with structs S0, S1 and so on, and the enum E; a field's type may be "enum" or the number of a struct.

    Fields of structs are pointers, all others are Int16; each is given as its name and type.
    """
    first = next(_IDS)
    names = [*(f"S{number}" for number in range(len(structs))), "E"]
    nested = [{"name": name, "id": first + number} for number, name in enumerate(names, 1)]
    nodes: list[dict[str, Any]] = [{"id": first, "displayName": "odd", "nestedNodes": nested, "file": None}]
    for number, fields in enumerate(structs, 1):
        rows = []
        for offset, field in enumerate(fields):
            kind, type = field["type"], {"int16": None}
            if kind == "data":
                type = {"data": None}
            elif kind == "enum":
                type = {"enum": {"typeId": first + len(names)}}
            elif kind != "int16":
                type = {"struct": {"typeId": first + 1 + kind}}
            (member,) = type
            default: Any = {"int16": 0, "enum": 0, "data": b""}.get(member)
            slot = {"offset": offset, "type": type, "defaultValue": {member: default}}
            rows.append({"name": field["name"], "discriminantValue": _ALONE, "slot": slot})
        node = {"dataWordCount": 1, "pointerCount": 2, "fields": rows}
        nodes.append({"id": first + number, "displayName": names[number - 1], "scopeId": first, "struct": node})
    enum = {"enumerants": [{"name": name} for name in enumerants]}
    nodes.append({"id": first + len(names), "displayName": "E", "scopeId": first, "enum": enum})
    files = [{"id": first, "filename": "odd"}]
    request = schema_capnp.CodeGeneratorRequest.new_message(nodes=nodes, requestedFiles=files)
    return ccapnp.load_request(request.to_bytes(), backend=backend)


@pytest.mark.parametrize("name", ["\xe9", "\u65e5\u672c", "\U0001f40d", "\xfc" * 200, "x" * 300], ids=ascii)
def test_names_need_not_be_ascii(backend: str, name: str) -> None:
    module = load(backend, [[{"name": name, "type": "int16"}, {"name": "enum", "type": "enum"}]], ["first", name])
    values = {name: 7, "enum": name}
    for view in (module.S0.from_dict(values), module.S0.from_bytes(module.S0.from_dict(values).to_bytes())):
        assert view.to_dict() == values
        assert ccapnp.get_field(view, name) == 7


def test_types_may_lead_further_than_the_stack_reaches(backend: str) -> None:
    length = 2000
    chain = [[{"name": "next", "type": number}] for number in range(1, length)]
    module = load(backend, [*chain, [{"name": "data", "type": "data"}]], [])
    values = {"next": {"next": {"next": {}}}}
    builder = module.S0.from_dict(values)
    assert builder.next.next.has("next") and not builder.next.next.next.has("next")
    last = {"next": {"data": b"x"}}
    assert getattr(module, f"S{length - 2}").from_dict(last).next.data == b"x"


def test_many_types_that_lead_to_each_other(backend: str) -> None:
    others = [[{"name": "back", "type": 0}, {"name": "next", "type": 1 + (each + 1) % 2000}] for each in range(2000)]
    module = load(backend, [[{"name": "one", "type": 1}, {"name": "other", "type": 2}], *others], [])
    values = {"one": {"back": {}, "next": {"next": {}}}}
    assert module.S0.from_dict(values).one.next.has("next")


def test_a_request_whose_first_segment_is_empty(backend: str) -> None:
    for data in (bytes(8), bytes.fromhex("01000000 00000000 01000000 00000000") + bytes(8)):
        with pytest.raises(ccapnp.DecodeError, match="first segment is empty"):
            ccapnp.load_request(data, backend=backend)


def test_a_default_with_more_elements_than_a_schema_can_list(backend: str) -> None:
    """They take no memory; to go through them all takes for ever."""
    text = f"@{next(_IDS):#x}; struct S {{ values @0 :List(Nothing) = [(), ()]; }} struct Nothing {{}}"
    request = compile_text(text, "odd.capnp", ()).request
    list_pointer, tag = bytes([1, 0, 0, 0, 7, 0, 0, 0]), bytes([2 << 2, 0, 0, 0, 0, 0, 0, 0])
    assert request.count(list_pointer + tag) == 1
    many = request.replace(list_pointer + tag, list_pointer + (2**28 << 2).to_bytes(8, "little"))
    module = ccapnp.load_request(many, backend=backend)
    with pytest.raises(ccapnp.LimitError):
        module.S.new_message().as_reader().to_dict(verbose=True)
