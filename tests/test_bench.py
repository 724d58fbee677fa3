"""The benchmarks: they run, both codecs give the same answers in them, and what was measured can be compared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ccapnp
from bench.cases import CASES
from bench.cases.generator import Generator
from bench.cases.modes import MODES, Configuration, Run
from bench.contenders.ccapnp import Lazy
from bench.contenders.records import Records
from bench.micro import rows, run, table
from bench.micro.contenders.ccapnp import CONTENDERS
from bench.report import compare, results
from bench.timing import Timing
from tests.conftest import ROOT


def test_random_numbers_are_those_of_the_original() -> None:
    random = Generator()
    assert [random.below(2**32) for _ in range(3)] == FIRST_NUMBERS


def xorshift(count: int) -> list[int]:
    """The generator written down as it is described: Marsaglia's xorshift with 128 bits."""
    x, y, z, w = 0x1D2ACD47, 0x58CA3E14, 0xF563F232, 0x0BC76199
    found = []
    for _ in range(count):
        t = (x ^ x << 11) & 0xFFFFFFFF
        x, y, z = y, z, w
        w = w ^ w >> 19 ^ t ^ t >> 8
        found.append(w)
    return found


FIRST_NUMBERS = xorshift(3)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("compression", ["none", "packed"])
@pytest.mark.parametrize("reuse", ["no-reuse", "reuse"])
@pytest.mark.parametrize("case", CASES)
def test_the_cases_have_the_right_answers(backend: str, case: str, mode: str, reuse: str, compression: str) -> None:
    if mode == "pipe" and sys.platform == "win32":
        pytest.skip("there is no fork")
    answers = set()
    for library in (Lazy(backend), Records(backend)):
        made = Run(library, Configuration(case, mode, reuse, compression))
        made.draw(1)
        answers.add(made.time(1)[1])
        made.close()
    assert len(answers) == 1


def test_a_wrong_answer_is_an_error(backend: str) -> None:
    made = Run(Lazy(backend), Configuration("eval", "object", "no-reuse", "none"))
    made.draw(1)
    ((content, expected),) = made._requests
    made._requests = [(content, expected + 1)]
    with pytest.raises(ValueError, match="would be right"):
        made.time(1)


@pytest.fixture(scope="module")
def spaces() -> list[dict[str, Any]]:
    return [run.enter(contender) for contender in CONTENDERS]


SMALL_ROWS = [row for row in rows.ROWS if row.operations < rows.TABLE_ROWS]


@pytest.mark.parametrize("row", SMALL_ROWS, ids=lambda row: row.name)
def test_both_codecs_agree(row: rows.Row, spaces: list[dict[str, Any]]) -> None:
    native, pure = (outcome(row, space) for space in spaces)
    assert native == pure


def outcome(row: rows.Row, space: dict[str, Any]) -> Any:
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
    names = {row.name for row in rows.ROWS}
    assert all(set(contender.statements) <= names for contender in run.CONTENDERS)
    assert set(rows.TARGETS) <= names


def test_the_command_prints_tables(backend: str) -> None:
    contender = f"ccapnp {backend}"
    command = [sys.executable, "-m", "bench", "--rounds=1", f"--contender={contender}", "--no-save"]
    for what, found in ((["micro", "set a b"], "set a bool"), (["eval", "object", "no-reuse", "none", "3"], contender)):
        done = subprocess.run([*command, *what], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "") and found in done.stdout


def test_a_run_is_kept_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "BUILD", tmp_path)
    times = {"pycapnp": Timing(100, 110), "ccapnp native": Timing(20, 22)}
    path = results.save([results.Result("a row", times, (results.Target("ccapnp native", "pycapnp", 0.3),))])
    machine, (loaded,) = results.load(path)
    assert loaded.times == times and loaded.targets[0].ratio == 0.3 and machine["machine"]["python"]
    assert json.loads(path.read_text())["results"][0]["name"] == "a row"
    slower = results.Result("a row", {**times, "ccapnp native": Timing(30, 33)})
    lines = list(compare.changes([loaded], [slower]))
    assert "slower" in lines[2] and "1.50" in lines[2] and "slower" not in lines[1]


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
    line = table.line(rows.Row("a row", "pass", native=target), times, list(times))
    assert [mark for mark in ("!", "slower") if mark in line] == marks
    assert len(line) <= 150


def test_what_a_contender_does_not_have_is_shown_as_missing() -> None:
    line = table.line(rows.Row("a row", "pass", native=0.5), {"ccapnp native": Timing(10, 20)}, ["ccapnp native", "x"])
    assert line.split() == ["a", "row", "ns", "10.0", "/", "20.0", "-", "-", "-"]
