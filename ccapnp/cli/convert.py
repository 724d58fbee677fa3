"""``ccapnp convert``: messages from one format to another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli import stream
from ccapnp.cli.formats import FORMATS

__all__ = ["SUMMARY", "parser", "run"]

SUMMARY: str = "convert messages between binary, text, JSON and other formats"

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
    options = parser().parse_intermixed_args(arguments)
    source, colon, target = options.formats.partition(":")
    for name in (source, target) if colon else (options.formats,):
        if name not in FORMATS:
            parser().error(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    if not colon:
        parser().error("say both formats, as in binary:json")
    return stream.convert(source, target, options)


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    formats = "".join(f"    {name:12}{each.summary}\n" for name, each in FORMATS.items())
    made = argparse.ArgumentParser(
        prog="ccapnp convert",
        description=_DESCRIPTION + formats,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("formats", metavar="FROM:TO", help="the format to read and the one to write")
    stream.add_schema_arguments(made, optional=True)
    stream.add_options(made)
    return made
