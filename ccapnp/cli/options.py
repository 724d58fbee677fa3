"""The arguments that several commands have, which mean the same in each."""

from __future__ import annotations

import argparse

from ccapnp.wire.limits import DEFAULT_NESTING_LIMIT, DEFAULT_TRAVERSAL_LIMIT_IN_WORDS

__all__ = [
    "add_binary_options",
    "add_import_options",
    "add_input_options",
    "add_output_options",
    "add_schema_arguments",
    "binary_format",
    "new_parser",
]


def new_parser(name: str, description: str) -> argparse.ArgumentParser:
    """The parser of a command, whose description is shown as it is."""
    return argparse.ArgumentParser(
        prog=f"ccapnp {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def add_schema_arguments(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """The schema file and the type."""
    count = "?" if optional else None
    parser.add_argument("schema", nargs=count, metavar="SCHEMA", help="the schema file")
    parser.add_argument(
        "type", nargs=count, metavar="TYPE", help="the struct type of the messages, as Person, or 'Map(Text, Person)'"
    )


def add_import_options(parser: argparse.ArgumentParser) -> None:
    """Where imports are looked for."""
    parser.add_argument(
        "-I",
        "--import-path",
        action="append",
        dest="imports",
        default=[],
        metavar="FOLDER",
        help="where to look for imports with a leading slash; may be given several times",
    )
    parser.add_argument(
        "--no-standard-import",
        action="store_true",
        help="look for them nowhere else: not among the standard schemas, nor in the folders of the system",
    )


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Where messages come from, and how large they may be."""
    parser.add_argument("--input", metavar="FILE", help="read this file, not standard input")
    parser.add_argument(
        "--traversal-limit",
        type=_words,
        default=DEFAULT_TRAVERSAL_LIMIT_IN_WORDS,
        metavar="WORDS",
        help="how many words of one message may be read (%(default)s); 0 for any number",
    )
    parser.add_argument(
        "--nesting-limit",
        type=_levels,
        default=DEFAULT_NESTING_LIMIT,
        metavar="LEVELS",
        help="how deeply the structs and lists of a message may be nested (%(default)s)",
    )
    parser.add_argument("--progress", action="store_true", help="show how far the input has been read, on a terminal")
    parser.add_argument(
        "--quiet", action="store_true", help="do not warn, as of an input that looks like another format"
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Where what is written goes, and how it looks."""
    parser.add_argument(
        "--output", metavar="FILE", help="write to this file, which is replaced once all has been written"
    )
    parser.add_argument("--short", action="store_true", help="write each text, or JSON, in one line")
    parser.add_argument(
        "--segment-size",
        type=_words,
        default=0,
        metavar="WORDS",
        help="write messages in segments of this size, not in one",
    )
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="whether text and JSON are colored; %(default)s is on a terminal, unless NO_COLOR is set",
    )


def add_binary_options(parser: argparse.ArgumentParser) -> None:
    """Which of the binary formats is meant."""
    parser.add_argument("-p", "--packed", action="store_true", help="the messages are packed")
    parser.add_argument("--flat", action="store_true", help="there is one message, of one segment, without a table")


def binary_format(packed: bool, flat: bool) -> str:
    """The format that they say."""
    return f"flat{'-packed' * packed}" if flat else "packed" if packed else "binary"


def _words(text: str) -> int:
    return _number(text, 0)


def _levels(text: str) -> int:
    return _number(text, 1)


def _number(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not least <= number < 1 << 61:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least {least}")
    return number
