"""Two connections to each other without a transport: a test says which bytes arrive, and when a turn is taken."""

from __future__ import annotations

import gc
from typing import Any, Optional

from ccapnp.codec import get_codec
from ccapnp.rpc.core.connection import Connection
from ccapnp.rpc.core.options import Options
from tests.rpc.peer import new_turns

__all__ = ["End", "connected", "pump", "pump_all"]


class End:
    """One connection, its turns, and the bytes that are on their way to it."""

    def __init__(self, backend: str, options: Optional[Options] = None) -> None:
        self.turns = new_turns()
        self.connection = Connection(self.turns, get_codec(backend), options or Options())
        self.other: Any = None
        self.arriving = bytearray()

    def flush(self) -> None:
        """Put what this end has to say on its way."""
        for data in self.connection.take_output():
            self.other.arriving += data

    def arrive(self, size: int) -> None:
        """Receive so many of the bytes that are on their way."""
        data = bytes(self.arriving[:size])
        del self.arriving[:size]
        if data:
            self.connection.receive(data)
        self.flush()

    def turn(self) -> None:
        """Take one turn."""
        self.turns.run()
        self.flush()

    @property
    def has_nothing_to_do(self) -> bool:
        """Whether nothing is on its way here, and no turn waits."""
        return not self.arriving and not self.turns._ready

    @property
    def left(self) -> dict[str, int]:
        """How much there is in each table that is not empty."""
        connection = self.connection
        sizes = {
            "questions": len(connection.questions),
            "answers": len(connection.answers),
            "exports": len(connection.exports),
            "imports": len(connection.descriptors.imports),
            "embargoes": len(connection.embargoes),
            "words in flight": 0 if connection.is_closed else connection.answers.words,
        }
        return {name: size for name, size in sizes.items() if size}


def connected(backend: str, options: Optional[Options] = None) -> tuple[End, End]:
    """Two ends."""
    one, two = End(backend, options), End(backend, options)
    one.other, two.other = two, one
    return one, two


def pump(*ends: End) -> None:
    """Let all arrive and all be done."""
    for _ in range(10_000):
        for end in ends:
            end.turn()
            end.arrive(len(end.arriving))
        if all(end.has_nothing_to_do for end in ends):
            return
    raise AssertionError("it does not come to an end")


def pump_all(*ends: End) -> None:
    """The same, and let all be freed that is not in use."""
    for _ in range(4):  # what is freed at one end may free something at the other, and so on
        gc.collect()
        pump(*ends)
