"""Messages in and out: bytes, segments and files, plain and packed.

Where the bytes come from, how they are encoded and how many messages there are, are three separate questions; the
functions here join the answers.  ``root`` is the struct type of the message's root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ccapnp.errors import CapnpError, DecodeError, EncodeError, EncodeTypeError, a
from ccapnp.wire import framing, streams
from ccapnp.wire.limits import (
    DEFAULT_NESTING_LIMIT,
    DEFAULT_SEGMENT_WORDS,
    DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    Limits,
    checked_limits,
)

if TYPE_CHECKING:
    from ccapnp.codec import BuildShape, Codec, ReadShape

__all__ = [
    "MessageSize",
    "afresh",
    "canonical_struct",
    "compare",
    "compare_places",
    "copy_message",
    "decided",
    "decode",
    "decode_many",
    "encode",
    "encode_many",
    "framed_size",
    "from_bytes",
    "isolated",
    "iterate_buffer",
    "iterate_file",
    "open_all",
    "open_packed",
    "open_segments",
    "read",
    "read_multiple",
    "read_multiple_bytes",
    "read_root",
    "read_segments",
    "require_struct",
    "to_bytes",
    "to_bytes_packed",
    "to_segments",
    "unpack_flat",
    "write",
    "write_into",
    "write_packed",
]


class MessageSize(NamedTuple):
    """What a struct takes, without its pointer: words, and how many capabilities."""

    word_count: int
    cap_count: int


# ---- out

_MOST_WORDS_AT_ONCE = 1 << 20


def copy_message(view: Any, codec: Codec, words: Optional[int] = None) -> BuildShape:
    """The root pointer of a new message with a copy of a struct; ``words`` is the size of its first segment."""
    shape, word = view._c, view._w
    if words is None:
        # Room for all of it if it is the root.  To measure it would count as reading it, and so would the copy.
        most = _MOST_WORDS_AT_ONCE if shape.is_root(word) else DEFAULT_SEGMENT_WORDS
        words = min(sum(map(len, shape.pieces())) >> 3, most)
    root = codec.new_message(words)
    root.copy_struct(0, shape, word)
    return root


def require_struct(view: Any) -> None:
    """EncodeTypeError for a group, which is a part of its struct and cannot stand alone."""
    if view._is_group:
        raise EncodeTypeError(f"{view._type.__qualname__} is a group: it exists only within its struct")


def _own_message(view: Any) -> ReadShape:
    """A shape of the message whose root a struct is: of its own message, or of a copy."""
    require_struct(view)
    shape: ReadShape = view._c
    return shape if shape.is_root(view._w) else copy_message(view, shape.codec)


def to_segments(view: Any) -> list[memoryview]:
    """The segments of the struct's message, without a copy, or those of a new message if it is not the root.

    The views are read-only and keep the message alive; they show what a builder goes on to write.
    """
    return [piece.toreadonly() for piece in _own_message(view).pieces()]


def to_bytes(view: Any) -> bytes:
    """The struct as the root of a framed message."""
    shape = view._c
    if shape.is_root(view._w) and not view._is_group:
        return shape.arena.framed()  # type: ignore[no-any-return]
    return _own_message(view).framed()


def to_bytes_packed(view: Any) -> bytes:
    """As `to_bytes`, packed."""
    return view._c.codec.pack(framing.framed_pieces(_own_message(view).pieces()))  # type: ignore[no-any-return]


def write(view: Any, file: Any) -> None:
    """Write the struct as the root of a framed message to ``file``, any object with ``write``."""
    streams.write_pieces(file, framing.framed_pieces(to_segments(view)))


def write_packed(view: Any, file: Any) -> None:
    """As `write`, packed."""
    streams.write_pieces(file, [to_bytes_packed(view)])


def framed_size(view: Any) -> int:
    """The size in bytes of what `to_bytes` gives, and `write_into` writes."""
    return framing.framed_size(_own_message(view).pieces())


def write_into(view: Any, buffer: Any, offset: int = 0) -> int:
    """Write the struct as the root of a framed message into a writable buffer, from byte ``offset`` on.

    Gives the size in bytes.  Raises EncodeError, and writes nothing, where the buffer has no room for it.
    """
    return framing.write_framed(_own_message(view).pieces(), buffer, offset)


# ---- in: where the segments come from


def open_all(codec: Codec, segments: Sequence[Any], limits: Limits) -> ReadShape:
    """The root pointer of a message whose segments are given."""
    if isinstance(segments, (bytes, bytearray, memoryview)):
        raise TypeError("segments are given as a list of buffers; from_bytes reads a message from one buffer")
    if not hasattr(segments, "__iter__"):
        raise TypeError(f"segments are given as a list of buffers, not {a(type(segments).__name__)}")
    if not segments:
        raise DecodeError("a message has at least one segment")
    return codec.open_segments(segments, limits)


def unpack_flat(codec: Codec, data: Any, limits: Limits) -> list[memoryview]:
    """The segments of the one packed message in a buffer."""
    view = framing.byte_view(data)
    segments, end = codec.unpack_message(view, limits.traversal_limit_in_words, 0)
    if end != len(view):
        raise DecodeError(
            f"{len(view) - end} bytes follow the message; read_multiple_bytes, for packed messages, reads several"
        )
    return segments


def read_segments(codec: Codec, file: Any, limit: Optional[int], packed: bool) -> Optional[list[memoryview]]:
    """The segments of the next message of a file, or ``None`` at its end."""
    return codec.read_packed(file, limit) if packed else streams.read_message(file, limit)


def iterate_file(codec: Codec, file: Any, limit: Optional[int], packed: bool) -> Iterator[list[memoryview]]:
    """The segments of each message of a file."""
    read_next: Callable[[], Optional[list[memoryview]]] = partial(
        (codec.packed_reader(file) if packed else streams.FileReader(file)).read_message, limit
    )
    return iter(read_next, None)


_MOST_BYTES_AT_ONCE = 1 << 12
"""What is unpacked of small messages at once: a reader of one of them keeps all of it in memory."""


def iterate_buffer(codec: Codec, view: memoryview, limit: Optional[int], packed: bool) -> Iterator[list[memoryview]]:
    """The segments of each message that lies in a buffer."""
    position = 0
    while position < len(view):
        several = codec.unpack_framed(view, limit, position, _MOST_BYTES_AT_ONCE) if packed else None
        if several is not None:
            position = several[1]
            yield from iterate_buffer(codec, memoryview(several[0]), limit, packed=False)
            continue
        if packed:
            segments, position = codec.unpack_message(view, limit, position)
        else:
            segments, position = framing.parse_table(view, position)
        yield segments


# ---- in: readers of a root type

_DEFAULT_LIMITS = Limits()


def read_root(root: Any, pointer: ReadShape) -> Any:
    """A reader of the struct that the message's root pointer leads to."""
    try:
        pointer.charge_root()
        found = pointer.read_struct(0, root.Reader._at)
    except DecodeError as error:
        error = error.inside(root.__qualname__, root.__qualname__)
        error.field = None  # the root is in none
        raise error from None
    return root._pointer.absent() if found is None else found


