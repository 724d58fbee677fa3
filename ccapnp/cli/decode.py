"""``ccapnp decode``: messages as text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ccapnp.cli import stream

__all__ = ["SUMMARY", "parser", "run"]

SUMMARY: str = "print binary messages as text"


def run(arguments: Sequence[str]) -> int:
    """Decode; gives the exit status."""
    options = parser().parse_intermixed_args(arguments)
    return stream.convert(stream.binary_format(options), "text", options)


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = argparse.ArgumentParser(prog="ccapnp decode", description=f"{SUMMARY.capitalize()}, as `capnp decode` does.")
    stream.add_schema_arguments(made)
    stream.add_binary_options(made)
    stream.add_options(made)
    return made
