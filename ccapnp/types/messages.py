"""Whole messages: built from any root, or read before the type of the root is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional

from ccapnp.codec import get_codec
from ccapnp.errors import EncodeError, a
from ccapnp.types import message
from ccapnp.types.any import ANY_POINTER, AnyPointerBuilder, AnyPointerReader, type_of
from ccapnp.types.orphan import Orphan
from ccapnp.types.orphanage import Orphanage
from ccapnp.types.struct_pointer import StructPointer
from ccapnp.types.type_names import pointer_type
from ccapnp.wire import framing, streams
from ccapnp.wire.limits import (
    DEFAULT_NESTING_LIMIT,
    DEFAULT_SEGMENT_WORDS,
    DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    checked_limits,
    integer_argument,
    segment_size_argument,
)

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, Codec

__all__ = ["MessageBuilder", "MessageReader", "read", "read_multiple", "read_multiple_bytes"]


class MessageReader:
    """One message, whose root is read as whatever type it is asked for.

    Raises TruncatedError if ``data``, any buffer, ends too early, DecodeError if bytes follow it or it is no message.
    """

    def __init__(
        self,
        data: Any,
        traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
        nesting_limit: int = DEFAULT_NESTING_LIMIT,
        *,
        packed: bool = False,
        backend: Optional[str] = None,
    ) -> None:
        limits = checked_limits(traversal_limit_in_words, nesting_limit)
        codec = get_codec(backend)
        if packed:
            self._root = codec.open_segments(message.unpack_flat(codec, data, limits), limits)
        else:
            self._root = codec.open_flat(data, limits)

    @classmethod
    def from_segments(
        cls,
        segments: Sequence[Any],
        traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
        nesting_limit: int = DEFAULT_NESTING_LIMIT,
        *,
        backend: Optional[str] = None,
    ) -> MessageReader:
        """A message whose segments are given as a sequence of buffers."""
        limits = checked_limits(traversal_limit_in_words, nesting_limit)
        reader = cls.__new__(cls)
        reader._root = message.open_all(get_codec(backend), segments, limits)
        return reader

    def get_root(self, type_name: Any) -> Any:
        """The root as one of that type, a struct's or any that is named; DecodeError if it is something else."""
        root = pointer_type(type_name)
        if isinstance(root, StructPointer):
            return message.read_root(root.struct_type, self._root)
        self._root.charge_root()
        return root.read_or_absent(self._root, 0)

    @property
    def root(self) -> AnyPointerReader:
        """The root pointer, for a root whose type is not yet known."""
        self._root.charge_root()
        return AnyPointerReader(self._root, 0)

    def get_root_as_any(self) -> AnyPointerReader:
        """The same, under pycapnp's name."""
        return self.root


