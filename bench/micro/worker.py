"""A process for each contender, so that none runs in an interpreter that has adapted itself to the types of another."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from timeit import Timer
from typing import Any

__all__ = ["Worker"]


class Worker:
    """A process that times statements in the namespace that a function gives it."""

    def __init__(self, enter: Callable[..., dict[str, Any]], *arguments: Any) -> None:
        context = get_context("spawn")
        self._connection, far_end = context.Pipe()
        context.Process(target=_serve, args=(far_end, enter, *arguments), daemon=True).start()
        far_end.close()

    def wait(self) -> None:
        """Wait until the namespace is there; raises the ImportError that the function raised."""
        error = self._receive()
        if error is not None:
            raise error

    def seconds(self, statement: str, setup: str, loops: int) -> float:
        """How long the statement takes so many times in a row; the setup is run before them."""
        self._connection.send((statement, setup, loops))
        seconds: float = self._receive()
        return seconds

    def close(self) -> None:
        """End the process."""
        self._connection.close()

    def _receive(self) -> Any:
        try:
            return self._connection.recv()
        except EOFError:
            raise RuntimeError("the process of a contender has ended; what it printed says why") from None


def _serve(connection: Connection, enter: Callable[..., dict[str, Any]], *arguments: Any) -> None:
    try:
        space = enter(*arguments)
    except ImportError as error:
        connection.send(error)
        return
    connection.send(None)
    timer = cache(partial(Timer, globals=space))  # compiled once, for a JIT compiler is slow at first
    while True:
        try:
            statement, setup, loops = connection.recv()
        except EOFError:
            return
        gc.collect()
        connection.send(timer(statement, setup).timeit(loops))
