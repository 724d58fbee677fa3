"""What a target is, and which there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Protocol, cast

__all__ = ["MOST_MEGABYTES", "MOST_SECONDS_PER_INPUT", "TARGETS", "Target", "get_target"]

TARGETS = ("messages", "streams", "schema_texts", "requests", "nodes")

MOST_SECONDS_PER_INPUT = 60
MOST_MEGABYTES = 3000


class Target(Protocol):
    """A module that knows one kind of input."""

    TOKENS: Sequence[bytes]
    """What inputs are likely to have in them."""

    MOST_BYTES: int
    """Longer inputs take long, and find nothing more."""

    def run(self, data: bytes) -> None:
        """Do with an input what there is to do; raises any exception if that finds a fault."""
        ...

    def seeds(self) -> Iterable[bytes]:
        """Inputs to begin with."""
        ...


def get_target(name: str) -> Target:
    """The target of that name."""
    return cast(Target, import_module(f"tests.fuzz.{name}"))
