"""The schemas that are part of ccapnp say the same as the official ones."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.finder import SearchPath
from ccapnp.schema import schema_capnp
from tests.conftest import ROOT

FOLDER = Path(str(resources.files("ccapnp.compiler")))
STANDARD_FOLDER = FOLDER / "standard"
FOREIGN_FOLDER = FOLDER / "foreign"

STANDARD = ("c++", "schema", "rpc", "rpc-twoparty", "persistent", "stream", "compat/json")
FOREIGN = {
    "c": {"nameinfix": 0x85A8D86D736BA637, "fieldgetset": 0xF72BC690355D66DE},
    "csharp": {"namespace": 0xEB0D831668C6EDA0, "name": 0xEB0D831668C6EDA2, "TypeVisibility": 0xEB0D831668C6EDA5},
    "go": {"package": 0xBEA97F1023792BE0, "import": 0xE130B601260E44B5, "name": 0xC2B96012172F8DF1},
    "java": {"package": 0x9EE4C8F803B3B596, "outerClassname": 0x9B066BB4881F7CD3},
    "rust": {"name": 0xC2FE4C6D100166D0, "parentModule": 0xABEE386CD1450364, "option": 0xABFEF22C4EE1964E},
    "ts": {"importPath": None},
}

Nodes = dict[int, dict[str, Any]]


def nodes_of(request: bytes) -> Nodes:
    """The nodes by id, without their places in the source."""
    found = {}
    for node in schema_capnp.CodeGeneratorRequest.from_bytes(request, None).nodes:
        found[node.id] = {key: value for key, value in node.to_dict().items() if key not in ("startByte", "endByte")}
    return found


@pytest.fixture(scope="module")
def official_folder(capnp_tool: str) -> Path:
    """The folder with the official standard schemas."""
    for folder in (Path(capnp_tool).resolve().parents[1] / "include", Path("/usr/local/include"), Path("/usr/include")):
        if (folder / "capnp/schema.capnp").exists():
            return folder
    pytest.skip("the official standard schemas are not installed")


def run_tool(tool: str, folder: Path) -> Nodes:
    files = [str(folder / f"capnp/{name}.capnp") for name in STANDARD]
    command = [tool, "compile", "-o-", "--no-standard-import", f"-I{folder}", f"--src-prefix={folder}", *files]
    return nodes_of(subprocess.run(command, capture_output=True, check=True).stdout)


def test_the_same_as_the_official_ones(capnp_tool: str, official_folder: Path) -> None:
    """What an older release lacks may be added here, in the ways that a schema may evolve."""
    official = run_tool(capnp_tool, official_folder)
    own = run_tool(capnp_tool, STANDARD_FOLDER)
    assert official.keys() <= own.keys()
    for node_id, node in official.items():
        assert without_additions(own[node_id], node) == without_additions(node, own[node_id])


MAY_GROW = ("nestedNodes", "fields", "enumerants", "methods")
NEWER_TYPES = {("JoinResult", "cap")}  # an AnyPointer before release 1.0, a Capability since


def without_additions(node: dict[str, Any], other: dict[str, Any]) -> Any:
    """A node reduced to what another version of it has, too."""
    kind = next(each for each in ("file", "struct", "enum", "interface", "const", "annotation") if each in node)
    body, other_body = node[kind] or {}, other[kind] or {}
    kept: dict[str, Any] = {key: value for key, value in node.items() if key not in (kind, "nestedNodes")}
    sizes = ("dataWordCount", "pointerCount", "discriminantCount", "preferredListEncoding")
    kept[kind] = {key: value for key, value in body.items() if key not in (*MAY_GROW, *sizes)}
    for key in MAY_GROW:
        part, other_part = (node, other) if key == "nestedNodes" else (body, other_body)
        names = {member["name"] for member in other_part.get(key, ())}
        kept[key] = [member_content(node, member) for member in part.get(key, ()) if member["name"] in names]
    return kept


def member_content(node: dict[str, Any], member: dict[str, Any]) -> dict[str, Any]:
    content = {key: value for key, value in member.items() if key != "codeOrder"}
    if (node["displayName"].rpartition(":")[2], member["name"]) in NEWER_TYPES:
        content["slot"] = {"offset": content["slot"]["offset"]}
    return content


def test_exactly_those_of_the_newest_release(capnp_tool: str, official_folder: Path) -> None:
    version = subprocess.run([capnp_tool, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    if tuple(map(int, version.split(".")[:2])) < (1, 1):
        pytest.skip(f"capnp {version} has older schemas")
    own = run_tool(capnp_tool, STANDARD_FOLDER)
    assert own == run_tool(capnp_tool, official_folder)


def test_they_compile_to_what_the_tool_makes_of_them(capnp_tool: str) -> None:
    files = [str(STANDARD_FOLDER / f"capnp/{name}.capnp") for name in STANDARD]
    own = compile_files(files, SearchPath(prefixes=[str(STANDARD_FOLDER)]))
    assert nodes_of(own) == run_tool(capnp_tool, STANDARD_FOLDER)


@pytest.mark.parametrize("language", FOREIGN)
def test_annotations_of_other_languages(language: str) -> None:
    nodes = nodes_of(compile_files([str(FOREIGN_FOLDER / f"{language}.capnp")], SearchPath()))
    file = next(node for node in nodes.values() if node["displayName"].endswith(f"{language}.capnp"))
    found = {nested["name"]: nested["id"] for nested in file["nestedNodes"]}
    assert {name: found[name] if node_id else None for name, node_id in FOREIGN[language].items()} == FOREIGN[language]


IMPORTS_SCHEMA_CAPNP = """\
@0xb0000000000000f1;
using Schema = import "/capnp/schema.capnp";
struct Use { node @0 :Schema.Node; }
"""


def test_a_schema_can_import_schema_capnp(backend: str) -> None:
    """Of which ccapnp itself uses another version."""
    use = ccapnp.load_text(IMPORTS_SCHEMA_CAPNP, backend=backend).Use
    assert use.new_message(node={"displayName": "x"}).node.displayName == "x"


@pytest.mark.parametrize("first", ["use_capnp", "ccapnp.schema.schema_capnp"])
def test_versions_of_schema_capnp_side_by_side(tmp_path: Path, official_folder: Path, first: str) -> None:
    """Whichever is there first."""
    (tmp_path / "use.capnp").write_text(IMPORTS_SCHEMA_CAPNP)
    command = [sys.executable, "-m", "ccapnp", "compile", "--no-standard-import", f"-I{official_folder}", "use.capnp"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    program = f"""if True:
        import {first}, use_capnp, ccapnp
        assert use_capnp.Use.new_message(node={{"displayName": "x"}}).node.displayName == "x"
        for folders in ([], [{str(official_folder)!r}]):
            assert ccapnp.load("use.capnp", imports=folders).Use is use_capnp.Use
        schema = ccapnp.load({str(official_folder / "capnp/schema.capnp")!r})
        assert schema.Node is ccapnp.schema.schema_capnp.Node
        assert isinstance(use_capnp.Use.new_message().node, schema.Node.Builder)
    """
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)


def test_all_of_them_are_tested() -> None:
    assert {path.stem for path in FOREIGN_FOLDER.glob("*.capnp")} == set(FOREIGN)
    found = {str(path.relative_to(STANDARD_FOLDER / "capnp")) for path in STANDARD_FOLDER.rglob("*.capnp")}
    assert found == {f"{name}.capnp" for name in STANDARD}
