"""Writing the generated files: each of them whole, and none before all have been written next to their places."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

__all__ = ["write_files"]


def write_files(texts: Mapping[str, str], folder: Path) -> None:
    """Write each text to its name within ``folder``, whose sub-folders are made; OSError if that is not possible."""
    written: dict[Path, Path] = {}
    try:
        for name, text in texts.items():
            target = folder / name
            if target.is_dir():
                raise IsADirectoryError(f"{target} is a folder")
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_name(f".{target.name}.{os.getpid()}")
            written[temporary] = target
            with open(temporary, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        for temporary, target in written.items():
            os.replace(temporary, target)
    finally:
        for temporary in written:
            temporary.unlink(missing_ok=True)
