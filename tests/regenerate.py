"""Makes the generated modules that are checked in: `make schema`, or `python -m tests.regenerate`.

The module of schema.capnp is made anew from the nodes that it embeds itself; a newer schema.capnp is taken from a
request for it: `python -m tests.regenerate REQUEST`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ccapnp.compiler.compile import compile_files
from ccapnp.compiler.finder import SearchPath
from ccapnp.plugin.main import generate
from tests.schema_request import schema_request, without_comments

ROOT = Path(__file__).resolve().parent.parent

SOURCES = {
    "examples": "examples/addressbook.capnp",
    "ccapnp/rpc/core": "ccapnp/compiler/standard/capnp/rpc.capnp",
    "tests/codegen/golden": "tests/codegen/golden/golden.capnp",
}
"""Per folder that gets a module and its stub, the schema."""

SCHEMA_FOLDER = "ccapnp/schema"


def generated(folder: str) -> dict[Path, str]:
    """The text of each file to write for one of the folders above."""
    source = ROOT / SOURCES[folder]
    return _texts(folder, compile_files([str(source)], SearchPath(prefixes=[str(source.parent)])))


def generated_schema(request: bytes) -> dict[Path, str]:
    """The text of the module and the stub for a request of schema.capnp."""
    return _texts(SCHEMA_FOLDER, request)


def _texts(folder: str, request: bytes) -> dict[Path, str]:
    return {ROOT / folder / Path(name).name: text for name, text in generate(request).items()}


def main(arguments: list[str]) -> None:
    request = without_comments(Path(arguments[0]).read_bytes()) if arguments else schema_request()
    texts = generated_schema(request)
    for folder in SOURCES:
        texts.update(generated(folder))
    for path, text in texts.items():
        path.write_bytes(text.encode())
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
