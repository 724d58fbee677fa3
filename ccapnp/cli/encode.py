"""``ccapnp encode``: messages from text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli import stream

__all__ = ["SUMMARY", "parser", "run"]

SUMMARY: str = "turn messages that are written as text into binary"


def run(arguments: Sequence[str]) -> int:
    """Encode; gives the exit status."""
    options = parser().parse_intermixed_args(arguments)
    return stream.convert("text", stream.binary_format(options), options)


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = argparse.ArgumentParser(prog="ccapnp encode", description=f"{SUMMARY.capitalize()}, as `capnp encode` does.")
    stream.add_schema_arguments(made)
    stream.add_binary_options(made)
    stream.add_options(made)
    return made
