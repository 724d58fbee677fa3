"""Random messages of any shape: every kind of object, in any segment, behind near, far and double-far pointers."""

from __future__ import annotations

from random import Random

from ccapnp.wire.pointers import (
    ELEMENT_BITS,
    EMPTY_STRUCT,
    capability_pointer,
    far_pointer,
    list_pointer,
    struct_pointer,
)

__all__ = ["damaged", "random_message"]

_COMPOSITE, _POINTERS = 7, 6


def random_message(random: Random, segment_count: int, *, capabilities: bool = False) -> list[bytes]:
    """Its segments; no far pointer leads to the first."""
    return _Writer(random, segment_count, capabilities).segments()


def damaged(random: Random, segments: list[bytes]) -> list[bytes]:
    """A few bits flipped, mostly in what may be pointers; sometimes words cut off."""
    changed = list(map(bytearray, segments))
    for _ in range(random.choice((1, 1, 2, 4))):
        segment = random.choice(changed)
        if segment and random.random() < 0.8:
            segment[random.randrange(len(segment))] ^= 1 << random.randrange(8)
        elif len(segment) > 8:
            del segment[len(segment) - 8 * random.randrange(1, len(segment) // 8) :]
    return list(map(bytes, changed))


class _Writer:
    def __init__(self, random: Random, segment_count: int, capabilities: bool) -> None:
        self._random = random
        self._words: list[list[int]] = [[0]] + [[] for _ in range(segment_count - 1)]
        self._capabilities = capabilities
        self._left = random.choice((3, 10, 40))  # objects
        self._pointer(0, 0, 8)

    def segments(self) -> list[bytes]:
        return [b"".join(word.to_bytes(8, "little") for word in words) for words in self._words]

    def _number(self) -> int:
        return self._random.choice((0, 0, 1, self._random.getrandbits(64)))

    def _pointer(self, segment: int, at: int, depth: int) -> None:
        """Write a pointer, and what it leads to; or leave it null."""
        random = self._random
        kind = random.choice(("null", "struct", "struct", "pointers", "structs", "structs", "numbers", "capability"))
        if depth == 0 or self._left == 0 or (kind == "null" and at):
            return
        self._left -= 1
        if kind == "capability" and self._capabilities:
            self._words[segment][at] = capability_pointer(random.randrange(4))
            return
        target = segment if random.random() < 0.6 else random.randrange(1, len(self._words) or 1) if segment else 0
        if len(self._words) > 1 and random.random() < 0.4:
            target = random.randrange(1, len(self._words))
        elif target == 0:
            target = segment
        if kind == "struct":
            data_words, pointers = random.randrange(4), random.randrange(4)
            if not data_words and not pointers:
                self._words[segment][at] = EMPTY_STRUCT
                return
            start = self._link(segment, at, target, struct_pointer(0, data_words, pointers))
            self._elements(target, start, 1, data_words, pointers, depth)
        elif kind == "structs":
            count, data_words, pointers = random.randrange(5), random.randrange(3), random.randrange(3)
            words = count * (data_words + pointers)
            spare = random.choice((0, 0, 0, 2))
            start = self._link(segment, at, target, list_pointer(0, _COMPOSITE, words + spare))
            self._words[target].append(struct_pointer(count, data_words, pointers))
            self._elements(target, start + 1, count, data_words, pointers, depth, spare)
        elif kind == "pointers":
            count = random.randrange(4)
            start = self._link(segment, at, target, list_pointer(0, _POINTERS, count))
            self._elements(target, start, count, 0, 1, depth)
        else:
            element, count = random.randrange(_POINTERS), random.randrange(20)
            self._link(segment, at, target, list_pointer(0, element, count))
            self._words[target] += [self._number() for _ in range(count * ELEMENT_BITS[element] + 63 >> 6)]

    def _elements(
        self, segment: int, start: int, count: int, data_words: int, pointers: int, depth: int, spare: int = 0
    ) -> None:
        words = self._words[segment]
        for _ in range(count):
            words += [self._number() for _ in range(data_words)] + [0] * pointers
        words += [0] * spare
        for index in range(count):
            first = start + index * (data_words + pointers) + data_words
            for at in range(first, first + pointers):
                self._pointer(segment, at, depth - 1)

    def _link(self, segment: int, at: int, target: int, tag: int) -> int:
        """Make a pointer lead to what comes next in ``target``; gives where that is."""
        words = self._words
        if target == segment:
            start = len(words[target])
            words[segment][at] = tag | start - at - 1 << 2
        elif self._random.random() < 0.5:
            start = len(words[target]) + 1
            words[segment][at] = far_pointer(start - 1, target)
            words[target].append(tag)
        else:
            pads = self._random.randrange(1, len(words))
            pad = len(words[pads])
            words[pads] += [0, tag]
            start = len(words[target])
            words[pads][pad] = far_pointer(start, target)
            words[segment][at] = far_pointer(pad, pads, double=True)
        return start
