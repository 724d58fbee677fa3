"""The C++ library itself, in the programs of bench/cpp."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.contenders.built import BUILD, ROOT, run, up_to_date
from bench.contenders.library import SCHEMAS
from bench.contenders.missing import Missing

__all__ = ["command"]

SOURCES = ROOT / "bench" / "cpp"
GENERATED = BUILD / "cpp"


def command(arguments: Sequence[str]) -> list[str]:
    """The command of a program, built if need be."""
    work, _, *more = arguments
    source = SOURCES / f"{work}.c++"
    if not source.exists():
        raise Missing(f"there is no {source.name}")
    schemas = sorted(SCHEMAS.glob("*.capnp"))
    program = up_to_date(BUILD / work, [*SOURCES.iterdir(), *schemas], lambda: _build(source, schemas))
    return [str(program), *more]


def _build(source: Path, schemas: Sequence[Path]) -> None:
    GENERATED.mkdir(parents=True, exist_ok=True)
    run(["capnp", "compile", f"-oc++:{GENERATED}", f"--src-prefix={SCHEMAS}", *map(str, schemas)])
    flags = run(["pkg-config", "--cflags", "--libs", "capnp-rpc"]).split()
    generated = map(str, GENERATED.glob("*.c++"))
    run(["g++", "-std=c++17", "-O2", "-Wall", "-Wextra", f"-I{GENERATED}", str(source), *generated, *flags]
        + ["-o", str(BUILD / source.stem)])  # fmt: skip
