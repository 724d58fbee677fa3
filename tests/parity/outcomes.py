"""What became of an operation, in a form that is equal only if nobody could tell the difference."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable
from typing import Any

import ccapnp
from tests.parity.differences import ALLOWED

__all__ = ["errors_in", "outcome"]

_MOST_VALUES = 400
"""How many values of one message are looked at: a hostile one may lead to the same ones again and again."""

_MOST_ELEMENTS = 80


def outcome(action: Callable[[], Any]) -> Any:
    """The value with all that is below it, or the error with its text and attributes."""
    return _Look().attempt(action)


def errors_in(found: Any) -> set[str]:
    """The names of the classes of all errors in what `outcome` gave."""
    if isinstance(found, tuple) and len(found) > 1 and found[0] == "error":
        return {found[1]}
    below = found.values() if isinstance(found, dict) else found if isinstance(found, (list, tuple)) else ()
    return set().union(*map(errors_in, below))


class _Look:
    """One look at a value: what it gives are plain Python values whose ``==`` sees every bit."""

    def __init__(self) -> None:
        self.left = _MOST_VALUES

    def attempt(self, action: Callable[[], Any]) -> Any:
        try:
            value = action()
        except Exception as error:  # noqa: BLE001  # whatever it is, both codecs must raise the same
            text = str(error)
            allowed = next((part for part in ALLOWED if part in text), None)
            return "error", type(error).__name__, *((text, vars(error)) if allowed is None else (allowed,))
        return self.at(value)

    def at(self, value: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            return "and so on"
        if isinstance(value, float):
            return "float", struct.pack("<d", value)
        if isinstance(value, ccapnp.Enum):
            return type(value).__qualname__, str(value), int(value)
        if isinstance(value, ccapnp.StructView):
            return self._struct(value)
        if isinstance(value, ccapnp.ListReader):
            return self._list(value)
        if isinstance(value, ccapnp.AnyPointerReader):
            return repr(value), *map(self.attempt, (lambda: value.kind, value.as_text, value.as_data))
        if isinstance(value, ccapnp.AnyStructReader):
            return repr(value), bytes(value.data), self.at(list(value.pointers))
        if isinstance(value, ccapnp.AnyListReader):
            elements = list(itertools.islice(value, _MOST_ELEMENTS))
            return repr(value), len(value), value.element_size, self.at(elements), self.attempt(lambda: value.data)
        if isinstance(value, dict):
            return {str(name): self.at(each) for name, each in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value).__name__, list(map(self.at, value))
        if isinstance(value, memoryview):
            return "view", value.format, value.readonly, value.tobytes()
        return type(value).__name__, value

    def _struct(self, view: Any) -> Any:
        fields = [
            (
                name,
                self.attempt(lambda name=name: ccapnp.has(view, name)),
                self.attempt(lambda name=name: ccapnp.get_field(view, name)),
            )
            for name in view._type._node.fields_by_name
        ]
        return type(view).__qualname__, self.attempt(lambda: ccapnp.which(view)), fields

    def _list(self, values: Any) -> Any:
        count = len(values)
        elements = [self.attempt(lambda at=at: values[at]) for at in range(min(count, _MOST_ELEMENTS))]
        return type(values).__name__, str(values._type), count, elements
