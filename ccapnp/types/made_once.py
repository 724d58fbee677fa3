"""Attributes of a schema's types that are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any

__all__ = ["Hidable", "MadeOnce"]

_MAKING = RLock()  # so that two threads do not make two classes for one type


class MadeOnce:
    """An attribute of a type that is made when it is first asked for, and stands in the type itself then.

    (A metaclass with ``__getattr__`` would do the same, and make every look at an attribute of a type much slower.)
    The base of all types of a kind has one only if ``of_base``; it is not kept there, where the others would find it.
    """

    def __init__(self, make: Callable[[Any], Any], of_base: bool = False) -> None:
        self._make = make
        self._of_base = of_base

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, cls: Any, metaclass: Any = None) -> Any:
        if cls is None:
            return self
        if "_node_id" not in cls.__dict__:
            if self._of_base:
                return self._make(cls)
            raise AttributeError(f"{cls.__qualname__} is not of a schema")
        with _MAKING:
            made = cls.__dict__.get(self._name)
            if made is None:
                made = self._make(cls)
                setattr(cls, self._name, made)
        return made


class Hidable:
    """An attribute of a type that is hidden by what the schema declares under its name."""

    def __init__(self, get: Callable[[Any], Any]) -> None:
        self._get = get

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, cls: Any, metaclass: Any = None) -> Any:
        if cls is None:
            return self
        is_declared = "_origin" in cls.__dict__ and self._name in cls._origin.__dict__
        return cls.__getattr__(self._name) if is_declared else self._get(cls)  # of a bound type