class MessageBuilder:
    """A message being built, whose root is set once its type is known.

    Its memory can be given.  ``first_segment``, a writable buffer of zeros, is filled first.  ``allocator(words)`` is
    asked for each segment and gives a writable buffer of so many words of zeros, or more; without it, a new segment is
    as large as all before it.  While the message is built, such memory must not be changed by others.  Raises
    EncodeError for memory that is not zero or too small, also later, when an allocator gives it.
    """

    def __init__(
        self,
        num_first_segment_words: int = DEFAULT_SEGMENT_WORDS,
        *,
        first_segment: Any = None,
        allocator: Optional[Callable[[int], Any]] = None,
        backend: Optional[str] = None,
    ) -> None:
        words = segment_size_argument(num_first_segment_words)
        _require_allocator(allocator)
        self._first_words = words
        self._allocator = allocator
        self._root = self._begin(get_codec(backend), words, first_segment)

    @classmethod
    def from_segments(
        cls,
        segments: Sequence[Any],
        used_words: Optional[Sequence[int]] = None,
        *,
        allocator: Optional[Callable[[int], Any]] = None,
        backend: Optional[str] = None,
    ) -> MessageBuilder:
        """A message that goes on being built where it is, in writable buffers, which are its segments.

        ``used_words`` says how much of each is used; the rest must be zero, and is filled first.  Without it, all is
        used.  Raises DecodeError if it is not a sound message, or one in which several pointers share an object.
        """
        _require_allocator(allocator)
        if isinstance(segments, (bytes, bytearray, memoryview)) or not hasattr(segments, "__len__"):
            raise TypeError(f"segments are given as a list of buffers, not {a(type(segments).__name__)}")
        if not segments:
            raise EncodeError("a message has at least one segment")
        if used_words is None:
            used = [memoryview(each).nbytes >> 3 for each in segments]
        else:
            used = [integer_argument("used_words", each) for each in used_words]
        if len(used) != len(segments):
            raise EncodeError(f"used_words are of {len(used)} segments, and {len(segments)} are given")
        builder = cls.__new__(cls)
        builder._first_words = DEFAULT_SEGMENT_WORDS
        builder._allocator = allocator
        builder._root = get_codec(backend).build_in(segments, used, allocator)
        return builder

    def _begin(self, codec: Codec, words: int, first_segment: Any = None) -> BuildShape:
        """The root pointer of a new message."""
        if first_segment is not None:
            return codec.build_in([first_segment], None, self._allocator)
        if self._allocator is not None:
            return codec.build_in([self._allocator(max(words, 1))], None, self._allocator)
        return codec.new_message(words)

    def reset(self) -> None:
        """Begin a new, empty message, in a segment with room for as much as the last one took.

        What was built stays as it is: views of it, and memory that was given, are not those of the new message.
        """
        words = sum(map(len, self._root.pieces())) >> 3
        self._root = self._begin(self._root.codec, max(words, self._first_words))

    def init_root(self, type_name: Any, size: Any = None) -> Any:
        """The builder of a new root of that type; what was there is gone.

        ``size`` is what the type needs, as for a field's ``init``: a list's number of elements, for one.
        """
        return pointer_type(type_name).init(self._root, 0, size)

    def set_root(self, value: Any, type_name: Any = None) -> Any:
        """Make the root a copy of ``value``, and give its builder.

        ``value`` is text, data, a capability, or anything in a message; of a ``type_name``, whatever a field of that
        type can be set from.
        """
        root = type_of(value, "the root") if type_name is None else pointer_type(type_name)
        root.write(self._root, 0, value)
        return root.build(self._root, 0, None)

    def get_root(self, type_name: Any) -> Any:
        """The builder of the root as one of that type, a struct made if there is none yet."""
        return pointer_type(type_name).build(self._root, 0, None)

    @property
    def root(self) -> AnyPointerBuilder:
        """The root pointer."""
        return AnyPointerBuilder(self._root, 0)

    def get_root_as_any(self) -> AnyPointerBuilder:
        """The same, under pycapnp's name."""
        return self.root

    @property
    def orphanage(self) -> Orphanage:
        """What makes orphans in this message."""
        return Orphanage(self._root)

    def new_orphan(self, type_name: Any, size: Optional[int] = None) -> Orphan:
        """As ``new`` of the `orphanage`."""
        return self.orphanage.new(type_name, size)

    def disown_root(self, type_name: Any = ANY_POINTER) -> Orphan:
        """Make the root null, and an orphan of what it was; DecodeError, and no change, if that is of another type."""
        made = pointer_type(type_name)
        made.read(self._root, 0)
        return Orphan._of(made, self._root.disown(0))

    def adopt_root(self, orphan: Orphan) -> None:
        """Make an orphan of this message the root."""
        self.root.adopt(orphan)

    def to_segments(self) -> list[memoryview]:
        """The segments, without a copy; the views are read-only and keep the message alive."""
        return [piece.toreadonly() for piece in self._root.pieces()]

    def to_bytes(self) -> bytes:
        """The framed message."""
        return self._root.framed()

    def to_bytes_packed(self) -> bytes:
        """The framed message, packed."""
        return self._root.codec.pack(framing.framed_pieces(self._root.pieces()))

    @property
    def framed_size(self) -> int:
        """The size of the framed message in bytes."""
        return framing.framed_size(self._root.pieces())

    def write_into(self, buffer: Any, offset: int = 0) -> int:
        """Write the framed message into a writable buffer, from byte ``offset`` on, and give its size in bytes.

        Raises EncodeError, and writes nothing, where the buffer has no room for it.
        """
        return framing.write_framed(self._root.pieces(), buffer, offset)

    def write(self, file: Any) -> None:
        """Write the framed message to any object with ``write``."""
        streams.write_pieces(file, framing.framed_pieces(self._root.pieces()))

    def write_packed(self, file: Any) -> None:
        """As `write`, packed."""
        streams.write_pieces(file, [self.to_bytes_packed()])


def _require_allocator(allocator: object) -> None:
    if allocator is not None and not callable(allocator):
        raise TypeError(f"an allocator is called with a number of words, and {a(type(allocator).__name__)} cannot be")


def read(
    file: Any,
    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    nesting_limit: int = DEFAULT_NESTING_LIMIT,
    *,
    packed: bool = False,
    backend: Optional[str] = None,
) -> Optional[MessageReader]:
    """The next message of any object with ``read``; ``None`` at a clean end of file."""
    limit = checked_limits(traversal_limit_in_words, nesting_limit).traversal_limit_in_words
    segments = message.read_segments(get_codec(backend), file, limit, packed)
    if segments is None:
        return None
    return MessageReader.from_segments(segments, traversal_limit_in_words, nesting_limit, backend=backend)


def read_multiple(
    file: Any,
    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    nesting_limit: int = DEFAULT_NESTING_LIMIT,
    *,
    packed: bool = False,
    backend: Optional[str] = None,
) -> Iterator[MessageReader]:
    """All messages of a file, of whatever types their roots are; the limits are for each one."""
    limit = checked_limits(traversal_limit_in_words, nesting_limit).traversal_limit_in_words
    return (
        MessageReader.from_segments(segments, traversal_limit_in_words, nesting_limit, backend=backend)
        for segments in message.iterate_file(get_codec(backend), file, limit, packed)
    )


def read_multiple_bytes(
    data: Any,
    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    nesting_limit: int = DEFAULT_NESTING_LIMIT,
    *,
    packed: bool = False,
    backend: Optional[str] = None,
) -> Iterator[MessageReader]:
    """All messages that lie one after the other in a buffer."""
    limit = checked_limits(traversal_limit_in_words, nesting_limit).traversal_limit_in_words
    return (
        MessageReader.from_segments(segments, traversal_limit_in_words, nesting_limit, backend=backend)
        for segments in message.iterate_buffer(get_codec(backend), framing.byte_view(data), limit, packed)
    )
