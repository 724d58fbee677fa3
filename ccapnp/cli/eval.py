"""``ccapnp eval``: the value of a constant or a default in a schema."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from ccapnp.cli import stream
from ccapnp.cli.formats import FORMATS
from ccapnp.cli.schemas import SchemaFile
from ccapnp.convert.json.codec import to_json
from ccapnp.convert.text import value_text
from ccapnp.errors import CapnpError
from ccapnp.types.message import to_segments
from ccapnp.types.struct_view import StructView

__all__ = ["SUMMARY", "parser", "run"]

SUMMARY: str = "print the value of a constant or a field's default in a schema"

_DESCRIPTION = """\
Prints a value that a schema file holds, as `capnp eval` does.

    ccapnp eval addressbook.capnp defaultPerson
    ccapnp eval addressbook.capnp defaultPerson.phones[0].number
    ccapnp eval addressbook.capnp Person.email             the default of a field
    ccapnp eval -o packed config.capnp config > config.bin
"""


def run(arguments: Sequence[str]) -> int:
    """Evaluate; gives the exit status."""
    options = parser().parse_intermixed_args(arguments)
    value = SchemaFile(options.schema, options).value(options.name)
    sys.stdout.buffer.write(_written(value, options))
    return 0


def _written(value: Any, options: argparse.Namespace) -> bytes:
    if options.output_format == "text":
        return f"{value_text(value, not options.short)}\n".encode()
    if options.output_format == "json":
        return f"{to_json(value, not options.short)}\n".encode()
    if not isinstance(value, StructView):
        raise CapnpError(f"{options.name} is no struct, so that it can be written as text or JSON, but as no message")
    written = FORMATS[options.output_format].written(to_segments(value), stream.job_of(options, is_typed=False))
    return written if isinstance(written, bytes) else written.encode()


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = argparse.ArgumentParser(
        prog="ccapnp eval", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("schema", metavar="SCHEMA", help="a schema file")
    made.add_argument("name", metavar="NAME", help="what to evaluate")
    made.add_argument(
        "-o",
        "--output-format",
        choices=FORMATS,
        default="text",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (%(default)s)",
    )
    stream.add_options(made)
    return made
