"""The seam between what a user holds and the codec that reads and writes words; and the choice of a codec.

A reader or builder of a struct holds a *shape* (`ccapnp.wire.shape`) and the index of its first word.  The shape
follows and writes the pointers at such indexes; plain values are read and written through its views, without a call.
A message's root pointer is word 0 of a shape with one pointer and nothing else: what opening a message gives.

Lists of numbers are found as ``(segment, first word, count, bits from one element to the next)``; lists of structs or
pointers as ``(shape, first word, count, words from one to the next)``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Protocol, TypeVar

from ccapnp.errors import BackendError
from ccapnp.wire.limits import Limits

if TYPE_CHECKING:
    from ccapnp.wire.layout import FieldPlan, StructLayout, TreeMode

__all__ = ["BACKENDS", "BackendInfo", "BuildShape", "Codec", "ReadShape", "backend_info", "default_codec", "get_codec"]

_T = TypeVar("_T")


class ReadShape(Protocol):
    """Structs of one shape in one segment of a message; ``at`` is the word index of a pointer in that segment."""

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
    segment: Any
    arena: Any
    data_bits: int
    data_words: int
    pointers: int
    words: int
    depth: int

    @property
    def codec(self) -> Codec:
        """The codec that the message belongs to."""
        ...

    @property
    def limits(self) -> Limits:
        """The limits that the message is read under."""
        ...

    def reopen(self, limits: Limits) -> ReadShape:
        """This shape in a reader of its own of the same message, whose traversal is counted afresh."""
        ...

    def views(self, view_class: Any, word: int, count: int) -> Iterator[Any]:
        """Views of that class of ``count`` structs of this shape, one after the other, from ``word`` on."""
        ...

    def texts(self, word: int, step: int, count: int, item: Callable[[int], Any]) -> Iterator[str]:
        """The texts of a list of ``count`` pointers, ``step`` words from one to the next; ``item(index)`` reads one."""
        ...

    def child(self, segment: Any, sizes: int) -> ReadShape:
        """The shape of structs one pointer further; ``sizes`` is a struct pointer's high half."""
        ...

    def pointer_alone(self) -> ReadShape:
        """The shape of a struct that is nothing but a pointer of one of this shape."""
        ...

    def read_struct(self, at: int, make: Callable[[Any, int], _T]) -> Optional[_T]:
        """``make(shape, word)`` of a struct; ``None`` of a null pointer, here and below."""
        ...

    def read_structs(self, at: int) -> Optional[tuple[Any, int, int, int]]:
        """Where the elements of a list of structs are."""
        ...

    def read_list(self, at: int, element: int) -> Optional[tuple[Any, int, int, int]]:
        """Where the elements of a list of void, bits or numbers are."""
        ...

    def read_pointers(self, at: int) -> Optional[tuple[Any, int, int, int]]:
        """Where the elements of a list of pointers are."""
        ...

    def read_text(self, at: int) -> Optional[str]:
        """A text, decoded."""
        ...

    def read_text_bytes(self, at: int) -> Optional[memoryview]:
        """A text's bytes without the NUL, valid UTF-8 or not."""
        ...

    def read_data(self, at: int) -> Optional[memoryview]:
        """A view of data."""
        ...

    def read_capability(self, at: int) -> Optional[int]:
        """An index into the capability table."""
        ...

    def read_kind(self, at: int) -> str:
        """ "null", "struct", "list" or "capability"."""
        ...

    def read_element_size(self, at: int) -> int:
        """The `ElementSize` of a list."""
        ...

    def is_null(self, at: int) -> bool:
        """Whether the pointer is null."""
        ...

    def charge_root(self) -> None:
        """Count the root pointer as read; DecodeError if there is none."""
        ...

    def framed(self) -> bytes:
        """The whole message, framed."""
        ...

    def is_root(self, word: int) -> bool:
        """Whether the struct at ``word`` is the root of its message."""
        ...

    def pieces(self) -> list[memoryview]:
        """All segments of the message, as far as they are used."""
        ...


