"""The formats that messages are read from and written in: one `Format` for each, as the official tool names them.

A message on its way from one to the other is the list of its segments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ccapnp.cli import values
from ccapnp.codec import default_codec
from ccapnp.convert.json.codec import from_json, to_json
from ccapnp.convert.text import to_text
from ccapnp.convert.text_input import from_text
from ccapnp.errors import CapnpError, DecodeError, ParseError
from ccapnp.pure.packing import unpack
from ccapnp.types.message import iterate_file, to_segments
from ccapnp.wire.framing import framed_pieces

if TYPE_CHECKING:
    from ccapnp.types.struct_type import StructType
    from ccapnp.wire.limits import Limits

__all__ = ["FORMATS", "Format", "Job"]

_Segments = list[Any]


class Job(NamedTuple):
    """What a conversion is told besides its formats; ``segment_words`` is how large the segments that it writes are."""

    struct_type: Optional[StructType]
    short: bool
    limits: Limits
    segment_words: Optional[int]

    @property
    def root(self) -> StructType:
        """The type of the messages' roots."""
        if self.struct_type is None:
            raise CapnpError("for text and JSON, say which schema file the messages are of, and which type in it")
        return self.struct_type

    def view(self, segments: _Segments) -> Any:
        """A reader of a message's root."""
        limits = self.limits
        return self.root.from_segments(segments, limits.traversal_limit_in_words, limits.nesting_limit)

    @property
    def most_bytes(self) -> int:
        """How long one message may be in text or JSON: as many bytes as may be traversed."""
        words = self.limits.traversal_limit_in_words
        return 1 << 62 if words is None else max(words << 3, 1 << 26)


class Format(NamedTuple):
    """One format: how the messages in a file are read, and what one message is in a file."""

    summary: str
    read: Callable[[Any, Job], Iterator[_Segments]]
    written: Callable[[_Segments, Job], Any]
    is_typed: bool = False
    is_text: bool = False


# ---- binary


def _read_binary(file: Any, job: Job) -> Iterator[_Segments]:
    return iterate_file(default_codec(), file, job.limits.traversal_limit_in_words, packed=False)


def _read_packed(file: Any, job: Job) -> Iterator[_Segments]:
    return iterate_file(default_codec(), file, job.limits.traversal_limit_in_words, packed=True)


def _written_binary(segments: _Segments, job: Job) -> bytes:
    return b"".join(framed_pieces(_resegmented(segments, job)))


def _written_packed(segments: _Segments, job: Job) -> bytes:
    return default_codec().pack(framed_pieces(_resegmented(segments, job)))


def _resegmented(segments: _Segments, job: Job) -> _Segments:
    """A copy of the message in segments of the size that was asked for, or in one."""
    if job.segment_words is None and len(segments) == 1:
        return segments
    codec = default_codec()
    words = sum(map(len, segments)) >> 3 if job.segment_words is None else job.segment_words
    copy = codec.new_message(words)
    copy.copy_pointer(0, codec.open_segments(segments, job.limits), 0)
    return copy.pieces()


# ---- one segment, without a table


def _read_flat(file: Any, job: Job) -> Iterator[_Segments]:
    data = file.read()
    if len(data) & 7:
        raise DecodeError(f"{len(data)} bytes are not a whole number of words")
    yield [data]


def _read_flat_packed(file: Any, job: Job) -> Iterator[_Segments]:
    yield [unpack(file.read(), job.limits.traversal_limit_in_words)]


def _read_canonical(file: Any, job: Job) -> Iterator[_Segments]:
    for segments in _read_flat(file, job):
        if _written_canonical(segments, job) != segments[0]:
            raise DecodeError("the message is not in canonical form")
        yield segments


def _written_flat(segments: _Segments, job: Job) -> bytes:
    return bytes(_resegmented(segments, job._replace(segment_words=None))[0])


def _written_flat_packed(segments: _Segments, job: Job) -> bytes:
    return default_codec().pack([_written_flat(segments, job)])


def _written_canonical(segments: _Segments, job: Job) -> bytes:
    codec = default_codec()
    shape = codec.open_segments(segments, job.limits)
    found = shape.read_struct(0, codec.canonicalize)
    return bytes(8) if found is None else found


# ---- by a schema


def _read_text(file: Any, job: Job) -> Iterator[_Segments]:
    for text, line in values.values_of(file, values.TEXT, job.most_bytes):
        yield _located(line, from_text, text, job)


def _read_json(file: Any, job: Job) -> Iterator[_Segments]:
    for text, line in values.values_of(file, values.JSON, job.most_bytes):
        yield _located(line, from_json, text, job)


def _located(first_line: int, read: Callable[[bytes, StructType], Any], text: bytes, job: Job) -> _Segments:
    """The message of one text; the place of an error counts from the start of the file."""
    try:
        return to_segments(read(text, job.root))
    except ParseError as error:
        if error.line is not None:
            error.line += first_line - 1
        raise


def _written_text(segments: _Segments, job: Job) -> str:
    return f"{to_text(job.view(segments), not job.short)}\n"


def _written_json(segments: _Segments, job: Job) -> str:
    return f"{to_json(job.view(segments), not job.short)}\n"


# ---- segments


def _read_segments(file: Any, job: Job) -> Iterator[_Segments]:
    """Lines of hexadecimal digits, one for each segment; an empty line ends a message."""
    segments: _Segments = []
    for number, line in enumerate(file, 1):
        digits = line.partition(b"#")[0].strip()
        if digits:
            try:
                segments.append(bytes.fromhex(digits.decode("ascii")))
            except ValueError:
                raise ParseError(f"line {number} has no pairs of hexadecimal digits", line=number) from None
        elif segments and not line.strip():
            yield segments
            segments = []
    if segments:
        yield segments


def _written_segments(segments: _Segments, job: Job) -> str:
    lines = [f"{bytes(segment).hex(' ', 8)}\n" for segment in segments]
    return "".join([*lines, "\n"])


FORMATS = {
    "binary": Format("messages with their segment tables", _read_binary, _written_binary),
    "packed": Format("the same, packed", _read_packed, _written_packed),
    "flat": Format("one message of one segment, without a table", _read_flat, _written_flat),
    "flat-packed": Format("the same, packed", _read_flat_packed, _written_flat_packed),
    "canonical": Format("the same, in canonical form", _read_canonical, _written_canonical),
    "segments": Format("each segment as a line of hex digits", _read_segments, _written_segments, is_text=True),
    "text": Format("the text format", _read_text, _written_text, is_typed=True, is_text=True),
    "json": Format("JSON", _read_json, _written_json, is_typed=True, is_text=True),
}
