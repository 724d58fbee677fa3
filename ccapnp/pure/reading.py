"""Following pointers, within bounds and limits.

Each ``read_*`` takes the word index of a pointer and gives what it leads to, or ``None`` where it is null.  The common
case, a pointer further on in the same segment, is decided in place; everything else goes through `follow`, which knows
far pointers, and finds the words for what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

from ccapnp.errors import DecodeError
from ccapnp.pure.follow import bad_pointer, bad_tag, follow, out_of_bounds
from ccapnp.pure.limiter import Limiter
from ccapnp.pure.segment import Segment, segment_over
from ccapnp.wire import near
from ccapnp.wire.limits import UNLIMITED
from ccapnp.wire.pointers import CAPABILITY, ELEMENT_BITS, LIST, OTHER, STRUCT, ElementSize
from ccapnp.wire.shape import Shape, new_shape

if TYPE_CHECKING:
    from ccapnp.pure.codec import PureCodec
    from ccapnp.wire.limits import Limits

__all__ = ["ReadShape", "near_first"]

_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="ReadShape")

# As plain integers, which compare faster than members of an enum.
_BIT, _BYTE, _EIGHT_BYTES, _POINTER, _COMPOSITE = map(
    int, (ElementSize.BIT, ElementSize.BYTE, ElementSize.EIGHT_BYTES, ElementSize.POINTER, ElementSize.COMPOSITE)
)
_MAX_CHILDREN = 256


def near_first(name: str, text: str, use: str, *arguments: str) -> Any:
    """The method ``name`` of a shape ``c``: near pointers in place, all others by the method ``name_anywhere``."""
    names = ", ".join(("at", *arguments))
    body = near.near(text, 4, use, "return None")
    scope: dict[str, Any] = {}
    exec(f"def {name}(c, {names}):\n{body}    return c.{name}_anywhere({names})", scope)
    return scope[name]


class ReadShape(Shape):
    """Structs of one shape in a message that is read."""

    __slots__ = ()

    arena: Limiter
    segment: Segment
    codec: PureCodec
    """Set by `ccapnp.pure.codec`, which knows both."""

    def child(self: _Self, segment: Any, sizes: int) -> _Self:
        """The shape of structs in ``segment`` to which pointers of this one lead; ``sizes`` is their high half."""
        if self.depth <= 0:
            raise self.arena.nested_too_deep()
        key = sizes if segment is self.segment else (segment, sizes)
        found: Optional[_Self] = self.children.get(key)
        if found is None:
            if len(self.children) >= _MAX_CHILDREN:  # only a hostile message has so many
                self.children.clear()
            found = new_shape(type(self), segment, self.arena, (sizes & 0xFFFF) << 6, sizes >> 16, self.depth - 1)
            self.children[key] = found
        return found

    # ---- the message

    @property
    def limits(self) -> Limits:
        """The limits that the message is read under."""
        return self.arena.limits

    def reopen(self, limits: Limits) -> ReadShape:
        """This shape in a reader of its own of the same message, whose traversal is counted afresh."""
        arena = Limiter.of(limits, self.arena.segments)
        return new_shape(
            self.codec.read_shape, self.segment, arena, self.data_bits, self.pointers, limits.nesting_limit
        )

    def pointer_alone(self) -> ReadShape:
        """The shape of a struct that is nothing but a pointer of one of this shape."""
        return new_shape(type(self), self.segment, self.arena, 0, 1, self.depth)

    def is_root(self, word: int) -> bool:
        """Whether the struct at ``word`` is the root of its message."""
        first = self.arena.segments[0]
        if word and first is self.segment and first.u32[0] == word - 1 << 2 and first.u32[1]:
            return True
        if not first.size or not (first.u32[0] or first.u32[1]):
            return False
        unlimited = Limiter.of(UNLIMITED, self.arena.segments)  # it does not count as reading the message
        target, start, _, _ = follow(unlimited, first, 0)
        return target is self.segment and start == word

    def charge_root(self) -> None:
        """Count the root pointer as read, which costs two words; DecodeError if there is none."""
        if not self.size:
            raise DecodeError("the message has no root pointer: its first segment is empty", segment=0, offset=0)
        self.arena.charge(2)

    def pieces(self) -> list[memoryview]:
        """All segments of the message, as far as they are used."""
        return self.arena.pieces()

    def framed(self) -> bytes:
        """The whole message, framed."""
        return self.arena.framed()

    # ---- structs

    read_struct = near_first("read_struct", near.STRUCT, "return make(shape, start)", "make")
    """``make(shape, word)`` of the struct that the pointer at word ``at`` leads to."""

    def read_struct_anywhere(self, at: int, make: Callable[[Any, int], _T]) -> Optional[_T]:
        """As `read_struct`, in all cases."""
        target, start, low, sizes = follow(self.arena, self.segment, at)
        if low & 3 != STRUCT:
            raise bad_pointer("struct", low, sizes, self.segment, at)
        shape = self.child(target, sizes)
        if shape.words and not 0 <= start <= target.size - shape.words:
            raise out_of_bounds("struct", self.segment, at)
        self.arena.charge(shape.words)
        return make(shape, start if shape.words else 0)

    def views(self, view_class: Any, word: int, count: int) -> Iterator[Any]:
        """Views of ``count`` structs, one after the other, from ``word`` on."""
        step = self.words
        for each in range(word, word + count * step, step) if step else repeat(word, count):
            view = view_class()
            view._c = self
            view._w = each
            yield view

    def texts(self, word: int, step: int, count: int, item: Callable[[int], Any]) -> Iterator[str]:
        """The texts of a list of ``count`` pointers; ``item(index)`` reads one in all cases."""
        return map(item, range(count))

    # ---- text and data

    read_text = near_first("read_text", near.TEXT, "return text")
    """The text that the pointer at word ``at`` leads to."""

    def read_text_anywhere(self, at: int) -> Optional[str]:
        """As `read_text`, in all cases."""
        view = self.read_text_bytes(at)
        if view is None:
            return None
        try:
            return view.tobytes().decode()  # str(view, "utf-8") lets lone surrogates pass on PyPy
        except UnicodeDecodeError as error:
            raise DecodeError(
                f"a text is not valid UTF-8 at its byte {error.start}: {error.reason}",
                segment=self.segment.index,
                offset=at,
            ) from None

    def read_text_bytes(self, at: int) -> Optional[memoryview]:
        """The bytes of the text that the pointer at word ``at`` leads to, without its NUL, as they are."""
        view = self.read_data(at, "text")
        if view is None:
            return None
        if not view or view[-1]:
            raise DecodeError("a text does not end in a NUL byte", segment=self.segment.index, offset=at)
        return view[:-1]

    def read_data(self, at: int, expected: str = "data") -> Optional[memoryview]:
        """A view of the bytes that the pointer at word ``at`` leads to."""
        if not self.u64[at]:
            return None
        target, start, low, high = follow(self.arena, self.segment, at)
        if low & 3 != LIST or high & 7 != _BYTE:
            raise bad_pointer(expected, low, high, self.segment, at)
        count = high >> 3
        words = count + 7 >> 3
        if words and not 0 <= start <= target.size - words:
            raise out_of_bounds(expected, self.segment, at)
        self.arena.charge(words)
        return target.u8[start << 3 : (start << 3) + count] if count else target.u8[:0]  # type: ignore[no-any-return]

    # ---- lists

    def _follow_list(self, at: int, expected: str) -> Optional[tuple[Segment, int, int, int]]:
        """Where a list is: (segment, start, element size, count), in bounds, charged; ``None`` if null."""
        if not self.u64[at]:
            return None
        target, start, low, high = follow(self.arena, self.segment, at)
        if low & 3 != LIST:
            raise bad_pointer(expected, low, high, self.segment, at)
        element, count = high & 7, high >> 3
        words = count + 1 if element == _COMPOSITE else count * ELEMENT_BITS[element] + 63 >> 6
        if words and not 0 <= start <= target.size - words:
            raise out_of_bounds(expected, self.segment, at)
        self.arena.charge(words)
        return target, start, element, count

    def _read_tag(self, target: Segment, start: int, words: int, at: int) -> tuple[int, int]:
        """The (count, sizes) that a composite list's tag word states, checked against its ``words``."""
        low = target.u32[start + start]
        sizes: int = target.u32[start + start + 1]
        count = low >> 2
        if low & 3 != STRUCT or count * ((sizes & 0xFFFF) + (sizes >> 16)) > words:
            raise bad_tag(low, sizes, words, self.segment, at)
        if not sizes:
            self.arena.charge(count)  # else a few bytes would make any number of elements
        return count, sizes

    def read_list(self, at: int, element: int) -> Optional[tuple[Segment, int, int, int]]:
        """(segment, first word, count, bits from one to the next) of a list of void, bits or numbers.

        ``element`` is the `ElementSize` to read it as.
        """
        half = at + at
        low = self.i32[half]
        high = self.u32[half + 1]
        if low & 3 == 1 and high & 7 == element and low > 0 and self.depth > 0:
            start = at + 1 + (low >> 2)
            count = high >> 3
            words = count * ELEMENT_BITS[element] + 63 >> 6
            if words and start + words <= self.size:
                self.arena.charge(words)
                return self.segment, start, count, ELEMENT_BITS[element]
        found = self._follow_list(at, "list")
        if found is None:
            return None
        if self.depth <= 0:
            raise self.arena.nested_too_deep()
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

    def read_pointers(self, at: int) -> Optional[tuple[ReadShape, int, int, int]]:
        """(shape, first pointer's word, count, words from one to the next) of a list of pointers."""
        found = self._follow_list(at, "list of pointers")
        if found is None:
            return None
        target, start, stored, count = found
        shape = self.child(target, 1 << 16)
        if stored == _POINTER:
            return shape, start, count, 1
        if stored == _COMPOSITE:
            count, sizes = self._read_tag(target, start, count, at)
            if sizes >> 16:
                data_words = sizes & 0xFFFF
                return shape, start + 1 + data_words, count, data_words + (sizes >> 16)
        raise self._mismatch(_POINTER, stored, at)

    read_structs = near_first("read_structs", near.STRUCTS, "return shape, tag_at + 1, count >> 2, shape.words")
    """(shape, first element's word, count, words from one to the next) of a list of structs."""

    def read_structs_anywhere(self, at: int) -> Optional[tuple[ReadShape, int, int, int]]:
        """As `read_structs`, in all cases.

        A list of pointers or numbers reads as one of structs with one field, as the format's evolution rules have it.
        """
        found = self._follow_list(at, "list of structs")
        if found is None:
            return None
        target, start, stored, count = found
        if stored == _COMPOSITE:
            count, sizes = self._read_tag(target, start, count, at)
            shape = self.child(target, sizes)
            return shape, start + 1, count, shape.words
        if stored == _BIT:
            raise self._mismatch(_COMPOSITE, stored, at)
        if stored == _POINTER:
            return self.child(target, 1 << 16), start, count, 1
        if not stored:
            self.arena.charge(count)
            return self.child(target, 0), 0, count, 0
        if stored == _EIGHT_BYTES:
            return self.child(target, 1), start, count, 1
        return self._widen(target, start, count, stored)

    def _widen(self, target: Segment, start: int, count: int, stored: int) -> tuple[ReadShape, int, int, int]:
        """Numbers as structs: a struct starts at a word, so that narrow numbers are spread out in a copy."""
        if self.depth <= 0:
            raise self.arena.nested_too_deep()
        self.arena.charge(count)  # so that the copy, too, is within the limit
        bits = ELEMENT_BITS[stored]
        name = f"u{bits}"
        step = 64 // bits
        spread = segment_over(target.index, memoryview(bytearray(count << 3)))
        first = start * step if count else 0
        getattr(spread, name)[::step] = getattr(target, name)[first : first + count]
        return new_shape(type(self), spread, self.arena, bits, 0, self.depth - 1), 0, count, 1

    def _mismatch(self, expected: int, stored: int, at: int) -> DecodeError:
        names = ("void", "bits", "8-bit", "16-bit", "32-bit", "64-bit", "pointers", "structs")
        return DecodeError(
            f"a list of {names[stored]} elements cannot be read as a list of {names[expected]} elements",
            segment=self.segment.index,
            offset=at,
        )

    # ---- pointers of any kind

    def is_null(self, at: int) -> bool:
        """Whether the pointer at word ``at`` leads nowhere."""
        return not self.u64[at]

    def read_kind(self, at: int) -> str:
        """What the pointer at word ``at`` leads to: "null", "struct", "list" or "capability"."""
        if not self.u64[at]:
            return "null"
        _, _, low, high = follow(self.arena, self.segment, at)
        kind = low & 3
        if kind == STRUCT:
            return "struct"
        if kind == LIST:
            return "list"
        if kind == OTHER and low == CAPABILITY:
            return "capability"
        raise bad_pointer("pointer", low, high, self.segment, at)

    def read_element_size(self, at: int) -> int:
        """The `ElementSize` of the list that the pointer at word ``at`` leads to."""
        _, _, low, high = follow(self.arena, self.segment, at)
        if low & 3 != LIST:
            raise bad_pointer("list", low, high, self.segment, at)
        return int(high & 7)

    def read_capability(self, at: int) -> Optional[int]:
        """The index into the capability table that the pointer at word ``at`` holds."""
        low = self.i32[at + at]
        high: int = self.u32[at + at + 1]
        if low == CAPABILITY:
            return high
        if not (low or high):
            return None
        raise bad_pointer("capability", *follow(self.arena, self.segment, at)[2:], self.segment, at)
