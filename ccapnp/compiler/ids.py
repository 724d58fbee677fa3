"""The ids of declarations that state none: made from the id of what they stand in and their name or place there."""

from __future__ import annotations

import secrets
from hashlib import md5

__all__ = ["FIRST_ID", "child_id", "group_id", "method_struct_id", "random_id"]

FIRST_ID = 1 << 63
"""Every id has its highest bit set, so that none can be mistaken for an ordinal."""


def child_id(parent: int, name: str) -> int:
    """The id of the declaration ``name`` within another."""
    return _digest(parent, name.encode())


def group_id(parent: int, index: int) -> int:
    """The id of a group that is the field ``index``, counted in the order of the ordinals, of a struct or a group."""
    return _digest(parent, index.to_bytes(2, "little"))


def method_struct_id(interface: int, ordinal: int, is_results: bool) -> int:
    """The id of the struct that holds a method's parameters or results."""
    return _digest(interface, (ordinal & 0xFFFF).to_bytes(2, "little") + bytes([is_results]))


def random_id() -> int:
    """An id for a new file."""
    return secrets.randbits(64) | FIRST_ID


def _digest(parent: int, rest: bytes) -> int:
    digest = md5(parent.to_bytes(8, "little") + rest, usedforsecurity=False).digest()
    return int.from_bytes(digest[:8], "big") | FIRST_ID
