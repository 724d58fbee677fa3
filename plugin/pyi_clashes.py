"""Names in a schema that are also names in the library, and the comments with which type checkers accept them.

The schema's name wins.  Each checker is told only where it would complain, since it can be made to complain about
needless comments as well.  mypy looks for its comment where a definition begins: at the decorator of a property that
can be set, at the ``def`` of one that cannot.
"""

from __future__ import annotations

from typing import NamedTuple

from ccapnp.plugin.pyi_types import View

__all__ = [
    "CLASS_NAMES",
    "EMPTY_ENUM",
    "VIEW_NAMES",
    "Marks",
    "builder_mark",
    "client_mark",
    "constant_mark",
    "enumerant_mark",
    "marks",
    "promise_mark",
    "reader_mark",
    "record_mark",
]

CLASS_NAMES = frozenset(("decode", "encode", "mro", "read", "schema"))
"""What can be asked of a struct's class: fields of these names are declared in its views alone."""

CLIENT_NAMES = frozenset(("close", "resolved"))
"""What can be asked of any client, besides an interface's methods."""

PROMISE_NAMES = frozenset(("cancel",))
"""What can be asked of any promise, besides what is built upon its results."""

BUILDER_NAMES = frozenset(("adopt", "disown", "init"))
"""What can be asked of a builder only."""

RECORD_NAMES = frozenset(("count", "index", "which"))
"""What can be asked of a record."""

VIEW_NAMES = frozenset(("copy", "has", "schema", "which", "write"))
"""What can be asked of any view."""

_VARIABLES = frozenset(("schema",))
"""Those that are no methods."""

_OVERRIDE = "  # type: ignore[override]"
_PYRIGHT_OVERRIDE = "  # pyright: ignore[reportIncompatibleMethodOverride]"
_PYRIGHT_VARIABLE = "  # pyright: ignore[reportIncompatibleVariableOverride]"
_PYRIGHT_MEMBER = "  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]"
_ASSIGNMENT = "  # type: ignore[assignment]"
_MISC = "  # type: ignore[misc]"
_FINAL = "  # type: ignore[assignment, misc]"

EMPTY_ENUM = _MISC
"""What stands behind the head of an enum without members."""

_ENUM_NAMES = {
    **dict.fromkeys(("name", "conjugate", "imag", "denominator"), _ASSIGNMENT),
    **dict.fromkeys(("value", "real", "numerator"), _PYRIGHT_MEMBER),
}
"""The attributes of every `enum.IntEnum`."""


class Marks(NamedTuple):
    """What stands behind the lines of a property."""

    decorator: str = ""
    getter: str = ""
    setter: str = ""


def marks(name: str, view: View) -> Marks:
    """The comments of the property ``name`` of a view."""
    if view == View.BUILDER and name in VIEW_NAMES | BUILDER_NAMES:
        return Marks(decorator=_OVERRIDE, setter=_PYRIGHT_VARIABLE if name in _VARIABLES else _PYRIGHT_OVERRIDE)
    return Marks(getter=_OVERRIDE) if name in VIEW_NAMES else Marks()


def client_mark(name: str) -> str:
    """The comment of a method of a client."""
    return _OVERRIDE if name in CLIENT_NAMES else ""


def promise_mark(names: set[str]) -> str:
    """The comment of the promise of a struct on which what has these names can be built."""
    return _MISC if PROMISE_NAMES & names else ""


def constant_mark(name: str, is_in_struct: bool) -> str:
    """The comment of a constant or annotation."""
    if not is_in_struct or name not in VIEW_NAMES:
        return ""
    return _FINAL if name in _VARIABLES else _ASSIGNMENT


def reader_mark(constants: set[str]) -> str:
    """The comment of the reader of a struct that has these constants in it."""
    return _PYRIGHT_VARIABLE if constants & _VARIABLES else ""


def builder_mark(constants: set[str]) -> str:
    """The comment of the builder of a struct that has these constants in it."""
    return _MISC if constants & BUILDER_NAMES else reader_mark(constants)


def record_mark(name: str) -> str:
    """The comment of a property of a record, which is a tuple."""
    return _OVERRIDE if name in RECORD_NAMES else ""


def enumerant_mark(name: str) -> str:
    """The comment of a member of an enum."""
    return _ENUM_NAMES.get(name, "")
