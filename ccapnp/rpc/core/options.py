"""What a connection may cost: limits that keep a hostile peer from using much memory, each with its default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from ccapnp.wire.limits import DEFAULT_NESTING_LIMIT, DEFAULT_TRAVERSAL_LIMIT_IN_WORDS

__all__ = ["Options"]


@dataclass(frozen=True)
class Options:
    """The options of a connection.

    A peer that goes past a limit is cut off; what would go past one here fails as a call, and the connection lives.
    """

    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
    """Words of one message, sent or received, and how many may be read of it."""
    nesting_limit: int = DEFAULT_NESTING_LIMIT
    max_calls: int = 1 << 16
    """Calls of the peer's in flight, and so the entries of the answer table."""
    max_questions: int = 1 << 20
    """Calls of our own in flight."""
    max_exports: int = 1 << 20
    """Capabilities of our own that the peer has not released; what would go past it is not sent, and fails alone."""
    max_imports: int = 1 << 20
    """Capabilities of the peer's that are in use here."""
    max_capabilities: int = 1 << 12
    """Capabilities that one message may come with, and places in the results of a call to build calls upon."""
    stream_window: int = 1 << 16
    """Bytes of streaming calls to one capability that may be in flight beyond the largest of them."""
    flow_limit_in_words: Optional[int] = 1 << 24
    """Words of the peer's calls in flight at which nothing more is read until some have returned."""
    trace: Optional[Callable[[BaseException], str]] = None
    """Makes the trace that goes to the peer with an exception; without it, none does."""
