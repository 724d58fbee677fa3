"""What an adapter says of a library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Optional

from bench.micro.rows import Row

__all__ = ["Contender"]


class Contender(NamedTuple):
    """A library, as it takes part in the micro benchmark.

    ``prepare`` takes the folder of schemas, and gives the namespace in which the statements of `bench.micro.rows` run:
    ``Micro`` and ``ParkingLot`` are the struct types, ``read(T, data)`` opens a message without a limit,
    ``from_dict(T, value)`` builds one and ``to_bytes(message)`` writes it; likewise ``to_json``, ``from_json``,
    ``to_text`` and ``from_text``, where the library has them.
    It raises ImportError if the library is not there.

    ``statements`` holds, by the names of rows, what this library runs in place of the row's own statement, or None for
    what it does not have.  One that ``is_for_its_own_rows`` runs nothing but these, and
    ``beforehand`` once, before them.
    """

    name: str
    prepare: Callable[[Path], dict[str, Any]]
    statements: Mapping[str, Optional[str]] = {}
    is_for_its_own_rows: bool = False
    beforehand: str = "pass"

    def setup(self, row: Row) -> str:
        """What it runs before a row."""
        return "pass" if self.is_for_its_own_rows else row.setup

    def statement(self, row: Row) -> Optional[str]:
        """What this library runs for a row, or None."""
        return self.statements.get(row.name, None if self.is_for_its_own_rows else row.statement)
