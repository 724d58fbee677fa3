"""The formats that messages are read from and written in: one `Format` for each, as the official tool names them.

A message on its way from one to the other is the list of its segments.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ccapnp.codec import default_codec
from ccapnp.errors import CapnpError, DecodeError, ParseError
from ccapnp.pure.codec import PureCodec
from ccapnp.types.message import iterate_file, open_segments, to_segments
from ccapnp.wire.framing import framed_pieces
from ccapnp.wire.limits import Limits

if TYPE_CHECKING:
    import re

    from ccapnp.types.struct_type import StructType

__all__ = ["FORMATS", "Format", "Job"]

_Segments = list[Any]
_Read = Callable[[Any], Iterator[_Segments]]
_Write = Callable[[_Segments], bytes]


class Job(NamedTuple):
    """What a conversion is told besides its formats; ``segment_words`` is how large written segments are, if not 0."""

    struct_type: Optional[StructType]
    short: bool
    limits: Limits
    segment_words: int

    @property
    def root(self) -> StructType:
        """The type of the messages' roots."""
        if self.struct_type is None:
            raise CapnpError("for text and JSON, say which schema file the messages are of, and which type in it")
        return self.struct_type

    @property
    def view(self) -> Callable[[_Segments], Any]:
        """What gives a reader of a message's root."""
        root, (words, depth) = self.root, self.limits
        return lambda segments: open_segments(root, segments, words, depth)

    @property
    def most_bytes(self) -> int:
        """How long one message may be in text or JSON: as many bytes as may be traversed, but at least 64 MiB."""
        words = self.limits.traversal_limit_in_words
        return 1 << 62 if words is None else max(words << 3, 1 << 26)


class Format(NamedTuple):
    """One format: what reads the messages of a file, and what makes of a message what stands for it in a file."""

    summary: str
    reader: Callable[[Job], _Read]
    writer: Callable[[Job], _Write]
    is_typed: bool = False
    is_text: bool = False


# ---- binary


def _binary_reader(job: Job, packed: bool) -> _Read:
    codec, words = default_codec(), job.limits.traversal_limit_in_words

    def read(file: Any) -> Iterator[_Segments]:
        return iterate_file(codec, file if packed else io.BufferedReader(file, 1 << 16), words, packed=packed)

    return read


def _binary_writer(job: Job) -> _Write:
    copied = _copier(job)
    return lambda segments: b"".join(framed_pieces(copied(segments)))


def _packed_writer(job: Job) -> _Write:
    copied, pack = _copier(job), default_codec().pack
    return lambda segments: pack(framed_pieces(copied(segments)))


def _copier(job: Job) -> Callable[[_Segments], _Segments]:
    """What copies a message: into segments of the size that was asked for, or into one, without gaps."""
    limits, words = job.limits, job.segment_words
    codec = PureCodec() if words else default_codec()  # libcapnp would decide on the segments by itself

    def copied(segments: _Segments) -> _Segments:
        source = codec.open_segments(segments, limits)
        found = source.read_struct(0, lambda shape, word: (shape, word))
        copy: Any
        if words:
            copy = codec.build_in([bytearray(words << 3)], None, lambda least: bytearray(max(words, least) << 3))
        else:
            copy = codec.new_message((sum(map(len, segments)) >> 3) + 1)
        if found is None:
            copy.init_struct(0, 0, 0, lambda shape, word: None)
        else:
            copy.copy_struct(0, *found)
        pieces: _Segments = copy.pieces()
        return pieces

    return copied


# ---- one segment, without a table


def _flat_reader(job: Job) -> _Read:
    def read(file: Any) -> Iterator[_Segments]:
        data = file.readall()
        if len(data) & 7 or not data:
            raise DecodeError(f"{len(data)} bytes are not a segment: a whole number of words")
        yield [data]

    return read


def _flat_packed_reader(job: Job) -> _Read:
    from ccapnp.pure.packing import unpack

    def read(file: Any) -> Iterator[_Segments]:
        yield [unpack(file.readall(), job.limits.traversal_limit_in_words)]

    return read


