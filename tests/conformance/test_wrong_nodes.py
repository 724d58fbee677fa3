"""Schema nodes that no compiler makes, but that anybody can write."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccapnp
from ccapnp.plugin.main import generate
from ccapnp.schema import schema_capnp
from tests.conformance.nodes import SCHEMA, nodes_of


@pytest.fixture
def loader(backend: str) -> ccapnp.SchemaLoader:
    return ccapnp.SchemaLoader()


def field(name: str = "f", ordinal: Any = 0, **changes: Any) -> dict[str, Any]:
    slot = {"offset": 0, "type": {"int32": None}, "defaultValue": {"int32": 0}, **changes.pop("slot", {})}
    found = {"name": name, "discriminantValue": 0xFFFF, "ordinal": {"explicit": ordinal}, "slot": slot}
    return {**found, **changes}


def group(group_id: int, name: str = "g") -> dict[str, Any]:
    return {"name": name, "discriminantValue": 0xFFFF, "group": {"typeId": group_id}}


def struct(*fields: dict[str, Any], id: int = 1, scope: int = 0, **changes: Any) -> dict[str, Any]:
    body = {"dataWordCount": 1, "pointerCount": 1, "fields": list(fields), **changes}
    return {"id": id, "displayName": f"x.capnp:S{id}", "scopeId": scope, "struct": body}


def member(number: int, ordinal: int) -> dict[str, Any]:
    return field(f"m{number}", ordinal, discriminantValue=number)


def constant(type: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    return {"id": 1, "displayName": "x.capnp:c", "const": {"type": type, "value": value}}


WRONG: dict[str, tuple[list[dict[str, Any]], str]] = {
    "data beyond the struct": ([struct(field(slot={"offset": 2}))], "field 'f' of x.capnp:S1 lies outside its struct"),
    "far beyond": ([struct(field(slot={"offset": 0xFFFFFFFF}))], "'f' of x.capnp:S1 lies outside"),
    "a bit beyond": ([struct(field(slot={"offset": 64, "type": {"bool": None}}))], "'f' of x.capnp:S1 lies outside"),
    "a pointer beyond": ([struct(field(slot={"offset": 1, "type": {"text": None}}))], "'f' of x.capnp:S1 lies outside"),
    "no room at all": ([struct(field(), dataWordCount=0)], "'f' of x.capnp:S1 lies outside"),
    "a discriminant beyond": (
        [struct(member(0, 0), member(1, 1), discriminantCount=2, discriminantOffset=4)],
        "x.capnp:S1 has a union whose discriminant lies outside its struct",
    ),
    "a union of one": ([struct(member(0, 0), discriminantCount=1)], "x.capnp:S1 has a union of 1 member"),
    "a union without members": ([struct(discriminantCount=2)], "of 2 members, of which 0 are there"),
    "members without a union": ([struct(member(0, 0), member(1, 1))], "of 0 members, of which 2 are there"),
    "two members of one discriminant": (
        [struct(member(0, 0), {**member(0, 1), "name": "n"}, discriminantCount=2)],
        "'n' of x.capnp:S1 has the discriminant 0, where 1 is next",
    ),
    "a discriminant too large": ([struct(member(0, 0), member(5, 1), discriminantCount=2)], "'m5' .* discriminant 5"),
    "a default of another type": (
        [struct(field(slot={"defaultValue": {"int64": 5}}))],
        "'f' of x.capnp:S1 has a default of another type",
    ),
    "a pointer as the default of a number": (
        [struct(field(slot={"defaultValue": {"text": "x"}}))],
        "'f' of x.capnp:S1 has a default of another type",
    ),
    "two fields of one ordinal": ([struct(field("a"), field("b"))], "'b' .* has the ordinal 0, which is not larger"),
    "ordinals that descend": ([struct(field("a", 1), field("b", 0))], "'a' .* has the ordinal 1, where 0 is next"),
    "ordinals with a gap": ([struct(field("a", 0), field("b", 2))], "'b' .* has the ordinal 2, where 1 is next"),
    "two fields of one name": ([struct(field("a", 0), field("a", 1))], "field 'a' .* has the name of another"),
    "two enumerants of one name": (
        [{"id": 1, "displayName": "x.capnp:E", "enum": {"enumerants": [{"name": "a"}, {"name": "a"}]}}],
        "enumerant 'a' of x.capnp:E has the name of another",
    ),
    "two methods of one name": (
        [{"id": 1, "displayName": "x.capnp:I", "interface": {"methods": [{"name": "a"}, {"name": "a"}]}}],
        "method 'a' of x.capnp:I has the name of another",
    ),
    **{
        f"the member {name!r}": ([struct(field(name))], "has no name that the language knows")
        for name in ("", "_c", "__class__", "a\0b")
    },
    "the enumerant '_value_'": (
        [{"id": 1, "displayName": "x.capnp:E", "enum": {"enumerants": [{"name": "_value_"}]}}],
        "enumerant '_value_' of x.capnp:E has no name",
    ),
    "the name of a declaration": (
        [{**struct(), "nestedNodes": [{"name": "_registry", "id": 5}]}],
        "x.capnp:S1 declares '_registry', which is no name",
    ),
    "a name with a NUL": ([{**struct(), "displayName": "x.capnp:S\0"}], "has a name with a NUL character"),
    "a constant of another type": (
        [constant({"int8": None}, {"text": "x"})],
        "x.capnp:c is a constant whose value is of",
    ),
    "one in itself": ([struct(id=1, scope=1)], "x.capnp:S1 is declared within itself"),
    "one in another that is in it": ([struct(id=1, scope=2), struct(id=2, scope=1)], "is declared within itself"),
    "a group that is none": ([struct(group(2)), struct(id=2, scope=1)], "'g' of x.capnp:S1 is not a group of it"),
    "a group of another": ([struct(group(2)), struct(id=2, scope=3, isGroup=True)], "is not a group of it"),
    "a group of itself": (
        [struct(group(2)), struct(group(2), id=2, scope=1, isGroup=True)],
        "'g' of x.capnp:S2 is (not a group of it|a group of x.capnp:S1 already)",
    ),
    "one group twice": (
        [struct(group(2), group(2, "h")), struct(id=2, scope=1, isGroup=True)],
        "x.capnp:S1 has two fields that are the same group",
    ),
    "an enum as a struct": (
        [
            struct(field(slot={"offset": 0, "type": {"struct": {"typeId": 2}}})),
            {"id": 2, "displayName": "E", "enum": {}},
        ],
        "(field 'f' of x.capnp:S1 uses E as .*a struct|E is an enum, but x.capnp:S1 uses it as a struct)",
    ),
    "a field of no known kind": ([struct({"name": "f", "discriminantValue": 0xFFFF})], ""),
}


def damaged(case: str) -> list[Any]:
    nodes = [schema_capnp.Node.from_dict(node) for node in WRONG[case][0]]
    if case == "a field of no known kind":
        broken = nodes[0].struct.fields[0]
        broken._c.u16[(broken._w << 2) + 4] = 7
    return nodes


@pytest.mark.conformance("LDR-11")
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_node_is_refused_by_name(loader: ccapnp.SchemaLoader, case: str) -> None:
    nodes = damaged(case)
    for order in (nodes, nodes[::-1]):
        loader = ccapnp.SchemaLoader()
        with pytest.raises(ccapnp.SchemaError) as caught:
            for node in order:
                loader.load(node)
        if order is nodes:
            assert caught.match(WRONG[case][1])
        assert len(loader.loaded()) < len(nodes)


@pytest.mark.conformance("LDR-11")
@pytest.mark.parametrize("case", WRONG)
def test_a_request_with_a_wrong_node_is_refused(backend: str, case: str) -> None:
    file = {"id": 99, "displayName": "x.capnp", "file": None}
    request = schema_capnp.CodeGeneratorRequest.new_message(
        nodes=[schema_capnp.Node.from_dict(file), *damaged(case)], requestedFiles=[{"id": 99, "filename": "x.capnp"}]
    )
    for use in (ccapnp.load_request, generate):
        with pytest.raises(ccapnp.SchemaError):
            use(request.to_bytes())


@pytest.mark.conformance("LDR-11")
def test_a_group_larger_than_its_struct(backend: str) -> None:
    """Which would be written to other objects of the message; also if the two come in two requests."""

    def request(*nodes: dict[str, Any]) -> bytes:
        first = min(node["id"] for node in nodes)
        nested = [{"name": "S", "id": first}]
        file = {"id": first - 1, "displayName": "x.capnp", "nestedNodes": nested, "file": None}
        files = [{"id": first - 1, "filename": "x.capnp"}]
        return schema_capnp.CodeGeneratorRequest.new_message(nodes=[file, *nodes], requestedFiles=files).to_bytes()

    def pair(first: int) -> tuple[dict[str, Any], dict[str, Any]]:
        large = field(slot={"offset": 100})
        return struct(group(first + 2), id=first), struct(
            large, id=first + 2, scope=first, isGroup=True, dataWordCount=99
        )

    with pytest.raises(ccapnp.SchemaError, match="'g' of x.capnp:S1 is a group that is larger than its struct"):
        ccapnp.load_request(request(*pair(1)))
    one, other = pair(0xF0000000000001F1)
    module = ccapnp.load_request(request(one))
    ccapnp.load_request(request(other))
    builder = module.S.new_message()
    for use in (lambda: builder.g, lambda: module.S.from_dict({"g": {"f": 1}}), builder.to_dict):
        with pytest.raises(ccapnp.SchemaError, match="larger than its struct"):
            use()


@pytest.mark.conformance("LDR-11")
def test_groups_that_double_at_each_level(loader: ccapnp.SchemaLoader) -> None:
    """A struct of 2**40 fields, could a group be in two places."""
    levels = [
        struct(group(2 + each), group(2 + each, "h"), id=1 + each, scope=each, isGroup=each > 0) for each in range(40)
    ]
    with pytest.raises(ccapnp.SchemaError, match="two fields that are the same group"):
        for level in levels:
            loader.load(schema_capnp.Node.from_dict(level))


@pytest.mark.conformance("LDR-11")
def test_what_is_nested_without_end(loader: ccapnp.SchemaLoader) -> None:
    levels = [struct(group(2 + each), id=1 + each, scope=each, isGroup=each > 0) for each in range(1500)]
    with pytest.raises(ccapnp.SchemaError, match="x.capnp:S101 is nested deeper than 100 levels"):
        for level in levels:
            loader.load(schema_capnp.Node.from_dict(level))
    loader = ccapnp.SchemaLoader()
    for level in reversed(levels):
        loader.load(schema_capnp.Node.from_dict(level))
    with pytest.raises(ccapnp.LimitError):
        loader.get(1)


@pytest.mark.conformance("LDR-11")
def test_a_request_of_declarations_in_each_other_without_end(backend: str) -> None:
    first, count = 0xF000000000003000, 2000
    nodes = [
        {"id": first + each, "displayName": "x.capnp:S", "nestedNodes": [{"name": "S", "id": first + each + 1}]}
        for each in range(count)
    ]
    nodes[0].update({"displayName": "x.capnp", "file": None})
    for node in nodes[1:]:
        node["struct"] = {}
    files = [{"id": first, "filename": "x.capnp"}]
    request = schema_capnp.CodeGeneratorRequest.new_message(nodes=nodes, requestedFiles=files)
    with pytest.raises(ccapnp.LimitError, match="nested deeper than Python's stack"):
        ccapnp.load_request(request.to_bytes())


@pytest.mark.conformance("LDR-11")
def test_nodes_may_hold_no_capabilities_and_only_so_much(loader: ccapnp.SchemaLoader) -> None:
    node = schema_capnp.Node.from_dict(struct(field(slot={"type": {"list": {"elementType": {"text": None}}}})))
    type = node.struct.fields[0].slot.type
    for _ in range(100):
        inner = type.copy()
        type.list = {"elementType": inner}
    with pytest.raises(ccapnp.LimitError):
        loader.load(node)


@pytest.mark.conformance("LDR-11")
def test_types_of_newer_schemas_read_as_nothing(loader: ccapnp.SchemaLoader) -> None:
    node = schema_capnp.Node.from_dict(struct(field(slot={"offset": 500})))
    type = node.struct.fields[0].slot.type
    type._c.u16[type._w << 2] = 77
    loader.load(node)
    assert loader.get(1).new_message().f is None


NODES = {name: node.to_bytes() for name, node in nodes_of(SCHEMA).items() if name}


@pytest.mark.conformance("LDR-11")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    name=st.sampled_from(sorted(NODES)),
    damage=st.lists(st.tuples(st.integers(0, 2**20), st.integers(0, 255)), min_size=1, max_size=4),
    data=st.binary(max_size=80),
)
def test_whatever_nodes_say_types_of_them_are_safe(
    backend: str, name: str, damage: list[tuple[int, int]], data: bytes
) -> None:
    loader = ccapnp.SchemaLoader()
    damaged = bytearray(NODES[name])
    for position, byte in damage:
        damaged[8 + position % (len(damaged) - 8)] = byte
    for each, node in NODES.items():
        attempt(lambda node: loader.load(schema_capnp.Node.from_bytes(node)), bytes(damaged) if each == name else node)
    message = bytes(4) + (len(data) // 8).to_bytes(4, "little") + data[: len(data) // 8 * 8]
    for node in loader.loaded():
        made = attempt(loader.get, node.id)
        if isinstance(made, ccapnp.StructType) and not node.is_group:
            for view in (attempt(made.from_bytes, message), attempt(made.new_message)):
                attempt(str, view)
                attempt(rebuild, view)
                for field in node.fields:
                    attempt(ccapnp.get_field, view, field.name)


def rebuild(view: Any) -> None:
    view._type.from_dict(view.to_dict(verbose=True)).to_bytes()


def attempt(use: Any, *arguments: Any) -> Any:
    """The result, or ``None`` after an error that ccapnp raises on purpose."""
    if None not in arguments:
        with suppress(ccapnp.CapnpError):
            return use(*arguments)
    return None
