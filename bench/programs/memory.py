"""What a million small messages take while they are held: opened, or decoded into records."""

from __future__ import annotations

import subprocess
import sys

__all__ = ["run"]

COUNT = 1_000_000
SCHEMA = "bench/schemas/micro.capnp"
PROGRAM = """
import gc, resource, time
{setup}
data = {encode}
keep = [None] * {count}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
for index in range({count}):
    keep[index] = {open}
made = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
start = time.perf_counter()
gc.collect()
print(used * 1024 / {count}, made / {count} * 1e9, (time.perf_counter() - start) * 1e3)
"""
_CCAPNP = "import ccapnp; T = ccapnp.load({schema!r}, backend={backend!r}).Micro"
_PYCAPNP = "import capnp; capnp.remove_import_hook(); T = capnp.load({schema!r}).Micro"
_WAYS = {
    "ccapnp native, readers": (_CCAPNP, "native", "T.from_bytes(bytes(data))"),
    "ccapnp pure, readers": (_CCAPNP, "pure", "T.from_bytes(bytes(data))"),
    "ccapnp native, records": (_CCAPNP, "native", "T.decode(data)"),
    "ccapnp pure, records": (_CCAPNP, "pure", "T.decode(data)"),
    "pycapnp, readers": (_PYCAPNP, "", "T.from_bytes(bytes(data)).__enter__()"),
}


def run(rounds: int = 1) -> None:
    """Print the bytes of each message, how long one takes to make, and how long a collection of garbage is then."""
    print(f"{'':28}{'bytes each':>12}{'ns to make':>12}{'collection':>12}")
    for name, (setup, backend, opened) in _WAYS.items():
        program = PROGRAM.format(
            setup=setup.format(schema=SCHEMA, backend=backend),
            encode="T.new_message(int=5, text='hello world').to_bytes()",
            open=opened,
            count=COUNT,
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name:28} left out: {done.stderr.strip().splitlines()[-1]}")
            continue
        size, made, collection = map(float, done.stdout.split())
        print(f"{name:28}{size:12.0f}{made:12.0f}{collection:9.0f} ms", flush=True)
