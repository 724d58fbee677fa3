"""Links the sources into build/typing/ccapnp as they are when installed, for the type checkers.

To them plugin/ is a package of its own: they know neither setup.py nor an editable install's import hook.
"""

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "typing" / "ccapnp"


def link_folder(source: Path, target: Path) -> None:
    """Makes folders anew, since pyright looks past linked ones, and links the files in them."""
    shutil.copytree(source, target, copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__"))


if __name__ == "__main__":
    shutil.rmtree(TREE, ignore_errors=True)
    link_folder(ROOT / "ccapnp", TREE)
    link_folder(ROOT / "plugin", TREE / "plugin")
