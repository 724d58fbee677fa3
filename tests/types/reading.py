"""What was built, read back."""

from __future__ import annotations

from typing import Any

__all__ = ["read"]


def read(builder: Any) -> Any:
    """A reader of the message that a builder has made."""
    return type(builder)._type.from_bytes(builder.to_bytes())
