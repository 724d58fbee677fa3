"""``ccapnp encode``: messages from text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli import options as arguments_of
from ccapnp.cli.stream import convert

__all__ = ["parser", "run"]

_DESCRIPTION = """\
Turns messages that are written as text into binary, as `capnp encode` does.

    echo '(name = "Alice", id = 123)' | ccapnp encode addressbook.capnp Person > alice.bin
"""


def run(arguments: Sequence[str]) -> int:
    """Encode; gives the exit status."""
    options = parser().parse_intermixed_args(arguments)
    return convert("text", arguments_of.binary_format(options.packed, options.flat), options)


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = arguments_of.new_parser("encode", _DESCRIPTION)
    arguments_of.add_schema_arguments(made)
    arguments_of.add_binary_options(made)
    arguments_of.add_import_options(made)
    arguments_of.add_input_options(made)
    arguments_of.add_output_options(made)
    return made
