"""The list types of numbers: a table by kind."""

from __future__ import annotations

from ccapnp.types.accessors import NUMBER_RANGES, NUMBER_VIEWS
from ccapnp.types.list_types import NumberListType
from ccapnp.wire.views import FORMATS

__all__ = ["NUMBER_LISTS"]

NUMBER_LISTS = {
    kind: NumberListType(name, NUMBER_VIEWS[kind], FORMATS[NUMBER_VIEWS[kind]], low, high)
    for kind, (name, low, high) in NUMBER_RANGES.items()
}
