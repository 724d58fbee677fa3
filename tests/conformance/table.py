"""The table of conformance: the state of each row on each codec, from the outcomes of the cases that are about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.conformance.rows import EXCUSES, ROWS, Row

BACKENDS = ("pure", "native")

PASSING, FAILING, NOT_RUN, EXCUSED, OPEN = "passing", "failing", "not run", "not applicable", "open"


class Table:
    """What is known of each row on each codec."""

    def __init__(self) -> None:
        self._outcomes: dict[tuple[str, str], set[str]] = defaultdict(set)

    def add(self, rows: Iterable[str], backends: Iterable[str], outcome: str) -> None:
        """Notes how a case went, "passed", "failed" or "skipped", for its rows on the codecs it ran on."""
        for backend in backends:
            for row in rows:
                self._outcomes[row, backend].add(outcome)

    def state(self, row: str, backend: str) -> str:
        """What the cases say of a row; one that fails outweighs all that pass, and one that passes all that skip."""
        outcomes = self._outcomes.get((row, backend), set())
        for outcome, state in (("failed", FAILING), ("passed", PASSING), ("skipped", NOT_RUN)):
            if outcome in outcomes:
                return state
        return EXCUSED if row in EXCUSES else OPEN

    def rows_in(self, state: str) -> Iterator[tuple[Row, tuple[str, ...]]]:
        """The rows in a state, each with the codecs it is in that state on."""
        for row in ROWS.values():
            backends = tuple(backend for backend in BACKENDS if self.state(row.id, backend) == state)
            if backends:
                yield row, backends
