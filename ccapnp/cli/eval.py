"""``ccapnp eval``: the value of a constant or a default in a schema."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from ccapnp.cli import options as arguments_of
from ccapnp.cli.files import opened_output
from ccapnp.cli.formats import FORMATS, Job
from ccapnp.cli.schemas import SchemaFile
from ccapnp.cli.stream import output_writer
from ccapnp.errors import CapnpError
from ccapnp.wire.limits import UNLIMITED

__all__ = ["parser", "run"]

_DESCRIPTION = """\
Prints a value that a schema file holds, as `capnp eval` does.

    ccapnp eval addressbook.capnp defaultPerson
    ccapnp eval addressbook.capnp 'defaultPerson.phones[0].number'
    ccapnp eval addressbook.capnp Person.email             the default of a field
    ccapnp eval -o packed config.capnp config > config.bin
"""


_OPAQUE = "<opaque pointer>"


def run(arguments: Sequence[str]) -> int:
    """Evaluate; gives the exit status."""
    options = parser().parse_intermixed_args(arguments)
    name = options.format or arguments_of.binary_format(options.packed, options.flat)
    if not (options.format or options.binary or options.packed or options.flat):
        name = "text"
    value = SchemaFile(options.schema, options).value(options.name)
    data = _written(value, name, options)
    with opened_output(options.output) as out:
        output_writer(out, FORMATS[name], options)(data)
    return 0


def _written(value: Any, format: str, options: argparse.Namespace) -> bytes:
    from ccapnp.types.lists import ListReader
    from ccapnp.types.message import to_segments
    from ccapnp.types.struct_view import StructView, copy

    if format == "text":
        from ccapnp.convert.text import value_text
        from ccapnp.types.any import AnyPointerReader

        text = _OPAQUE if isinstance(value, AnyPointerReader) else value_text(value, not options.short)
        return f"{text}\n".encode()
    if format == "json" and isinstance(value, (StructView, ListReader)):
        from ccapnp.convert.json.codec import to_json

        return f"{to_json(value, not options.short)}\n".encode()
    if not isinstance(value, StructView):
        raise CapnpError(f"{options.name} is not a struct; only structs are written as {format}")
    if value._type._node.is_group:
        raise CapnpError(f"{options.name} is a group, which is no message; it is written as text or JSON")
    job = Job(None, options.short, UNLIMITED, options.segment_size)
    return FORMATS[format].writer(job)(to_segments(copy(value)))


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = arguments_of.new_parser("eval", _DESCRIPTION)
    made.add_argument("schema", metavar="SCHEMA", help="the schema file")
    made.add_argument("name", metavar="NAME", help="what to evaluate")
    made.add_argument(
        "-o", "--format", choices=FORMATS, metavar="FORMAT", help=f"one of {', '.join(FORMATS)}; text unless said"
    )
    made.add_argument("-b", "--binary", action="store_true", help="the same as -o binary")
    made.add_argument("-p", "--packed", action="store_true", help="the same as -o packed")
    made.add_argument("--flat", action="store_true", help="the same as -o flat; with -p, as -o flat-packed")
    arguments_of.add_import_options(made)
    arguments_of.add_output_options(made)
    return made
