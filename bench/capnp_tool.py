"""The official tool: it compiles the benchmarks' schemas, and writes the messages that every contender reads."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["compile_schema", "encode"]


def compile_schema(schema: Path) -> bytes:
    """The CodeGeneratorRequest for a schema."""
    return _run("compile", "-o-", str(schema))


def encode(values: Iterable[Mapping[str, Any]], schema: Path, name: str, to: str = "binary") -> bytes:
    """Messages of the struct called ``name``, one after another, each in one segment; ``to`` may be ``packed``."""
    text = "\n".join(json.dumps(value, default=list) for value in values)  # Data in JSON is a list of numbers
    return _run("convert", f"json:{to}", str(schema), name, input=text.encode())


def _run(*arguments: str, input: bytes = b"") -> bytes:
    return subprocess.run(["capnp", *arguments], input=input, stdout=subprocess.PIPE, check=True).stdout