def from_bytes(
    root: Any,
    data: Any,
    traversal_limit_in_words: Optional[int] = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    nesting_limit: int = DEFAULT_NESTING_LIMIT,
) -> Any:
    """A reader of the one framed message that ``data``, any buffer, holds; nothing is copied.

    Raises TruncatedError if it ends too early, DecodeError if bytes follow it or it is not a message.
    """
    words, depth = traversal_limit_in_words, nesting_limit
    is_usual = words is DEFAULT_TRAVERSAL_LIMIT_IN_WORDS and depth is DEFAULT_NESTING_LIMIT
    limits = _DEFAULT_LIMITS if is_usual else checked_limits(words, depth)
    codec = root._registry.codec
    found = codec.near_root(data, 0, limits, root.Reader)
    if found is not None and found[1] == len(data):
        return found[0]
    return read_root(root, codec.open_flat(data, limits))


def open_packed(root: Any, data: Any, words: Optional[int], depth: int) -> Any:
    """A reader of the one packed message in ``data``."""
    limits = checked_limits(words, depth)
    codec = root._registry.codec
    framed = codec.unpack_framed(data, limits.traversal_limit_in_words, 0, 0) if data.__class__ is bytes else None
    if framed is not None and framed[1] == len(data):
        found = codec.near_root(framed[0], 0, limits, root.Reader)
        return read_root(root, codec.open_flat(framed[0], limits)) if found is None else found[0]
    return _open_segments(root, unpack_flat(codec, data, limits), limits)


