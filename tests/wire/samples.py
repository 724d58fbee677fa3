"""A message with everything in it."""

from __future__ import annotations

from typing import Any

from tests.wire.arenas import fixed_segments

__all__ = ["sample"]


def sample(shapes: Any, segment_words: int = 1024) -> Any:
    """A `Node` in segments of that size."""
    with fixed_segments(segment_words):
        node = shapes.Node.new_message(
            num_first_segment_words=segment_words,
            value=1,
            name="name",
            blob=b"blob",
            next={"next": {"name": "deep"}},
            children=[{"value": 2}, {"value": 3, "next": {"name": "x"}}],
            matrix=[[1, 2], [3]],
            number=5,
        )
        node.any.set(shapes.Node.new_message(value=9))
    return node
