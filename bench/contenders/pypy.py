"""ccapnp on PyPy, in a virtual environment of its own."""

from __future__ import annotations

from collections.abc import Sequence

from bench.contenders.built import BUILD, ROOT, run, up_to_date
from bench.contenders.missing import Missing

__all__ = ["command"]

PYTHON = BUILD / "pypy" / "bin" / "python"


def command(backend: str, arguments: Sequence[str]) -> list[str]:
    """The command of a worker that runs on PyPy what ``ccapnp`` is on this interpreter."""
    up_to_date(PYTHON.parent.parent / "made", [ROOT / "setup.py", *(ROOT / "ccapnp" / "native").glob("*.[ch]*")], _make)
    if backend == "native" and "native" not in run([str(PYTHON), "-c", "import ccapnp; print(ccapnp.backend_info())"]):
        raise Missing("the native codec is not built for it")
    work, _, *more = arguments
    return [str(PYTHON), "-m", "bench.worker", work, f"ccapnp {backend}", *more]


def _make() -> None:
    run(["pypy3", "-m", "venv", str(PYTHON.parent.parent)])
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "setuptools>=77"])
    run([str(PYTHON), "setup.py", "--quiet", "build_ext", "--inplace"])
