"""capnpy, which makes an extension of each schema. It reads messages, and builds each in one go."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from operator import methodcaller
from types import SimpleNamespace
from typing import Any

from bench.contenders.built import BUILD, run, up_to_date
from bench.contenders.library import SCHEMAS, Library
from bench.contenders.missing import Missing

__all__ = ["Capnpy"]

FOLDER = BUILD / "capnpy"
SETUP = """\
from glob import glob
from setuptools import setup
options = {"convert_case": False, "text_type": "unicode"}
setup(name="schemas", py_modules=[], capnpy_options=options, capnpy_schemas=glob("*.capnp"))
"""


class Capnpy(Library):
    """Structs made of their fields."""

    styles = ("constructing asked", "constructing")

    def __init__(self) -> None:
        import capnpy  # noqa: F401  that it is missing is to be said before its extensions are built

        schemas = sorted(SCHEMAS.glob("*.capnp"))
        try:
            up_to_date(FOLDER / "built", schemas, _build)
        except Missing as missing:
            raise ImportError(str(missing)) from missing
        sys.path.append(str(FOLDER))

    def load(self, schema: str) -> Any:
        module = import_module(schema)
        expression = getattr(module, "Expression", None)
        if expression is None:
            return module
        return SimpleNamespace(**vars(module), ExpressionLeft=expression.Left, ExpressionRight=expression.Right)

    def members(self, enum: Any) -> Sequence[Any]:
        return [getattr(enum, name) for name in enum.__members__]

    def encoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return methodcaller("dumps")

    def decoder(self, struct: Any, packed: bool, reuse: bool) -> Callable[[Any], Any]:
        return struct.loads  # type: ignore[no-any-return]


def _build() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for schema in SCHEMAS.glob("*.capnp"):
        shutil.copy(schema, FOLDER)
    run([sys.executable, "-c", SETUP, "--quiet", "build_ext", "--inplace"], FOLDER)
    (FOLDER / "built").touch()
