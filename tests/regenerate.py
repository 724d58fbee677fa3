"""Makes the generated modules that are checked in: `make schema`, or `python -m tests.regenerate`."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ccapnp.plugin.main import generate

ROOT = Path(__file__).resolve().parent.parent

SOURCES = {
    "examples": "examples/addressbook.capnp",
    "tests/codegen/golden": "tests/codegen/golden/golden.capnp",
    "ccapnp/schema": "tests/codegen/schema.request",
}
"""Per folder that gets a module and its stub, the schema; or a request, where the compilers' own schemas differ."""


def generated(folder: str, tool: str = "capnp") -> dict[Path, str]:
    """The text of each file to write for one of the folders above."""
    source = ROOT / SOURCES[folder]
    request = source.read_bytes() if source.suffix == ".request" else _compile(tool, source)
    return {ROOT / folder / Path(name).name: text for name, text in generate(request).items()}


def _compile(tool: str, source: Path) -> bytes:
    command = [tool, "compile", "-o-", f"--src-prefix={source.parent}", str(source)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


if __name__ == "__main__":
    for folder in SOURCES:
        for path, text in generated(folder).items():
            path.write_bytes(text.encode())
            print(path.relative_to(ROOT))
