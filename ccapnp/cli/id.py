"""``ccapnp id``: an id for a new schema file."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence

__all__ = ["parser", "run"]


def run(arguments: Sequence[str]) -> int:
    """Print the id as a schema file has it in its first line."""
    parser().parse_args(arguments)
    print(f"@{secrets.randbits(63) | 1 << 63:#018x};")
    return 0


def parser() -> argparse.ArgumentParser:
    """What reads the arguments, of which there are none."""
    return argparse.ArgumentParser(prog="ccapnp id", description="Prints a new, random id for a schema file.")
