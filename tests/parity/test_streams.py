"""Messages out of streams and buffers, whole, cut or damaged: the same messages and the same error at the end."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

from hypothesis import given, note

import ccapnp
from ccapnp.wire.framing import framed_pieces
from tests.parity.differences import assert_same
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.messages import built, damaged, damaged_bytes
from tests.parity.outcomes import outcome
from tests.parity.schemas import make_schema

pytestmark = parity

_Read = Callable[..., Any]


class Trickle(io.RawIOBase):
    """Gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        return self.file.readinto(memoryview(target)[:3])


def one(read: Callable[[], Any]) -> Iterator[Any]:
    yield read()


def decoded(kind: Any, data: bytes, limits: dict[str, Any], packed: bool = False) -> Iterator[Any]:
    """What a decoder makes of a stream that arrives in pieces."""
    decoder = ccapnp.StreamDecoder(**limits, packed=packed, backend=kind._registry.codec.name)
    for start in range(0, len(data), 11):
        for message in decoder.feed(data[start : start + 11]):
            yield message.get_root(kind)
    decoder.close()


READS: dict[str, Callable[[Any, bytes, dict[str, Any]], Iterable[Any]]] = {
    "from_bytes": lambda kind, data, limits: one(lambda: kind.from_bytes(data, **limits)),
    "from_bytearray": lambda kind, data, limits: one(lambda: kind.from_bytes(bytearray(data), **limits)),
    "from_bytes_at_odd_address": lambda kind, data, limits: one(
        lambda: kind.from_bytes(memoryview(b"x" + data)[1:], **limits)
    ),
    "read": lambda kind, data, limits: one(lambda: kind.read(io.BytesIO(data), **limits)),
    "read_trickle": lambda kind, data, limits: one(lambda: kind.read(Trickle(data), **limits)),
    "read_multiple": lambda kind, data, limits: kind.read_multiple(io.BytesIO(data), **limits),
    "read_multiple_bytes": lambda kind, data, limits: kind.read_multiple_bytes(data, **limits),
    "decoder": decoded,
}
PACKED_READS: dict[str, Callable[[Any, bytes, dict[str, Any]], Iterable[Any]]] = {
    "from_bytes_packed": lambda kind, data, limits: one(lambda: kind.from_bytes_packed(data, **limits)),
    "read_packed": lambda kind, data, limits: one(lambda: kind.read_packed(io.BytesIO(data), **limits)),
    "read_packed_trickle": lambda kind, data, limits: one(lambda: kind.read_packed(Trickle(data), **limits)),
    "read_multiple_packed": lambda kind, data, limits: kind.read_multiple_packed(io.BytesIO(data), **limits),
    "read_multiple_packed_trickle": lambda kind, data, limits: kind.read_multiple_packed(Trickle(data), **limits),
    "read_multiple_bytes_packed": lambda kind, data, limits: kind.read_multiple_bytes_packed(data, **limits),
    "decoder": lambda kind, data, limits: decoded(kind, data, limits, packed=True),
}
LIMITS: tuple[dict[str, Any], ...] = (
    {},
    {"traversal_limit_in_words": 20},
    {"traversal_limit_in_words": 3},
    {"nesting_limit": 1},
)


def everything(messages: Iterable[Any]) -> list[Any]:
    """What became of each message, and of the one at which the stream ended."""
    iterator = iter(messages)
    found = []
    while len(found) < 20:
        seen = outcome(lambda: next(iterator))
        found.append(seen)
        if seen[0] == "error":  # StopIteration too
            break
    return found


@given(seed=SEEDS, rng=RANDOMS)
def test_streams(seed: int, rng: random.Random) -> None:
    schema = make_schema(seed)
    modules: list[ModuleType] = list(schema.modules.values())
    name = rng.choice(schema.names)
    messages = [damaged(rng, built(rng, modules[0], name, 3)) for _ in range(rng.randint(1, 3))]
    frames = [b"".join(framed_pieces(segments)) for segments in messages]
    packed = b"".join(modules[0].__dict__[name]._registry.codec.pack(framed_pieces(segments)) for segments in messages)
    limits = rng.choice(LIMITS)
    for reads, data in ((READS, b"".join(frames)), (PACKED_READS, packed)):
        stream = damaged_bytes(rng, data)
        note(stream.hex(" ", 8))
        for label, read in reads.items():
            note(label)
            found = [everything(read(getattr(module, name), stream, limits)) for module in modules]
            assert_same(found)


@given(seed=SEEDS, rng=RANDOMS)
def test_packing(seed: int, rng: random.Random) -> None:
    schema = make_schema(seed)
    pieces = damaged(rng, built(rng, schema.modules["pure"], rng.choice(schema.names)))
    pieces.append(rng.choice([b"", bytes(8 * 300), b"\1" * 8 * 300, random.Random(seed).randbytes(800)]))
    packed = []
    for module in schema.modules.values():
        root = ccapnp.MessageReader.from_segments(pieces, backend=codec_name(module)).root
        packed.append(root._c.codec.pack(framed_pieces(pieces)))
    assert_same(packed)


def codec_name(module: ModuleType) -> str:
    return str(module.Struct0._registry.codec.name)
