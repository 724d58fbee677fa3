"""Counting what a reader costs, and the segments it may reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ccapnp.errors import DecodeError, LimitError
from ccapnp.pure.segment import SegmentTable
from ccapnp.wire.framing import framed_pieces
from ccapnp.wire.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccapnp.pure.segment import Segment

__all__ = ["Limiter"]

_UNLIMITED = float("inf")


class Limiter:
    """The arena of a message that is read: the segment table, and the words that may still be traversed.

    A message being built is trusted and unlimited; `ccapnp.pure.arena.Arena` derives from this.  Segments do not know
    their arena, so that a message is freed as soon as nothing refers to it.

    ``caps`` is the capability table of a message that came with one, or got one, and else is not there at all.
    """

    __slots__ = ("budget", "caps", "limits", "segments")

    budget: Union[int, float]
    limits: Limits
    segments: Sequence[Segment]
    caps: list[Any]

    @classmethod
    def of(cls, limits: Limits, segments: Sequence[Segment]) -> Limiter:
        """The arena of a message that is opened.  There is no ``__init__``: it would take as long again."""
        arena = cls()
        words = limits.traversal_limit_in_words
        arena.limits = limits
        arena.budget = _UNLIMITED if words is None else words
        arena.segments = segments
        return arena

    def segment(self, index: int) -> Segment:
        """The segment of that number, which a far pointer names."""
        if index < len(self.segments):
            return self.segments[index]
        raise DecodeError(f"a far pointer names segment {index} of a message that has {len(self.segments)}")

    def pieces(self) -> list[memoryview]:
        """All segments, as far as they are used."""
        if isinstance(self.segments, SegmentTable):
            return list(self.segments.views)
        return [segment.u8[: segment.size << 3] for segment in self.segments]

    def framed(self) -> bytes:
        """The framed message, in one piece."""
        return b"".join(framed_pieces(self.pieces()))

    def charge(self, words: int) -> None:
        """Count ``words`` as traversed; LimitError when they are more than what is left."""
        self.budget -= words
        if self.budget < 0:
            raise self.exhausted(words)

    def exhausted(self, words: int) -> LimitError:
        """The error for going past the traversal limit with ``words``, which are not counted after all."""
        self.budget += words
        return LimitError(
            f"reading this message went past its limit of {self.limits.traversal_limit_in_words} words; "
            "a word counts each time a pointer to it is followed; pass a larger traversal_limit_in_words, "
            "or None for no limit, if you trust the message",
            option="traversal_limit_in_words",
        )

    def nested_too_deep(self) -> LimitError:
        """The error for a pointer below the nesting limit."""
        return LimitError(
            f"this message is nested deeper than {self.limits.nesting_limit} pointers; "
            "pass a larger nesting_limit if you trust it",
            option="nesting_limit",
        )
