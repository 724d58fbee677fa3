"""The program `ccapnp` itself: which subcommand is meant, and how errors end it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Optional, Protocol, cast

from ccapnp._version import __version__

__all__ = ["main", "whole_parser"]


class Command(Protocol):
    """The module of a subcommand."""

    def parser(self) -> argparse.ArgumentParser:
        """What reads its arguments."""
        ...

    def run(self, arguments: Sequence[str]) -> int:
        """Do it; gives the exit status."""
        ...


_COMMANDS = {
    "compile": "compile schema files to Python modules, or with any other plugin",
    "completion": "print a script by which a shell completes arguments",
    "convert": "convert messages between binary, text, JSON and other formats",
    "decode": "print binary messages as text",
    "encode": "turn messages that are written as text into binary",
    "eval": "print the value of a constant or a field's default in a schema",
    "id": "print a new, random id for a schema file",
}

_INTERRUPTED = 130
_BROKEN_PIPE = 141
"""What a shell says of a program that such a signal has ended."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the program; gives the exit status: 0, 1 for input that it cannot use, 2 for wrong usage."""
    parser = _parser()
    parser.add_argument("command", nargs="?", choices=_COMMANDS, help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.error(f"say which command: {' or '.join(_COMMANDS)}")
    from ccapnp.errors import CapnpError, SchemaError

    try:
        status = _command(options.command).run(options.arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would fail once more as it ends
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (CapnpError, OSError, MemoryError, RecursionError) as error:
        is_diagnostic = isinstance(error, SchemaError) and error.line is not None
        text = str(error) or type(error).__name__
        print(text if is_diagnostic else f"ccapnp {options.command}: error: {text}", file=sys.stderr)
        return 1


def whole_parser() -> argparse.ArgumentParser:
    """The parser with those of all commands in it, as a whole."""
    parser = _parser()
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, summary in _COMMANDS.items():
        commands.add_parser(name, help=summary, parents=[_command(name).parser()], add_help=False)
    return parser


def _command(name: str) -> Command:
    """The module, which is imported only now: most commands need little of the library."""
    return cast(Command, import_module(f"ccapnp.cli.{name}"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ccapnp",
        usage="ccapnp COMMAND ...",
        description="Cap'n Proto for Python, on the command line.",
        epilog="\n".join(
            ["commands:", *(f"  {name:12}{summary}" for name, summary in _COMMANDS.items())]
            + ["", "`ccapnp COMMAND --help` tells more of each."]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ccapnp {__version__}")
    return parser
