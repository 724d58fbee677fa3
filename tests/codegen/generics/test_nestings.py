"""Bindings of any kind mean the same in a generated module and in one that is made at run time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.finder import SearchPath
from ccapnp.plugin.main import generate
from tests.conformance.bindings import BOUND, NESTINGS, Bound

ROOT = Path(__file__).parents[3]

PRINT = """
for name in module.Uses.schema.fields:
    view = getattr(module.Uses.from_dict({name: VALUES[name]}), name)
    print(view._type.__qualname__, view._type.__args__, view.to_dict(), view.to_bytes().hex())
"""
WAYS = (
    "import ccapnp; module = ccapnp.load('nestings.capnp')",
    "import nestings_capnp as module",
)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bounds=st.lists(BOUND, min_size=4, max_size=8))
def test_nestings_of_bindings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bounds: list[Bound]) -> None:
    fields = "".join(f"f{number} @{number} :Box({each.text}); " for number, each in enumerate(bounds))
    path = tmp_path / "nestings.capnp"
    path.write_text(f"@0xa1c3e5f708192b3d;{NESTINGS}struct Uses {{ {fields} }}")
    for name, text in generate(compile_files([str(path)], SearchPath(prefixes=[str(tmp_path)]))).items():
        (tmp_path / name).write_text(text)
    values = {f"f{number}": {"value": each.value} for number, each in enumerate(bounds)}
    said = [
        subprocess.run(
            [sys.executable, "-B", "-c", f"{way}\nVALUES = {values!r}\n{PRINT}"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path)))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for way in WAYS
    ]
    assert said[0] == said[1] and len(said[0].splitlines()) == len(bounds)
