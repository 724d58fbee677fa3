"""Reading one segment: following its pointers, within bounds and limits.

Each ``read_*`` takes the word index of a pointer and gives what it leads to, or ``None`` where it is null.  The common
case, a pointer within the segment, is decided in place; everything else goes through `follow`, which knows far
pointers, and `complain`, which finds the words for what is wrong.

A list of numbers is given as a *span*: ``(segment, first word, count, bits from one element to the next)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, ClassVar, Optional, TypeVar

from ccapnp.errors import DecodeError
from ccapnp.pure.follow import bad_pointer, follow, out_of_bounds
from ccapnp.pure.limiter import Limiter
from ccapnp.wire.pointers import CAPABILITY, ELEMENT_BITS, LIST, OTHER, STRUCT, ElementSize
from ccapnp.wire.shape import Shape
from ccapnp.wire.views import FORMATS, cast

if TYPE_CHECKING:
    from ccapnp.pure.codec import PureCodec

__all__ = ["Segment", "Span"]

Span = tuple["Segment", int, int, int]
_T = TypeVar("_T")

_BYTE, _COMPOSITE, _BIT, _POINTER = ElementSize.BYTE, ElementSize.COMPOSITE, ElementSize.BIT, ElementSize.POINTER
_EIGHT_BYTES = ElementSize.EIGHT_BYTES
_MAX_SHAPES = 1024


class Segment:
    """One segment of a message that is read; `ccapnp.pure.building` derives the ones that are written."""

    __slots__ = (*FORMATS, "_shapes", "arena", "index", "size")

    u8: Any
    i8: Any
    u16: Any
    i16: Any
    u32: Any
    i32: Any
    u64: Any
    i64: Any
    f32: Any
    f64: Any
    arena: Limiter
    index: int
    size: int

    def __init__(self, arena: Limiter, index: int, data: memoryview) -> None:
        """A segment over ``data``, a view of bytes; what does not fill its last word is left out."""
        self.arena = arena
        self.index = index
        self.size = len(data) >> 3
        self._shapes: dict[int, Shape] = {}
        if len(data) & 7:
            data = data[: len(data) & ~7]
        self.u8 = data
        self.i8 = cast(data, "b")
        self.u16 = cast(data, "H")
        self.i16 = cast(data, "h")
        self.u32 = cast(data, "I")
        self.i32 = cast(data, "i")
        self.u64 = cast(data, "Q")
        self.i64 = cast(data, "q")
        self.f32 = cast(data, "f")
        self.f64 = cast(data, "d")

    def shape(self, sizes: int, depth: int) -> Shape:
        """The shape of structs with ``sizes`` (a pointer's high half), entered with ``depth`` pointers left."""
        key = sizes + (depth << 32)
        found = self._shapes.get(key)
        if found is None:
            if depth <= 0:
                raise self.arena.nested_too_deep()
            if len(self._shapes) >= _MAX_SHAPES:  # only a hostile message has so many
                self._shapes.clear()
            found = self._shapes[key] = Shape(self, (sizes & 0xFFFF) << 6, sizes >> 16, depth - 1)
        return found

    # ---- the message

    codec: ClassVar[PureCodec]
    """The codec that this segment belongs to (set by `ccapnp.pure.codec`, which knows both)."""

    def is_root(self, word: int) -> bool:
        """Whether the struct at ``word`` is the root of its message."""
        target, start, _, _ = follow(self.arena.segments[0], 0)
        return target is self and start == word

    def charge_root(self) -> None:
        """Count the root pointer as read, which costs a word."""
        if not self.size:
            raise DecodeError("the message has no root pointer: its first segment is empty", segment=0, offset=0)
        self.arena.charge(2)

    def pieces(self) -> list[memoryview]:
        """All segments of the message, as far as they are used."""
        return [segment.u8[: segment.size << 3] for segment in self.arena.segments]

    # ---- structs

    def read_struct(self, at: int, depth: int, make: Callable[[Shape, int], _T]) -> Optional[_T]:
        """``make(shape, word)`` of the struct that the pointer at word ``at`` leads to."""
        low = self.i32[at + at]
        sizes = self.u32[at + at + 1]
        if low & 3 == STRUCT:
            if not (low or sizes):
                return None
            shape = self._shapes.get(sizes + (depth << 32)) or self.shape(sizes, depth)
            start = at + 1 + (low >> 2)
            words = shape.words
            if 0 <= start and start + words <= self.size:
                arena = self.arena
                arena.budget -= words
                if arena.budget >= 0:
                    return make(shape, start)
                raise arena.exhausted()
        return self._read_struct_slowly(at, depth, make)

    def _read_struct_slowly(self, at: int, depth: int, make: Callable[[Shape, int], _T]) -> Optional[_T]:
        target, start, low, sizes = follow(self, at)
        if low & 3 != STRUCT:
            raise bad_pointer("struct", low, sizes, self, at)
        if not self.u64[at]:
            return None
        shape = target.shape(sizes, depth)
        if shape.words and not 0 <= start <= target.size - shape.words:
            raise out_of_bounds("struct", self, at)
        self.arena.charge(shape.words)
        return make(shape, start if shape.words else 0)

    # ---- text and data

    def read_text(self, at: int) -> Optional[str]:
        """The text that the pointer at word ``at`` leads to."""
        low = self.i32[at + at]
        high = self.u32[at + at + 1]
        if low & 3 == LIST and high & 7 == _BYTE:
            start = at + 1 + (low >> 2) << 3
            end = start + (high >> 3)
            if 0 <= start < end <= self.size << 3:
                arena = self.arena
                arena.budget -= (high >> 3) + 7 >> 3
                if arena.budget < 0:
                    raise arena.exhausted()
                end -= 1
                if self.u8[end]:
                    raise DecodeError("a text does not end in a NUL byte", segment=self.index, offset=at)
                try:
                    return str(self.u8[start:end], "utf-8")
                except UnicodeDecodeError as error:
                    raise self._not_utf8(at, error) from None
        elif not (low or high):
            return None
        view = self.read_text_bytes(at)
        if view is None:
            return None
        try:
            return str(view, "utf-8")
        except UnicodeDecodeError as error:
            raise self._not_utf8(at, error) from None

    def _not_utf8(self, at: int, error: UnicodeDecodeError) -> DecodeError:
        return DecodeError(
            f"a text is not valid UTF-8 at its byte {error.start}: {error.reason}", segment=self.index, offset=at
        )

    def read_text_bytes(self, at: int) -> Optional[memoryview]:
        """The bytes of the text that the pointer at word ``at`` leads to, without its NUL, as they are."""
        view = self.read_data(at, "text")
        if view is None:
            return None
        if not view or view[-1]:
            raise DecodeError("a text does not end in a NUL byte", segment=self.index, offset=at)
        return view[:-1]

    def read_data(self, at: int, expected: str = "data") -> Optional[memoryview]:
        """A view of the bytes that the pointer at word ``at`` leads to."""
        target, start, low, high = follow(self, at)
        if low & 3 != LIST:
            if not self.u64[at]:
                return None
            raise bad_pointer(expected, low, high, self, at)
        if high & 7 != _BYTE:
            raise bad_pointer(expected, low, high, self, at)
        count = high >> 3
        words = count + 7 >> 3
        if words and not 0 <= start <= target.size - words:
            raise out_of_bounds(expected, self, at)
        self.arena.charge(words)
        return target.u8[start << 3 : (start << 3) + count] if count else target.u8[:0]  # type: ignore[no-any-return]

    # ---- lists

    def _follow_list(self, at: int, expected: str) -> Optional[tuple[Segment, int, int, int]]:
        """Where a list is: (segment, start, element size, count), in bounds, charged; ``None`` if null."""
        target, start, low, high = follow(self, at)
        if low & 3 != LIST:
            if not self.u64[at]:
                return None
            raise bad_pointer(expected, low, high, self, at)
        element, count = high & 7, high >> 3
        words = count + 1 if element == _COMPOSITE else count * ELEMENT_BITS[element] + 63 >> 6
        if words and not 0 <= start <= target.size - words:
            raise out_of_bounds(expected, self, at)
        self.arena.charge(words)
        return target, start, element, count

    def _read_tag(self, target: Segment, start: int, words: int, at: int, charged: bool = True) -> tuple[int, int]:
        """The (count, sizes) that a composite list's tag word states, checked against its ``words``."""
        low = target.u32[start + start]
        sizes: int = target.u32[start + start + 1]
        if low & 3 != STRUCT:
            raise DecodeError("a list's tag word is not a struct pointer", segment=self.index, offset=at)
        count = low >> 2
        each = (sizes & 0xFFFF) + (sizes >> 16)
        if count * each > words:
            raise DecodeError(
                f"a list's tag claims {count} structs of {each} words in {words} words", segment=self.index, offset=at
            )
        if not each and charged:
            self.arena.charge(count)  # else a few bytes would make any number of elements
        return count, sizes

    def read_list(self, at: int, depth: int, element: int) -> Optional[Span]:
        """The elements (void, bit or number of size ``element``) of the list that the pointer at ``at`` leads to."""
        if depth <= 0:
            raise self.arena.nested_too_deep()
        found = self._follow_list(at, "list")
        if found is None:
            return None
        target, start, stored, count = found
        if stored == _COMPOSITE:
            count, sizes = self._read_tag(target, start, count, at)
            data_words = sizes & 0xFFFF
            if element == _BIT or (element and not data_words):
                raise self._mismatch(element, stored, at)
            return target, start + 1, count, data_words + (sizes >> 16) << 6
        if stored == element or (_BYTE <= element < stored < _POINTER) or (not element and stored != _BIT):
            if not stored:
                self.arena.charge(count)
            return target, start if count else 0, count, ELEMENT_BITS[stored]
        raise self._mismatch(element, stored, at)

    def read_pointers(self, at: int, depth: int) -> Optional[tuple[Segment, int, int, int, int]]:
        """(segment, first pointer's word, count, words from one to the next, depth) of a list of pointers."""
        if depth <= 0:
            raise self.arena.nested_too_deep()
        found = self._follow_list(at, "list of pointers")
        if found is None:
            return None
        target, start, stored, count = found
        if stored == _POINTER:
            return target, start, count, 1, depth - 1
        if stored == _COMPOSITE:
            count, sizes = self._read_tag(target, start, count, at)
            if sizes >> 16:
                data_words = sizes & 0xFFFF
                return target, start + 1 + data_words, count, data_words + (sizes >> 16), depth - 1
        raise self._mismatch(_POINTER, stored, at)

    def read_structs(
        self, at: int, depth: int, *, charged: bool = True
    ) -> Optional[tuple[Shape, int, int, int]]:
        """(shape, first element's word, count, words from one to the next) of a list of structs.

        A list of pointers or numbers reads as one of structs with one field, as the format's evolution rules have it.
        Elements without a size count as one word each, unless told that they are not to be ``charged``.
        """
        found = self._follow_list(at, "list of structs")
        if found is None:
            return None
        target, start, stored, count = found
        if stored == _COMPOSITE:
            count, sizes = self._read_tag(target, start, count, at, charged)
            shape = target.shape(sizes, depth)
            return shape, start + 1, count, shape.words
        if stored == _BIT:
            raise self._mismatch(_COMPOSITE, stored, at)
        if stored == _POINTER:
            return target.shape(1 << 16, depth), start, count, 1
        if not stored:
            self.arena.charge(count)
            return target.shape(0, depth), 0, count, 0
        if stored == _EIGHT_BYTES:
            return target.shape(1, depth), start, count, 1
        return self._widen(target, start, count, stored, depth)

    def _widen(self, target: Segment, start: int, count: int, stored: int, depth: int) -> tuple[Shape, int, int, int]:
        """Numbers as structs: a struct starts at a word, so that narrow numbers are spread out in a copy."""
        if depth <= 0:
            raise self.arena.nested_too_deep()
        bits = ELEMENT_BITS[stored]
        name = f"u{bits}"
        step = 64 // bits
        spread = Segment(self.arena, target.index, memoryview(bytearray(count << 3)))
        first = start * step if count else 0
        getattr(spread, name)[::step] = getattr(target, name)[first : first + count]
        return Shape(spread, bits, 0, depth - 1), 0, count, 1

    def _mismatch(self, expected: int, stored: int, at: int) -> DecodeError:
        names = ("void", "bits", "8-bit", "16-bit", "32-bit", "64-bit", "pointers", "structs")
        return DecodeError(
            f"a list of {names[stored]} elements cannot be read as a list of {names[expected]} elements",
            segment=self.index,
            offset=at,
        )

    # ---- pointers of any kind

    def is_null(self, at: int) -> bool:
        """Whether the pointer at word ``at`` leads nowhere."""
        return not self.u64[at]

    def read_kind(self, at: int) -> str:
        """What the pointer at word ``at`` leads to: "null", "struct", "list" or "capability"."""
        _, _, low, high = follow(self, at)
        kind = low & 3
        if kind == STRUCT:
            return "struct" if self.u64[at] else "null"
        if kind == LIST:
            return "list"
        if kind == OTHER and low == CAPABILITY:
            return "capability"
        raise bad_pointer("pointer", low, high, self, at)

    def read_element_size(self, at: int) -> int:
        """The `ElementSize` of the list that the pointer at word ``at`` leads to."""
        _, _, low, high = follow(self, at)
        if low & 3 != LIST:
            raise bad_pointer("list", low, high, self, at)
        return int(high & 7)

    def read_capability(self, at: int) -> Optional[int]:
        """The index into the capability table that the pointer at word ``at`` holds."""
        low = self.i32[at + at]
        high: int = self.u32[at + at + 1]
        if low == CAPABILITY:
            return high
        if not (low or high):
            return None
        raise bad_pointer("capability", *follow(self, at)[2:], self, at)


