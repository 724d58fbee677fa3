"""What is made once for a type and lives as long as that; a `functools.cache` would keep the types of every loader."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

__all__ = ["kept"]

_T = TypeVar("_T")


def kept(make: Callable[[Any], _T]) -> Callable[[Any], _T]:
    """A function of a class that keeps in the class itself what it gives, which is never ``None``."""
    name = f"_kept_{make.__name__.lstrip('_')}"

    @wraps(make)
    def get(made_for: Any) -> _T:
        found: Any = made_for.__dict__.get(name)
        if found is None:
            found = make(made_for)
            setattr(made_for, name, found)
        return found  # type: ignore[no-any-return]

    return get
