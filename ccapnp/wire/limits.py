"""What a reader may cost: the limits that keep a small hostile message from using much time or memory."""

from __future__ import annotations

from typing import Final, NamedTuple, Optional

__all__ = ["DEFAULT_NESTING_LIMIT", "DEFAULT_TRAVERSAL_LIMIT_IN_WORDS", "Limits"]

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

    def check(self) -> Limits:
        """These limits, or a ValueError that names the one which makes no sense."""
        words = self.traversal_limit_in_words
        if words is not None and words < 0:
            raise ValueError(f"traversal_limit_in_words must be None or at least 0, not {words}")
        if self.nesting_limit < 1:
            raise ValueError(f"nesting_limit must be at least 1, not {self.nesting_limit}")
        return self._replace(traversal_limit_in_words=words or None)
