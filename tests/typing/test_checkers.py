"""What mypy and pyright say, both in their strict modes, of generated stubs and of code that uses them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.typing.checkers import Finding

HERE = Path(__file__).parent
ACCEPTED = [*sorted(path.name for path in (HERE / "accepted").glob("*.py")), "matching.py"]
REFUSED = sorted(path.name for path in (HERE / "refused").glob("*.py"))


def test_stubs_have_no_errors(findings: list[Finding]) -> None:
    assert [finding for finding in findings if finding.file.endswith(".pyi")] == []


@pytest.mark.parametrize("name", ACCEPTED)
def test_right_code_has_no_errors(findings: list[Finding], name: str) -> None:
    assert [finding for finding in findings if finding.file == f"accepted/{name}"] == []


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_code_has_the_expected_errors(findings: list[Finding], checker: Any, name: str) -> None:
    expected = expectations((HERE / "refused" / name).read_text(), checker.__name__)
    found: dict[int, str] = {}
    for finding in findings:
        if finding.file == f"refused/{name}":
            found[finding.line] = found.get(finding.line, "") + finding.text + "\n"
    assert found.keys() == expected.keys(), found
    for line, text in expected.items():
        assert text in found[line]


def expectations(source: str, checker: str) -> dict[int, str]:
    """By line, what a checker has to say of it: what stands in the comments above it."""
    expected: dict[int, str] = {}
    waiting = ""
    for number, line in enumerate(source.splitlines(), start=1):
        tool, _, text = line.strip().lstrip("# ").partition(" says: ")
        if not line.strip().startswith("#"):
            if waiting:
                expected[number] = waiting
            waiting = ""
        elif tool == checker:
            waiting = text
    return expected


def test_official_schemas_have_no_errors(checker: Any, official_code: Path, library: Path) -> None:
    assert [finding for finding in checker(official_code, library) if finding.file.endswith(".pyi")] == []


@pytest.mark.parametrize("name", ACCEPTED)
def test_right_code_runs(code: Path, library: Path, name: str) -> None:
    if name == "matching.py" and sys.version_info < (3, 10):
        pytest.skip("match statements came with Python 3.10")
    pytest.importorskip("typing_extensions")
    path = os.pathsep.join((str(code), str(library)))
    done = subprocess.run(
        [sys.executable, code / "accepted" / name],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
