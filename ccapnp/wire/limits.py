"""What a reader may cost: the limits that keep a small hostile message from using much time or memory."""

from __future__ import annotations

from functools import lru_cache
from operator import index as as_index
from typing import Final, NamedTuple, Optional

__all__ = [
    "DEFAULT_NESTING_LIMIT",
    "DEFAULT_SEGMENT_WORDS",
    "DEFAULT_TRAVERSAL_LIMIT_IN_WORDS",
    "MAX_SEGMENT_WORDS",
    "UNLIMITED",
    "Limits",
    "checked_limits",
    "integer_argument",
    "segment_size_argument",
]

DEFAULT_TRAVERSAL_LIMIT_IN_WORDS: Final = 8 * 1024 * 1024
"""64 MiB, as `ReaderOptions` of capnp/message.h."""

DEFAULT_NESTING_LIMIT: Final = 64

DEFAULT_SEGMENT_WORDS: Final = 1024
"""Of the first segment of a new message, as `SUGGESTED_FIRST_SEGMENT_WORDS` of capnp/message.h."""

MAX_SEGMENT_WORDS: Final = 2**29 - 1
"""As far as a far pointer leads."""


class Limits(NamedTuple):
    """Both limits of one message; a ``traversal_limit_in_words`` of ``None`` is unlimited.

    The traversal limit counts every word that a pointer leads to, each time it is followed; the nesting limit counts
    the pointers between the root and an object.
    """

    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS
    nesting_limit: int = DEFAULT_NESTING_LIMIT


UNLIMITED = Limits(None, 2**31 - 1)
"""What a trusted message is read under: one being built, a pickled one, a value in a schema."""


@lru_cache(maxsize=64, typed=True)  # 64.0 is not 64
def checked_limits(traversal_limit_in_words: Optional[int], nesting_limit: int) -> Limits:
    """The limits as a caller gave them, who may say 0 for ``None``.

    Raises ValueError or TypeError, which name the one that makes no sense.
    """
    if (
        traversal_limit_in_words is not None
        and integer_argument("traversal_limit_in_words", traversal_limit_in_words) < 0
    ):
        raise ValueError(f"traversal_limit_in_words must be None or at least 0, not {traversal_limit_in_words}")
    if integer_argument("nesting_limit", nesting_limit) < 1:
        raise ValueError(f"nesting_limit must be at least 1, not {nesting_limit}")
    return Limits(traversal_limit_in_words or None, nesting_limit)


def segment_size_argument(value: object) -> int:
    """``num_first_segment_words`` as an int; a TypeError or ValueError if no segment can be as large."""
    words = integer_argument("num_first_segment_words", value)
    if words > MAX_SEGMENT_WORDS:
        raise ValueError(
            f"num_first_segment_words must be at most {MAX_SEGMENT_WORDS}, the words of the largest segment"
        )
    return words


def integer_argument(name: str, value: object) -> int:
    """The argument of that name as an int; a TypeError that names it if it is none."""
    try:
        return as_index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
