"""Structural equality: the same values under the same pointers, wherever they lie.

As `AnyPointer::Reader::equals` of capnp/any.h has it: zeros at the end of a section do not count, nor does a list's
padding; a list's element size does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Optional

from ccapnp.pure.locate import A_CAPABILITY, A_STRUCT, POINTERS, Target, locate, pointer_words
from ccapnp.wire.pointers import ELEMENT_BITS

if TYPE_CHECKING:
    from ccapnp.pure.limiter import Limiter
    from ccapnp.pure.reading import ReadShape
    from ccapnp.pure.segment import Segment

__all__ = ["equal_structs"]


def equal_structs(left: ReadShape, left_word: int, right: ReadShape, right_word: int) -> Optional[bool]:
    """Whether two structs are equal; ``None`` if all but the capabilities in them is."""
    comparison = _Comparison(left.arena, right.arena)
    one = A_STRUCT, left.segment, left_word, 1, left.data_bits + 63 >> 6, left.pointers
    other = A_STRUCT, right.segment, right_word, 1, right.data_bits + 63 >> 6, right.pointers
    if not comparison.structs(one, other, left.depth, right.depth) or not comparison.run():
        return False
    return None if comparison.has_capabilities else True


class _Comparison:
    """One walk over two messages: the stack holds pairs of pointers that are still to be compared."""

    __slots__ = ("_left", "_right", "_stack", "has_capabilities")

    def __init__(self, left: Limiter, right: Limiter) -> None:
        self._left = left
        self._right = right
        self._stack: list[tuple[Iterator[tuple[int, int]], Segment, Segment, int, int]] = []
        self.has_capabilities = False

    def run(self) -> bool:
        """Whether all below what was compared is equal."""
        stack = self._stack
        while stack:
            places, left, right, left_depth, right_depth = stack[-1]
            for left_at, right_at in places:
                if not left.u64[left_at] or not right.u64[right_at]:
                    if left.u64[left_at] or right.u64[right_at]:
                        return False
                    continue
                one = locate(self._left, left, left_at, left_depth)
                other = locate(self._right, right, right_at, right_depth)
                if not self._targets(one, other, left_depth - 1, right_depth - 1):
                    return False
                if stack[-1][0] is not places:
                    break
            else:
                stack.pop()
        return True

    def _targets(self, one: Target, other: Target, left_depth: int, right_depth: int) -> bool:
        """Whether two targets are equal, as far as they themselves go."""
        kind = one[0]
        if kind != other[0]:
            return False
        if kind == A_CAPABILITY:
            self.has_capabilities = True
            return True
        if one[3] != other[3]:
            return False
        return self.structs(one, other, left_depth, right_depth) if kind >= POINTERS else _equal_numbers(one, other)

    def structs(self, one: Target, other: Target, left_depth: int, right_depth: int) -> bool:
        """Whether the data sections of as many structs are equal; their pointers are compared later."""
        kind, left, left_first, count, left_data, left_pointers = one
        _, right, right_first, _, right_data, right_pointers = other
        left_step, right_step = left_data + left_pointers, right_data + right_pointers
        if not left_step and not right_step:
            return True
        data, pointers = min(left_data, right_data), min(left_pointers, right_pointers)
        for index in range(count) if kind != POINTERS else ():
            left_word, right_word = left_first + index * left_step, right_first + index * right_step
            if (
                left.u8[left_word << 3 : left_word + data << 3] != right.u8[right_word << 3 : right_word + data << 3]
                or _any_set(left, left_word + data, left_word + left_data)
                or _any_set(right, right_word + data, right_word + right_data)
                or _any_set(left, left_word + left_data + pointers, left_word + left_step)
                or _any_set(right, right_word + right_data + pointers, right_word + right_step)
            ):
                return False
        if pointers and count:
            places = zip(
                pointer_words(left_first, count, left_step, left_data, pointers),
                pointer_words(right_first, count, right_step, right_data, pointers),
            )
            self._stack.append((places, left, right, left_depth, right_depth))
        return True


def _any_set(segment: Segment, start: int, end: int) -> bool:
    """Whether any of some words is not zero."""
    return start < end and any(map(segment.u64.__getitem__, range(start, end)))


def _equal_numbers(one: Target, other: Target) -> bool:
    element, left, left_first, count, _, _ = one
    bits = count * ELEMENT_BITS[element]
    start, right_start, size, spare = left_first << 3, other[2] << 3, bits >> 3, bits & 7
    right = other[1]
    if left.u8[start : start + size] != right.u8[right_start : right_start + size]:
        return False
    return not spare or not (left.u8[start + size] ^ right.u8[right_start + size]) & ((1 << spare) - 1)
