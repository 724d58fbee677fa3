"""``ccapnp decode``: messages as text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli import options as arguments_of
from ccapnp.cli.stream import convert

__all__ = ["parser", "run"]

_DESCRIPTION = """\
Prints binary messages as text, as `capnp decode` does.

    ccapnp decode addressbook.capnp Person < person.bin
    ccapnp decode --short --packed log.capnp Event < log.packed
"""


def run(arguments: Sequence[str]) -> int:
    """Decode; gives the exit status."""
    options = parser().parse_intermixed_args(arguments)
    return convert(arguments_of.binary_format(options.packed, options.flat), "text", options)


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = arguments_of.new_parser("decode", _DESCRIPTION)
    arguments_of.add_schema_arguments(made)
    arguments_of.add_binary_options(made)
    arguments_of.add_import_options(made)
    arguments_of.add_input_options(made)
    arguments_of.add_output_options(made)
    return made
