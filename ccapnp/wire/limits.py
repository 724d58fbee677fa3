"""What a reader may cost: the limits that keep a small hostile message from using much time or memory."""

from __future__ import annotations

from functools import lru_cache
from operator import index as as_index
from typing import Final, NamedTuple, Optional

__all__ = ["DEFAULT_NESTING_LIMIT", "DEFAULT_TRAVERSAL_LIMIT_IN_WORDS", "Limits", "checked_limits"]

DEFAULT_TRAVERSAL_LIMIT_IN_WORDS: Final = 8 * 1024 * 1024
"""64 MiB, as `ReaderOptions` of capnp/message.h."""

DEFAULT_NESTING_LIMIT: Final = 64


class Limits(NamedTuple):
    """Both limits of one message; ``traversal_limit_in_words`` of ``None`` or 0 is unlimited.

    The traversal limit counts every word that a pointer leads to, each time it is followed; the nesting limit counts
    the pointers between the root and an object.
    """

    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
    nesting_limit: int = DEFAULT_NESTING_LIMIT


@lru_cache(maxsize=64)
def checked_limits(traversal_limit_in_words: Optional[int], nesting_limit: int) -> Limits:
    """The limits as a caller gave them; a ValueError or TypeError that names the one which makes no sense."""
    if traversal_limit_in_words is not None and as_index(traversal_limit_in_words) < 0:
        raise ValueError(f"traversal_limit_in_words must be None or at least 0, not {traversal_limit_in_words}")
    if as_index(nesting_limit) < 1:
        raise ValueError(f"nesting_limit must be at least 1, not {nesting_limit}")
    return Limits(traversal_limit_in_words or None, nesting_limit)
