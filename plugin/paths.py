"""Where the modules of schema files go, and how one of them imports another."""

from __future__ import annotations

from ccapnp.errors import SchemaError
from ccapnp.schema.names import module_name

__all__ = ["STANDARD_MODULES", "module_path", "output_name"]

STANDARD_MODULES = {
    0xA93FC509624C72D9: "ccapnp.schema.schema_capnp",
    0xBDF87D7BB8304E81: "",  # c++.capnp
    0x86C366A91393F3F8: "",  # stream.capnp
    0xB8630836983FEED7: "",  # persistent.capnp
    0xB312981B2552A250: "",  # rpc.capnp
    0xA184C7885CDAF2A1: "",  # rpc-twoparty.capnp
    0x8EF99297A43A5E34: "",  # compat/json.capnp
}
"""The modules of the schemas that come with Cap'n Proto, by file id; "" where ccapnp has none."""


def output_name(file_name: str) -> str:
    """The file to write for a schema file, relative to the output folder and without a suffix.

    A leading slash does not count, as for the C++ plugin.  Raises SchemaError for a name that leads out of the folder.
    """
    parts = _parts(file_name)
    if ".." in parts:
        raise SchemaError(f"the module for {file_name} would be written outside of the output folder; use --src-prefix")
    return "/".join([*parts[:-1], module_name(parts[-1])])


def module_path(importer: str, imported: str) -> str:
    """How the module of the schema file ``importer`` imports that of ``imported``."""
    here, there = _parts(importer)[:-1], _parts(imported)
    shared = 0
    while here[shared : shared + 1] == there[shared:-1][:1] and shared < len(here):
        shared += 1
    rest = there[shared:-1]
    up = len(here) - shared + rest.count("..")
    folders = [part for part in rest if part != ".."]
    return "." * (up + 1) + ".".join([*folders, module_name(there[-1])])


def _parts(name: str) -> list[str]:
    """The parts of a path, with ``.`` and inner ``..`` resolved; what leads up stays in front."""
    parts: list[str] = []
    for part in name.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return parts or [""]
