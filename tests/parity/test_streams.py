"""Messages out of streams and buffers, whole, cut or damaged: the same messages and the same error at the end."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

from hypothesis import given, note

import ccapnp
from ccapnp.wire.framing import framed_pieces
from tests.parity.differences import assert_same
from tests.parity.draws import RANDOMS, SEEDS, parity
from tests.parity.messages import built, damaged, damaged_bytes
from tests.parity.reads import PACKED_READS, READS, everything
from tests.parity.schemas import make_schema

pytestmark = parity

LIMITS: tuple[dict[str, Any], ...] = (
    {},
    {"traversal_limit_in_words": 20},
    {"traversal_limit_in_words": 3},
    {"nesting_limit": 1},
)


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
