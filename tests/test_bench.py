"""The benchmarks: they run, both codecs give the same answers in them, and the table shows what was measured."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from bench import micro, table
from bench.contenders.ccapnp import CONTENDERS
from bench.timing import Timing
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def spaces() -> list[dict[str, Any]]:
    return [micro.enter(contender) for contender in CONTENDERS]


@pytest.mark.parametrize("row", micro.ROWS, ids=lambda row: row.name)
def test_both_codecs_agree(row: micro.Row, spaces: list[dict[str, Any]]) -> None:
    native, pure = (outcome(row, space) for space in spaces)
    assert native == pure


def outcome(row: micro.Row, space: dict[str, Any]) -> Any:
    """The value of a row's expression, or what its statement leaves behind: in a builder, or as the last element."""
    space = dict(space)
    exec(row.setup, space)
    try:
        return plain(eval(row.statement, space))
    except SyntaxError:
        exec(row.statement, space)
        return [plain(space[name]) for name in ("b", "x") if name in space]


def plain(value: Any) -> Any:
    if isinstance(value, ccapnp.StructView):
        return value.to_dict()
    return value.to_list() if isinstance(value, ccapnp.ListReader) else value


def test_what_contenders_say_of_rows_is_about_rows() -> None:
    names = {row.name for row in micro.ROWS}
    assert all(set(contender.statements) <= names for contender in micro.CONTENDERS)


def test_the_command_prints_a_table_and_writes_json(backend: str, tmp_path: Path) -> None:
    contender = f"ccapnp {backend}"
    command = [sys.executable, "-m", "bench", "set a", "--rounds=1", f"--contender={contender}"]
    done = subprocess.run(
        [*command, f"--json={tmp_path / 'results.json'}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = [row.name for row in micro.ROWS if "set a" in row.name]
    lines = done.stdout.splitlines()[-len(rows) :]
    assert [line[: len(name)] for line, name in zip(lines, rows)] == rows
    results = json.loads((tmp_path / "results.json").read_text())["rows"]
    assert {name: list(result["times"]) for name, result in results.items()} == {name: [contender] for name in rows}


@pytest.mark.parametrize(
    "native, pure, target, marks",
    [
        (Timing(10, 20), Timing(10, 20), 0.10, []),
        (Timing(11, 20), Timing(10, 20), 0.10, ["!"]),
        (Timing(10, 21), Timing(10, 20), 0.10, ["!"]),
        (Timing(11, 22), Timing(10, 20), None, ["slower"]),
        (Timing(10, 22), Timing(10, 20), None, []),
        (Timing(11, 22), Timing(10, 20), 0.10, ["!", "slower"]),
    ],
)
def test_marks(native: Timing, pure: Timing, target: float | None, marks: list[str]) -> None:
    times = {"ccapnp native": native, "ccapnp pure": pure, "pycapnp": Timing(100, 200)}
    line = table.line(micro.Row("a row", "pass", native=target), times, list(times))
    assert [mark for mark in ("!", "slower") if mark in line] == marks
    assert len(line) <= 150


def test_what_a_contender_does_not_have_is_shown_as_missing() -> None:
    line = table.line(micro.Row("a row", "pass", native=0.5), {"ccapnp native": Timing(10, 20)}, ["ccapnp native", "x"])
    assert line.split() == ["a", "row", "ns", "10.0", "/", "20.0", "-", "-", "-"]
