"""The compiler as a whole: from the names of files to a CodeGeneratorRequest."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Optional

from ccapnp.compiler.files import Files
from ccapnp.compiler.request import make_request
from ccapnp.errors import SchemaError
from ccapnp.language.diagnostics import Diagnostics
from ccapnp.schema.schema_capnp import CodeGeneratorRequest

if TYPE_CHECKING:
    from ccapnp.compiler.finder import Finder

__all__ = ["compile_files"]


def compile_files(names: Sequence[str], finder: Finder, diagnostics: Optional[Diagnostics] = None) -> bytes:
    """A framed CodeGeneratorRequest for the files of these names; SchemaError that tells all faults."""
    if diagnostics is None:
        diagnostics = Diagnostics()
    files = Files(finder, diagnostics)
    try:
        request = make_request([files.open(name) for name in names])
        diagnostics.check()
        return CodeGeneratorRequest.new_message(**request).to_bytes()
    except RecursionError:
        limit = sys.getrecursionlimit()
        raise SchemaError(
            f"the schema is nested deeper than Python's stack reaches (sys.getrecursionlimit() is {limit}); "
            "a long chain of constants or aliases, each of which names the next, may be why",
            file=names[0],
        ) from None