class BuildShape(ReadShape, Protocol):
    """The same in a message that is being built.  Its memory never moves.

    ``encodes_from`` is how many plain fields a struct must be given before it is worth while to ask `encode_struct`;
    for structs within structs, and for `encode_structs`, it always is.  It is 0 where neither does anything.
    """

    encodes_from: int

    def clear(self, at: int) -> None:
        """Make a pointer null and what it led to zero."""
        ...

    def init_struct(self, at: int, data_words: int, pointers: int, make: Callable[[Any, int], _T]) -> _T:
        """``make(shape, word)`` of a new struct."""
        ...

    def init_structs(self, at: int, count: int, data_words: int, pointers: int) -> tuple[Any, int]:
        """(shape, first word) of a new list of structs."""
        ...

    def init_pointers(self, at: int, count: int) -> tuple[Any, int]:
        """(shape, first word) of a new list of pointers."""
        ...

    def init_list(self, at: int, element: int, count: int) -> tuple[Any, int]:
        """(segment, first word) of a new list of void, bits or numbers."""
        ...

    def set_bytes(self, at: int, value: Any, size: int, count: int) -> None:
        """Write a buffer of ``size`` bytes as a list of ``count`` bytes: one more for a text's NUL."""
        ...

    def set_text(self, at: int, value: bytes) -> None:
        """Write a text, which ``value`` is in UTF-8."""
        ...

    def set_texts(self, word: int, step: int, values: list[Any]) -> int:
        """Set the pointers of a new list, ``step`` words from one to the next, to texts; how many were set."""
        ...

    def set_capability(self, at: int, index: int) -> None:
        """Write a pointer to entry ``index`` of the capability table."""
        ...

    def get_struct(
        self,
        at: int,
        data_words: int,
        pointers: int,
        default: Optional[tuple[Any, int]],
        make: Callable[[Any, int], _T],
    ) -> _T:
        """``make(shape, word)`` of a struct, made or upgraded if need be."""
        ...

    def get_structs(
        self, at: int, data_words: int, pointers: int, default: Optional[tuple[Any, int]]
    ) -> Optional[tuple[Any, int, int, int]]:
        """Where the elements of a list of structs are, after upgrading it if need be."""
        ...

    def copy_pointer(self, at: int, source: Any, source_at: int) -> None:
        """Deep copy of what another pointer leads to."""
        ...

    def copy_struct(self, at: int, source: Any, source_word: int) -> None:
        """Deep copy of a struct."""
        ...

    def copy_structs(self, at: int, source: Any, source_word: int, count: int) -> None:
        """Deep copy of a list of ``count`` structs."""
        ...

    def copy_into(self, word: int, source: Any, source_word: int) -> None:
        """Deep copy of a struct over the one at ``word``."""
        ...

    def encode_struct(self, at: int, layout: StructLayout, value: dict[str, Any]) -> bool:
        """Make the null pointer lead to a new struct with the fields that ``value`` names; False if that is not done.

        It is not, and nothing is changed, if any value is not a plain Python one of a fitting type.
        """
        ...

    def encode_structs(self, at: int, layout: StructLayout, values: list[Any]) -> bool:
        """The same for a list of structs."""
        ...

    def encode_json(self, at: int, layout: StructLayout, value: Any, depth: int) -> bool:
        """The same for a struct in JSON of at most that depth, in which an object is a tuple of (name, value)."""
        ...

    def encode_record(self, at: int, layout: StructLayout, record: Any) -> bool:
        """The same for a record of that layout's class, of which what is ``None`` or empty is left null.

        That is declined, too, if anything in it is not as decoding would have it: a record of another class, say.
        """
        ...

    def replacing(self, at: int) -> AbstractContextManager[None]:
        """A context that gives a pointer a new value, or leaves all as it was."""
        ...

    # An orphan, an object of the message to which none of its pointers leads, is the shape that `new_orphan` gives: it
    # has one pointer, at 0, which is no part of the message and can be used like any other.

    def new_orphan(self) -> BuildShape:
        """A new orphan, whose pointer is null."""
        ...

    def disown(self, at: int) -> BuildShape:
        """Make a pointer null and what it led to an orphan."""
        ...

    def disown_struct(self, word: int) -> BuildShape:
        """The same for the contents of a struct where it is, which is all zero then."""
        ...

    def adopt(self, at: int, orphan: Any) -> None:
        """Make a pointer lead to an orphan, which is none then; EncodeError, and no change, if it cannot be."""
        ...

    def adopt_struct(self, word: int, orphan: Any) -> None:
        """Overwrite the struct at ``word`` with an orphan, which is none then; what has no room is lost."""
        ...

    def require_adoptable(self, at: int, orphan: Any) -> None:
        """EncodeError if the orphan cannot go to a pointer, or to a struct whose first word that is."""
        ...

    def discard(self) -> None:
        """End this orphan: what its pointer leads to becomes zero."""
        ...

    def reference(self, data: memoryview) -> BuildShape:
        """An orphan over a whole number of words that are not copied, and never written."""
        ...

    def resize(self, at: int, count: int) -> None:
        """Give the list at a pointer that is not null ``count`` elements, where it is if that is possible."""
        ...


