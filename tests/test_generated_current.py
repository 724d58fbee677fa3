"""The generated modules that are checked in are what the plugin makes today."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ccapnp.codec import get_codec
from ccapnp.schema import Node, Request
from tests.regenerate import SOURCES, generated, generated_schema
from tests.schema_request import schema_request, without_comments


@pytest.mark.parametrize("folder", SOURCES)
def test_checked_in_modules_are_current(folder: str) -> None:
    check(generated(folder))


def test_the_schema_s_own_module_is_current() -> None:
    check(generated_schema(schema_request()))


def test_the_schema_s_own_module_is_the_official_one(testdata: Path) -> None:
    check(generated_schema(without_comments((testdata / "schema.request").read_bytes())))


def check(texts: dict[Path, str]) -> None:
    for path, text in texts.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run `make schema`"


def test_the_schema_s_own_module_knows_all_that_the_installed_one_says(capnp_tool: str) -> None:
    """Compilers differ in what schema.capnp has, but only by additions."""
    source = Path("/usr/include/capnp/schema.capnp")
    if not source.exists():
        pytest.skip("there is no schema.capnp in /usr/include/capnp")
    done = subprocess.run([capnp_tool, "compile", "-o-", str(source)], stdout=subprocess.PIPE, check=True)
    installed = Request(get_codec(), done.stdout).nodes
    known = Request(get_codec(), schema_request()).nodes
    assert len(installed) > 20
    for node_id, node in installed.items():
        if not node.file_name.endswith("schema.capnp"):
            continue
        assert node_id in known
        assert set(facts(node)) <= set(facts(known[node_id])), node.display_name


def facts(node: Node) -> list[tuple[object, ...]]:
    """What a newer version of a declaration cannot change."""
    fields = [(each.name, each.ordinal, each.offset, each.discriminant, each.type.kind) for each in node.fields]
    return [*fields, *((each.name, each.ordinal) for each in node.enumerants)]
