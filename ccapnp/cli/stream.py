"""From standard input to standard output: messages of one format become messages of another, one at a time."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ccapnp.cli.formats import FORMATS, Job
from ccapnp.cli.schemas import SchemaFile, add_import_options
from ccapnp.errors import CapnpError
from ccapnp.wire.limits import DEFAULT_NESTING_LIMIT, DEFAULT_TRAVERSAL_LIMIT_IN_WORDS, Limits
from ccapnp.wire.streams import write_pieces

__all__ = ["add_binary_options", "add_options", "add_schema_arguments", "binary_format", "convert", "job_of"]


def add_schema_arguments(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """The schema file and the type."""
    count = "?" if optional else None
    parser.add_argument("schema", nargs=count, metavar="SCHEMA", help="a schema file")
    parser.add_argument("type", nargs=count, metavar="TYPE", help="the struct type in it that the messages are of")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that all conversions have."""
    add_import_options(parser)
    parser.add_argument("--short", action="store_true", help="write each text, or JSON, in one line")
    parser.add_argument(
        "--segment-size", type=int, metavar="WORDS", help="write messages in segments of this size, not in one"
    )
    parser.add_argument(
        "--traversal-limit",
        type=int,
        default=DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
        metavar="WORDS",
        help="how many words of one message may be read (%(default)s); 0 for any number",
    )
    parser.add_argument(
        "--nesting-limit",
        type=int,
        default=DEFAULT_NESTING_LIMIT,
        metavar="LEVELS",
        help="how deeply the structs and lists of a message may be nested (%(default)s)",
    )
    parser.add_argument("--input", metavar="FILE", help="read this file, not standard input")
    parser.add_argument(
        "--output", metavar="FILE", help="write to this file, which is replaced once all has been written"
    )
    parser.add_argument("--progress", action="store_true", help="show how far the input has been read, on a terminal")
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="color text and JSON (%(default)s)"
    )
    parser.add_argument("--quiet", action="store_true", help="do not warn of input that looks like another format")


def add_binary_options(parser: argparse.ArgumentParser) -> None:
    """The options that say which of the binary formats is meant."""
    parser.add_argument("-p", "--packed", action="store_true", help="the messages are packed")
    parser.add_argument("--flat", action="store_true", help="there is one message, of one segment, without a table")


def binary_format(options: argparse.Namespace) -> str:
    """The format that they say."""
    return f"flat{'-packed' * options.packed}" if options.flat else "packed" if options.packed else "binary"


def job_of(options: argparse.Namespace, is_typed: bool) -> Job:
    """What the options say of a conversion; the schema is left alone unless it is needed."""
    struct_type = None
    if is_typed and options.schema and options.type:
        struct_type = SchemaFile(options.schema, options).struct(options.type)
    limits = Limits(options.traversal_limit or None, options.nesting_limit)
    return Job(struct_type, options.short, limits, options.segment_size)


def convert(source: str, target: str, options: argparse.Namespace) -> int:
    """Convert all messages; gives the exit status."""
    reader, writer = FORMATS[source], FORMATS[target]
    job = job_of(options, reader.is_typed or writer.is_typed)
    if (reader.is_typed or writer.is_typed) and job.struct_type is None:
        raise CapnpError("for text and JSON, say which schema file the messages are of, and which type in it")
    count = 0
    with _input(options) as file, _output(options) as out:
        write = _writer(out, writer.is_text, options)
        try:
            for segments in reader.read(file, job):
                write(writer.written(segments, job))
                count += 1
        except CapnpError as error:
            raise error.inside(f"message {count + 1}") from None
    return 0


@contextmanager
def _input(options: argparse.Namespace) -> Iterator[Any]:
    """The file to read, whose progress is shown if that is asked for."""
    with ExitStack() as stack:
        file: Any = stack.enter_context(open(options.input, "rb")) if options.input else sys.stdin.buffer
        if options.progress:
            from ccapnp.cli.terminal import showing_progress

            file = stack.enter_context(showing_progress(file))
        yield file


@contextmanager
def _output(options: argparse.Namespace) -> Iterator[Any]:
    """The file to write: a new one, which takes the place of the old one once all has been written to it."""
    if not options.output:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    folder, name = os.path.split(os.path.abspath(options.output))
    temporary = os.path.join(folder, f".{name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            yield file
        os.replace(temporary, options.output)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _writer(out: Any, is_text: bool, options: argparse.Namespace) -> Callable[[Any], None]:
    """The function that writes one message."""
    if not is_text:
        return lambda data: write_pieces(out, [data])
    on_terminal = not options.output and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if options.color == "always" or (options.color == "auto" and on_terminal):
        from ccapnp.cli.terminal import colored

        return lambda text: write_pieces(out, [colored(text).encode("utf-8", "surrogateescape")])
    return lambda text: write_pieces(out, [text.encode("utf-8", "surrogateescape")])