def _canonical_reader(job: Job) -> _Read:
    read_flat, canonical = _flat_reader(job), _canonical_writer(job)

    def read(file: Any) -> Iterator[_Segments]:
        for segments in read_flat(file):
            if canonical(segments) != segments[0]:
                raise DecodeError("the message is not in canonical form")
            yield segments

    return read


def _flat_writer(job: Job) -> _Write:
    copied = _copier(job._replace(segment_words=0))
    return lambda segments: bytes(copied(segments)[0])


def _flat_packed_writer(job: Job) -> _Write:
    flat, pack = _flat_writer(job), default_codec().pack
    return lambda segments: pack([flat(segments)])


def _canonical_writer(job: Job) -> _Write:
    codec, limits, flat = default_codec(), job.limits, _flat_writer(job)

    def canonical(segments: _Segments) -> bytes:
        found: Optional[bytes] = codec.open_segments(segments, limits).read_struct(0, codec.canonicalize)
        return flat(segments) if found is None else found

    return canonical


# ---- by a schema


def _text_reader(job: Job) -> _Read:
    from ccapnp.cli.values import TEXT
    from ccapnp.convert.text_input import from_text

    return _values_reader(job, TEXT, lambda text: from_text(text, job.root))


def _json_reader(job: Job) -> _Read:
    from ccapnp.cli.values import JSON
    from ccapnp.convert.json.codec import from_json

    return _values_reader(job, JSON, lambda text: from_json(text, job.root))


def _values_reader(job: Job, tokens: re.Pattern[bytes], parse: Callable[[bytes], Any]) -> _Read:
    """What reads one message of each value; the lines of an error count from the start of the file."""
    from ccapnp.cli.values import values_of

    def read(file: Any) -> Iterator[_Segments]:
        for text, line, column in values_of(file, tokens, job.most_bytes):
            try:
                made = parse(text)
            except ParseError:
                parse(b"\n" * (line - 1) + b" " * (column - 1) + text)
                raise
            except CapnpError as error:
                error.args = (f"the value that begins in line {line}: {error}",)
                raise
            yield to_segments(made)

    return read


def _text_writer(job: Job) -> _Write:
    from ccapnp.convert.text import to_text

    view, pretty = job.view, not job.short
    return lambda segments: f"{to_text(view(segments), pretty)}\n".encode()


def _json_writer(job: Job) -> _Write:
    from ccapnp.convert.json.codec import JsonCodec

    view, encode = job.view, JsonCodec(pretty=not job.short).encode
    return lambda segments: f"{encode(view(segments))}\n".encode()


# ---- segments


def _segments_reader(job: Job) -> _Read:
    """Lines of hexadecimal digits, one for each segment; an empty line ends a message."""

    def read(file: Any) -> Iterator[_Segments]:
        segments: _Segments = []
        for number, line in enumerate(io.BufferedReader(file), 1):
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

    return read


def _segments_writer(job: Job) -> _Write:
    def written(segments: _Segments) -> bytes:
        return "".join([*(f"{bytes(segment).hex(' ', 8)}\n" for segment in segments), "\n"]).encode()

    return written


FORMATS = {
    "binary": Format("messages with their segment tables", partial(_binary_reader, packed=False), _binary_writer),
    "packed": Format("binary, packed", partial(_binary_reader, packed=True), _packed_writer),
    "flat": Format("one message of one segment, without a table", _flat_reader, _flat_writer),
    "flat-packed": Format("flat, packed", _flat_packed_reader, _flat_packed_writer),
    "canonical": Format(
        "flat, in the canonical form, which equal messages have in common", _canonical_reader, _canonical_writer
    ),
    "segments": Format("each segment as a line of hex digits", _segments_reader, _segments_writer, is_text=True),
    "text": Format("the text format", _text_reader, _text_writer, is_typed=True, is_text=True),
    "json": Format("JSON", _json_reader, _json_writer, is_typed=True, is_text=True),
}
