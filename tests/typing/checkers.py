"""Running mypy and pyright: once over a folder of code, for the errors of each file."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

__all__ = ["Finding", "mypy", "pyright"]


class Finding(NamedTuple):
    """One error: the file relative to the folder, the line, and all that is said of it."""

    file: str
    line: int
    text: str


def mypy(folder: Path, library: Path) -> list[Finding]:
    """What ``mypy --strict`` says of the files in ``folder``, which import from ``library``."""
    output = _run(
        "mypy",
        folder,
        ["--strict", "--output=json", "--follow-imports=silent", "--python-version=3.10"],
        [f"--cache-dir={folder.parent / 'mypy-cache'}", "--explicit-package-bases", "."],
        MYPYPATH=os.pathsep.join((str(folder), str(library))),
    )
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    assert messages or "error" not in output, output
    return [
        Finding(Path(message["file"]).as_posix(), message["line"], f"{message['message']} [{message['code']}]")
        for message in messages
        if message["severity"] == "error"
    ]


def pyright(folder: Path, library: Path, mode: str = "strict") -> list[Finding]:
    """What pyright says of the files in ``folder``, which import from ``library``."""
    settings = {
        "typeCheckingMode": mode,
        "pythonVersion": "3.10",
        "extraPaths": [str(library)],
        "reportUnusedExpression": "none",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    output = _run("pyright", folder, ["--outputjson", "--pythonpath", sys.executable], [])
    messages: list[Any] = json.loads(output)["generalDiagnostics"]
    return [
        Finding(
            os.path.relpath(message["file"], folder.resolve()).replace(os.sep, "/"),
            message["range"]["start"]["line"] + 1,
            f"{message['message']} [{message.get('rule')}]",
        )
        for message in messages
        if message["severity"] == "error"
    ]


def _run(tool: str, folder: Path, options: list[str], last: list[str], **environment: str) -> str:
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed")
    done = subprocess.run(
        [sys.executable, "-m", tool, *options, *last],
        cwd=folder,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout
