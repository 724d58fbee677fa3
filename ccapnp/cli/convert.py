"""``ccapnp convert``: messages from one format to another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli import options as arguments_of
from ccapnp.cli.formats import FORMATS

__all__ = ["parser", "run"]

_DESCRIPTION = """\
Converts a stream of messages, as `capnp convert` does.

    ccapnp convert binary:json addressbook.capnp Person < person.bin
    ccapnp convert --short packed:json log.capnp Event < log.packed > log.jsonl
    ccapnp convert text:binary config.capnp Config < config.txt > config.bin
    ccapnp convert packed:binary < log.packed       needs no schema

The formats are:
"""


def run(arguments: Sequence[str]) -> int:
    """Convert; gives the exit status."""
    arguments_parser = parser()
    options = arguments_parser.parse_intermixed_args(arguments)
    source, colon, target = options.formats.partition(":")
    if not colon:
        arguments_parser.error(f"say both formats, as in binary:json, and not only {source!r}")
    for name in (source, target):
        if name not in FORMATS:
            arguments_parser.error(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    typed = [name for name in (source, target) if FORMATS[name].is_typed]
    if typed and not options.type:
        arguments_parser.error(f"for {typed[0]}, say which schema file the messages are of, and which type in it")
    from ccapnp.cli.stream import convert

    return convert(source, target, options)


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    formats = "".join(f"    {name:12}{each.summary}\n" for name, each in FORMATS.items())
    made = arguments_of.new_parser("convert", _DESCRIPTION + formats)
    made.add_argument("formats", metavar="FROM:TO", help="the format to read and the one to write")
    arguments_of.add_schema_arguments(made, optional=True)
    arguments_of.add_import_options(made)
    arguments_of.add_input_options(made)
    arguments_of.add_output_options(made)
    return made