def open_segments(root: Any, segments: Sequence[Any], words: Optional[int], depth: int) -> Any:
    """A reader of a message whose segments are given."""
    return _open_segments(root, segments, checked_limits(words, depth))


def _open_segments(root: Any, segments: Sequence[Any], limits: Limits) -> Any:
    codec = root._registry.codec
    found = codec.near_root_of(segments, limits, root.Reader) if segments.__class__ is list and segments else None
    return read_root(root, open_all(codec, segments, limits)) if found is None else found


def read(root: Any, file: Any, words: Optional[int], depth: int, *, packed: bool) -> Any:
    """A reader of the next message of ``file``, or ``None`` at its end."""
    limits = checked_limits(words, depth)
    segments = read_segments(root._registry.codec, file, limits.traversal_limit_in_words, packed)
    return None if segments is None else _open_segments(root, segments, limits)


def read_multiple(root: Any, file: Any, words: Optional[int], depth: int, *, packed: bool) -> Iterator[Any]:
    """Readers of all messages of ``file``."""
    limits = checked_limits(words, depth)
    messages = iterate_file(root._registry.codec, file, limits.traversal_limit_in_words, packed)
    return (_open_segments(root, segments, limits) for segments in messages)


def read_multiple_bytes(root: Any, data: Any, words: Optional[int], depth: int, *, packed: bool) -> Iterator[Any]:
    """Readers of all messages in ``data``."""
    limits = checked_limits(words, depth)
    view = framing.byte_view(data)
    if packed:
        return _read_all_packed(root, data if data.__class__ is bytes else view, limits)
    return _read_all(root, data, view, limits)


def _read_all(root: Any, data: Any, view: memoryview, limits: Limits) -> Iterator[Any]:
    codec, reader, position = root._registry.codec, root.Reader, 0
    while position < len(view):
        found = codec.near_root(data, position, limits, reader)
        if found is None:
            segments, position = framing.parse_table(view, position)
            yield _open_segments(root, segments, limits)
        else:
            position = found[1]
            yield found[0]


def _read_all_packed(root: Any, data: Any, limits: Limits) -> Iterator[Any]:
    codec, limit, position = root._registry.codec, limits.traversal_limit_in_words, 0
    while position < len(data):
        several = codec.unpack_framed(data, limit, position, _MOST_BYTES_AT_ONCE)
        if several is None:
            segments, position = codec.unpack_message(data, limit, position)
            yield _open_segments(root, segments, limits)
        else:
            framed, position = several
            yield from _read_all(root, framed, memoryview(framed), limits)


# ---- records of a root type


def decode(root: Any, data: Any, packed: bool, words: Optional[int], depth: int) -> Any:
    """The record of the one message in ``data``."""
    if packed:
        view = open_packed(root, data, words, depth)
    else:
        is_usual = words is DEFAULT_TRAVERSAL_LIMIT_IN_WORDS and depth is DEFAULT_NESTING_LIMIT
        limits = _DEFAULT_LIMITS if is_usual else checked_limits(words, depth)
        found = root._registry.codec.near_record(root._layout or root._require_layout(), data, 0, limits)
        if found is not None and found[1] == len(data):
            return found[0]
        view = from_bytes(root, data, words, depth)
    return root._decode(view._c, view._w)


