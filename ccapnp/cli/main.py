"""The program `ccapnp` itself: which subcommand is meant, and how errors end it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Optional, Protocol

from ccapnp._version import __version__
from ccapnp.cli import compile, completion, convert, decode, encode, eval, id
from ccapnp.errors import CapnpError, SchemaError

__all__ = ["main", "whole_parser"]


class Command(Protocol):
    """The module of a subcommand."""

    SUMMARY: str

    def parser(self) -> argparse.ArgumentParser:
        """What reads its arguments."""
        ...

    def run(self, arguments: Sequence[str]) -> int:
        """Do it; gives the exit status."""
        ...


_COMMANDS: dict[str, Command] = {
    "compile": compile,
    "completion": completion,
    "convert": convert,
    "decode": decode,
    "encode": encode,
    "eval": eval,
    "id": id,
}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the program; gives the exit status: 0, 1 for input that it cannot use, 2 for wrong usage."""
    parser = _parser()
    parser.add_argument("command", nargs="?", choices=_COMMANDS, help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.error(f"say which command: {' or '.join(_COMMANDS)}")
    try:
        status = _COMMANDS[options.command].run(options.arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would fail once more as it ends
        return 1
    except (CapnpError, OSError) as error:
        is_diagnostic = isinstance(error, SchemaError) and error.line is not None
        print(error if is_diagnostic else f"ccapnp {options.command}: error: {error}", file=sys.stderr)
        return 1


def whole_parser() -> argparse.ArgumentParser:
    """The parser with those of all commands in it, as a whole."""
    parser = _parser()
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, each in _COMMANDS.items():
        commands.add_parser(name, help=each.SUMMARY, parents=[each.parser()], add_help=False)
    return parser


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ccapnp",
        usage="ccapnp COMMAND ...",
        description="Cap'n Proto for Python, on the command line.",
        epilog="\n".join(
            ["commands:", *(f"  {name:12}{each.SUMMARY}" for name, each in _COMMANDS.items())]
            + ["", "`ccapnp COMMAND --help` tells more of each."]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ccapnp {__version__}")
    return parser
