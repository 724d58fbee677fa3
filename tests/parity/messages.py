"""Messages to read: built with the pure codec in segments of any size, and then damaged, or not."""

from __future__ import annotations

import random
from contextlib import suppress
from types import ModuleType

import ccapnp
from ccapnp.wire.pointers import far_pointer, list_pointer, struct_pointer
from tests.parity.values import Values, realised
from tests.wire.arenas import fixed_segments

__all__ = ["built", "damaged", "damaged_bytes"]


def built(rng: random.Random, module: ModuleType, name: str, depth: int = 4) -> list[bytes]:
    """The segments of a message with a random struct of that name as its root."""
    struct_type = getattr(module, name)
    values = Values(rng, module)
    words = rng.choice([1, 2, 5, 16, 1024])
    with fixed_segments(words):
        builder = struct_type.new_message(num_first_segment_words=words)
        builder._type._fill(builder, realised(values.struct(struct_type, depth), module))
        if rng.random() < 0.3:  # what is overwritten leaves gaps
            for field, value in values.struct(struct_type, 2).items():
                with suppress(ccapnp.UnionError):
                    ccapnp.set_field(builder, field, realised(value, module))
    return [bytes(segment) for segment in builder.to_segments()]


def damaged(rng: random.Random, segments: list[bytes]) -> list[bytes]:
    """With some words changed, swapped or lost; or with nothing changed."""
    made = [bytearray(segment) for segment in segments]
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        rng.choice(_DAMAGES)(rng, made)
    return [bytes(segment) for segment in made]


def damaged_bytes(rng: random.Random, data: bytes) -> bytes:
    """A stream with some bytes changed, lost or repeated; or with nothing changed."""
    made = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 3])):
        if not made:
            break
        at = rng.randrange(min(len(made), rng.choice([24, len(made)])))
        change = rng.choice(["flip", "set", "cut", "drop", "repeat"])
        if change == "flip":
            made[at] ^= 1 << rng.randrange(8)
        elif change == "set":
            made[at] = rng.choice([0, 0xFF, 1, 0x80])
        elif change == "cut":
            del made[at:]
        elif change == "drop":
            del made[at : at + rng.choice([1, 8])]
        else:
            made[at:at] = made[at : at + 8]
    return bytes(made)


# ---- damages to a message's words

_Segments = list[bytearray]


def _pick(rng: random.Random, segments: _Segments, pointers: bool = True) -> tuple[bytearray, int]:
    """A word, as its segment and first byte: one that could be a pointer, if there is any."""
    segment = rng.choice(segments)
    starts = range(0, len(segment), 8)
    if pointers:
        starts = [at for at in starts if any(segment[at : at + 8]) and segment[at] & 3 < 3] or starts
        if rng.random() < 0.7:  # not the root, without which nothing can be read
            starts = starts[1:] or starts
    return (segment, rng.choice(starts)) if starts else (segments[0], 0)


def _read(segment: bytearray, at: int) -> int:
    return int.from_bytes(segment[at : at + 8], "little")


def _write(segment: bytearray, at: int, word: int) -> None:
    if at + 8 <= len(segment):
        segment[at : at + 8] = (word & 2**64 - 1).to_bytes(8, "little")


def _flip(rng: random.Random, segments: _Segments) -> None:
    segment, at = _pick(rng, segments, pointers=False)
    _write(segment, at, _read(segment, at) ^ 1 << rng.randrange(64))


def _change_sizes(rng: random.Random, segments: _Segments) -> None:
    """The high half: a struct's sections, a list's element size and count, or a far pointer's segment."""
    segment, at = _pick(rng, segments)
    word, step = _read(segment, at), rng.choice([1, -1, 2, 8, 1 << 16, -(1 << 16)])
    _write(segment, at, word & 0xFFFFFFFF | (word >> 32) + step << 32)


def _change_offset(rng: random.Random, segments: _Segments) -> None:
    segment, at = _pick(rng, segments)
    word = _read(segment, at)
    _write(segment, at, word >> 32 << 32 | word + 4 * rng.choice([-3, -1, 1, 2, 5]) & 0xFFFFFFFF)


def _swap(rng: random.Random, segments: _Segments) -> None:
    one, at = _pick(rng, segments, pointers=False)
    other, there = _pick(rng, segments, pointers=False)
    word = _read(one, at)
    _write(one, at, _read(other, there))
    _write(other, there, word)


def _null(rng: random.Random, segments: _Segments) -> None:
    _write(*_pick(rng, segments), 0)


def _cut(rng: random.Random, segments: _Segments) -> None:
    segment, at = _pick(rng, segments, pointers=False)
    del segment[max(at, 8) :]


def _lose(rng: random.Random, segments: _Segments) -> None:
    if len(segments) > 1:
        del segments[-1]


def _hostile(rng: random.Random, segments: _Segments) -> None:
    """A pointer out of nothing."""
    offset, size = rng.randint(-4, 6), rng.choice([0, 1, 3, 1000, 2**29 - 1])
    pointers = (
        struct_pointer(offset, rng.randrange(4), rng.randrange(4)),
        list_pointer(offset, rng.randrange(8), size),
        far_pointer(rng.randrange(8), rng.randrange(4), double=rng.random() < 0.5),
        rng.randrange(3) << 32 | 3,
        rng.getrandbits(64),
    )
    _write(*_pick(rng, segments), rng.choice(pointers))


def _alias(rng: random.Random, segments: _Segments) -> None:
    """Two pointers to one thing, which may hold the second."""
    segment, at = _pick(rng, segments)
    there = rng.choice(range(0, len(segment), 8)) if segment else 0
    word = _read(segment, at)
    _write(segment, there, word & ~0xFFFFFFFC | (word & 0xFFFFFFFC) + (at - there) // 8 * 4 & 0xFFFFFFFC)


_DAMAGES = (_flip, _change_sizes, _change_sizes, _change_offset, _swap, _null, _cut, _lose, _hostile, _hostile, _alias)