def decode_many(root: Any, source: Any, packed: bool, words: Optional[int], depth: int) -> Iterator[Any]:
    """The records of all messages in a buffer, a file or an iterable of buffers."""
    if hasattr(source, "read") and not isinstance(source, memoryview):
        views = read_multiple(root, source, words, depth, packed=packed)
        return (root._decode(view._c, view._w) for view in views)
    if not _is_buffer(source):
        return (decode(root, data, packed, words, depth) for data in source)
    if not packed and source.__class__ is bytes:
        return _decode_all(root, source, checked_limits(words, depth))
    views = read_multiple_bytes(root, source, words, depth, packed=packed)
    return (root._decode(view._c, view._w) for view in views)


def _is_buffer(source: Any) -> bool:
    try:
        memoryview(source)
    except TypeError:
        return False
    return True


def _decode_all(root: Any, data: Any, limits: Limits) -> Iterator[Any]:
    codec, layout, position = root._registry.codec, root._require_layout(), 0
    while position < len(data):
        found = codec.near_record(layout, data, position, limits)
        if found is None:
            segments, position = framing.parse_table(framing.byte_view(data), position)
            view = _open_segments(root, segments, limits)
            yield root._decode(view._c, view._w)
        else:
            position = found[1]
            yield found[0]


def encode(root: Any, value: Any, packed: bool) -> bytes:
    """A framed message of a record, a mapping or a view."""
    if (value.__class__ is root._record or value.__class__ is dict) and not root._node.is_group:
        codec = root._registry.codec
        framed: Optional[bytes] = codec.frame_record(root._layout or root._require_layout(), value)
        if framed is not None:
            return codec.pack([framed[:8], memoryview(framed)[8:]]) if packed else framed
    view = root._as_view(value)
    return to_bytes_packed(view) if packed else to_bytes(view)


def encode_many(root: Any, values: Iterable[Any], packed: bool) -> bytes:
    """The messages of many values, one after the other."""
    made: list[bytes] = []
    try:
        made.extend(encode(root, value, packed) for value in values)
    except CapnpError as error:
        raise error.inside(f"[{len(made)}]") from None
    return b"".join(made)


# ---- comparing


def compare(view: Any, other: Any) -> Optional[bool]:
    """Structural equality of two structs or groups; ``None`` if only capabilities could tell."""
    try:
        view, other = isolated(view), isolated(other)
    except EncodeError:  # of a member that this schema does not know, only a newer one could compare the values
        return view._c is other._c and view._w == other._w
    return compare_places(view._c, view._w, other._c, other._w)


def compare_places(shape: ReadShape, word: int, other: ReadShape, other_word: int) -> Optional[bool]:
    """The same of two structs, each given as its place."""
    shape, other = afresh(shape), afresh(other)
    return shape.codec.equal(shape, word, other, other_word)


def decided(verdict: Optional[bool]) -> bool:
    """What ``==`` says; CapnpError if it cannot be said."""
    if verdict is None:
        raise CapnpError("these messages hold capabilities, of which it cannot be said whether they are equal")
    return verdict


def canonical_struct(view: Any) -> bytes:
    """The canonical form of a struct: equal structs have equal bytes.  EncodeError if it holds capabilities."""
    view = isolated(view)
    return view._c.codec.canonicalize(afresh(view._c), view._w)  # type: ignore[no-any-return]


def afresh(shape: Any) -> Any:
    """A shape under limits of its own: to compare or hash a reader does not bring it nearer to its limit."""
    return shape.reopen(Limits(shape.limits.traversal_limit_in_words, shape.depth))


def isolated(view: Any) -> Any:
    """A struct itself; of a group, a copy without the rest of its struct."""
    if not view._is_group:
        return view
    from ccapnp.types.fields import isolate_group

    return isolate_group(view)
