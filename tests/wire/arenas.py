"""Messages built with other segment sizes than the allocator would choose, as the C++ tests do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from ccapnp.pure.arena import Arena, BuildSegment, new_segment

__all__ = ["fixed_segments"]


@contextmanager
def fixed_segments(words: int) -> Iterator[None]:
    """New segments have ``words``, or what the object needs if that is more; start messages with ``words`` too."""

    def room(arena: Any, needed: int) -> BuildSegment:
        newest: BuildSegment = arena.segments[-1]
        if newest.size + needed > newest.capacity:
            newest = new_segment(len(arena.segments), max(words, needed))
            arena.segments.append(newest)
        return newest

    with mock.patch.object(Arena, "room", room):
        yield
