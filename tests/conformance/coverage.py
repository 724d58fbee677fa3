"""The pytest plugin that sees which rows of the conformance table a run's cases show, on which codec.

``pytest --conformance`` runs the cases that are marked with rows and no others, and prints the table. A run of the
whole suite makes the same table, and prints only what it falls short of. Falling short fails either run; but a run of
a part of the cases says nothing of the whole, and is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conformance.report import full_report, shortcomings
from tests.conformance.rows import ROWS
from tests.conformance.table import BACKENDS, Table


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that asks for the table."""
    parser.addoption(
        "--conformance", action="store_true", help="run the cases of the conformance table alone, and print it"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Starts an empty table."""
    config.pluginmanager.register(Coverage(config), "conformance-coverage")


class Coverage:
    """Fills the table from one run, and judges it."""

    def __init__(self, config: pytest.Config) -> None:
        self.asked = bool(config.getoption("--conformance"))
        self.whole = asks_for_all(config) and not config.option.collectonly
        self.table = Table()
        self.cases: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Notes the rows and codecs of each case, and leaves out those without rows if so asked."""
        for item in items:
            if rows := rows_of(item):
                self.cases[item.nodeid] = (rows, backends_of(item))
        if self.asked:
            config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in self.cases])
            items[:] = [item for item in items if item.nodeid in self.cases]

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        """Notes that a case for the table is left out."""
        if any(item.nodeid in self.cases for item in items):
            self.whole = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes how a case went."""
        if report.nodeid in self.cases and (report.when == "call" or not report.passed):
            self.table.add(*self.cases[report.nodeid], report.outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fails a run that is green but for the table."""
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or session.shouldfail:
            self.whole = False
        if self.whole and any(shortcomings(self.table)):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the table if so asked, and what it falls short of."""
        if self.asked:
            lines = list(full_report(self.table))
        else:
            lines = list(shortcomings(self.table)) if self.whole else []
        if lines:
            terminalreporter.section("conformance")
            terminalreporter.write("\n".join(lines) + "\n")


def asks_for_all(config: pytest.Config) -> bool:
    """Whether a run is of all the tests: pytest was given the project or the tests' folder, or nothing."""
    whole = {config.rootpath, *(config.rootpath / folder for folder in config.getini("testpaths"))}
    return any(Path(config.invocation_params.dir, each).resolve() in whole for each in config.args)


def rows_of(item: pytest.Item) -> tuple[str, ...]:
    """The rows that a case is about."""
    rows = tuple(str(row) for mark in item.iter_markers("conformance") for row in mark.args)
    if unknown := sorted(set(rows) - set(ROWS)):
        raise pytest.UsageError(f"{item.nodeid} names unknown rows of the conformance table: {', '.join(unknown)}")
    return rows


def backends_of(item: pytest.Item) -> tuple[str, ...]:
    """The codecs that a case runs on: the one it was given, or else both."""
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return (parameters["backend"],) if "backend" in parameters else BACKENDS
