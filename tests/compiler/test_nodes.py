"""The request equals the official compiler's, node by node (PAR, TID, and the request's own shape)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ccapnp
from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.ids import child_id, group_id, method_struct_id
from tests.compiler.compare import decoded, differences, parts, tool_request
from tests.compiler.folder import FolderFinder

SCHEMAS = Path(__file__).parent / "schemas"
STANDARD = Path("/usr/include")
FEATURES = sorted(str(path.relative_to(SCHEMAS)) for path in SCHEMAS.rglob("*.capnp"))
NEWER = ["first_fields.capnp"]


@pytest.mark.parametrize("name", [each for each in FEATURES if each not in NEWER])
def test_feature_equals(capnp_tool: str, name: str) -> None:
    ours = compile_files([name], FolderFinder(SCHEMAS, STANDARD))
    assert differences(parts(ours), parts(tool_request(capnp_tool, [name], SCHEMAS))) == []


@pytest.mark.parametrize("name", sorted(str(path.relative_to(STANDARD)) for path in STANDARD.glob("capnp/**/*.capnp")))
def test_standard_file_equals(capnp_tool: str, name: str) -> None:
    ours = compile_files([name], FolderFinder(STANDARD, STANDARD))
    assert differences(parts(ours), parts(tool_request(capnp_tool, [name], STANDARD))) == []


def test_several_files_equal(capnp_tool: str) -> None:
    names = [each for each in FEATURES if each not in NEWER]
    random.Random(5).shuffle(names)
    ours = compile_files(names, FolderFinder(SCHEMAS, STANDARD))
    theirs = tool_request(capnp_tool, names, SCHEMAS)
    assert differences(parts(ours), parts(theirs)) == []


def test_the_file_comes_first() -> None:
    request = decoded(compile_files(["generics.capnp"], FolderFinder(SCHEMAS, STANDARD)))
    assert request["nodes"][0]["displayName"] == "generics.capnp"
    assert [each["filename"] for each in request["requestedFiles"]] == ["generics.capnp"]


def test_a_file_named_twice_has_its_nodes_once() -> None:
    request = decoded(compile_files(["enums.capnp", "enums.capnp"], FolderFinder(SCHEMAS, STANDARD)))
    assert [each["filename"] for each in request["requestedFiles"]] == ["enums.capnp", "enums.capnp"]
    names = [each["displayName"] for each in request["nodes"]]
    assert len(names) == len(set(names))


def test_the_request_is_the_same_each_time() -> None:
    first, second = (compile_files(FEATURES, FolderFinder(SCHEMAS, STANDARD)) for _ in range(2))
    assert first == second


def test_the_request_makes_a_module(backend: str) -> None:
    request = compile_files(["constants.capnp"], FolderFinder(SCHEMAS, STANDARD))
    module = ccapnp.load_request(request, backend=backend)
    assert module.point.name == "text"
    assert module.Point.new_message().recursive.x == 1000


def test_first_field_stands_for_a_struct() -> None:
    """As compilers since 1.0 have it."""
    request = compile_files(["first_fields.capnp"], FolderFinder(SCHEMAS, STANDARD))
    module = ccapnp.load_request(request)
    assert module.number.number == 5
    assert [each.number for each in module.numbers] == [1, 3, 7]
    assert module.chosen.which() == "flag"
    assert module.chosen.flag is False


@pytest.mark.conformance("TID-01", "TID-03")
def test_ids_of_children() -> None:
    assert child_id(0xA93FC509624C72D9, "Node") == 0xE682AB4CF923A417
    assert child_id(0xE682AB4CF923A417, "NestedNode") == 0xDEBF55BBFA0FC242
    assert group_id(0xE682AB4CF923A417, 7) == 0x9EA0B19B37FB4435


@pytest.mark.conformance("TID-02", "TID-03")
def test_ids_of_method_structs() -> None:
    parent = 0x88EB12A0E0AF92B2
    assert method_struct_id(parent, 0, False) == 0xB874EDC0D559B391
    assert method_struct_id(parent, 0, True) == 0xB04FCADDAB714BA4
    assert method_struct_id(parent, 1, False) == 0xD044893357B42568
    assert method_struct_id(parent, 1, True) == 0x9BF141DF4247D52F
