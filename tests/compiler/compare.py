"""Two requests for the same files, node by node: the official compiler's and ours."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ccapnp.schema.schema_capnp import CodeGeneratorRequest
from ccapnp.types.any import AnyPointerReader

NOT_OURS = {"startByte", "endByte", "fileSourceInfo"}
"""Where in the source things are, which later releases of the tool say."""


def tool_request(tool: str, names: Sequence[str], folder: Path) -> bytes:
    """What ``capnp compile``, run in a folder, makes of the files."""
    run = subprocess.run([tool, "compile", "-o-", *names], cwd=folder, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout


def decoded(request: bytes) -> dict[str, Any]:
    """A request as plain values."""
    found: dict[str, Any] = plain(CodeGeneratorRequest.from_bytes(request, None).to_dict())
    return found


def parts(request: bytes) -> dict[str, Any]:
    """What is in a request, whose nodes and comments have no order: each under its name."""
    whole = decoded(request)
    found = {f"node {each['displayName']}": each for each in whole["nodes"]}
    assert len(found) == len(whole["nodes"]), "a node is there twice"
    names = {each["id"]: each["displayName"] for each in whole["nodes"]}
    # The tool has an entry without an id, in which the comments of all method parameters end up.
    infos = {f"info {names[each['id']]}": each for each in whole["sourceInfo"] if each["id"]}
    files = {f"file {each['filename']}": each for each in whole["requestedFiles"]}
    return {**found, **infos, **files}


def plain(value: Any) -> Any:
    """A value with what can be compared instead of pointers: the sizes and the contents."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items() if name not in NOT_OURS}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, AnyPointerReader):
        codec = value._c.codec
        # A pointer is a struct that has nothing but this pointer.
        shape = value._c.child(value._c.segment, 1 << 16)
        return str(value), codec.total_size(shape, value._at), codec.canonicalize(shape, value._at)
    return repr(value) if isinstance(value, float) else value


def differences(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """What is not the same in two plain values, for people."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = []
        for name in [*ours, *(each for each in theirs if each not in ours)]:
            if name not in theirs:
                found.append(f"{path}/{name}: only in ours: {ours[name]}")
            elif name not in ours:
                found.append(f"{path}/{name}: only in theirs: {theirs[name]}")
            else:
                found += differences(ours[name], theirs[name], f"{path}/{name}")
        return found
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [each for index, pair in enumerate(zip(ours, theirs)) for each in differences(*pair, f"{path}[{index}]")]
    return [] if ours == theirs else [f"{path}: {ours!r} in ours, {theirs!r} in theirs"]
