"""The table of conformance in words, and what falls short of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap

from tests.conformance.rows import EXCUSES, LAYERS, SECTIONS, Row
from tests.conformance.table import BACKENDS, EXCUSED, FAILING, NOT_RUN, OPEN, PASSING, Table

HEADINGS = ("covered", "passing", "not run", "open")
HEAD = f"{'':40}{'rows':>5}{'n/a':>5}"


def full_report(table: Table) -> Iterator[str]:
    """The lines of the whole table: counts by section and codec, then the rows that are not simply passing."""
    yield " " * len(HEAD) + "".join(f"   {backend:-^32}" for backend in BACKENDS)
    yield HEAD + "".join("   " + "".join(f"{heading:>8}" for heading in HEADINGS) for _ in BACKENDS)
    for section in SECTIONS:
        yield counts(f"{section.id:3} {section.name}", section.rows, table)
    yield counts("all", [row for section in SECTIONS for row in section.rows], table)
    yield from listing("not run, for want of what their cases need", table.rows_in(NOT_RUN))
    for letter, layer in LAYERS.items():
        still_open = (each for each in table.rows_in(OPEN) if each[0].layer == letter and not each[0].required)
        yield from listing(f"open: {layer}", still_open)
    yield ""
    yield "not applicable"
    yield from (f"  {row.id:8}{EXCUSES[row.id]}" for row, _ in table.rows_in(EXCUSED))
    yield from shortcomings(table)


def counts(name: str, rows: Iterable[Row], table: Table) -> str:
    """One line of the table."""
    rows = list(rows)
    columns = []
    for backend in BACKENDS:
        states = Counter(table.state(row.id, backend) for row in rows)
        covered = states[PASSING] + states[FAILING] + states[NOT_RUN]
        columns.append((covered, states[PASSING], states[NOT_RUN], states[OPEN]))
    excused = sum(table.state(row.id, BACKENDS[0]) == EXCUSED for row in rows)
    figures = "".join("   " + "".join(f"{figure:8}" for figure in column) for column in columns)
    return f"{name:40}{len(rows):5}{excused:5}{figures}"


def listing(title: str, rows: Iterable[tuple[Row, tuple[str, ...]]]) -> Iterator[str]:
    """Lines that name rows, with the codec where it is but one; none without rows."""
    names = [row.id if backends == BACKENDS else f"{row.id}({backends[0]})" for row, backends in rows]
    if names:
        yield ""
        yield f"{title} ({len(names)})"
        yield from wrap(" ".join(names), 110, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def shortcomings(table: Table) -> Iterator[str]:
    """Lines on what makes a run fail: rows with a failing case, and required rows without a case or an excuse."""
    yield from listing("failing", table.rows_in(FAILING))
    yield from listing("without a case", (each for each in table.rows_in(OPEN) if each[0].required))
    shown = [each for each in table.rows_in(PASSING) if each[0].id in EXCUSES]
    yield from listing("excused, but shown by a case", shown)
