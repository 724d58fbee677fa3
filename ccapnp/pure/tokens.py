"""What the tag of a packed word says of its token; see `ccapnp.pure.packing`."""

from __future__ import annotations

__all__ = ["MOST_PACKED_BYTES_PER_WORD", "SIZES", "missing_bytes"]

MOST_PACKED_BYTES_PER_WORD = 10

SIZES = [2] + [1 + bin(tag).count("1") for tag in range(1, 255)] + [MOST_PACKED_BYTES_PER_WORD]
"""The size of a token by its tag; for 0xff, without the words that follow the count."""


def missing_bytes(token: bytes) -> int:
    """How many bytes are sure to follow in a token, of which these are the first; at least 1, given a part of one."""
    if not token:
        return 1
    size = SIZES[token[0]]
    if token[0] == 0xFF and len(token) >= size:
        size += 8 * token[size - 1]
    return size - len(token)
