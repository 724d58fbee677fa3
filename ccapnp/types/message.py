"""Messages in and out: bytes, segments and files, plain and packed.

Where the bytes come from, how they are encoded and how many messages there are, are three separate questions; the
functions here join the answers.  ``root`` is the struct type of the message's root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ccapnp.errors import CapnpError, DecodeError
from ccapnp.wire import framing, streams
from ccapnp.wire.limits import Limits

if TYPE_CHECKING:
    from ccapnp.codec import BuildSegment, Codec, Segment

__all__ = [
    "MessageSize",
    "canonicalize",
    "copy_message",
    "equal",
    "open_flat",
    "open_packed",
    "open_segments",
    "read",
    "read_multiple",
    "read_multiple_bytes",
    "to_bytes",
    "to_bytes_packed",
    "to_segments",
    "write",
    "write_packed",
]


class MessageSize(NamedTuple):
    """What a struct takes, without its pointer: words, and how many capabilities."""

    word_count: int
    cap_count: int


# ---- out


def copy_message(view: Any, new_message: Callable[..., BuildSegment], words: Optional[int] = None) -> BuildSegment:
    """The root segment of a new message with a copy of a struct."""
    shape, word = view._c, view._w
    if words is None:
        words = min(shape.segment.codec.total_size(shape, word)[0] + 2, 1 << 20)
    root = new_message(words)
    root.copy_struct(0, shape, word)
    return root


def to_segments(view: Any) -> list[memoryview]:
    """The segments of the struct's message, without a copy, or those of a new message if it is not the root.

    The views are read-only and keep the message alive; they show what a builder goes on to write.
    """
    segment = view._c.segment
    if not segment.is_root(view._w):
        segment = copy_message(view, segment.codec.new_message)
    return [piece.toreadonly() for piece in segment.pieces()]


def to_bytes(view: Any) -> bytes:
    """The struct as the root of a framed message."""
    segment = view._c.segment
    if not segment.is_root(view._w):
        segment = copy_message(view, segment.codec.new_message)
    pieces = segment.pieces()
    return b"".join((framing.segment_table([len(piece) >> 3 for piece in pieces]), *pieces))


def to_bytes_packed(view: Any) -> bytes:
    """As `to_bytes`, packed."""
    pieces = to_segments(view)
    table = framing.segment_table([len(piece) >> 3 for piece in pieces])
    return view._type._registry.codec.pack([table, *pieces])  # type: ignore[no-any-return]


def write(view: Any, file: Any) -> None:
    """Write the struct as the root of a framed message to ``file``, any object with ``write``."""
    pieces = to_segments(view)
    streams.write_pieces(file, [framing.segment_table([len(piece) >> 3 for piece in pieces]), *pieces])


def write_packed(view: Any, file: Any) -> None:
    """As `write`, packed."""
    streams.write_pieces(file, [to_bytes_packed(view)])


# ---- in


def read_root(root: Any, segment: Segment, limits: Limits) -> Any:
    """A reader of the struct that the message's root pointer leads to."""
    try:
        segment.charge_root()
        found = segment.read_struct(0, limits.nesting_limit, root.Reader)
    except DecodeError as error:
        raise error.inside(root.__qualname__) from None
    return root._pointer.absent() if found is None else found


def open_flat(root: Any, data: Any, words: Optional[int], depth: int) -> Any:
    """A reader of the one message in ``data``."""
    limits = Limits(words, depth).check()
    return read_root(root, root._registry.codec.open_flat(data, limits), limits)


def open_packed(root: Any, data: Any, words: Optional[int], depth: int) -> Any:
    """A reader of the one packed message in ``data``."""
    limits = Limits(words, depth).check()
    view = framing.byte_view(data)
    segments, end = root._registry.codec.unpack_message(view, limits.traversal_limit_in_words, 0)
    if end != len(view):
        raise DecodeError(f"{len(view) - end} bytes follow the message; read_multiple_bytes_packed reads several")
    return open_segments(root, segments, words, depth)


def open_segments(root: Any, segments: Sequence[Any], words: Optional[int], depth: int) -> Any:
    """A reader of a message whose segments are given."""
    limits = Limits(words, depth).check()
    return read_root(root, _open(root._registry.codec, segments, limits), limits)


def _open(codec: Codec, segments: Sequence[Any], limits: Limits) -> Segment:
    if not segments:
        raise DecodeError("a message has at least one segment")
    return codec.open_segments(segments, limits)


def read(root: Any, file: Any, words: Optional[int], depth: int, *, packed: bool) -> Any:
    """A reader of the next message of ``file``, or ``None`` at its end."""
    limit = Limits(words, depth).check().traversal_limit_in_words
    read_one = root._registry.codec.read_packed if packed else streams.read_message
    segments = read_one(file, limit)
    return None if segments is None else open_segments(root, segments, words, depth)


def read_multiple(root: Any, file: Any, words: Optional[int], depth: int, *, packed: bool) -> Iterator[Any]:
    """Readers of all messages of ``file``."""
    limit = Limits(words, depth).check().traversal_limit_in_words
    if packed:
        read_next = partial(root._registry.codec.packed_reader(file).read_message, limit)
    else:
        read_next = partial(streams.read_message, file, limit)
    return (open_segments(root, segments, words, depth) for segments in iter(read_next, None))


def read_multiple_bytes(root: Any, data: Any, words: Optional[int], depth: int, *, packed: bool) -> Iterator[Any]:
    """Readers of all messages in ``data``."""
    limit = Limits(words, depth).check().traversal_limit_in_words
    return _read_buffer(root, framing.byte_view(data), limit, depth, packed)


def _read_buffer(root: Any, view: memoryview, limit: Optional[int], depth: int, packed: bool) -> Iterator[Any]:
    position = 0
    while position < len(view):
        if packed:
            segments, position = root._registry.codec.unpack_message(view, limit, position)
        else:
            segments, position = framing.parse_table(view, position)
        yield open_segments(root, segments, limit, depth)


# ---- comparing


def equal(view: Any, other: Any) -> bool:
    """Structural equality of two structs of one type."""
    shape, there = view._c, other._c
    if shape.segment.codec is not there.segment.codec:
        return canonicalize(view) == canonicalize(other)
    verdict: Optional[bool] = shape.segment.codec.equal(shape, view._w, there, other._w)
    if verdict is None:
        raise CapnpError("these messages hold capabilities, of which it cannot be said whether they are equal")
    return verdict


def canonicalize(view: Any) -> bytes:
    """The canonical form of a struct: equal structs have equal bytes.  EncodeError if it holds capabilities."""
    return view._c.segment.codec.canonicalize(view._c, view._w)  # type: ignore[no-any-return]
