"""Where the codecs may differ.  Best it is nowhere."""

from __future__ import annotations

from typing import Any

__all__ = ["ALLOWED", "assert_same"]

ALLOWED: dict[str, str] = {
    "nested deeper than Python's stack reaches": "how far that is, and so the path to where it ended, depends on how "
    "many frames of the stack a codec takes",
}
"""Parts of errors' texts, each with the reason why all errors with it are taken as the same."""


def assert_same(found: list[Any]) -> None:
    """What became of an operation is the same for all codecs."""
    assert found[0] == found[1]
