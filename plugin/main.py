"""The program `capnpc-ccapnp`: a compiled schema on standard input becomes a module and its stub per file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Optional

from ccapnp._version import __version__
from ccapnp.codec import get_codec
from ccapnp.errors import CapnpError, SchemaError
from ccapnp.plugin.emit_py import emit_py
from ccapnp.plugin.emit_pyi import emit_pyi
from ccapnp.plugin.model import FileModel, build_model
from ccapnp.plugin.output import write_files
from ccapnp.schema import Request

__all__ = ["generate", "main"]

_DESCRIPTION = """\
Makes Python modules from Cap'n Proto schemas.

This is a plugin: the schema compiler starts it and hands it the compiled schema. Call it so:

    capnp compile -occapnp addressbook.capnp        writes addressbook_capnp.py and addressbook_capnp.pyi
    capnp compile -occapnp:generated people/*.capnp writes to the folder "generated", which must exist
    capnp compile -o./bin/capnpc-ccapnp x.capnp     with the path of the plugin, where it is not on PATH
    capnp compile -o- x.capnp | capnpc-ccapnp       the same in two steps
"""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the plugin; gives the exit status: 0, 1 for input that it cannot use, 2 for wrong usage."""
    parser = argparse.ArgumentParser(
        prog="capnpc-ccapnp",
        usage="capnp compile -occapnp[:FOLDER] FILE...",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ccapnp {__version__}")
    parser.parse_args(arguments)
    if sys.stdin.isatty():
        parser.print_help()
        return 0
    try:
        write_files(generate(sys.stdin.buffer.read(), is_package), Path())
    except (CapnpError, OSError) as error:
        print(f"capnpc-ccapnp: error: {error}", file=sys.stderr)
        return 1
    return 0


def generate(data: bytes, is_package: Callable[[str], bool] = lambda folder: False) -> dict[str, str]:
    """The text of each file to write, by name, for a CodeGeneratorRequest.

    ``is_package`` says which folders of the output are packages, where stubs import each other relatively.  Raises
    DecodeError or SchemaError if it is none, or asks for what cannot be.
    """
    request = Request(get_codec("pure"), data)  # the text must not depend on which codec is the default
    models: dict[str, FileModel] = {}
    for file in request.files:
        model = build_model(request, file)
        other = models.setdefault(model.output_name, model)
        if other is not model:
            raise SchemaError(f"{other.file_name} and {file.name} would both be the module {model.output_name}.py")
    texts = {}
    for name, model in models.items():
        texts[f"{name}.py"] = emit_py(model)
        texts[f"{name}.pyi"] = emit_pyi(model, is_package)
    return texts


def is_package(folder: str) -> bool:
    """Whether a folder of the output folder is a package of Python modules."""
    return any((Path(folder) / f"__init__.{suffix}").exists() for suffix in ("py", "pyi"))


if __name__ == "__main__":
    sys.exit(main())
