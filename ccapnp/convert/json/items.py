"""JSON values as they were parsed: an object is a tuple of (name, value), an array a list."""

from __future__ import annotations

from typing import Any

from ccapnp.errors import EncodeError, LimitError, shown

__all__ = ["check_names", "described", "enter", "pass_over"]

_WORDS = {None: "null", True: "true", False: "false"}


def described(item: Any) -> str:
    """A JSON value that is of the wrong kind, for a message."""
    if item is None or isinstance(item, bool):
        return _WORDS[item]
    return "an object" if isinstance(item, tuple) else "an array" if isinstance(item, list) else shown(item)


def enter(room: int) -> int:
    """The room within one more array or object; LimitError if there is none."""
    if room <= 0:
        raise LimitError("this JSON is nested too deeply; pass a larger max_nesting_depth", option="max_nesting_depth")
    return room - 1


def pass_over(item: Any, room: int) -> None:
    """Look at a value that is for no field: it may be anything that is JSON."""
    if isinstance(item, (list, tuple)):
        room = enter(room)
        if isinstance(item, tuple):
            check_names(item)
            item = [each for _, each in item]
        for each in item:
            pass_over(each, room)


def check_names(item: tuple[tuple[str, Any], ...]) -> None:
    """EncodeError if an object has a name twice."""
    seen = set()
    for name, _ in item:
        if name in seen:
            raise EncodeError(f"the object has two members of the name {shown(name)}")
        seen.add(name)
