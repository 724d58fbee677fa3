"""Structural equality: the same values under the same pointers, wherever they lie (`AnyPointer::equals` of capnp/any.h).

Zeros at the end of a section do not count, nor does a list's padding; a list's element size does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ccapnp.wire.pointers import ELEMENT_BITS, ElementSize

if TYPE_CHECKING:
    from ccapnp.pure.reading import ReadShape

__all__ = ["equal_structs"]

_COMPOSITE, _POINTER = ElementSize.COMPOSITE, ElementSize.POINTER
_Pair = tuple["ReadShape", int, "ReadShape", int]


def equal_structs(left: ReadShape, left_word: int, right: ReadShape, right_word: int) -> Optional[bool]:
    """Whether two structs are equal; ``None`` if all but the capabilities in them is."""
    pending: list[_Pair] = []
    if not _push_struct(pending, left, left_word, right, right_word):
        return False
    capabilities = False
    while pending:
        verdict = _equal_pointers(pending.pop(), pending)
        if verdict is False:
            return False
        if verdict is None:
            capabilities = True
    return None if capabilities else True


def _place(shape: ReadShape, word: int) -> tuple[ReadShape, int]:
    return shape, word


def _equal_pointers(pair: _Pair, pending: list[_Pair]) -> Optional[bool]:
    left, left_at, right, right_at = pair
    kind = left.read_kind(left_at)
    if kind != right.read_kind(right_at):
        return False
    if kind == "struct":
        one = left.read_struct(left_at, _place)
        other = right.read_struct(right_at, _place)
        assert one is not None and other is not None
        return _push_struct(pending, *one, *other)
    if kind == "list":
        return _equal_lists(pair, pending)
    return None if kind == "capability" else True


def _push_struct(pending: list[_Pair], left: ReadShape, left_word: int, right: ReadShape, right_word: int) -> bool:
    """Compare two data sections, and have the pointers compared."""
    left_data, right_data = left.data_bits >> 3, right.data_bits >> 3
    common = min(left_data, right_data)
    left_at, right_at = left_word << 3, right_word << 3
    if left.u8[left_at : left_at + common] != right.u8[right_at : right_at + common]:
        return False
    if any(left.u8[left_at + common : left_at + left_data]) or any(right.u8[right_at + common : right_at + right_data]):
        return False
    left_first, right_first = left_word + left.data_words, right_word + right.data_words
    for index in range(max(left.pointers, right.pointers)):
        one = index < left.pointers and left.u64[left_first + index]
        other = index < right.pointers and right.u64[right_first + index]
        if bool(one) is not bool(other):
            return False
        if one:
            pending.append((left, left_first + index, right, right_first + index))
    return True


def _equal_lists(pair: _Pair, pending: list[_Pair]) -> bool:
    left, left_at, right, right_at = pair
    element = left.read_element_size(left_at)
    if element != right.read_element_size(right_at):
        return False
    if element == _COMPOSITE:
        return _equal_struct_lists(pair, pending)
    if element == _POINTER:
        one, other = left.read_pointers(left_at), right.read_pointers(right_at)
        assert one is not None and other is not None
        if one[2] != other[2]:
            return False
        for index in range(one[2]):
            pending.append((one[0], one[1] + index * one[3], other[0], other[1] + index * other[3]))
        return True
    ours, theirs = left.read_list(left_at, element), right.read_list(right_at, element)
    assert ours is not None and theirs is not None
    if ours[2] != theirs[2]:
        return False
    bits = ours[2] * ELEMENT_BITS[element]
    begin, end, spare = ours[1] << 3, theirs[1] << 3, bits & 7
    size = bits >> 3
    if ours[0].u8[begin : begin + size] != theirs[0].u8[end : end + size]:
        return False
    return not spare or not (ours[0].u8[begin + size] ^ theirs[0].u8[end + size]) & ((1 << spare) - 1)


def _equal_struct_lists(pair: _Pair, pending: list[_Pair]) -> bool:
    left, left_at, right, right_at = pair
    one, other = left.read_structs(left_at), right.read_structs(right_at)
    assert one is not None and other is not None
    shape, word, count, step = one
    other_shape, other_word, other_count, other_step = other
    if count != other_count:
        return False
    if not step and not other_step:
        return True
    return all(
        _push_struct(pending, shape, word + index * step, other_shape, other_word + index * other_step)
        for index in range(count)
    )
