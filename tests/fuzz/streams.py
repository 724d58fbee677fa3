"""Streams of messages, plain and packed: both codecs find the same messages in them, and the same end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.fuzz.messages import MODULES
from tests.fuzz.messages import seeds as messages
from tests.fuzz.verdicts import assert_sound
from tests.parity.outcomes import outcome
from tests.parity.reads import PACKED_READS, READS, everything

__all__ = ["MOST_BYTES", "TOKENS", "run", "seeds"]

LIMITS: tuple[dict[str, Any], ...] = (
    {"traversal_limit_in_words": 3000},
    {"traversal_limit_in_words": 20},
    {"nesting_limit": 1},
)
MOST_BYTES = 1500
TOKENS = [bytes(8), b"\0\0\0\0", b"\1\0\0\0", b"\xff\xff\xff\xff", b"\0\xff", b"\xff\xff", b"\xff\2", b"\x7f\3"]


def run(data: bytes) -> None:
    if not data:
        return
    control, body = data[0], data[1:]
    limits = LIMITS[control >> 1 & 3] if control >> 1 & 3 < len(LIMITS) else {}
    kinds = [module.StructUnions for module in MODULES.values()]
    for read in (PACKED_READS if control & 1 else READS).values():
        assert_sound([everything(read(kind, body, limits)) for kind in kinds])
    packed = [kind._registry.codec.pack([body[: len(body) & ~7]]) for kind in kinds]
    assert_sound(packed)
    assert_sound([outcome(lambda kind=kind: kind.from_bytes_packed(packed[0], **limits)) for kind in kinds])


def seeds() -> Iterator[bytes]:
    for message in messages():
        if message[0] < 2:
            yield message[:1] + message[4:] * (1 + message[3] % 2)
