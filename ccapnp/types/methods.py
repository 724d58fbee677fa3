"""Methods of a user's own on readers and builders.

A class that holds them becomes a base of the view classes, after the library's own: fields and the library's methods
would win, so a clash is refused.  The views have their memory's layout from the library, and so no instance gets a
``__dict__`` by this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ccapnp.errors import shown

__all__ = ["add_methods"]

_NEVER_CALLED = ("__init__", "__new__", "__del__")
_NOTES = frozenset(
    ("__module__", "__doc__", "__slots__", "__annotations__", "__annotate_func__", "__annotations_cache__")
    + ("__firstlineno__", "__static_attributes__", "__dict__", "__weakref__")
)
"""What Python notes of every class."""


def add_methods(views: tuple[Any, ...], methods: Any) -> None:
    """Give classes of views what ``methods`` defines; TypeError, with nothing done, if one of them cannot have it.

    A class of the same module and name as one that was given before takes its place, as when a cell of a notebook is
    run again.
    """
    if not isinstance(methods, type) or hasattr(methods, "_node_id"):
        raise TypeError(f"{shown(methods)} is not a class of methods")
    for base in methods.__mro__[:-1]:
        state = [*vars(base).get("__slots__", ()), *(name for name in _NEVER_CALLED if name in vars(base))]
        if state:
            raise TypeError(f"{base.__qualname__} has {state[0]}: a class of methods has no state, and is never made")
    names = set(_names(methods))
    for view in views:
        own = {*_names_in(view), *_names(view.__bases__[0])}
        clashes = sorted(names & own)
        if clashes:
            raise TypeError(
                f"{view.__qualname__} has {clashes[0]!r} already, which {methods.__qualname__} cannot replace"
            )
    for view in views:
        first, *others = view.__bases__
        view.__bases__ = (first, *(each for each in others if _place(each) != _place(methods)), methods)


def _names(methods: type) -> Iterator[str]:
    for base in methods.__mro__[:-1]:
        yield from _names_in(base)


def _names_in(base: type) -> Iterator[str]:
    return (name for name in vars(base) if name not in _NOTES)


def _place(made: type) -> tuple[str, str]:
    return made.__module__, made.__qualname__
