"""Writing pointers: new objects, objects to write into, and deep copies."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

from ccapnp.errors import EncodeError, shown
from ccapnp.pure import orphans, resize, upgrade
from ccapnp.pure.arena import Arena, BuildSegment
from ccapnp.pure.copy import copy_pointer, copy_sections, copy_struct, copy_structs
from ccapnp.pure.encode import encode, levels
from ccapnp.pure.encode_records import encode_record
from ccapnp.pure.reading import ReadShape, near_first
from ccapnp.pure.zero import zero_object, zero_sections
from ccapnp.wire import near
from ccapnp.wire.limits import UNLIMITED
from ccapnp.wire.pointers import (
    ELEMENT_BITS,
    EMPTY_STRUCT,
    LIST,
    MAX_LIST_ELEMENTS,
    MAX_OBJECT_WORDS,
    STRUCT,
    ElementSize,
    capability_pointer,
    struct_pointer,
)
from ccapnp.wire.shape import new_shape

if TYPE_CHECKING:
    from ccapnp.wire.layout import StructLayout
    from ccapnp.wire.limits import Limits

__all__ = ["BuildShape"]

_T = TypeVar("_T")
_COMPOSITE = int(ElementSize.COMPOSITE)
_MAX_CAPABILITIES = 2**32 - 1
_DEPTH = UNLIMITED.nesting_limit
_Place = tuple[ReadShape, int]


class BuildShape(ReadShape):
    """Structs of one shape in a message being built; ``at`` is always the word index of a pointer in their segment."""

    __slots__ = ()

    encodes_from = 5

    arena: Arena
    segment: BuildSegment

    # Copies from another message to a null pointer; the public ones below also know what to do otherwise.
    _copy_pointer = copy_pointer
    _copy_struct = copy_struct
    _copy_structs = copy_structs

    def encode_struct(self, at: int, layout: StructLayout, value: dict[str, Any]) -> bool:
        """See `ccapnp.codec.BuildShape`."""
        return encode(self, at, layout, value)

    def encode_structs(self, at: int, layout: StructLayout, values: list[Any]) -> bool:
        """See `ccapnp.codec.BuildShape`."""
        return encode(self, at, layout, values)

    def encode_record(self, at: int, layout: StructLayout, record: Any) -> bool:
        """See `ccapnp.codec.BuildShape`."""
        return encode_record(self, at, layout, record)

    def encode_json(self, at: int, layout: StructLayout, value: Any, depth: int) -> bool:
        """See `ccapnp.codec.BuildShape`."""
        # The root of JSON is an object; as a list it would make a list here.
        return value.__class__ is tuple and levels(layout) <= depth and encode(self, at, layout, value, is_json=True)

    def child(self: BuildShape, segment: Any, sizes: int) -> BuildShape:
        """The shape of structs in ``segment``; depth does not matter here.

        A segment that was given back is not kept: its place in the cache is taken by the one that has its number then.
        """
        if segment is self.segment and sizes == self.data_words | self.pointers << 16:
            return self
        key = sizes if segment is self.segment else (segment.index, sizes)
        found: Optional[BuildShape] = self.children.get(key)
        if found is None or found.segment is not segment:
            found = new_shape(type(self), segment, self.arena, (sizes & 0xFFFF) << 6, sizes >> 16, _DEPTH)
            self.children[key] = found
        return found

    def reopen(self, limits: Limits) -> ReadShape:
        """As of a shape that is read; only this arena knows where an orphan is, and it counts nothing."""
        return self if self.segment.is_anchor else super().reopen(limits)

    def clear(self, at: int) -> None:
        """Make the pointer null; what it led to becomes zero."""
        word = self.u64[at]
        if word:
            self.u64[at] = 0
            self.zero_object(at, word)

    def zero_object(self, at: int, word: int) -> None:
        """Zero the object that ``word``, a pointer that stood at word ``at``, leads to, and all below it."""
        zero_object(self.arena, self.segment, at, word)

    # ---- new objects

    def init_struct(self, at: int, data_words: int, pointers: int, make: Callable[[Any, int], _T]) -> _T:
        """``make(shape, word)`` of a new struct, all zero."""
        half, u32 = at + at, self.u32
        old = u32[half] | u32[half + 1] << 32
        sizes = data_words | pointers << 16
        if sizes:
            segment, start = self.arena.allocate(self.segment, at, data_words + pointers, STRUCT, sizes)
        else:
            segment, start = self.segment, at
            self.u64[at] = EMPTY_STRUCT
        if old:
            self.zero_object(at, old)
        return make(self.child(segment, sizes), start)

    def init_list(self, at: int, element: int, count: int) -> tuple[BuildSegment, int]:
        """(segment, first word) of a new list of ``count`` elements that are not structs, all zero."""
        if not 0 <= count <= MAX_LIST_ELEMENTS:
            raise EncodeError(f"a list cannot have {shown(count)} elements; it may have 0 to {MAX_LIST_ELEMENTS}")
        old = self.u64[at]
        words = count * ELEMENT_BITS[element] + 63 >> 6
        segment, start = self.arena.allocate(self.segment, at, words, LIST, count << 3 | element)
        if old:
            self.zero_object(at, old)
        return segment, start

    def init_pointers(self, at: int, count: int) -> tuple[BuildShape, int]:
        """(shape, first word) of a new list of ``count`` null pointers."""
        segment, start = self.init_list(at, ElementSize.POINTER, count)
        return self.child(segment, 1 << 16), start

    def init_structs(self, at: int, count: int, data_words: int, pointers: int) -> tuple[BuildShape, int]:
        """(shape, first element's word) of a new list of ``count`` structs, all zero."""
        words = count * (data_words + pointers)
        if not 0 <= count <= MAX_LIST_ELEMENTS or words > MAX_OBJECT_WORDS - 1:
            raise EncodeError(f"a list cannot have {shown(count)} structs of {data_words + pointers} words")
        old = self.u64[at]
        segment, start = self.arena.allocate(self.segment, at, words + 1, LIST, words << 3 | _COMPOSITE)
        segment.u64[start] = struct_pointer(count, data_words, pointers)
        if old:
            self.zero_object(at, old)
        return self.child(segment, data_words | pointers << 16), start + 1

    def set_bytes(self, at: int, value: Any, size: int, count: int) -> None:
        """Write ``value``, a buffer of ``size`` bytes, as a list of ``count`` bytes (one more for a text's NUL)."""
        if count > MAX_LIST_ELEMENTS:
            raise EncodeError(f"{count} bytes are too many for one list; it may have {MAX_LIST_ELEMENTS}")
        old = self.u64[at]
        segment, start = self.arena.allocate(self.segment, at, count + 7 >> 3, LIST, count << 3 | 2)
        start <<= 3
        segment.u8[start : start + size] = value
        if old:
            self.zero_object(at, old)

    set_text = near_first("set_text", near.NEW_TEXT, "return", "value")
    """Write a text, which ``value`` is in UTF-8."""

    def set_text_anywhere(self, at: int, value: bytes) -> None:
        """As `set_text`, in all cases."""
        self.set_bytes(at, value, len(value), len(value) + 1)

    def set_texts(self, word: int, step: int, values: list[Any]) -> int:
        """Set the pointers of a new list, the first at ``word``, to as many texts as are plain; give their number."""
        return 0

    def set_capability(self, at: int, index: int) -> None:
        """Write a pointer to entry ``index`` of the capability table."""
        if not 0 <= index <= _MAX_CAPABILITIES:
            raise EncodeError(f"{index} is not an index into a capability table; they go from 0 to {_MAX_CAPABILITIES}")
        self.clear(at)
        self.u64[at] = capability_pointer(index)

    # ---- existing objects, to write into

    def get_struct(
        self, at: int, data_words: int, pointers: int, default: Optional[_Place], make: Callable[[Any, int], _T]
    ) -> _T:
        """``make(shape, word)`` of the struct there, which has at least these sizes then.

        A null pointer becomes a copy of ``default``, a pointer (shape, word) elsewhere, or an empty struct.
        """
        low = self.i32[at + at]
        sizes = self.u32[at + at + 1]
        if not (low or sizes):
            if default is None:
                return self.init_struct(at, data_words, pointers, make)
            self.copy_pointer(at, *default)
        elif low & 3 == STRUCT and sizes & 0xFFFF >= data_words and sizes >> 16 >= pointers:
            return make(self.child(self.segment, sizes), at + 1 + (low >> 2))
        segment, start, sizes = upgrade.upgrade_struct(self.arena, self.segment, at, data_words, pointers)
        return make(self.child(segment, sizes), start)

    def get_structs(
        self, at: int, data_words: int, pointers: int, default: Optional[_Place]
    ) -> Optional[tuple[ReadShape, int, int, int]]:
        """As `read_structs`, for elements that shall have at least these sizes."""
        if not self.u64[at]:
            if default is None:
                return None
            self.copy_pointer(at, *default)
        upgrade.upgrade_structs(self.arena, self.segment, at, data_words, pointers)
        return self.read_structs(at)  # type: ignore[no-any-return]

    # ---- whole trees

    def copy_pointer(self, at: int, source: Any, source_at: int) -> None:
        """Make the pointer lead to a deep copy of what another pointer leads to."""
        if self._shares_memory(source):
            source, source_at = self._scratch(type(self)._copy_pointer, source, source_at), 0
        with self.replacing(at):
            self._copy_pointer(at, source, source_at)

    def copy_struct(self, at: int, source: Any, source_word: int) -> None:
        """Make the pointer lead to a deep copy of a struct, with all the data it has, known or not."""
        if self._shares_memory(source):
            self.copy_pointer(at, self._scratch(type(self)._copy_struct, source, source_word), 0)
            return
        with self.replacing(at):
            self._copy_struct(at, source, source_word)

    def copy_structs(self, at: int, source: Any, source_word: int, count: int) -> None:
        """Make the pointer lead to a deep copy of a list of ``count`` structs, each with all the data it has."""
        if self._shares_memory(source):
            self.copy_pointer(at, self._scratch(type(self)._copy_structs, source, source_word, count), 0)
            return
        with self.replacing(at):
            self._copy_structs(at, source, source_word, count)

    def copy_into(self, word: int, source: Any, source_word: int) -> None:
        """Overwrite the struct at ``word``, where it is, with a deep copy; what has no room here is lost."""
        if source.segment is self.segment and source_word == word:
            return
        scratch = self._scratch(type(self)._copy_struct, source, source_word)  # all that can fail happens here
        zero_sections(self, word)
        scratch.read_struct(0, lambda copy, start: copy_sections(self, word, copy, start))

    # ---- objects to which no pointer of the message leads; see `ccapnp.codec.BuildShape`

    new_orphan = orphans.new_orphan
    disown = orphans.disown
    disown_struct = orphans.disown_struct
    adopt = orphans.adopt
    adopt_struct = orphans.adopt_struct
    require_adoptable = orphans.require_adoptable
    discard = orphans.discard
    reference = orphans.reference
    resize = resize.resize

    def _shares_memory(self, source: Any) -> bool:
        """Whether ``source`` is in this message: it may be what is replaced, or hold the very pointer that is set."""
        return source.arena.segments is self.arena.segments

    def _scratch(self, copy: Callable[..., None], source: Any, *rest: int) -> BuildShape:
        """A message of its own with a copy from ``source``, as it is before what is being replaced."""
        scratch = self.codec.new_message(source.words + 2)
        replacing = self.arena.replacing
        for each in replacing:
            each.swap()
        try:
            copy(scratch, 0, source, *rest)
        finally:
            for each in replacing:
                each.swap()
        return scratch

    def replacing(self, at: int) -> _Replacing:
        """A context in which the null pointer at ``at`` gets a new value; if that fails, all is as it was."""
        return _Replacing(self, at)


class _Replacing:
    """What was there is zeroed on success, and what was allocated is given back on failure.

    Code of the user's may run meanwhile, in an iterable or a mapping, and write elsewhere in the message.  Then nothing
    can be given back, and the unfinished value is zeroed instead.
    """

    __slots__ = ("at", "keeps_memory", "mark", "old", "shape")

    def __init__(self, shape: BuildShape, at: int) -> None:
        self.shape = shape
        self.at = at
        self.keeps_memory = False

    def __enter__(self) -> None:
        shape, at = self.shape, self.at
        self.mark = shape.arena.mark()
        self.old = shape.u64[at]
        shape.u64[at] = 0
        shape.arena.replacing.append(self)

    def swap(self) -> None:
        """Put the old pointer in the place of the new one, or the other way round."""
        u64, at = self.shape.u64, self.at
        self.old, u64[at] = u64[at], self.old

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        shape, at = self.shape, self.at
        shape.arena.replacing.pop()
        if kind is not None and not self.keeps_memory:
            if shape.segment.is_anchor:
                shape.arena.free_pad(shape.u64[at])
            shape.arena.rollback(self.mark)
            shape.u64[at] = self.old
            return
        if kind is not None:
            self.swap()
        if self.old:
            shape.zero_object(at, self.old)
