"""One small adapter for each library that is measured, and what runs it: an interpreter, or a program of its own.

A contender whose library is not there is named, and left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from bench.contenders import cpp, pypy
from bench.contenders.library import Library

__all__ = ["CONTENDERS", "Contender"]


class Contender(NamedTuple):
    """A library and the interpreter it runs in."""

    name: str
    # Makes the adapter, in a process of its own; raises ImportError if the library is not there.
    library: Callable[[], Library]
    # Gives the command that runs bench.worker, or does as that does; raises Missing.
    command: Callable[[Sequence[str]], list[str]]
    # How long it takes to be as fast as it gets.
    warm_up_seconds: float = 0.0


def _lazy(backend: str) -> Library:
    from bench.contenders.ccapnp import Lazy

    return Lazy(backend)


def _records(backend: str) -> Library:
    from bench.contenders.records import Records

    return Records(backend)


def _pycapnp() -> Library:
    from bench.contenders.pycapnp import Pycapnp

    return Pycapnp()


def _capnpy() -> Library:
    from bench.contenders.capnpy import Capnpy

    return Capnpy()


def _protobuf() -> Library:
    from bench.contenders.protobuf import Protobuf

    return Protobuf()


def _msgspec() -> Library:
    from bench.contenders.msgspec import Msgspec

    return Msgspec()


def _here(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "bench.worker", *arguments]


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("ccapnp native", partial(_lazy, "native"), _here),
        Contender("ccapnp pure", partial(_lazy, "pure"), _here),
        Contender("records native", partial(_records, "native"), _here),
        Contender("records pure", partial(_records, "pure"), _here),
        Contender("pycapnp", _pycapnp, _here),
        Contender("capnpy", _capnpy, _here),
        Contender("protobuf", _protobuf, _here),
        Contender("msgspec", _msgspec, _here),
        Contender("PyPy native", partial(_lazy, "native"), partial(pypy.command, "native"), 1.5),
        Contender("PyPy pure", partial(_lazy, "pure"), partial(pypy.command, "pure"), 1.5),
        Contender("C++", Library, cpp.command),
    )
}