class PackedMessages(Protocol):
    """The packed messages of one file."""

    def read_message(self, limit_words: Optional[int], /) -> Optional[list[memoryview]]:
        """The next message's segments; ``None`` at the end."""
        ...


class Incoming(Protocol):
    """The messages of a stream whose bytes are given as they arrive."""

    @property
    def missing_bytes(self) -> int:
        """How many bytes are sure to belong to the message that is arriving, or to the next one; at least 1."""
        ...

    def feed(self, data: Any, /) -> Iterator[list[memoryview]]:
        """The segments of each message that is complete with ``data``; iterated over to the end, or to an error."""
        ...

    def close(self) -> None:
        """Say that the stream has ended; TruncatedError inside a message."""
        ...


class Codec(Protocol):
    """A way to read and write messages."""

    @property
    def name(self) -> str:
        """ "pure" or "native"."""
        ...

    @property
    def build_shape(self) -> type[BuildShape]:
        """The class of the shapes of messages that are built."""
        ...

    def field(self, general: property, plan: Optional[FieldPlan]) -> Any:
        """The descriptor of a field: ``general``, or one that does the same faster where all is as usual."""
        ...

    def hasten_view(self, view_class: Any) -> None:
        """Make methods of a class of views faster.

        Its ``_union`` is the (tag's index, members' names by number) of its struct's unnamed union.
        """
        ...

    def hasten_list(self, list_class: _T) -> _T:
        """A class of lists of structs, or one derived from it with faster methods."""
        ...

    def open_flat(self, data: Any, limits: Limits) -> ReadShape:
        """The root pointer of the one framed message in a buffer."""
        ...

    def near_root(self, data: Any, start: int, limits: Limits, view_class: type[_T]) -> Optional[tuple[_T, int]]:
        """(a view of the root struct, of that class, end) of the framed message at a byte of a buffer, if it is simple.

        ``None`` if it is not: the message then has to be opened and its root pointer read, with the same result.
        """
        ...

    def near_root_of(self, segments: Sequence[Any], limits: Limits, view_class: type[_T]) -> Optional[_T]:
        """The same for a message whose segments are given, at least one."""
        ...

    def open_segments(self, segments: Sequence[Any], limits: Limits = ...) -> ReadShape:
        """The root pointer of a message whose segments are given."""
        ...

    def new_message(self, first_segment_words: int = 1024) -> BuildShape:
        """The null root pointer of a new message, whose first segment has room for so many words."""
        ...

    def new_struct(self, first_segment_words: int, data_words: int, pointers: int, view_class: type[_T]) -> _T:
        """A view, of that class, of the root of a new message, a struct of such sizes."""
        ...

    def build_in(
        self, segments: Sequence[Any], used_words: Optional[Sequence[int]], allocator: Optional[Callable[[int], Any]]
    ) -> BuildShape:
        """The root pointer of a message that is built in the buffers given, of which so many words hold it so far.

        Unless they are said, none do.  ``allocator(words)`` gives memory for what has no room there.
        """
        ...

    def pack(self, pieces: Sequence[Any]) -> bytes:
        """The pieces of a framed message (its segment table and its segments), each packed for itself."""
        ...

    def unpack_message(self, data: Any, limit_words: Optional[int], start: int) -> tuple[list[memoryview], int]:
        """(segments, end) of the packed message at byte ``start`` of a buffer."""
        ...

    def unpack_framed(
        self, data: Any, limit_words: Optional[int], start: int, most_bytes: int
    ) -> Optional[tuple[bytes, int]]:
        """(framed messages, end): the packed message at a byte of a buffer, and those behind it if they are small.

        They are as many as ``most_bytes`` have room for.  ``None`` is for `unpack_message` to find out what is wrong.
        """
        ...

    def read_packed(self, file: Any, limit_words: Optional[int]) -> Optional[list[memoryview]]:
        """The segments of the next packed message of a file, which stands right behind it then."""
        ...

    def packed_reader(self, file: Any) -> PackedMessages:
        """What reads all packed messages of a file; it may read ahead of need."""
        ...

    def incoming(self, limit_words: Optional[int], packed: bool) -> Incoming:
        """What makes messages of bytes as they arrive."""
        ...

    def total_size(self, shape: Any, word: int) -> tuple[int, int]:
        """(words, capabilities) of a struct and all below it."""
        ...

    def equal(self, shape: Any, word: int, other: Any, other_word: int) -> Optional[bool]:
        """Structural equality of two structs; ``None`` if all is equal but there are capabilities.

        How much of them was traversed is not defined: give shapes that were reopened.
        """
        ...

    def canonicalize(self, shape: Any, word: int) -> bytes:
        """The canonical form of a struct: one segment, without a table."""
        ...

    def is_canonical(self, root: Any) -> bool:
        """Whether a message, given by its root pointer, is in canonical form; False for what is no sound message."""
        ...

    def decode_tree(self, layout: StructLayout, mode: TreeMode, shape: Any, word: int) -> dict[str, Any]:
        """A struct and all below it as plain Python values (`ccapnp.types.struct_view.to_dict` says which)."""
        ...

    def decode_record(self, layout: StructLayout, shape: Any, word: int) -> Any:
        """A struct and all below it as a record (`ccapnp.types.record` says what that has)."""
        ...

    def near_record(self, layout: StructLayout, data: Any, start: int, limits: Limits) -> Optional[tuple[Any, int]]:
        """(record of the root struct, end) of the framed message at a byte of a buffer, if it is simple.

        ``None`` if it is not, or anything in it is wrong: the message then has to be opened and decoded, with the same
        result, or with the error.
        """
        ...

    def frame_record(self, layout: StructLayout, record: Any) -> Optional[bytes]:
        """The framed message, of one segment, with a record of that layout's class, or what a dict says, as its root.

        ``None`` as of `BuildShape.encode_record` and `BuildShape.encode_struct`.
        """
        ...

    def write_json(self, layout: StructLayout, shape: Any, word: int) -> Optional[str]:
        """A struct and all below it as JSON without white space; ``None`` if that is not done.

        The layout's names are quoted, those of fields with a colon.
        """
        ...


