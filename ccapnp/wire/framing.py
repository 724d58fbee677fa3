"""The segment table, which stands in front of a message's segments.

A framed message (https://capnproto.org/encoding.html#serialization-over-a-stream) is, with all numbers little-endian
and 32 bits wide::

    number of segments - 1 | size of each segment in words | padding to a whole word | the segments

Nothing marks it as Cap'n Proto and nothing checks it, so that errors here carry a guess at what the input is instead
(see `ccapnp.wire.hints`).  Two limits hold only where a message is copied from a stream or unpacked, not where it is
looked at in place: the number of segments, and the sum of their sizes, which is checked before memory is taken.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Callable, Union

from ccapnp.errors import DecodeError, EncodeError, EncodeTypeError, LimitError, TruncatedError
from ccapnp.wire.hints import add_hint, looks_framed
from ccapnp.wire.limits import DEFAULT_TRAVERSAL_LIMIT_IN_WORDS, integer_argument

__all__ = [
    "BYTES_PER_WORD",
    "MAX_STREAM_SEGMENTS",
    "TABLES",
    "Buffer",
    "byte_view",
    "expected_size_in_words",
    "framed_pieces",
    "framed_size",
    "parse_table",
    "read_segments",
    "segment_table",
    "writable_view",
    "write_framed",
]

BYTES_PER_WORD = 8

MAX_STREAM_SEGMENTS = 511
"""The most segments of a message in a stream, as in capnp/serialize.c++; a message in memory may have any number."""

Buffer = Union[bytes, bytearray, memoryview]

_MAX_U32 = 0xFFFFFFFF
_TWO_U32 = struct.Struct("<2I")


def byte_view(data: Any) -> memoryview:
    """``data``, any buffer, as a view of single bytes; one that is not contiguous is copied.

    Raises TypeError for an object that is no buffer, `str` among them.
    """
    view = memoryview(data)
    if view.format == "B" and view.ndim == 1 and view.c_contiguous:
        return view
    if not view.nbytes or not view.c_contiguous:
        return memoryview(view.tobytes())
    return view.cast("B")


def writable_view(data: Any) -> memoryview:
    """``data``, a buffer to be written to, as a view of single bytes.

    Raises EncodeTypeError for one that is read-only or has gaps, and TypeError for an object that is no buffer.
    """
    view = memoryview(data)
    if view.readonly or not view.c_contiguous:
        what = "read-only" if view.readonly else "not contiguous"
        raise EncodeTypeError(f"the {type(data).__name__} to be written to is {what}")
    return byte_view(view)


def segment_table(sizes_words: Sequence[int]) -> bytes:
    """The table for segments of these sizes in words: ``8 * (len(sizes_words) // 2 + 1)`` bytes.

    Raises EncodeError where there is no segment at all, or a size does not fit 32 bits.
    """
    count = len(sizes_words)
    if not count:
        raise EncodeError("a message has at least one segment")
    packing = TABLES[count] if count < len(TABLES) else _table(count)
    try:
        return packing.pack(count - 1, *sizes_words)
    except struct.error:
        wrong = next(size for size in sizes_words if not 0 <= size <= _MAX_U32)
        raise EncodeError(f"a segment of {wrong} words does not fit the segment table") from None


def _table(count: int) -> struct.Struct:
    return struct.Struct(f"<{count + 1}I{'' if count % 2 else '4x'}")


TABLES = tuple(map(_table, range(3)))
"""What packs the table of a small number of segments, given that number less one and their sizes in words."""


def framed_pieces(segments: Sequence[Buffer]) -> list[Buffer]:
    """The table and the segments, whole words of bytes: one after the other, the framed message.  Nothing is copied."""
    return [segment_table([len(segment) >> 3 for segment in segments]), *segments]


def framed_size(segments: Sequence[Buffer]) -> int:
    """The size of the framed message in bytes."""
    return BYTES_PER_WORD * (len(segments) // 2 + 1) + sum(map(len, segments))


def write_framed(segments: Sequence[Buffer], target: Any, offset: int = 0) -> int:
    """Copy the framed message into a writable buffer, from byte ``offset`` on; its size in bytes.

    Raises EncodeError, before anything is written, where there is no room for all of it.
    """
    view = writable_view(target)
    start = integer_argument("offset", offset)
    size = framed_size(segments)
    if start < 0 or start + size > len(view):
        raise EncodeError(f"a message of {size} bytes has no room at byte {start} of a buffer of {len(view)}")
    for piece in framed_pieces(segments):
        view[start : start + len(piece)] = piece
        start += len(piece)
    return size


def parse_table(view: memoryview, start: int = 0) -> tuple[list[memoryview], int]:
    """Split the framed message that begins at byte ``start`` of ``view``, without a copy.

    Returns its segments and the byte where it ends; what follows there is the caller's matter.  Raises TruncatedError
    where the table, the first segment or a later one goes past the end of ``view`` (``needed`` and ``available``
    count bytes from ``start``; ``segment`` is the index of the segment), and DecodeError for a count of segments
    that does not fit 32 bits.
    """
    available = len(view) - start
    try:
        if available < BYTES_PER_WORD:
            what = f"only {available} bytes, less than a segment table" if available > 0 else "empty"
            raise TruncatedError(f"the input is {what}", needed=BYTES_PER_WORD, available=max(available, 0))
        last, size = _TWO_U32.unpack_from(view, start)
        if not last and BYTES_PER_WORD * (size + 1) <= available:  # by far the most common case
            end = start + BYTES_PER_WORD * (size + 1)
            return [view[start + BYTES_PER_WORD : end]], end
        table_bytes = _table_bytes(last)
        if table_bytes > available:
            raise TruncatedError(
                f"the segment table is longer than the input: {last + 1} segments take {table_bytes} bytes "
                f"of {available}",
                needed=table_bytes,
                available=available,
            )
        if last == 1:
            sizes: Sequence[int] = TABLES[2].unpack_from(view, start)[1:]
        else:
            sizes = struct.unpack_from(f"<{last + 1}I", view, start + 4)
        return _split(view, start, start + table_bytes, sizes)
    except DecodeError as error:
        add_hint(error, bytes(view[start : start + 32]))
        raise


def _table_bytes(last: int) -> int:
    """The size of a table whose first number is ``last``, in bytes."""
    if last == _MAX_U32:
        raise DecodeError("too many segments: the segment table claims 4294967296")
    words: int = (last + 1) // 2 + 1
    return BYTES_PER_WORD * words


def _split(view: memoryview, start: int, position: int, sizes: Sequence[int]) -> tuple[list[memoryview], int]:
    segments: list[memoryview] = []
    nothing = view[:0]  # one view for all empty segments, of which a few bytes can claim any number
    available = len(view)
    for size in sizes:
        end = position + (size << 3)
        if end > available:
            index = len(segments)
            which = f"segment {index} of {len(sizes)}" if index else "the first segment"
            raise TruncatedError(
                f"{which} is longer than the input: its {size} words end at byte {end - start} of {available - start}",
                segment=index,
                needed=end - start,
                available=available - start,
            )
        segments.append(view[position:end] if size else nothing)
        position = end
    return segments, position


def expected_size_in_words(prefix: Any) -> int:
    """The size of a framed message, table included, as far as its first bytes tell (capnp/serialize.h).

    It is exact once ``prefix``, any buffer, holds the whole table: then it says where in ``prefix`` the message ends.
    Before that it is a lower bound greater than ``prefix`` itself, so that reading up to it again and again comes to an
    end.  Raises DecodeError for a count of segments that does not fit 32 bits.
    """
    view = byte_view(prefix)
    if len(view) < BYTES_PER_WORD:
        return 1
    last, _ = _TWO_U32.unpack_from(view)
    table_bytes = _table_bytes(last)
    known = (min(len(view), table_bytes) - 4) // 4
    sizes: tuple[int, ...] = struct.unpack_from(f"<{min(known, last + 1)}I", view, 4)
    return table_bytes // BYTES_PER_WORD + sum(sizes)


def read_segments(
    read_exact: Callable[[int], bytes | bytearray | None],
    traversal_limit_in_words: int | None = DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
    packed_prefix: Callable[[], bytes] | None = None,
) -> list[memoryview] | None:
    """Read one framed message and return its segments, read-only; None where the input ends before it.

    ``read_exact(n)`` gives ``n`` bytes, or None where the input ends before the first of them, or raises
    TruncatedError.  It is asked three times, as in capnp/serialize.c++: for the first word of the table, for the rest
    of the table, and for all segments together.  ``packed_prefix`` is for input that is unpacked on the way: it gives
    the bytes that the message began with, as they were.

    Raises TruncatedError where the input ends inside the message (``needed`` and ``available`` count its bytes,
    unpacked), DecodeError for more segments than `MAX_STREAM_SEGMENTS`, and LimitError where the segments together
    are larger than ``traversal_limit_in_words`` (None: no limit), before anything is read of them.
    """
    first_word = read_exact(BYTES_PER_WORD)
    if first_word is None:
        return None
    try:
        return _read_rest(first_word, read_exact, traversal_limit_in_words, packed_prefix)
    except DecodeError as error:
        add_hint(error, packed_prefix() if packed_prefix else bytes(first_word), packed=packed_prefix is not None)
        raise


def _read_rest(
    first_word: bytes | bytearray,
    read_exact: Callable[[int], bytes | bytearray | None],
    limit_words: int | None,
    packed_prefix: Callable[[], bytes] | None,
) -> list[memoryview]:
    last, size = _TWO_U32.unpack(first_word)
    if last >= MAX_STREAM_SEGMENTS:
        raise DecodeError(f"too many segments: {last + 1}, where {MAX_STREAM_SEGMENTS} is the most")
    sizes: Sequence[int] = (size,)
    position = BYTES_PER_WORD
    if last:
        rest_bytes = _table_bytes(last) - BYTES_PER_WORD
        sizes = (size, *struct.unpack_from(f"<{last}I", _read_piece(read_exact, rest_bytes, position)))
        position += rest_bytes
    total_words = sum(sizes)
    if limit_words is not None and total_words > limit_words:
        raise LimitError(
            f"the message has {total_words} words, more than the limit of {limit_words}; "
            "pass a larger traversal_limit_in_words, or None for no limit",
            option="traversal_limit_in_words",
        )
    if packed_prefix and not size and looks_framed(packed_prefix()):
        raise DecodeError("the message has no root pointer")
    body = memoryview(_read_piece(read_exact, BYTES_PER_WORD * total_words, position)).toreadonly()
    return _split(body, 0, 0, sizes)[0]


def _read_piece(
    read_exact: Callable[[int], bytes | bytearray | None], size_bytes: int, position: int
) -> bytes | bytearray:
    """Bytes from ``position`` of the message on; an error counts from the message's first byte."""
    if not size_bytes:
        return b""
    available = 0
    try:
        piece = read_exact(size_bytes)
        if piece is not None:
            return piece
    except TruncatedError as error:
        available = error.available or 0
    raise TruncatedError(
        f"the input ends inside a message, after {position + available} of {position + size_bytes} bytes or more",
        needed=position + size_bytes,
        available=position + available,
    )
