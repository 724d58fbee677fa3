"""A generated module has the names and values that `load_request` gives for the same schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CASES = ["annotations", "constants", "defaults", "docs", "generics", "golden", "interfaces", "names", "structs"]

TREE = """
import json, sys, enum
import ccapnp

def tree(scope):
    if isinstance(scope, enum.EnumMeta):
        return {member.name: int(member) for member in scope}
    if not isinstance(scope, (type, type(json))):
        return repr(scope)
    schema = ccapnp.schema_of(scope)
    names = getattr(scope, "__all__", None) or vars(scope)
    found = {name: tree(getattr(scope, name)) for name in sorted(names) if name[0] != "_" and name not in SKIP}
    return {**found, "(schema)": [schema.display_name, schema.id, list(schema.nested)]}

SKIP = ("Reader", "Builder")
"""
GENERATED = """
import importlib
sys.path[:0] = sys.argv[1:]
print(json.dumps([tree(importlib.import_module(path.rpartition("/")[2])) for path in json.load(sys.stdin)]))
"""
LOADED = """
print(json.dumps([tree(ccapnp.load_request(open(path, "rb").read(), file)) for path, file in json.load(sys.stdin)]))
"""


def run(code: str, input: object, *arguments: Path) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", TREE + code, *map(str, arguments)],
        input=json.dumps(input),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


def test_cases(capnp_tool: str, compile_case: Callable[[Path], Path], tmp_path: Path) -> None:
    requests = []
    for case in CASES:
        schemas = sorted(map(str, (HERE / case).rglob("*.capnp")))
        command = [capnp_tool, "compile", "-o-", f"--src-prefix={HERE / case}", *schemas]
        (tmp_path / case).write_bytes(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        requests.append((str(tmp_path / case), f"{case}.capnp"))
    generated = run(GENERATED, [f"{case}_capnp" for case in CASES], *(compile_case(HERE / case) for case in CASES))
    for case, one, other in zip(CASES, generated, run(LOADED, requests)):
        assert one == other, case
        assert one


@pytest.mark.parametrize(
    ("request_name", "file"),
    [
        ("test", "capnp/test.capnp"),
        ("json-test", "capnp/compat/json-test.capnp"),
        ("schema", "capnp/schema.capnp"),
        ("rpc", "capnp/rpc.capnp"),
        ("rpc", "capnp/rpc-twoparty.capnp"),
    ],
)
def test_official_schemas(request_name: str, file: str, testdata: Path, plugin: Path, tmp_path: Path) -> None:
    data = testdata / f"{request_name}.request"
    subprocess.run([str(plugin)], input=data.read_bytes(), cwd=tmp_path, check=True)
    module = file.replace("-", "_").replace(".", "_")
    folder = (tmp_path / module).parent
    assert run(GENERATED, [module], folder) == run(LOADED, [(str(data), file)])
