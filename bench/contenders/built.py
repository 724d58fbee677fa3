"""What is built for contenders, in build/bench, and built anew when what it is made of has changed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Optional

from bench.contenders.missing import Missing

__all__ = ["BUILD", "ROOT", "run", "up_to_date"]

ROOT = Path(__file__).parent.parent.parent
BUILD = ROOT / "build" / "bench"


def up_to_date(target: Path, sources: Iterable[Path], build: Callable[[], None]) -> Path:
    """The target, which is built if it is missing, or older than a source."""
    newest = max(source.stat().st_mtime for source in sources)
    if not target.exists() or target.stat().st_mtime < newest:
        target.parent.mkdir(parents=True, exist_ok=True)
        build()
        target.touch()
    return target


def run(command: list[str], folder: Optional[Path] = None) -> str:
    """What a command prints. Raises Missing if it cannot be run, or fails."""
    try:
        done = subprocess.run(command, cwd=folder or ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Missing(f"there is no {command[0]}") from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Missing(f"{' '.join(command[:4])} ... fails: {lines[-1] if lines else done.returncode}")
    return done.stdout