class BackendInfo(NamedTuple):
    """Which codec runs by default, the version of libcapnp it uses, and why it is not another one."""

    name: str
    libcapnp_version: Optional[str]
    reason: Optional[str]


BACKENDS = ("auto", "native", "pure")


def get_codec(backend: Optional[str] = None) -> Codec:
    """The codec of that name; of ``None``, the one that ``CCAPNP_BACKEND`` names ("auto" unless it is set).

    "auto" is "native" where the extension was built, else "pure".  Raises BackendError, an ImportError, if the codec
    cannot be used, and ValueError if there is none of that name.
    """
    name = os.environ.get("CCAPNP_BACKEND", "auto") if backend is None else backend
    if name not in BACKENDS:
        source = "CCAPNP_BACKEND is" if backend is None else "backend is"
        raise ValueError(f"{source} {name!r}, but must be one of {', '.join(BACKENDS)}")
    if name == "pure" or (name == "auto" and not _has_extension()):
        return _pure()
    return _native()


@cache
def _pure() -> Codec:
    from ccapnp.pure.codec import PureCodec

    return PureCodec()


@cache
def _native() -> Codec:
    if not _has_extension():
        raise BackendError(f"there is no native codec: {_NOT_BUILT}")
    from ccapnp.native.codec import NativeCodec

    return NativeCodec()


_NOT_BUILT = (
    "this installation was made without the extension; `CCAPNP_BUILD=require pip install --force-reinstall"
    " --no-cache-dir --no-binary ccapnp ccapnp` makes one with it, or says what is missing"
)


@cache
def _has_extension() -> bool:
    """Whether the native extension was built: one that is there and does not load is an error, not a fallback."""
    return find_spec("ccapnp.native._shim") is not None


@cache
def default_codec() -> Codec:
    """The codec for whoever does not name one."""
    return get_codec()


def backend_info() -> BackendInfo:
    """What `BackendInfo` says, for the default codec."""
    name = default_codec().name
    if name == "native":
        from ccapnp.native._lib import libcapnp_version

        return BackendInfo(name, libcapnp_version(), None)
    return BackendInfo(name, None, "CCAPNP_BACKEND is 'pure'" if _has_extension() else _NOT_BUILT)
