"""The table of conformance itself: what a run says of rows, and when it fails for them."""

from __future__ import annotations

import re

import pytest

from tests.conformance import rows, table
from tests.conftest import ROOT

CASES = """
import pytest

@pytest.fixture(params=["pure", "native"])
def backend(request):
    return request.param

@pytest.mark.conformance("LAY-01", "LAY-02")
def test_of_two_rows(backend):
    pass

@pytest.mark.conformance("LAY-03")
def test_that_native_fails(backend):
    assert backend == "pure"

@pytest.mark.conformance("LAY-04")
def test_that_lacks_data():
    pytest.skip("no data")

@pytest.mark.conformance("LAY-05")
@pytest.mark.parametrize("lacking", [False, True])
def test_without_a_codec(lacking):
    if lacking:
        pytest.skip("no data")

def test_of_no_row():
    pass
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """A function that runs pytest on the text of cases, with the rows LAY-01 to LAY-09 alone in the table."""
    some = {name: row for name, row in rows.ROWS.items() if name.startswith("LAY")}
    monkeypatch.setattr(table, "ROWS", some)
    monkeypatch.setattr(rows, "REQUIRED_LAYERS", "W")
    for name in list(rows.EXCUSES):
        monkeypatch.delitem(rows.EXCUSES, name)
    pytester.makeini("[pytest]\nmarkers = conformance(*ids)")

    def run_cases(text: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "tests.conformance.coverage", *arguments)

    return run_cases


def lines_of(result: pytest.RunResult, title: str) -> str:
    """The rows listed below a title."""
    lines = iter(result.outlines)
    assert any(line.startswith(title) for line in lines), result.outlines
    return next(lines).strip()


def test_rows_are_told_apart_by_how_their_cases_went(run) -> None:
    result = run(CASES, "--conformance")
    result.assert_outcomes(passed=4, failed=1, skipped=2, deselected=1)
    assert lines_of(result, "failing") == "LAY-03(native)"
    assert lines_of(result, "not run") == "LAY-04"
    assert lines_of(result, "without a case") == "LAY-06 LAY-07 LAY-08 LAY-09"
    (layout,) = (line.split()[-8:] for line in result.outlines if line.startswith("A1 "))
    assert layout == ["5", "4", "1", "4", "5", "3", "1", "4"]


@pytest.mark.parametrize("arguments", [(), ("--conformance",)])
def test_a_whole_run_fails_for_a_row_that_nothing_shows(run, arguments: tuple[str, ...]) -> None:
    result = run('import pytest\n@pytest.mark.conformance("LAY-01")\ndef test_of_a_row(): pass', *arguments)
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert lines_of(result, "without a case").startswith("LAY-02 LAY-03")


def test_a_whole_run_passes_where_each_row_is_shown_excused_or_lacks_what_it_needs(run, monkeypatch) -> None:
    monkeypatch.setitem(rows.EXCUSES, "LAY-09", "a reason")
    shown = ", ".join(f'"LAY-0{number}"' for number in range(1, 8))
    text = f"""
        import pytest
        @pytest.mark.conformance({shown})
        def test_of_rows(): pass
        @pytest.mark.conformance("LAY-08")
        def test_that_lacks_data(): pytest.skip("no data")
    """
    assert run(text).ret == pytest.ExitCode.OK
    result = run(text, "--conformance")
    assert result.ret == pytest.ExitCode.OK
    assert lines_of(result, "not applicable") == "LAY-09  a reason"


def test_an_excuse_for_what_is_shown_is_a_failure(run, monkeypatch) -> None:
    monkeypatch.setattr(rows, "REQUIRED_LAYERS", "")
    monkeypatch.setitem(rows.EXCUSES, "LAY-01", "a reason")
    result = run('import pytest\n@pytest.mark.conformance("LAY-01")\ndef test_of_a_row(): pass')
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert lines_of(result, "excused, but shown by a case") == "LAY-01"


def test_a_part_of_the_cases_is_not_judged(run) -> None:
    result = run(CASES, "-k", "two_rows")
    assert result.ret == pytest.ExitCode.OK
    assert "without a case" not in str(result.stdout)


def test_leaving_out_only_cases_without_rows_leaves_the_table_whole(run) -> None:
    assert lines_of(run(CASES, "-k", "not no_row"), "without a case").startswith("LAY-06")


def test_an_unknown_row_is_an_error_before_any_test_runs(run) -> None:
    result = run('import pytest\n@pytest.mark.conformance("LAY-99")\ndef test_of_a_row(): pass')
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_of_a_row names unknown rows of the conformance table: LAY-99"])


def test_spans_of_ids_are_spelled_out() -> None:
    assert list(rows.ids("ABC-08..11 ABC-27a..c ABC-30")) == [
        *("ABC-08", "ABC-09", "ABC-10", "ABC-11"),
        *("ABC-27a", "ABC-27b", "ABC-27c"),
        "ABC-30",
    ]


def test_each_row_stands_once_in_the_table() -> None:
    assert len(rows.ROWS) == sum(len(section.rows) for section in rows.SECTIONS)
    assert set(rows.EXCUSES) <= set(rows.ROWS)


def test_the_readme_says_what_works() -> None:
    """A section has a line that says "yes" if rows of it are required, and one that says "yet" if rows are not."""
    lines = re.findall(r"^\| [^|]+ \| ([^|]+) \| ([A-D]\d+(?:, [A-D]\d+)*) \|$", (ROOT / "README.md").read_text(), re.M)
    said = {(name, "yes" if verdict == "yes" else "yet") for verdict, names in lines for name in names.split(", ")}
    assert said == {(row.section, "yes" if row.required else "yet") for row in rows.ROWS.values() if row.section != "0"}
