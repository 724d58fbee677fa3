"""From a file to a file: messages of one format become messages of another, one at a time."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from contextlib import ExitStack
from typing import Any, Callable

from ccapnp.cli.files import Input, opened_input, opened_output
from ccapnp.cli.formats import FORMATS, Format, Job
from ccapnp.errors import CapnpError
from ccapnp.wire.limits import Limits

__all__ = ["convert", "job_of", "output_writer"]


def job_of(options: argparse.Namespace, is_typed: bool) -> Job:
    """What the options say of a conversion; the schema is left alone unless it is needed."""
    struct_type = None
    if is_typed and options.schema and options.type:
        from ccapnp.cli.schemas import SchemaFile

        struct_type = SchemaFile(options.schema, options).struct(options.type)
    limits = Limits(options.traversal_limit or None, options.nesting_limit)
    return Job(struct_type, options.short, limits, options.segment_size)


def convert(source: str, target: str, options: argparse.Namespace) -> int:
    """Convert all messages; gives the exit status."""
    reader, writer = FORMATS[source], FORMATS[target]
    job = job_of(options, reader.is_typed or writer.is_typed)
    read, written = reader.reader(job), writer.writer(job)
    count = 0
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        _show_warnings(options)
        source_file = stack.enter_context(opened_input(options.input))
        out = stack.enter_context(opened_output(options.output))
        write = output_writer(out, writer, options)
        after_read = _progress(source_file, stack) if options.progress else _nothing
        file = Input(source_file, out.flush, after_read)
        if not options.quiet:
            _warn_of_format(file, source, target)
        try:
            for segments in read(file):
                write(written(segments))
                count += 1
        except CapnpError as error:
            out.flush()
            error.args = (f"message {count + 1}: {_as_options(str(error))}",)
            raise
    return 0


def _progress(file: Any, stack: ExitStack) -> Callable[[int], Any]:
    from ccapnp.cli.terminal import progress

    return stack.enter_context(progress(os.fstat(file.fileno()).st_size))


def _nothing(count: int) -> None:
    return None


def output_writer(out: Any, format: Format, options: argparse.Namespace) -> Callable[[bytes], Any]:
    """What writes to a file; in colors if that is asked for, or the file is a terminal."""
    on_terminal = not options.output and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    if not format.is_text or options.color == "never" or (options.color == "auto" and not on_terminal):
        return out.write  # type: ignore[no-any-return]
    from ccapnp.cli.terminal import colored

    return lambda data: out.write(colored(data.decode()).encode())


# ---- words for people


def _warn_of_format(file: Input, source: str, target: str) -> None:
    """Warn of an input that seems to be in another format than was said."""
    from ccapnp.cli.guess import likely_format

    likely = likely_format(file.head(), source)
    if likely is not None:
        print(
            f"ccapnp: warning: the input looks like {likely}, not like {source}; "
            f"if so, say {likely}:{target}, and if not, --quiet",
            file=sys.stderr,
        )


def _show_warnings(options: argparse.Namespace) -> None:
    """Have warnings of the library be lines on standard error, each of them once."""
    warnings.simplefilter("ignore" if options.quiet else "default")
    warnings.showwarning = lambda message, *more: print(f"ccapnp: warning: {message}", file=sys.stderr)


_HINT = re.compile(r"; (the input looks|pass a larger|read_multiple_bytes).*", re.DOTALL)


def _as_options(text: str) -> str:
    """The text of an error with the command's options in the place of the library's."""
    option = next((name for name in ("traversal_limit_in_words", "nesting_limit") if name in text), None)
    text = _HINT.sub("", text)
    if option is None or option in text:
        return text.replace("traversal_limit_in_words", "--traversal-limit").replace("nesting_limit", "--nesting-limit")
    return f"{text}; --{option.replace('_in_words', '').replace('_', '-')} raises it"
