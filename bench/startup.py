"""What it costs to start: a bare interpreter, ``import ccapnp``, and a generated module of 400 structs of 20 fields."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

__all__ = ["run"]

STRUCTS, FIELDS = 400, 20


def run(rounds: int = 15) -> None:
    """Print the shortest and the median time of each, measured in turn in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        steps = {"bare interpreter": "pass", "import ccapnp": "import ccapnp"}
        if generate(Path(folder)):
            steps[f"a module of {STRUCTS} structs"] = "import large_capnp"
            steps["that, and one message"] = "import large_capnp; large_capnp.S7.new_message(f3=1).to_bytes()"
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        times: dict[str, list[float]] = {name: [] for name in steps}
        for _ in range(rounds + 1):  # the first round also writes the bytecode
            for name, statement in steps.items():
                start = time.perf_counter()
                subprocess.run([sys.executable, "-c", statement], cwd=folder, env=environment, check=True)
                times[name].append((time.perf_counter() - start) * 1e3)
    times = {name: each[1:] for name, each in times.items()}
    bare = times["bare interpreter"]
    for name, each in times.items():
        more = f"{min(each) - min(bare):+8.1f} /{median(each) - median(bare):+7.1f}" if each is not bare else ""
        print(f"{name:28}{min(each):8.1f} /{median(each):7.1f} ms{more:>20}")


def generate(folder: Path) -> bool:
    """Write ``large_capnp.py`` into a folder; needs the official tool and the plugin."""
    plugin = Path(sys.executable).with_name("capnpc-ccapnp")
    tool = shutil.which("capnp")
    if tool is None or not plugin.exists():
        print("left out: the large module (needs the capnp tool and an installed ccapnp)", file=sys.stderr)
        return False
    kinds = ("Int32", "Text", "Bool", "Float64", "List(UInt16)", "S0")
    structs = "\n".join(
        f"struct S{number} {{ {' '.join(f'f{at} @{at} :{kinds[at % len(kinds)]};' for at in range(FIELDS))} }}"
        for number in range(STRUCTS)
    )
    schema = folder / "large.capnp"
    schema.write_text(f"@0xe7f1c1a9c4f5b6d3;\n{structs}\n")
    command = [tool, "compile", f"-o{plugin}", f"--src-prefix={folder}", str(schema)]
    subprocess.run(command, cwd=folder, env={**os.environ, "PWD": str(folder)}, check=True)
    return True
