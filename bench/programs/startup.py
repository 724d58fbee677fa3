"""What it costs to start: a bare interpreter, ``import ccapnp``, and a generated module of 400 structs of 20 fields."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.programs.processes import print_times, time_in_turn

__all__ = ["run"]

STRUCTS, FIELDS = 400, 20
STEPS = {
    "bare interpreter": "pass",
    "import ccapnp": "import ccapnp",
    f"a module of {STRUCTS} structs": "import large_capnp",
    "that, and one message": "import large_capnp; large_capnp.S7.new_message(f3=1).to_bytes()",
}


def run(rounds: int = 15) -> None:
    """Print the shortest and the median time of each, measured in turn in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        commands = {name: [sys.executable, "-c", statement] for name, statement in STEPS.items()}
        print_times(time_in_turn(commands, Path(folder), rounds))


def generate(folder: Path) -> None:
    """Write ``large_capnp.py`` into a folder."""
    kinds = ("Int32", "Text", "Bool", "Float64", "List(UInt16)", "S0")
    structs = "\n".join(
        f"struct S{number} {{ {' '.join(f'f{at} @{at} :{kinds[at % len(kinds)]};' for at in range(FIELDS))} }}"
        for number in range(STRUCTS)
    )
    (folder / "large.capnp").write_text(f"@0xe7f1c1a9c4f5b6d3;\n{structs}\n")
    subprocess.run([sys.executable, "-m", "ccapnp", "compile", "large.capnp"], cwd=folder, check=True)
