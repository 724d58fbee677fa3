"""Messages: whatever the bytes, both codecs do each operation with the same result, and leave the same of the limit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

import ccapnp
from ccapnp.wire.framing import framed_pieces, parse_table
from tests.conftest import TESTDATA
from tests.fuzz.verdicts import assert_sound
from tests.parity.messages import built
from tests.parity.operations import OPERATIONS, Side, performed
from tests.parity.outcomes import outcome

__all__ = ["MOST_BYTES", "TOKENS", "run", "seeds"]

MODULES = {
    backend: ccapnp.load(Path(__file__).with_name("fuzz.capnp"), backend=backend) for backend in ("pure", "native")
}
NAMES = sorted(name for name in vars(MODULES["pure"]) if name.startswith("Struct"))

LIMITS: tuple[dict[str, Any], ...] = (
    {"traversal_limit_in_words": 2000, "nesting_limit": 30},
    {"traversal_limit_in_words": 5},
    {"traversal_limit_in_words": 100, "nesting_limit": 3},
    {"nesting_limit": 1},
)
CONTROL_BYTES = 4
"""An input begins with what is done: how it is opened, as what, under which limits, and the first operation."""

OPERATIONS_PER_INPUT = 3

MOST_BYTES = 3000
TOKENS = [
    bytes(8),
    b"\xfc\xff\xff\xff\0\0\0\0",
    b"\xff" * 8,
    b"\1\0\0\0",
    b"\2\0\0\0",
    b"\7\0\0\0",
    b"\xff\xff\xff\x1f",
]


def _segments(data: bytes) -> list[bytes]:
    """Words split into three segments."""
    third = len(data) // 24 * 8
    return [data[:third], data[third : 2 * third], data[2 * third : len(data) & ~7]]


OPENERS: tuple[Callable[[Any, bytes, dict[str, Any]], Any], ...] = (
    lambda kind, data, limits: kind.from_bytes(data, **limits),
    lambda kind, data, limits: kind.from_bytes_packed(data, **limits),
    lambda kind, data, limits: kind.from_segments([data[: len(data) & ~7]], **limits),
    lambda kind, data, limits: kind.from_segments(_segments(data), **limits),
)


def run(data: bytes) -> None:
    if len(data) < CONTROL_BYTES:
        return
    opener, name = OPENERS[data[0] % len(OPENERS)], NAMES[data[1] % len(NAMES)]
    limits, first, body = LIMITS[data[2] % len(LIMITS)], data[3], data[CONTROL_BYTES:]
    sides = _sides(name, _other_message(body), limits)
    found = [outcome(lambda side=side: ccapnp.has(opener(side.type, body, limits), "nope")) for side in sides]
    assert_sound(found)
    if "UnknownFieldError" not in found[0]:  # it cannot be opened
        return
    names = list(OPERATIONS)
    rng = random.Random(first)
    for operation in ("read_everything", names[first % len(names)], *rng.choices(names, k=OPERATIONS_PER_INPUT - 1)):
        assert_sound([performed(operation, opener(side.type, body, limits), side, first) for side in sides])


def _sides(name: str, other_message: list[bytes], limits: dict[str, Any]) -> list[Side]:
    pure, native = MODULES["pure"], MODULES["native"]
    return [Side(pure, native, name, other_message, limits), Side(native, pure, name, other_message, limits)]


def _other_message(body: bytes) -> list[bytes]:
    """Another message for operations that need one: the same bytes, read as they stand."""
    try:
        return [bytes(segment) for segment in parse_table(memoryview(body), 0)[0]]
    except ccapnp.CapnpError:
        return [body[: len(body) & ~7] or bytes(8)]


def seeds() -> Iterator[bytes]:
    module = MODULES["pure"]
    for number in range(60):
        rng = random.Random(number)
        name = NAMES[number % len(NAMES)]
        segments = built(rng, module, name, 3)
        yield from _forms(module, NAMES.index(name), number, segments)
    for name in ("binary", "segmented", "lists.binary"):
        if (TESTDATA / name).exists():
            golden = memoryview((TESTDATA / name).read_bytes())
            yield from _forms(module, NAMES.index("StructAll"), 0, [bytes(each) for each in parse_table(golden, 0)[0]])


def _forms(module: ModuleType, name: int, number: int, segments: list[bytes]) -> Iterator[bytes]:
    pieces = framed_pieces(segments)
    yield bytes([0, name, 0, number]) + b"".join(pieces)
    yield bytes([1, name, 0, number]) + module.StructAll._registry.codec.pack(pieces)
    if len(segments) == 1:
        yield bytes([2, name, 0, number]) + segments[0]
