"""What both codecs made of one input has to be the same, and any error in it one that is documented."""

from __future__ import annotations

from typing import Any

import ccapnp
from tests.parity.differences import assert_same
from tests.parity.outcomes import errors_in

__all__ = ["assert_sound"]

DOCUMENTED = {name for name in ccapnp.__all__ if name.endswith("Error")} | {
    "PicklingError",  # of capabilities
    "StopIteration",  # the end of a stream
}


def assert_sound(found: list[Any]) -> None:
    """As `assert_same`, and the errors are of a documented class."""
    assert_same(found)
    unknown = errors_in(found[0]) - DOCUMENTED
    assert not unknown, unknown
