"""Messages between versions of a schema: what one writes, the other reads, changes and passes on."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, NamedTuple, Optional

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ccapnp
from tests.conformance.evolution import (
    FILE_ID,
    SCALARS,
    Evolution,
    Schema,
    Scope,
    compatible,
    incompatible,
    struct_values,
    values,
)
from tests.conformance.nodes import nodes_of

ROOT_ID, ENUM_ID = FILE_ID + 1, FILE_ID + 0xFFF

Types = dict[int, str]
"""The types that the root's fields had in the old version, by ordinal."""

# The fixture only says which codec is the default, which no example changes.
_CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
each_example = settings(max_examples=settings.default.max_examples // 2, suppress_health_check=_CHECKS)
some_examples = settings(max_examples=settings.default.max_examples // 6, suppress_health_check=_CHECKS)


class Version(NamedTuple):
    """A schema, and the classes of its root and enum."""

    schema: Schema
    root: Any
    enum: Any


def version_of(schema: Schema) -> Version:
    module = ccapnp.SchemaParser().load_text(schema.text, "test.capnp")
    return Version(schema, module.S, module.E)


def types_of(schema: Schema) -> Types:
    return {place.slot.ordinal: place.slot.type for place in schema.places("S")}


# ---- reading by ordinal


def read(version: Version, view: Any, types: Types, only: Any = None, struct: str = "S") -> dict[int, Any]:
    """The fields of a struct by ordinal, but for inactive members of unions, as values of the ``types`` they once had.

    Of ``only``, which is what another version read, no others are looked at.
    """
    found = {}
    for ordinal, inner, slot in fields(version.schema.structs[struct], view):
        if only is None or ordinal in only:
            value = ccapnp.get_field(inner, slot.name) if slot.type != "S" or ccapnp.has(inner, slot.name) else None
            then = types.get(ordinal, slot.type)
            found[ordinal] = plain(version, value, slot.type, then, types, only and only[ordinal])
    return found


def fields(scope: Scope, view: Any) -> Any:
    """(ordinal, view of the scope, slot) of all fields of a scope that are active."""
    in_union = scope.kind == "union"
    for member in scope.members:
        if in_union and member.name != active_member(view):
            continue
        if not isinstance(member, Scope):
            yield member.ordinal, view, member
        elif member.name:
            yield from fields(member, ccapnp.get_field(view, member.name))
        else:
            yield from fields(member, view)


def active_member(view: Any) -> Optional[str]:
    try:
        return ccapnp.which(view)
    except ccapnp.UnionError:
        return None


def plain(version: Version, value: Any, type: str, then: str, types: Types, only: Any = None) -> Any:
    """A value of a type, as one of the type it was ``then``."""
    if type == "AnyPointer" and then != "AnyPointer":
        value, type = as_pointer(version, value, then), then
    if value is None:
        return None
    if type == "Data" and then == "Text":
        return value[:-1].decode()
    if type == "Data" and then.startswith("List("):
        return [byte - 256 if byte > 127 and then == "List(Int8)" else byte for byte in value]
    if type.startswith("List("):
        now, before = type[5:-1], then[5:-1]
        if now in version.schema.structs and now != before:
            return [read(version, each, {0: before}, {0: None}, now)[0] for each in value]
        rest = only or [None] * len(value)
        return [plain(version, each, now, before, types, inner) for each, inner in zip(value, rest)]
    if type == "S":
        return read(version, value, types, only)
    if type in version.schema.structs:
        return read(version, value, {}, None, type)
    if type == "AnyPointer":
        return value.kind
    return int(value) if type == "E" else value


EMPTY = {"Void": None, **dict.fromkeys(SCALARS[1:], 0), "Text": "", "Data": b"", "S": None, "AnyPointer": "null"}
"""What a field without a default reads as; a list as an empty one."""


def as_pointer(version: Version, value: Any, type: str) -> Any:
    if value.kind == "null":
        return EMPTY.get(type, [])
    if type == "S":
        return value.as_struct(version.root)
    if type in ("Text", "Data"):
        return value.as_text() if type == "Text" else value.as_data()
    named = {"List(S)": version.root, "List(E)": version.enum, "List(Text)": ccapnp.Text}
    return value.as_list(ccapnp.List[named.get(type) or ccapnp.Kind[type[5:-1].upper()]])


def known(values: Any, types: Types) -> Any:
    """What of the values that `read` gave an old version knows."""
    if isinstance(values, dict):
        return {ordinal: known(value, types) for ordinal, value in values.items() if ordinal in types}
    return [known(value, types) for value in values] if isinstance(values, list) else values


# ---- the random walk


class Pair:
    """Both versions, and a message of each."""

    def __init__(self, evolution: Evolution, data: st.DataObject) -> None:
        self.draw = data.draw
        self.old, self.new = version_of(evolution.old), version_of(evolution.new)
        self.types = types_of(evolution.old)
        self.old_data = self.old.root.from_dict(struct_values(data.draw, evolution.old, "S")).to_bytes()
        self.new_data = self.new.root.from_dict(struct_values(data.draw, evolution.new, "S")).to_bytes()
        self.old_values = self.read_old(self.old_data)
        self.new_values = self.read_new(self.new_data)

    def read_old(self, message: Any, only: Any = None) -> dict[int, Any]:
        view = self.old.root.from_bytes(message) if isinstance(message, bytes) else message
        return read(self.old, view, self.types, only)

    def read_new(self, message: Any) -> dict[int, Any]:
        view = self.new.root.from_bytes(message) if isinstance(message, bytes) else message
        return read(self.new, view, self.types)


@pytest.mark.conformance("EVO-01", "CPY-06")
@each_example
@given(evolution=compatible(), data=st.data())
def test_what_one_version_writes_the_other_reads(backend: str, evolution: Evolution, data: st.DataObject) -> None:
    pair = Pair(evolution, data)
    new_values = pair.read_new(pair.old_data)
    assert known(new_values, pair.types) == pair.old_values
    for ordinal in new_values.keys() - pair.types.keys():  # what was added reads as its default
        slot = evolution.new.find("S", ordinal).slot
        assert new_values[ordinal] == (slot.default[1] if slot.default else EMPTY.get(slot.type, []))
    assert pair.read_old(pair.new_data, pair.new_values) == known(pair.new_values, pair.types)


@pytest.mark.conformance("EVO-01", "ENC-22", "ENC-23")
@each_example
@given(evolution=compatible(), data=st.data())
def test_an_old_builder_keeps_what_it_does_not_know(backend: str, evolution: Evolution, data: st.DataObject) -> None:
    pair = Pair(evolution, data)
    expected = dict(pair.new_values)
    reader = pair.old.root.from_bytes(pair.new_data)
    assert pair.read_new(reader.copy().to_bytes()) == expected
    builder = reader.as_builder()
    assert pair.read_old(builder, pair.new_values) == known(expected, pair.types)
    places = [place for place in fields(evolution.old.structs["S"], builder) if place[0] in expected]
    for ordinal, inner, slot in places:
        if slot.type in SCALARS and data.draw(st.booleans()):
            value = values(data.draw, evolution.old, slot.type)
            ccapnp.set_field(inner, slot.name, value)
            expected[ordinal] = value
    assert pair.read_new(builder.to_bytes()) == expected


@pytest.mark.conformance("EVO-01", "ENC-22", "ENC-28")
@each_example
@given(evolution=compatible(), data=st.data())
def test_a_new_builder_adds_to_what_an_old_one_wrote(backend: str, evolution: Evolution, data: st.DataObject) -> None:
    pair = Pair(evolution, data)
    builder = pair.new.root.from_bytes(pair.old_data).as_builder()
    before = pair.read_new(builder)
    assert known(before, pair.types) == pair.old_values
    for ordinal, inner, slot in list(fields(evolution.new.structs["S"], builder)):
        if ordinal not in pair.types and not slot.is_widened:
            value = values(data.draw, evolution.new, slot.type)
            ccapnp.set_field(inner, slot.name, value)
            if slot.type in SCALARS:
                before[ordinal] = value
                assert pair.read_new(builder)[ordinal] == value
    written = builder.to_bytes()
    assert known(pair.read_new(written), pair.types) == pair.old_values
    assert pair.read_old(written, pair.old_values) == pair.old_values


@pytest.mark.conformance("EVO-01", "LDR-04", "LDR-05")
@each_example
@given(evolution=compatible(), data=st.data())
def test_a_loader_takes_both_versions(backend: str, evolution: Evolution, data: st.DataObject) -> None:
    pair = Pair(evolution, data)
    old, new = (list(nodes_of(schema.text).values()) for schema in (evolution.old, evolution.new))
    for first, second in ((old, new), (new, old)):
        loader = ccapnp.SchemaLoader()
        for node in data.draw(st.permutations(first)):
            loader.load(node)
        earlier = loader.get(ROOT_ID)
        for node in data.draw(st.permutations(second)):
            loader.load(node)
            builder = loader.get(ROOT_ID).from_bytes(pair.new_data).as_builder()  # halfway
            assert pair.read_new(builder.to_bytes()) == pair.new_values
        if first is old:
            view = earlier.from_bytes(pair.old_data)
            assert read(pair.old._replace(root=earlier, enum=None), view, pair.types) == pair.old_values
        sizes = {node.id: sizes_of(node) for node in loader.loaded()}
        latest = ccapnp.SchemaLoader()
        for node in new:
            latest.load(node)
        assert sizes == {node.id: sizes_of(node) for node in latest.loaded()}


def sizes_of(node: Any) -> tuple[int, ...]:
    """What tells versions of a node apart."""
    members = len(node.fields), len(node.enumerants), node.discriminant_count
    return (*members, node.data_words, node.pointer_count) if node.fields else members


@pytest.mark.conformance("EVO-01", "LDR-06")
@each_example
@given(evolution=incompatible())
def test_a_loader_refuses_what_is_no_other_version(backend: str, evolution: Evolution) -> None:
    nodes = [list(nodes_of(schema.text).values()) for schema in (evolution.old, evolution.new)]
    for first, second in (nodes, nodes[::-1]):
        loader = ccapnp.SchemaLoader()
        for node in first:
            loader.load(node)
        with pytest.raises(ccapnp.SchemaError, match=r"test\.capnp:[SP]"):
            for node in second:
                loader.load(node)


@pytest.mark.conformance("EVO-01")
@some_examples
@given(evolution=compatible(), data=st.data())
def test_the_official_tool_reads_the_same(
    backend: str, capnp_tool: str, tmp_path_factory: pytest.TempPathFactory, evolution: Evolution, data: st.DataObject
) -> None:
    pair = Pair(evolution, data)
    folder = tmp_path_factory.mktemp("evolution")
    for version, message in ((pair.old, pair.new_data), (pair.new, pair.old_data)):
        path = folder / "schema.capnp"
        path.write_text(version.schema.text)
        try:
            ours = str(version.root.from_bytes(message))
        except ccapnp.CapnpError:
            continue  # another member of a union that the old version does not know is active
        assert decoded(capnp_tool, path, message) == ours


def decoded(tool: str, path: Path, message: bytes) -> str:
    done = subprocess.run(
        [tool, "decode", "--quiet", "--short", str(path), "S"], input=message, capture_output=True, check=True
    )
    return done.stdout.decode().rstrip("\n")
