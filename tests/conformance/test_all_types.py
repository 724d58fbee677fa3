"""The structs, values and schemas that the other cases build on."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ccapnp
from ccapnp.schema import schema_capnp
from ccapnp.schema.nodes import Node
from tests.conformance.all_types import ALL_TYPES, LISTS, SCHEMA, WAYS_TO_BUILD, assert_holds, fill_one_by_one

ways_to_build = pytest.mark.parametrize("build", WAYS_TO_BUILD, ids=lambda build: build.__name__)


def struct_types(module: ModuleType) -> list[Any]:
    """The structs of a module that are not inside others."""
    return [
        each for name, each in vars(module).items() if name.startswith("Test") and isinstance(each, type(ccapnp.Struct))
    ]


def layout_of(node: Node) -> list[Any]:
    """Where everything of a struct is."""
    fields = [(each.name, each.ordinal, each.discriminant, each.is_group, each.offset) for each in node.fields]
    return [node.data_words, node.pointer_count, node.discriminant_count, node.discriminant_offset, *fields]


@pytest.mark.conformance("FIX-1")
def test_sections_are_as_large_as_the_official_ones(all_types: ModuleType) -> None:
    sizes = {name: getattr(all_types, name)._node for name in ("TestAllTypes", "TestEmptyStruct", "TestAnyPointer")}
    assert {name: (node.data_words, node.pointer_count) for name, node in sizes.items()} == {
        "TestAllTypes": (6, 20),
        "TestEmptyStruct": (0, 0),
        "TestAnyPointer": (0, 1),
    }


@pytest.mark.conformance("FIX-1", "FIX-5")
def test_every_struct_is_laid_out_as_the_official_one(all_types: ModuleType, official: ModuleType) -> None:
    types = struct_types(all_types)
    assert len(types) > 10
    for each in types:
        assert layout_of(each._node) == layout_of(getattr(official, each.__name__)._node), each


@pytest.mark.conformance("FIX-2")
@ways_to_build
def test_the_standard_value_is_what_it_was_made_of(all_types: ModuleType, build: Any) -> None:
    builder = build(all_types)
    for view in (builder, builder.as_reader(), all_types.TestAllTypes.from_bytes(builder.to_bytes())):
        assert_holds(view, ALL_TYPES)
    assert builder == all_types.TestAllTypes.new_message(**ALL_TYPES)


@pytest.mark.conformance("FIX-2")
def test_the_check_sees_every_difference(all_types: ModuleType) -> None:
    for missing in [name for name, value in ALL_TYPES.items() if value is not None]:
        others = {name: value for name, value in ALL_TYPES.items() if name != missing}
        with pytest.raises(AssertionError):
            assert_holds(all_types.TestAllTypes.new_message(**others), ALL_TYPES)
    more = all_types.TestAllTypes.new_message(**ALL_TYPES, interfaceList=[])
    with pytest.raises(AssertionError):
        assert_holds(more, ALL_TYPES)


@pytest.mark.conformance("FIX-2", "FIX-3")
@ways_to_build
def test_the_canonical_form_is_that_of_the_official_messages(all_types: ModuleType, build: Any) -> None:
    canonical = ccapnp.canonicalize(build(all_types))
    assert len(canonical) == 1208
    assert hashlib.sha256(canonical).hexdigest().startswith("f4139019c821df1b")


@pytest.mark.conformance("FIX-3")
@pytest.mark.parametrize(
    ("name", "size", "digest"),
    [
        ("binary", 2816, "73a8f3f871265563"),
        ("flat", 2808, "f7b0a731ec7233ac"),
        ("packed", 831, "f8001fa34f313bdc"),
        ("packedflat", 828, "7d4bf8d9410a5980"),
        ("segmented", 5520, "f2834e2ba54d1488"),
        ("segmented-packed", 1352, "1ed167a5b2499887"),
        ("lists.binary", 1096, "58b874118d1ae7c1"),
    ],
)
def test_the_golden_messages_are_the_official_ones(testdata: Path, name: str, size: int, digest: str) -> None:
    data = (testdata / name).read_bytes()
    assert (len(data), hashlib.sha256(data).hexdigest()[:16]) == (size, digest)


@pytest.mark.conformance("FIX-4")
def test_two_versions_of_a_struct_read_each_other(all_types: ModuleType) -> None:
    old = all_types.TestOldVersion.new_message(old1=123, old2="foo", old3={"old1": 456})
    new = all_types.TestNewVersion.from_bytes(old.to_bytes())
    assert (new.old1, new.old2, new.old3.old1, new.new1, new.new2) == (123, "foo", 456, 987, "baz")
    assert (new.old3.new1, new.old3.new2, new.has("new2")) == (987, "baz", False)
    newer = all_types.TestNewVersion.new_message(old1=1, old2="a", new1=2, new2="b")
    assert all_types.TestOldVersion.from_bytes(newer.to_bytes()).to_dict() == {"old1": 1, "old2": "a"}


@pytest.mark.conformance("FIX-5")
def test_our_compiler_makes_the_same_structs_of_the_schema(all_types: ModuleType, backend: str) -> None:
    ours = ccapnp.load_text(SCHEMA.read_text(), "ours.capnp", backend=backend)
    for each in struct_types(all_types):
        assert layout_of(each._node) == layout_of(getattr(ours, each.__name__)._node), each
    assert ours.TestDefaults.new_message().as_reader().to_dict() == all_types.TestDefaults().as_reader().to_dict()


@pytest.mark.conformance("FIX-5")
def test_the_official_schema_gives_all_its_types(official: ModuleType, testdata: Path) -> None:
    request = schema_capnp.CodeGeneratorRequest.from_bytes((testdata / "test.request").read_bytes(), None)
    assert len(request.nodes) >= 252
    for each in struct_types(official):
        assert each.new_message().to_bytes()


@pytest.mark.conformance("ENC-13", "ENC-14")
def test_lists_of_every_kind_keep_what_is_set(all_types: ModuleType) -> None:
    by_hand = all_types.TestLists.new_message()
    fill_one_by_one(by_hand, LISTS)
    for builder in (by_hand, all_types.TestLists.new_message(**LISTS)):
        assert_holds(all_types.TestLists.from_bytes(builder.to_bytes()), LISTS)
        assert builder == by_hand
