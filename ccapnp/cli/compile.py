"""``ccapnp compile``: schemas to source code, by the plugin of this package or any other."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ccapnp.cli.options import add_import_options, new_parser
from ccapnp.compiler.finder import SearchPath
from ccapnp.errors import CapnpError

__all__ = ["parser", "run"]

_DESCRIPTION = """\
Compiles schema files, as `capnp compile` does, without that tool.

    ccapnp compile addressbook.capnp             writes addressbook_capnp.py and .pyi
    ccapnp compile -o ccapnp:generated x.capnp   writes to the folder "generated", which must exist
    ccapnp compile -o c++ x.capnp                runs the plugin capnpc-c++
    ccapnp compile -o - x.capnp                  writes the compiled schema, as plugins read it
"""


class _Output(NamedTuple):
    """What ``-o`` says."""

    language: str
    folder: str


def run(arguments: Sequence[str]) -> int:
    """Compile; gives the exit status.  Raises SchemaError with all that is wrong with the files."""
    arguments_parser = parser()
    options = arguments_parser.parse_intermixed_args(arguments)
    for folder in [*options.imports, *options.prefixes, *(output.folder for output in options.outputs)]:
        if not os.path.isdir(folder):
            arguments_parser.error(f"{folder}: no such folder")
    finder = SearchPath(
        options.imports, prefixes=options.prefixes, standard=not options.no_standard_import, strip_root=True
    )
    outputs = options.outputs or [_Output("ccapnp", os.curdir)]
    for file in options.files:
        found = finder.open(file)
        if found is None:
            raise CapnpError(f"{file}: no such file")
        if found.name == found.path.lstrip("/") and found.name != found.path and any(map(_makes_files, outputs)):
            _warn_of_place(file, found.name)
    from ccapnp.compiler.compile import compile_files

    request = compile_files(options.files, finder)
    return max([_write(output, request) for output in outputs])


def parser() -> argparse.ArgumentParser:
    """What reads the arguments."""
    made = new_parser("compile", _DESCRIPTION)
    made.add_argument("files", nargs="+", metavar="FILE", help="a schema file")
    made.add_argument(
        "-o",
        "--output",
        action="append",
        dest="outputs",
        default=[],
        type=_output,
        metavar="LANGUAGE[:FOLDER]",
        help="run the plugin capnpc-LANGUAGE, or the one of that path if there is a slash in it, in FOLDER; "
        "'-' is standard output; without any, Python modules are written",
    )
    add_import_options(made)
    made.add_argument(
        "--src-prefix",
        action="append",
        dest="prefixes",
        default=[],
        metavar="FOLDER",
        help="name the output files of schemas in FOLDER relative to it",
    )
    return made


def _output(text: str) -> _Output:
    language, _, folder = text.partition(":")
    return _Output(language, folder or os.curdir)


def _makes_files(output: _Output) -> bool:
    return output.language != "-"


def _warn_of_place(file: str, name: str) -> None:
    """Say where the output for a file goes that is outside of all folders that it could be relative to."""
    folder = os.path.dirname(file)
    print(
        f"ccapnp compile: warning: {file} is not in the working folder, so that its output is named {name}; "
        f"with --src-prefix={folder} it is relative to that folder",
        file=sys.stderr,
    )


def _write(output: _Output, request: bytes) -> int:
    """Hand the request to one plugin; gives the exit status."""
    if output.language == "-":
        sys.stdout.buffer.write(request)
        return 0
    if output.language == "ccapnp":
        return _write_modules(output, request)
    name = output.language if os.sep in output.language else f"capnpc-{output.language}"
    program = shutil.which(name)
    if program is None:
        raise CapnpError(f"there is no plugin {name}" + ("" if os.sep in name else " on PATH"))
    folder = os.path.abspath(output.folder)
    done = subprocess.run(
        [os.path.abspath(program)], input=request, cwd=folder, env={**os.environ, "PWD": folder}, check=False
    )
    if done.returncode:
        print(f"ccapnp compile: error: the plugin {name} failed with exit code {done.returncode}", file=sys.stderr)
    return int(bool(done.returncode))


def _write_modules(output: _Output, request: bytes) -> int:
    from ccapnp.plugin.main import generate, is_package
    from ccapnp.plugin.output import write_files

    folder = Path(output.folder)
    write_files(generate(request, lambda inner: is_package(str(folder / inner))), folder)
    return 0
